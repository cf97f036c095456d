package mapping

import "slices"

// COB copies on branch.
var COB = Algorithm{
	Name:   "cob",
	About:  "copy on branch: every branch copies all other motes; simple, and the reference for the others",
	branch: branchCOB,
	send:   sendCOB,
}

// branchCOB gives the child a dstate of its own, with copies of the parent's peers.
func branchCOB(m *Mapping, parent, child State) {
	p := m.place(parent)
	heir := m.newDstate()
	for mote, states := range p.in[0].states {
		if mote == p.mote {
			m.join(child, heir)
		} else {
			m.join(m.fork(states[0]), heir)
		}
	}
}

// sendCOB has nothing to prepare: peers meet nobody else.
func sendCOB(_ *Mapping, s *sending) { s.peersReceive() }

// peersReceive delivers to all states that senders meet.
func (s *sending) peersReceive() {
	for _, mote := range s.to {
		for _, r := range s.rounds {
			d := r.dstate
			if r.rivals {
				d = r.heir
			}
			s.receivers[mote] = slices.Concat(s.receivers[mote], d.states[mote])
		}
	}
}
