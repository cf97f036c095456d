package explore

import (
	"slices"
	"sync/atomic"

	"motehound/mote"
	"motehound/world"
)

// Sections of a program that are run with interrupts off, although nothing in it says so: as if CLI stood before the first instruction of a
// section, and the I flag were restored where control leaves it. Functions that are called from it are part of it. It costs no cycles. A section is
// never left in the middle: a transition ends where interrupts are on.

// Section is a stretch of a program.
type Section struct {
	From, To Place // its first and last access to what it protects, or the call that makes that
	// Across says that some of the accesses are made by functions that are called in between, or inlined there.
	Across bool
	// Loops says that parts of it run more than once, or that a line uses several elements of an array: if a loop does that, the section has to contain
	// the loop, of which the compiler may have left nothing.
	Loops bool

	kind   *mote.Kind
	enter  uint32   // word address of its first instruction
	inside []uint32 // those of all instructions, except those of called functions
	leaves []uint32 // where control may get from there
}

// masked is whether a mote is in a section.
type masked struct {
	by    *Section // nil for none
	since uint64
}

// With is the same network, just booted, with interrupts off in these sections, and with nothing checked but races.
func (s *System) With(list []Section) (*System, error) {
	sh := &shared{opt: s.sh.opt, cfg: s.sh.cfg, faults: s.sh.faults, kinds: s.sh.kinds, motes: s.sh.motes, offered: make([]atomic.Bool, len(s.sh.offered)),
		loud: s.sh.loud, benign: s.sh.benign, spared: make([]bool, len(s.sh.benign)), sections: list}
	sh.opt.Plan, sh.opt.Stop = nil, nil
	return sh.boot()
}

// Waited is for how many cycles interrupts were off, at most, since a mote was in a section.
func (s *System) Waited() uint64 { return s.sh.waited.Load() }

// mask has sections be run with interrupts off.
func (b *body) mask() {
	b.masked = make([]masked, len(b.sh.motes))
	if len(b.sh.sections) == 0 {
		return
	}
	b.w.Observe(world.Observer{
		Code: func(i int, cycle uint64, pc uint32) bool { b.passes(i, cycle, pc); return false },
		CodeAt: func(k *mote.Kind) (at []uint32) {
			for n := range b.sh.sections {
				if x := &b.sh.sections[n]; x.kind == k {
					at = append(append(at, x.enter), x.leaves...)
				}
			}
			slices.Sort(at)
			return slices.Compact(at)
		},
	})
}

// emerge is called wherever a mote pauses, rests, or is about to have its next instruction looked at. It gives back what the checks want undone, and has the mote leave its section if it has got out.
func (b *body) emerge(m *mote.Mote) {
	if b.suite != nil {
		b.suite.Mend()
	}
	if len(b.sh.sections) > 0 {
		b.leave(slices.Index(b.w.Motes(), m), m.Cycles(), m.Core().PC)
	}
}

// leave has a mote in front of an instruction leave its section, if that is none of its instructions.
func (b *body) leave(i int, cycle uint64, pc uint32) {
	m, c := &b.masked[i], b.w.Motes()[i].Core()
	if m.by == nil || !slices.Contains(m.by.leaves, pc) {
		return
	}
	for was := b.sh.waited.Load(); was < cycle-m.since && !b.sh.waited.CompareAndSwap(was, cycle-m.since); {
		was = b.sh.waited.Load()
	}
	m.by, c.I, c.Enabled = nil, 1, 0
	c.Attend()
}

// passes has a mote enter or leave sections in front of an instruction.
func (b *body) passes(i int, cycle uint64, pc uint32) {
	b.leave(i, cycle, pc)
	m, c := &b.masked[i], b.w.Motes()[i].Core()
	for n := range b.sh.sections {
		if x := &b.sh.sections[n]; m.by == nil && c.I == 1 && x.enter == pc && x.kind == b.sh.motes[i].kind.kind {
			*m, c.I = masked{x, cycle}, 0
		}
	}
}

// Contains tells whether a section begins in another one.
func (s *Section) Contains(x *Section) bool {
	return s.kind == x.kind && slices.Contains(s.inside, x.enter)
}
