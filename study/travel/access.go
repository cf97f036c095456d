package travel

import (
	"motehound/isa/avr"
	"motehound/mote"
)

// touched is the bytes that an instruction accesses.
type touched struct {
	from          uint16
	n             int
	reads, writes bool
}

// access says what the instruction that a mote is before does to its data space, and with which values.
func access(m *mote.Mote) (t touched, values [3]uint8, ok bool) {
	c := m.Core()
	in := c.Coming()
	a := in.Access()
	t = touched{n: 1, reads: a.Reads, writes: a.Writes}
	switch a.Space {
	case avr.DataMemory, avr.IORegister:
		t.from = a.Address(&c.State)
		if a.Writes {
			values[0] = stored(m, in, t.from)
		}
		return t, values, true
	case avr.StackMemory:
		if a.Bytes > 1 {
			t.n = int(a.Bytes)
			if m.Chip().FlashSize > 1<<17 {
				t.n++
			}
		}
		if a.Reads {
			t.from = c.SP + 1
			return t, values, true
		}
		t.from = c.SP + 1 - uint16(t.n)
		if a.Bytes == 1 {
			values[0] = c.R[in.D]
			return t, values, true
		}
		back := c.PC + in.Length()
		for n := range t.n { // the high byte is at the lower address
			values[t.n-1-n] = uint8(back >> (8 * n))
		}
		return t, values, true
	}
	return t, values, false
}

// stored is what an instruction writes to a byte.
func stored(m *mote.Mote, in avr.Inst, addr uint16) uint8 {
	switch in.Op {
	case avr.OpSbi:
		return m.Peek(addr) | in.R
	case avr.OpCbi:
		return m.Peek(addr) &^ in.R
	}
	return m.Core().R[in.D&31]
}
