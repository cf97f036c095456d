package memory

import (
	"slices"

	"motehound/mote/block"
)

// bounds is the object that a constant or pointer is known to be for. Size is 0 until it was used.
type bounds struct{ lo, size uint16 }

// pointer is where a local's address was taken: a site of the table, and what Y was.
type pointer struct{ site, y uint16 }

// small is what changes all the time while a mote is watched. It is plain data.
type small struct {
	reg       [32]uint16
	deepest   uint16 // lowest value of SP
	floor     uint16 // what the stack must stay above; another one for a thread's stack
	oldSP     uint16 // before the first half of it was written
	smashed   bounds // addresses among which return addresses were overwritten
	lost      bool   // the mote has gone astray: what follows is no finding of its own
	undecided uint64
}

// state is all that changes while a mote is watched. The tables are parts of one block, which rests in pages.
type state struct {
	small
	ram      []uint16  // tags by SRAM index
	origin   []bounds  // by tag, from tagFirst on: constants, then pointers to locals
	pointers []pointer // by tag: pointers to locals; site 0 is free
	used     []bool    // by site: a displaced access was inside the local
	findings []Finding

	block block.Block
	rest  *rest // the state as it was when changed was last false
	// changed says that rest is not the state any more.
	changed bool
}

// rest is a state that nobody changes any more. Many snapshots share it.
type rest struct {
	small
	pages    block.Pages
	findings []Finding
}

func newState(t *Table, lessons []*Lesson) state {
	var (
		p        block.Plan
		ram      = p.Room(2 * t.ramSize)
		origins  = len(t.constants) + maxPointers
		origin   = p.Room(origins * block.Size[bounds]())
		pointers = p.Room(maxPointers * block.Size[pointer]())
		used     = p.Room(len(t.sites) + 1)
		b        = p.New()
	)
	s := state{
		block:    b,
		ram:      block.Slice[uint16](b, ram, t.ramSize),
		origin:   block.Slice[bounds](b, origin, origins),
		pointers: block.Slice[pointer](b, pointers, maxPointers),
		used:     block.Slice[bool](b, used, len(t.sites)+1),
		changed:  true,
	}
	for i := range s.ram {
		s.ram[i] = tagUnwritten
	}
	for i, c := range t.constants {
		if c.owner != nil {
			s.origin[i] = bounds{c.owner.lo, c.owner.size()}
		}
	}
	for _, l := range lessons {
		if l.t == t {
			copy(s.origin, l.origin)
			copy(s.used, l.used)
		}
	}
	s.deepest, s.floor = 0xFFFF, t.floor
	return s
}

// save is the state at rest. It costs next to nothing if nothing has changed.
func (s *state) save() *rest {
	if !s.changed {
		return s.rest
	}
	var last block.Pages
	if s.rest != nil {
		last = s.rest.pages
	}
	s.rest = &rest{small: s.small, pages: s.block.Save(last), findings: slices.Clone(s.findings)}
	s.changed = false
	return s.rest
}

// restore puts back what save gave, here or in another watch of the same table.
func (s *state) restore(from *rest) {
	if !s.changed && s.rest == from {
		return
	}
	s.block.Load(from.pages)
	s.small, s.findings = from.small, append(s.findings[:0], from.findings...)
	s.rest, s.changed = from, false
}

// copyFrom makes the state that of another watch of the same table.
func (s *state) copyFrom(from *state) {
	if !s.changed && !from.changed && s.rest == from.rest {
		return
	}
	copy(s.block, from.block)
	s.small, s.findings = from.small, append(s.findings[:0], from.findings...)
	s.rest, s.changed = from.rest, from.changed
}
