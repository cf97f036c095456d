package mcu

import (
	"slices"
	"sync"

	"motehound/isa/avr"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/spin"
)

// A CPU that waits in a loop is not executed instruction by instruction: package spin finds such loops, and how often they go round before the
// next event. Looking costs as much as some thousand instructions, so it is done where a wait was found before, and ever more seldom where none was.

// spinner is what a machine remembers of the loops that it waited in. It is no part of its state: what a machine does never depends on it.
type spinner struct {
	off     bool
	look    uint64      // the cycle from which on to look for a loop
	pause   uint64      // how long not to look after having found none
	looked  uint64      // instructions that had been executed by then
	limit   uint64      // of the present look
	skipped uint64      // instructions
	steady  uint64      // the CPU stays in its loop up to this cycle, unless something from outside happens; 0 if that is not known
	strays  uint8       // how often the CPU was somewhere else lately
	misses  uint8       // how often none was found
	dull    uint8       // how often it was found at more cost than it was worth
	home    spin.Places // where the last loop was
	head    uint32      // ... and where in it looking was of use: not every place is good for that
	length  int         // ... in instructions; 0 if there was none
	dead    spin.Dead   // ... and what is not in use there
	walked  int         // how many of them the CPU has gone towards the head
}

const (
	worthSkipping = 32      // cycles that the CPU is to run
	worthLooking  = 512     // ... up to the next event
	worthFinding  = 1024    // ... that were skipped, for looking to have been worth it
	firstPause    = 512     // cycles, before any loop was found
	minPause      = 64      // ... afterwards
	maxPause      = 1 << 20 // ... of which half have to be instructions
	strayCycles   = 32      // how long a handler runs before looking whether it has ended
	maxStrays     = 24
	profit        = 32 // instructions that are executed while one is looked at
	maxDull       = 4
	farAhead      = 1 << 34 // cycles: an hour or so
	longestWait   = 400     // instructions of a loop that Waiting finds
)

// finders are shared by the machines: one needs a finder only while it looks.
var finders = sync.Pool{New: func() any { return new(spin.Finder) }}

// SkipWaits says whether iterations of loops that only wait may be skipped, which nothing but the time it takes shows. It is so from the start.
func (m *Machine) SkipWaits(on bool) { m.spin.off = !on }

// Skipped is how many of the core's Instructions were not executed one by one.
func (m *Machine) Skipped() uint64 { return m.spin.skipped }

// Disturb says that something was done to the machine from outside: it may not be known any more how long its CPU waits.
func (m *Machine) Disturb() { m.spin.steady = 0 }

// execute runs the core up to a cycle, or to the next event.
func (m *Machine) execute(until uint64) {
	s, c, next := &m.spin, &m.core, m.st.next
	if s.look > c.Cycles && s.look <= c.Cycles+maxPause {
		c.Run(min(until, next, s.look))
		return
	}
	switch {
	case s.off || until < c.Cycles+worthSkipping || next-c.Cycles < worthLooking || c.Bus != m && !m.followed():
		c.Run(min(until, next))
	case s.length != 0 && s.strays < maxStrays && !s.home.Has(c.PC):
		s.strays++
		c.Run(min(until, next, c.Cycles+strayCycles))
	case s.length != 0 && s.walked < 2*s.length && s.head != c.PC:
		s.walked++
		c.Run(c.Cycles + 1)
	case s.pause > 1<<12 && c.Instructions-s.skipped-s.looked < s.pause/2:
		s.look = c.Cycles + s.pause/2
	default:
		m.lookForLoop(until)
	}
}

// lookForLoop skips the iterations of the loop in which the CPU waits, if it does.
func (m *Machine) lookForLoop(until uint64) {
	s, c := &m.spin, &m.core
	f := finders.Get().(*spin.Finder)
	defer finders.Put(f)
	s.limit, s.strays, s.walked = min(m.st.next, c.Cycles+farAhead), 0, 0
	steps := max(64, 2*s.length) // most waits are short; for others there is time now and then
	switch {
	case s.misses%16 == 15:
		steps = 1600
	case s.misses%8 == 7:
		steps = 400
	}
	from, head := c.Cycles, c.PC
	dead := s.dead
	if head != s.head {
		dead = spin.Dead{}
	}
	again := s.length != 0 && s.misses == 0 && head == s.head
	loop, ok := f.Find(c, waited{m}, s.limit, steps, dead, again)
	found := loop.N * loop.Cycles
	if ok {
		if m.seen(&loop) && until < c.Cycles+2*loop.Cycles {
			c.Run(min(until, s.limit))
			return
		}
		ok = m.skip(f, &loop, until)
	}
	if s.dull++; loop.N*loop.Instructions > profit*uint64(loop.Work) {
		s.dull = 0
	}
	if !ok || s.dull > maxDull || found < worthFinding && found < (s.limit-from)/2 {
		s.looked = c.Instructions - s.skipped
		least := uint64(firstPause)
		if s.length != 0 {
			least = minPause
		}
		s.pause = min(max(2*s.pause, least), maxPause)
		s.look = c.Cycles + s.pause
		s.misses++
		s.dull = min(s.dull, maxDull)
		return
	}
	s.head, s.home, s.length, s.dead = head, loop.At, int(loop.Instructions), loop.Dead
	s.pause, s.misses = 0, 0
	s.look = c.Cycles + loop.Cycles // by then it has left the loop, or the event is there
	s.steady = from + found
}

// Waiting is the loop in which the CPU waits, if it stands in one that goes round twice at least before the next event; nothing is skipped. Not every
// place in a loop is good for finding it.
func (m *Machine) Waiting() (spin.Loop, bool) {
	f := finders.Get().(*spin.Finder)
	defer finders.Put(f)
	return m.waits(f, spin.Dead{}, false)
}

func (m *Machine) waits(f *spin.Finder, dead spin.Dead, again bool) (spin.Loop, bool) {
	c := &m.core
	if m.st.sleep != awake || m.st.next <= c.Cycles {
		return spin.Loop{}, false
	}
	m.spin.limit = min(m.st.next, c.Cycles+farAhead)
	return f.Find(c, waited{m}, m.spin.limit, longestWait, dead, again)
}

// WaitOn lets the CPU go round in a loop that Waiting has found, and of which it knew what is dead, as long as it waits there, but not beyond a cycle nor up to the next event.
func (m *Machine) WaitOn(dead spin.Dead, until uint64) {
	f := finders.Get().(*spin.Finder)
	defer finders.Put(f)
	loop, ok := m.waits(f, dead, true)
	switch {
	case !ok || until < m.core.Cycles+2*loop.Cycles:
	case m.core.Bus != m && !m.followed():
		m.RunTo(min(until, m.core.Cycles+loop.N*loop.Cycles))
	default:
		m.skip(f, &loop, until)
	}
}

// LooksOnly reports whether reading a register, again and again, does nothing but give a value.
func (m *Machine) LooksOnly(addr uint16) bool {
	return int(addr) < len(m.lay.claim) && !slices.ContainsFunc(m.lay.claim[addr], func(id periph.ID) bool {
		d := m.dev().devs[id]
		_, timer := d.(*periph.Timer)
		return !timer && !m.shows(d, addr)
	})
}

// Counts reports whether a register is a timer's.
func (m *Machine) Counts(addr uint16) bool {
	return int(addr) < len(m.lay.claim) && slices.ContainsFunc(m.lay.claim[addr], func(id periph.ID) bool {
		_, timer := m.dev().devs[id].(*periph.Timer)
		return timer
	})
}

// seen reports whether somebody sees what a loop does, so that an iteration has to be executed before others can be skipped.
func (m *Machine) seen(loop *spin.Loop) bool { return loop.Told || m.settler() != nil }

// skip lets a loop go round until a cycle. It reports whether it may: not if who sees it has learned something new in the first iteration.
func (m *Machine) skip(f *spin.Finder, loop *spin.Loop, until uint64) bool {
	c := &m.core
	done := uint64(0)
	if m.seen(loop) {
		if !loop.Pointers && m.settler() != nil || !m.settles(loop) {
			return false
		}
		done = 1
	}
	n := loop.N
	if until < c.Cycles+(n-done)*loop.Cycles {
		n = done + (max(until, c.Cycles)-c.Cycles)/loop.Cycles
	}
	if loop.Rest && n > done {
		n--
	}
	if n == done {
		return true
	}
	f.Skip(n, done)
	m.spin.skipped += (n - done) * loop.Instructions
	if loop.Rest {
		c.Run(c.Cycles + loop.Cycles)
		return true
	}
	end := c.Cycles
	for t := range f.Touches(n) {
		if c.Cycles = t.Cycle; t.WDR {
			m.WatchdogReset()
		} else {
			m.Load(t.Addr)
		}
	}
	c.Cycles = end
	return true
}

// Bystander is a Shadow that knows whether it has nothing to do, so that it need not be asked. One that has a Bus of its own makes sure that the data
// which passes through it there is the chip's.
type Bystander interface {
	// Ignores reports whether Step would do nothing at the instruction at which a core is: the shadow's own, or a copy of it that has gone on.
	Ignores(c *avr.Core) bool
}

// followed reports whether the core has such a Shadow.
func (m *Machine) followed() bool {
	_, ok := m.core.Shadow.(Bystander)
	return ok
}

// Settler is a Shadow that keeps something for each instruction, but need not see an iteration of a loop again if the one before has changed nothing
// in what it keeps, and all pointers are the same.
type Settler interface {
	// Remember has it remember what it keeps.
	Remember()
	// Unchanged reports whether it keeps the same as when it was told to remember it, and nobody was told anything since.
	Unchanged() bool
}

func (m *Machine) settler() Settler {
	s, _ := m.core.Shadow.(Settler)
	return s
}

// Watcher is an Outside that knows whether whoever is told by Hook has learned something new.
type Watcher interface {
	// Repeats reports whether all who watch an instruction can be asked.
	Repeats(pc uint32) bool
	// AppendKept feeds all that they keep to a digest, but for what each iteration of a loop overwrites.
	AppendKept(d *digest.Digest)
}

// settles executes an iteration of a loop, and reports whether the Settler, and whoever watches, has seen nothing new.
func (m *Machine) settles(loop *spin.Loop) bool {
	s, c, head := m.settler(), &m.core, m.core.PC
	if s != nil {
		s.Remember()
	}
	kept := m.kept()
	c.Run(c.Cycles + loop.Cycles)
	return (s == nil || s.Unchanged()) && c.PC == head && (!loop.Told || m.kept() == kept)
}

func (m *Machine) kept() digest.Sum {
	d := digest.New()
	if w, ok := m.out.(Watcher); ok {
		w.AppendKept(&d)
	}
	return d.Sum()
}

// waited is a machine for the eyes of package spin.
type waited struct{ m *Machine }

// Ignored implements spin.Chip.
func (w waited) Ignored(c *avr.Core) bool {
	if b, ok := w.m.core.Shadow.(Bystander); ok {
		return b.Ignores(c)
	}
	return w.m.settler() != nil
}

// Repeats implements spin.Chip.
func (w waited) Repeats(pc uint32) bool {
	x, ok := w.m.out.(Watcher)
	return ok && x.Repeats(pc)
}

// ProgWord implements spin.Chip.
func (w waited) ProgWord(pc uint32) uint16 { return w.m.ProgWord(pc) }

// at makes a cycle the present one, for devices that are looked at.
func (m *Machine) at(cycle uint64) { m.inEvent, m.when = true, cycle }

// Look implements spin.Chip. Besides timers there are devices whose registers show for a while that something has just happened, and then no
// more: each bit changes once at most, so it has not if it is the same in the end.
func (w waited) Look(addr uint16, cycle uint64) (r spin.Reading, ok bool) {
	m := w.m
	if int(addr) >= len(m.lay.claim) {
		return r, false
	}
	claim := m.lay.claim[addr]
	if len(claim) == 0 {
		return spin.Reading{Value: m.scratch[addr], Until: periph.Never}, m.lay.scratch[addr] || slices.Contains(m.noted, registerNote(addr))
	}
	defer func() { m.inEvent = false }()
	r.Until = periph.Never
	for _, id := range claim {
		m.at(cycle)
		switch d := m.dev().devs[id].(type) {
		case *periph.Timer:
			if c, is := d.Counter(m, addr); is {
				return w.counter(&c, d), len(claim) == 1
			}
			clock, until, still := d.Still(m, addr)
			if !still {
				return r, false
			}
			r.Until = min(r.Until, m.momentOf(clock, until))
			r.Value |= d.Peek(m, addr)
		default:
			v := d.Peek(m, addr)
			m.at(m.spin.limit - 1)
			if !m.shows(d, addr) || d.Peek(m, addr) != v {
				return r, false
			}
			r.Value |= v
		}
	}
	return r, true
}

func (w waited) counter(c *periph.Counter, t *periph.Timer) spin.Reading {
	r := spin.Reading{Counter: 1, Count: c.Count, Top: c.Top, Tap: c.Tap, High: t.Cfg.TCNTH}
	for i := range w.m.chip.Timers {
		if t == &w.m.dev().timers[i] {
			r.Counter += uint8(i)
		}
	}
	return r
}

// Ticks implements spin.Chip.
func (w waited) Ticks(counter uint8, cycle uint64) uint64 {
	w.m.at(cycle)
	defer func() { w.m.inEvent = false }()
	return w.m.dev().timers[counter-1].Ticks(w.m)
}

// shows tells whether reading a register of a device, other than a timer, does nothing that reading it again would not do over,
// and gives a value that has no expression.
func (m *Machine) shows(d periph.Device, addr uint16) bool {
	switch d := d.(type) {
	case *periph.USART:
		return addr != d.Cfg.UDR
	case *periph.SPI:
		return addr != d.Cfg.SPDR
	case *periph.ADC:
		return addr != d.Cfg.ADCL && addr != d.Cfg.ADCH
	case *periph.EEPROM:
		return addr != d.Cfg.EEDR
	case *periph.TWI:
		return addr != d.Cfg.TWDR
	case *control, *periph.Port, *periph.ExtInt, *periph.PinChange, *periph.Prescaler, *periph.Comparator, *periph.SelfProg,
		*periph.Watchdog, *periph.SystemClock:
		return true
	}
	return false
}

// Keeps implements spin.Chip: ports and the sleep bits only.
func (w waited) Keeps(addr uint16, v uint8) bool {
	m := w.m
	if int(addr) >= len(m.lay.claim) || len(m.lay.claim[addr]) != 1 {
		return false
	}
	switch d := m.dev().devs[m.lay.claim[addr][0]].(type) {
	case *periph.Port:
		return addr == d.Cfg.PORT && d.S.PORT == v
	case *control:
		return addr == d.cfg.SMCR && addr != d.cfg.MCUCR && d.s.smcr == v
	}
	return false
}
