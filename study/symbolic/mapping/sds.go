package mapping

import "slices"

// SDS has super-distributed states.
var SDS = Algorithm{
	Name:   "sds",
	About:  "super-distributed states: a frame copies those that receive it, and only if they could also not have received it",
	branch: branchBeside,
	send:   sendSDS,
}

// sendSDS separates senders from their rivals, in each dstate that has some. Bystanders are then in both. Those who receive must not be
// in a dstate where nothing is received: if they are, a copy receives in their place.
func sendSDS(m *Mapping, s *sending) {
	for i := range s.rounds {
		if r := &s.rounds[i]; r.rivals {
			m.split(r)
		}
	}
	for mote := range m.motes {
		switch {
		case mote == s.mote:
		case s.receives(mote):
			m.receiveSDS(s, mote)
		default:
			m.standBySDS(s, mote)
		}
	}
}

func (m *Mapping) standBySDS(s *sending, mote int) {
	for _, r := range s.rounds {
		if !r.rivals {
			continue
		}
		for _, state := range r.states[mote] {
			m.join(state, r.heir)
		}
	}
}

// meeting is a state that a frame reaches, and the rounds in which it does, by index.
type meeting struct {
	state  State
	rounds []int
}

func (m *Mapping) receiveSDS(s *sending, mote int) {
	for _, met := range s.meetings(mote) {
		receiver := met.state
		if m.alsoMisses(s, met) {
			receiver = m.fork(met.state)
			for _, i := range met.rounds {
				if r := s.rounds[i]; r.rivals {
					m.join(receiver, r.heir)
				} else {
					m.pass(met.state, receiver, r.dstate)
				}
			}
		}
		s.receivers[mote] = append(s.receivers[mote], receiver)
	}
}

// alsoMisses reports whether a state is in some outcome where it does not receive the frame: in a dstate without a sender, or with a
// rival.
func (m *Mapping) alsoMisses(s *sending, met meeting) bool {
	return len(met.rounds) < len(m.place(met.state).in) ||
		slices.ContainsFunc(met.rounds, func(i int) bool { return s.rounds[i].rivals })
}

// meetings is the states of a mote that the frame reaches, in the order in which it meets them.
func (s *sending) meetings(mote int) []meeting {
	var all []meeting
	at := map[State]int{}
	for i, r := range s.rounds {
		for _, state := range r.states[mote] {
			n, ok := at[state]
			if !ok {
				n = len(all)
				at[state] = n
				all = append(all, meeting{state: state})
			}
			all[n].rounds = append(all[n].rounds, i)
		}
	}
	return all
}
