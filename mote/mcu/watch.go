package mcu

import "motehound/isa/avr"

// WatchCode has Outside.Hook called in front of the instructions at these word addresses. Hooked is the program that the
// machine was made with, Hooked at those addresses: machines share it. A machine that has programmed itself gets hooks
// in its own program.
func (m *Machine) WatchCode(at []uint32, hooked *avr.Program) {
	m.watch, m.hooked, m.original = at, hooked, m.core.Plain
	m.rehook()
}

// rehook chooses the program to run after the plain one has changed.
func (m *Machine) rehook() {
	switch {
	case m.watch == nil:
		m.core.Program = m.core.Plain
	case m.core.Plain == m.original:
		m.core.Program = m.hooked
	default:
		m.core.Program = m.core.Plain.Hooked(m.watch)
	}
}

// WatchInterrupts says whether Outside wants to know of served interrupts.
func (m *Machine) WatchInterrupts(on bool) { m.watched = on }
