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
	value   uint8 // that it writes to a device
	port    bool  // the touch is of a port's pins
	sleeps  bool
	open    bool // interrupts are on
	valid   bool // an interrupt may come before it
	again   bool // while it is executed, the interrupt is flagged again, so that who comes later comes once instead of twice
}

// steps are the instructions that a mote executes.
type steps struct {
	list   []entry
	vector uint8  // whether this one may come is noted
	ports  []bool // by address: registers of ports
	base   uint16 // where RAM begins
	most   int
}

// run is RunTo, instruction by instruction. Each is called behind every one.
func (t *steps) run(m *mote.Mote, until uint64, each func(*mote.Mote)) {
	c := m.Core()
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		if len(t.list) >= t.most {
			m.RunTo(until) // nobody looks at so long a list
			return
		}
		open := c.I == 1 && c.Enabled != c.Cycles
		if _, asleep := m.Asleep(); !asleep && !(c.Pending && open) {
			e := entry{cycle: m.Cycles(), pc: c.PC, sp: c.SP, open: c.I == 1, sleeps: c.Next() == avr.OpSleep}
			e.touch, e.touches = c.Touches()
			if e.touches && e.touch.Addr < t.base {
				e.value = c.R[c.Coming().D&31]
			}
			e.port = e.touches && int(e.touch.Addr) < len(t.ports) && t.ports[e.touch.Addr]
			e.valid = open && m.Requests()>>t.vector&1 != 0
			t.list = append(t.list, e)
		}
		flagged, again := t.again(m)
		paused := m.StepOn(until)
		each(m)
		if n := len(t.list); flagged && n > 0 && m.Cycles()+response+1 >= again {
			t.list[n-1].again = true
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
	cycle, ok := m.AgainOf(t.vector)
	return ok, cycle
}

// contact is what an interrupt touches.
type contact struct {
	reads, writes []uint16
	devices       bool
	takes         uint64 // cycles
	spoils        bool   // registers are not as they were, or it does not come back
}

// conflicts tells whether an instruction and an interrupt cannot be swapped.
func (f *contact) conflicts(e *entry, base uint16) bool {
	switch {
	case f.spoils || e.sleeps || e.again:
		return true
	case !e.touches:
		return false
	case e.touch.Addr < base:
		return !e.port || f.devices
	case e.touch.Write && slices.Contains(f.reads, e.touch.Addr):
		return true
	}
	return slices.Contains(f.writes, e.touch.Addr)
}

// contactOf is what the instructions of a handler touch. Of its own stack, which lies below that of whom it interrupts, nobody else knows.
func contactOf(list []entry, sp uint16, base uint16) (f contact) {
	for i := range list {
		e := &list[i]
		switch {
		case !e.touches:
		case e.touch.Addr < base:
			f.devices = true
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
