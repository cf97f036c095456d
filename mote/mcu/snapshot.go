package mcu

import "motehound/mote/digest"

// Clone makes a second machine in the same state, with its own Outside.
func (m *Machine) Clone(out Outside) *Machine {
	c := &Machine{chip: m.chip, opt: m.opt, lay: m.lay, out: out, st: new(state), ram: make([]uint8, len(m.ram))}
	c.core.Init(c, m.core.Plain, c.ram, m.chip.RAMBase)
	c.CopyFrom(m)
	return c
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
