package mcu

import (
	"motehound/isa/avr"
	"motehound/mote/block"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/store"
)

// Rest is the state of a machine without the machine: what a clone is until somebody runs it. Copy it with CopyTo.
type Rest struct {
	lay           *layout
	pages         block.Pages
	core          avr.State
	plain         *avr.Program
	rom           []uint8
	flash, eeprom store.Store
	page          periph.PageBuffer
	noted         []string
	due           int
}

// Core is the state of the CPU. It must not be changed.
func (r *Rest) Core() *avr.State { return &r.core }

// Save puts the machine's state into a Rest of the same Design, or an empty one.
func (m *Machine) Save(to *Rest) {
	m.saved = m.block.Save(m.saved)
	to.lay, to.pages = m.lay, m.saved
	to.core, to.plain, to.rom = m.core.State, m.core.Plain, m.core.ROM
	to.flash, to.eeprom, to.page = m.flash.Clone(), m.eeprom.Clone(), m.page.Clone()
	m.disown()
	to.due, to.noted = m.due, m.notedSoFar()
}

// CopyTo makes another Rest, of the same Design or empty, the same.
func (r *Rest) CopyTo(to *Rest) {
	*to = *r
	to.flash, to.eeprom, to.page = r.flash.Clone(), r.eeprom.Clone(), r.page.Clone()
}

// Restore puts the machine into a state of the same Design.
func (m *Machine) Restore(from *Rest) {
	m.mustBeLike(from.lay)
	m.block.Load(from.pages)
	m.saved = from.pages
	m.core.State = from.core
	m.Disturb()
	m.ask()
	m.setCode(from.plain, from.rom)
	m.flash, m.eeprom, m.page = from.flash.Clone(), from.eeprom.Clone(), from.page.Clone()
	m.due, m.noted = from.due, from.noted
}

// Wake makes a machine of a Rest, which is then empty.
func (d *Design) Wake(m *Machine, r *Rest, out Outside) {
	m.chip, m.opt, m.lay, m.out = d.Chip, d.Options, d.lay, out
	m.settle(d.lay.rooms.New())
	m.core.Init(m, r.plain, m.ram, d.Chip.RAMBase)
	m.Restore(r)
	*r = Rest{}
}

func (m *Machine) mustBeLike(lay *layout) {
	if m.lay != lay {
		panic("BUG: copying the state of another kind of chip")
	}
}

// setCode makes the machine run a program that it shares.
func (m *Machine) setCode(plain *avr.Program, rom []uint8) {
	if m.core.Plain != plain {
		m.core.Plain = plain
		m.rehook()
	}
	m.core.ROM, m.ownCode, m.memo = rom, false, noInstant
}

// disown says that somebody else has the machine's program too.
func (m *Machine) disown() {
	if m.ownCode {
		m.ownCode = false
	}
}

func (m *Machine) notedSoFar() []string { return m.noted[:len(m.noted):len(m.noted)] }

// CopyFrom puts the machine into the state of another one of the same Design. Neither keeps anything of the other.
func (m *Machine) CopyFrom(from *Machine) {
	m.mustBeLike(from.lay)
	copy(m.block, from.block)
	m.saved = from.saved
	m.core.State = from.core.State
	m.Disturb()
	m.ask()
	from.disown()
	m.setCode(from.core.Plain, from.core.ROM)
	m.flash, m.eeprom, m.page = from.flash.Clone(), from.eeprom.Clone(), from.page.Clone()
	m.due, m.noted = from.due, from.notedSoFar()
}

// AppendState feeds the machine's whole state to a digest.
func (m *Machine) AppendState(h *digest.Digest) {
	core := m.core.Digested()
	digest.Struct(h, &core)
	digest.Struct(h, m.st)
	ports, timers, usarts := m.devices()
	digest.Slice(h, ports)
	digest.Slice(h, timers)
	digest.Slice(h, usarts)
	h.Bytes(m.scratch)
	h.Bytes(m.ram)
	h.Word(m.flash.Hash())
	h.Word(m.eeprom.Hash())
	m.page.AppendState(h)
	for _, o := range m.others() {
		o.AppendState(h)
	}
}
