package mcu

import "motehound/mote/digest"

// CloneAll makes second machines in the same states, each with its own Outside. Their memory is allocated together: the
// clones of a network live and die together.
func CloneAll(from []*Machine, out func(i int) Outside) []*Machine {
	machines, states, list := make([]Machine, len(from)), make([]state, len(from)), make([]*Machine, len(from))
	bytes := 0
	for _, m := range from {
		bytes += len(m.ram)
	}
	ram := make([]uint8, bytes)
	for i, m := range from {
		c := &machines[i]
		n := len(m.ram)
		c.chip, c.opt, c.lay, c.out, c.st, c.ram = m.chip, m.opt, m.lay, out(i), &states[i], ram[:n:n]
		ram = ram[n:]
		c.core.Init(c, m.core.Plain, c.ram, m.chip.RAMBase)
		c.CopyFrom(m)
		list[i] = c
	}
	return list
}

// CopyFrom puts the machine into the state of another one of the same Design. Neither keeps anything of the other.
func (m *Machine) CopyFrom(from *Machine) {
	if m.lay != from.lay {
		panic("BUG: copying the state of another kind of chip")
	}
	m.core.State = from.core.State
	m.core.Pending = from.core.Pending
	if m.core.Plain != from.core.Plain {
		m.core.Plain = from.core.Plain
		m.rehook()
	}
	m.core.ROM = from.core.ROM
	*m.st = *from.st
	copy(m.ram, from.ram)
	m.flash = from.flash.Clone()
	m.eeprom = from.eeprom.Clone()
	if from.ownCode {
		from.ownCode = false
	}
	m.ownCode = false
	m.noted = from.noted[:len(from.noted):len(from.noted)]
}

// AppendState feeds the machine's whole state to a digest.
func (m *Machine) AppendState(h *digest.Digest) {
	m.core.Canon()
	digest.Struct(h, &m.core.State)
	digest.Struct(h, m.st)
	h.Bytes(m.ram)
	h.Word(m.flash.Hash())
	h.Word(m.eeprom.Hash())
}
