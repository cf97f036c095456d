package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/spin"
)

// Polls. A main program without a kernel may look at a device again and again: at the UART's status, at a pin, at a timer's flag, or at nothing while
// it counts down a delay. While it does, the mote rests. If nothing that the mote does by itself ever ends such a wait, only what
// comes from outside can. Otherwise the end of the wait is when the main program naturally goes on, and what comes before is a choice: a byte that
// arrives while the program waits for a timer, say.

const (
	mostWaits = 64 // events of devices in a wait, before it is left for another transition
	tries     = 16 // instructions at which a wait is looked for: not all of a loop are good for that

	horizonCycles = 1 << 32 // of a wait that no event ends
)

// mayRest reports whether a mote may rest in its main program: its interrupts are on. Those of a program without a kernel may never have been on, and
// are off for good once main has returned.
func (b *body) mayRest(i int, x *seat) bool {
	c, k := b.w.Motes()[i].Core(), b.sh.motes[i].kind
	if c.I == 1 || b.masked[i].by != nil {
		x.heard = true
	}
	return c.I == 1 || k.profile.Kernel == kernel.None && (!x.heard || k.end != 0 && c.PC == k.end)
}

// endOf is the instruction that a program without a kernel repeats for ever when main has returned, as a word address; 0 if it is not known.
func endOf(k *mote.Kind) uint32 {
	s, _ := k.Image.Symbol("__stop_program")
	return s.Addr / 2
}

// sleeps tells whether a main program goes to sleep.
func sleeps(code *avr.Program) bool {
	return reaches(code, 0, func(in avr.Inst) bool { return in.Op == avr.OpSleep })
}

// polls works out whether a mote's main program waits in a loop, and until when. A kernel that never sleeps waits if it goes round and finds nothing to do.
func (s *System) polls(i int, o *outlook) error {
	x := &s.seats[i]
	k := s.sh.motes[i].kind
	kernels := k.profile.Kernel != kernel.None
	if !o.task || x.amid() || kernels && (k.sleeps || x.running || x.waiting > 0) {
		return nil
	}
	var err error
	if o.idle, err = s.roundIdles(i, o); err == nil && !o.idle && !kernels {
		o.idle, err = s.waits(i, o)
	}
	o.task = !o.idle
	return err
}

// waits is polls for a loop that looks at devices. It tells whether the mote stays there for good.
func (s *System) waits(i int, o *outlook) (forGood bool, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return false, err
	}
	defer t.leave()
	m := t.mote()
	began := m.Cycles()
	if forGood = t.b.outwait(m, o.longestWait(m)); !forGood && m.Cycles() >= began+idleLoop {
		o.stays = m.Time()
	}
	return forGood, nil
}

// longestWait is the cycle up to which a main program may be let wait.
func (o *outlook) longestWait(m *mote.Mote) uint64 { return m.CycleAt(min(o.now+horizon, o.limit-1)) }

// patience is longestWait for settle, if a main program waits, or 0.
func (o *outlook) patience(m *mote.Mote) uint64 {
	if o.stays == o.now {
		return 0
	}
	return o.longestWait(m)
}

// outwait lets a main program wait in a loop until it leaves that, or to a cycle. It tells whether it would stay there for good: if all is as it was,
// but for the time.
func (b *body) outwait(m *mote.Mote, last uint64) (forGood bool) {
	if b.halt != 0 {
		last = min(last, b.halt)
	}
	var home *spin.Places
	var seen []digest.Sum
	for len(seen) < mostWaits {
		loop, ok := b.waitAt(m, home, last)
		if !ok {
			return false
		}
		if m.Upcoming() == periph.Never && loop.N*loop.Cycles >= horizonCycles {
			return true
		}
		m.RunTo(min(last, m.Cycles()+loop.N*loop.Cycles))
		if next := m.Upcoming(); next != periph.Never && next < m.Cycles()+3*loop.Cycles {
			m.RunTo(min(last, next+1))
		}
		d := digest.New()
		m.AppendRelative(&d)
		if slices.Contains(seen, d.Sum()) {
			return true
		}
		seen, home = append(seen, d.Sum()), &loop.At
	}
	return false
}

// waitAt finds the loop in which a mote waits: in the one that is known, if one is. It may go on by some instructions, but the loop is one
// that it was in before: where a program waits is a part of what it does.
func (b *body) waitAt(m *mote.Mote, home *spin.Places, last uint64) (loop spin.Loop, ok bool) {
	start := m.Core().PC
	for n := range tries {
		if m.Cycles() >= last || home != nil && !home.Has(m.Core().PC) {
			return loop, false
		}
		if loop, ok = m.Waiting(); ok || works(m) {
			return loop, ok && (home == nil && n == 0 || home != nil && loop.At == *home || b.comesBy(m, start, loop.Instructions))
		}
		b.run(m, m.Cycles()+1)
	}
	return loop, false
}

// comesBy lets a mote execute so many instructions, and tells whether one of them is at an address.
func (b *body) comesBy(m *mote.Mote, pc uint32, instructions uint64) bool {
	for range instructions {
		if m.Core().PC == pc {
			return true
		}
		b.run(m, m.Cycles()+1)
	}
	return false
}

// works tells whether a mote's next instruction does anything but look and compute: it writes, except to the stack by a call, or takes a byte from a device.
func works(m *mote.Mote) bool {
	c := m.Core()
	touch, ok := c.Touches()
	return ok && (touch.Write && touch.Addr != c.SP || touch.Read && touch.Addr < m.Chip().RAMBase && !m.LooksOnly(touch.Addr))
}
