package explore

import (
	"bytes"
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote"
)

// Programs without a kernel. The main program goes round in its outermost loop. One round is a transition: it ends where the loop begins
// again. A round that leaves RAM and registers as they were, and looks at no device, would do the same again and again: until something else
// happens, the mote rests there, and only interrupts in the middle of a round are tried. If it looks at a device, see poll.go: a transition is then as
// many rounds as change nothing, up to idleLoop cycles. So it is with a loop inside.

// mainLoop is where the loops of a main program begin, as word addresses.
type mainLoop struct {
	head  uint32   // of the outermost one; 0 if the program has a kernel, or no loop is known
	heads []uint32 // of all in main. A compiler may make several of one, so that a round that does nothing has a head of its own
	rests bool     // it sleeps
}

// mainLoopOf is the loop of a program's main. One that sleeps needs none: the mote rests where it sleeps.
func mainLoopOf(p *kernel.Profile) mainLoop {
	if p.Loop.Sleeps {
		return mainLoop{rests: true}
	}
	return mainLoop{head: p.Loop.Head, heads: p.Loop.Heads}
}

// round is what a mote's registers and RAM were where a loop began.
type round struct {
	pc  uint32
	reg [32]uint8
	sp  uint16
	ram []byte
}

func roundOf(m *mote.Mote) (r round) {
	r.note(m)
	return r
}

// note makes it what they are now.
func (r *round) note(m *mote.Mote) {
	c := m.Core()
	r.pc, r.reg, r.sp, r.ram = c.PC, c.R, c.SP, append(r.ram[:0], m.RAM()...)
}

// same tells whether a mote is as it was.
func (r *round) same(m *mote.Mote) bool {
	c := m.Core()
	return r.pc == c.PC && r.reg == c.R && r.sp == c.SP && bytes.Equal(r.ram, m.RAM())
}

// goRound runs a mote in its main program up to where a loop begins, to a cycle, or to where it pauses, sleeps, or may wait.
func (b *body) goRound(m *mote.Mote, heads []uint32, until uint64, q *quiet) {
	for m.Cycles() < until {
		before := m.Cycles()
		q.round(m)
		b.run(m, before+1)
		if _, asleep := m.Asleep(); asleep || slices.Contains(heads, m.Core().PC) || b.upTo.at(m) || m.Cycles() == before || q.looks(m) || q.repeats(m) {
			return
		}
	}
}

// ends tells whether a round is over. If nothing has changed, some more rounds may follow, unless one is enough: then it is over, too, where a
// loop inside goes round and changes nothing.
func (l *mainLoop) ends(m *mote.Mote, once bool, was *round) bool {
	if once {
		return l.head != 0 && m.Core().PC == l.head || len(was.ram) > 0 && was.same(m)
	}
	return l.head != 0 && m.Core().PC == l.head && (len(was.ram) == 0 || !was.same(m))
}

// longest is for how many cycles a mote is let be in its main program.
func (l *mainLoop) longest() uint64 {
	if l.head == 0 && !l.rests {
		return idleLoop
	}
	return 8 * idleLoop // or to where a loop begins before that, or to where it sleeps
}

// enough tells whether a mote has been in its main program for long enough, if it may be left where it is.
func (l *mainLoop) enough(m *mote.Mote, spent uint64) bool {
	return spent >= l.longest() || spent >= idleLoop && slices.Contains(l.heads, m.Core().PC)
}

// findsHead runs a mote that starts for a while, and tells whether it has come to where its main loop begins. Where it is may be long before,
// so not every instruction is looked at.
func (b *body) findsHead(m *mote.Mote, head uint32) bool {
	b.goRound(m, []uint32{head}, m.Cycles()+idleLoop, nil)
	if m.Core().PC == head {
		return true
	}
	b.run(m, m.Cycles()+idleLoop)
	return false
}

// roundIdles tells whether the next round of a mote's main loop changes nothing, and will not until something else happens. It rests where the
// loop begins, or if the loop is that of a kernel that never sleeps, anywhere in it: then a round is over where it comes by as it was.
func (s *System) roundIdles(i int, o *outlook) (bool, error) {
	m := s.body.w.Motes()[i]
	head := m.Core().PC
	kernels := s.sh.motes[i].kind.profile.Kernel != kernel.None
	t, err := s.onStage(i, o)
	if err != nil {
		return false, err
	}
	defer t.leave()
	log := s.newSteps(i, 0)
	t.b.steps = log
	m = t.mote()
	was := roundOf(m)
	acts := func(e *entry) bool {
		return e.touches && e.touch.Addr < log.base && (e.owners&^s.sh.motes[i].kind.ports != 0 || e.touch.Write)
	}
	looked := 0
	for until := m.Cycles() + idleLoop; m.Cycles() < until; {
		before := m.Cycles()
		t.b.run(m, before+1)
		for ; looked < len(log.list); looked++ {
			if acts(&log.list[looked]) {
				return false, nil
			}
		}
		if _, asleep := m.Asleep(); asleep || m.Cycles() == before {
			return false, nil
		}
		if m.Core().PC == head && (was.same(m) || !kernels) {
			return was.same(m), nil
		}
	}
	return false, nil
}

// passing is where a main program comes by, and how often it does before it ends there.
type passing struct {
	visit
	times int
}

// at tells whether a main program comes by.
func (p *passing) at(m *mote.Mote) bool { return p != nil && visitOf(m) == p.visit }

// comes tells whether a main program has come to where it ends.
func (p *passing) comes(m *mote.Mote) bool {
	if !p.at(m) {
		return false
	}
	p.times--
	return p.times < 0
}
