package mcu

import "motehound/mote/digest"

// CloneAll puts n new machines into the states of others, each with its own Outside: pair names them. Their memory is
// allocated together: the clones of a network live and die together.
func CloneAll(n int, pair func(i int) (from, to *Machine, out Outside)) {
	bytes := 0
	for i := range n {
		from, _, _ := pair(i)
		bytes += len(from.ram)
	}
	states, ram := make([]state, n), make([]uint8, bytes)
	for i := range n {
		from, to, out := pair(i)
		size := len(from.ram)
		to.chip, to.opt, to.lay, to.out, to.st, to.ram = from.chip, from.opt, from.lay, out, &states[i], ram[:size:size]
		ram = ram[size:]
		to.core.Init(to, from.core.Plain, to.ram, from.chip.RAMBase)
		to.CopyFrom(from)
	}
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
	m.memo, m.due = noInstant, from.due
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
