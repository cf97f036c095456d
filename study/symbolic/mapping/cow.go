package mapping

// COW copies on write.
var COW = Algorithm{
	Name:   "cow",
	About:  "copy on write: a frame copies all other motes, if it comes from one of several states",
	branch: branchBeside,
	send:   sendCOW,
}

// branchBeside puts the child beside its parent, wherever that is.
func branchBeside(m *Mapping, parent, child State) {
	for _, d := range m.place(parent).in {
		m.join(child, d)
	}
}

// sendCOW separates senders from their rivals. Bystanders are copied as receivers are, although nothing happens to them: that is what sds
// avoids.
func sendCOW(m *Mapping, s *sending) {
	for i := range s.rounds {
		r := &s.rounds[i]
		if !r.rivals {
			continue
		}
		m.split(r)
		for mote, states := range r.states {
			if mote == s.mote {
				continue
			}
			for _, state := range states {
				m.join(m.fork(state), r.heir)
			}
		}
	}
	s.peersReceive()
}
