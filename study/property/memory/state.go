package memory

import (
	"motehound/mote/block"
	"motehound/study/property/builtin"
)

// bounds is the object that a constant or pointer is known to be for. Size is 0 until it was used.
type bounds struct{ lo, size uint16 }

// pointer is where a local's address was taken: a site of the table, and what Y was.
type pointer struct{ site, y uint16 }

// small is what changes all the time while a mote is watched. It is plain data.
type small struct {
	reg     [32]uint16
	deepest uint16    // lowest value of SP
	floor   uint16    // what the stack must stay above; another one for a thread's stack
	oldSP   uint16    // before the first half of it was written
	stacks  [8]uint16 // objects that are threads' stacks: where they begin; 0 for none
	smashed bounds    // addresses among which return addresses were overwritten
	lost    bool      // the mote has gone astray: what follows is no finding of its own
}

// state is all that changes while a mote is watched. The tables are parts of one block, which rests in pages.
type state struct {
	small
	ram      []uint16  // tags by SRAM index
	origin   []bounds  // by tag, from tagFirst on: constants, then pointers to locals
	pointers []pointer // by tag: pointers to locals; site 0 is free
	used     []bool    // by site: a displaced access was inside the local
	block    block.Block
}

// frozen is a state that nobody changes any more.
type frozen struct {
	small
	pages block.Pages
}

func newState(t *table, lessons []*lesson) state {
	var (
		p        block.Layout
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

// Freeze implements builtin.Tracker.
func (s *state) Freeze(last builtin.State) builtin.State {
	var pages block.Pages
	if last != nil {
		pages = last.(*frozen).pages
	}
	return &frozen{small: s.small, pages: s.block.Save(pages)}
}

// Thaw implements builtin.Tracker.
func (s *state) Thaw(from builtin.State) {
	f := from.(*frozen)
	s.block.Load(f.pages)
	s.small = f.small
}

// CopyFrom implements builtin.Tracker.
func (s *state) CopyFrom(from builtin.Tracker) {
	x := from.(*tracker)
	copy(s.block, x.block)
	s.small = x.small
}

// Mark implements builtin.State: a mote that has gone astray by something that was found. Nothing more is found on it until it starts again.
func (s *small) Mark() uint64 {
	if s.lost {
		return 1
	}
	return 0
}
