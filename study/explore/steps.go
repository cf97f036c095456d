package explore

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
)

// entry is an instruction of a transition.
type entry struct {
	cycle   uint64
	pc      uint32
	sp      uint16
	touch   avr.Touch
	touches bool
	owners  uint64 // the devices that the touch is of
	value   uint8  // that it writes
	sleeps  bool
	open    bool // interrupts are on
	valid   bool // an interrupt may come before it
	again   bool // while it is executed, the interrupt is flagged again, so that who comes later comes once instead of twice
}

// steps are the instructions that a mote executes.
type steps struct {
	list   []entry
	vector uint8  // whether this one may come is noted
	base   uint16 // where RAM begins
	most   int
	lost   int // how often the vector was flagged again
	next   again
}

// again is when the vector is flagged once more. That stays as it is until then, unless a device is touched or does something.
type again struct {
	known    bool
	cycle    uint64
	upcoming uint64 // the next event of any device
}

// mostLost is how often it counts that a vector is flagged again. That it waits for so long with interrupts on does not happen on a chip.
const mostLost = 2

// run is RunTo, instruction by instruction. Each is called behind every one.
func (t *steps) run(m *mote.Mote, until uint64, each func(*mote.Mote)) {
	c := m.Core()
	t.next.known = false
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		if len(t.list) >= t.most {
			m.RunTo(until) // nobody looks at so long a list
			return
		}
		device := false // may be touched
		open := c.I == 1 && c.Enabled != c.Cycles
		if _, asleep := m.Asleep(); !asleep && !(c.Pending && open) {
			in := c.Coming()
			e := entry{cycle: m.Cycles(), pc: c.PC, sp: c.SP, open: c.I == 1, sleeps: in.Op == avr.OpSleep}
			e.touch, e.touches = c.TouchOf(in)
			e.value = c.R[in.D&31]
			if e.touches && e.touch.Addr < t.base {
				e.owners = m.Owners(e.touch.Addr)
				device = true
			}
			e.valid = open && m.Requests()>>t.vector&1 != 0
			t.list = append(t.list, e)
		} else {
			device = true
		}
		flagged, again := t.again(m)
		t.next.known = t.next.known && !device
		paused := m.StepOn(until)
		each(m)
		if n := len(t.list); flagged && n > 0 && m.Cycles()+response+1 >= again && t.lost < mostLost {
			t.list[n-1].again = true
			if m.Cycles() >= again {
				t.lost++
			}
		}
		if paused {
			return
		}
	}
}

// again is when the vector, if it is flagged, is flagged once more.
func (t *steps) again(m *mote.Mote) (flagged bool, cycle uint64) {
	if m.Requests()>>t.vector&1 == 0 {
		return false, 0
	}
	if a := &t.next; !a.known || m.Cycles() >= a.cycle || m.Upcoming() != a.upcoming {
		a.cycle, a.known = m.AgainOf(t.vector)
		a.upcoming = m.Upcoming()
	}
	return t.next.known, t.next.cycle
}

// contact is what an interrupt touches.
type contact struct {
	reads, writes []uint16
	kept          []uint16 // of what it writes, what is afterwards as it was; none where that is not known
	asks, drives  uint64   // devices that it reads, and that it writes
	sets          []uint16 // registers of devices that it writes
	left          []byte   // what settings are afterwards
	found, held   []byte   // what timers have in TEMP before it, and afterwards
	takes         uint64   // cycles
	spoils        bool     // registers are not as they were, or it does not come back
}

// anyway is the contact as it may be with other values, or elsewhere: all that it writes may change.
func (f *contact) anyway() *contact {
	other := *f
	other.kept = nil
	return &other
}

// conflicts tells whether an instruction and an interrupt cannot be swapped.
func (f *contact) conflicts(e *entry, k *kind) bool {
	switch {
	case f.spoils || e.sleeps || e.again:
		return true
	case !e.touches:
		return false
	case e.owners != 0:
		return f.meets(e, k)
	case e.touch.Write && slices.Contains(f.reads, e.touch.Addr):
		return true
	}
	return slices.Contains(f.writes, e.touch.Addr)
}

// meets tells whether an instruction that touches a device and an interrupt cannot be swapped: they touch the same one. To read the pins of a
// port changes nothing; to read other devices may. What is behind the SPI looks at pins, and sets some.
func (f *contact) meets(e *entry, k *kind) bool {
	devices := f.asks | f.drives
	both := e.owners & devices
	switch {
	case both&^k.ports != 0:
		return true
	case both != 0:
		return e.touch.Write || f.drives&both != 0
	case e.owners&k.ports != 0:
		return devices&k.spi != 0 && (e.touch.Write || f.drives&k.spi != 0)
	case e.owners&k.spi != 0:
		return devices&k.ports != 0 && (e.touch.Write || f.drives&k.ports != 0)
	}
	return false
}

// contactOf is what the instructions of a handler touch. Of its own stack, which lies below that of whom it interrupts, nobody else knows.
func contactOf(list []entry, sp uint16) (f contact) {
	for i := range list {
		e := &list[i]
		switch {
		case !e.touches:
		case e.owners != 0:
			if e.touch.Read {
				f.asks |= e.owners
			}
			if e.touch.Write {
				f.drives |= e.owners
				if !slices.Contains(f.sets, e.touch.Addr) {
					f.sets = append(f.sets, e.touch.Addr)
				}
			}
		case e.touch.Addr > e.sp && e.touch.Addr <= sp: // its own stack
		default:
			if e.touch.Read && !slices.Contains(f.reads, e.touch.Addr) {
				f.reads = append(f.reads, e.touch.Addr)
			}
			if e.touch.Write && !slices.Contains(f.writes, e.touch.Addr) {
				f.writes = append(f.writes, e.touch.Addr)
			}
		}
	}
	return f
}
