package memory

// bounds is the object that a constant or pointer is known to be for. Size is 0 until it was used.
type bounds struct{ lo, size uint16 }

// pointer is where a local's address was taken: a site of the table, and what Y was.
type pointer struct{ site, y uint16 }

// state is what changes while a mote is watched. It is plain data.
type state struct {
	reg       [32]uint16
	ram       []uint16  // tags by SRAM index
	origin    []bounds  // by tag, from tagFirst on: constants, then pointers to locals
	pointers  []pointer // by tag: pointers to locals; site 0 is free
	used      []bool    // by site: a displaced access was inside the local
	deepest   uint16    // lowest value of SP
	floor     uint16    // what the stack must stay above; another one for a thread's stack
	oldSP     uint16    // before the first half of it was written
	smashed   bounds    // addresses among which return addresses were overwritten
	lost      bool      // the mote has gone astray: what follows is no finding of its own
	undecided uint64
	findings  []Finding
}

func newState(t *Table) state {
	s := state{
		ram:      make([]uint16, t.ramSize),
		origin:   make([]bounds, len(t.constants)+maxPointers),
		pointers: make([]pointer, maxPointers),
		used:     make([]bool, len(t.sites)+1),
	}
	for i := range s.ram {
		s.ram[i] = tagUnwritten
	}
	for i, c := range t.constants {
		if c.owner != nil {
			s.origin[i] = bounds{c.owner.lo, c.owner.size()}
		}
	}
	s.deepest, s.floor = 0xFFFF, t.floor
	return s
}

// copyFrom puts the state into that of another watch of the same table.
func (s *state) copyFrom(from *state) {
	ram, origin, pointers, used := s.ram, s.origin, s.pointers, s.used
	*s = *from
	s.ram, s.origin, s.pointers, s.used = ram, origin, pointers, used
	copy(s.ram, from.ram)
	copy(s.origin, from.origin)
	copy(s.pointers, from.pointers)
	copy(s.used, from.used)
	s.findings = append([]Finding(nil), from.findings...)
}
