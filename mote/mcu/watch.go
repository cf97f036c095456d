package mcu

import "motehound/isa/avr"

// Watch is what to look at in a program: word addresses at which Outside.Hook is called, and ones that are counted.
type Watch struct {
	At     []uint32
	Blocks []uint32
}

// WatchCode watches. Watched is the program that the machine was made with, Counted and Hooked as w says: machines share it.
// A machine that has programmed itself has its own.
func (m *Machine) WatchCode(w Watch, watched *avr.Program) {
	m.watch, m.watchedCode, m.original = &w, watched, m.core.Plain
	if len(m.core.Counts) != len(w.Blocks) {
		m.core.Counts = make([]uint32, len(w.Blocks))
	}
	m.rehook()
}

// rehook chooses the program to run after the plain one has changed.
func (m *Machine) rehook() {
	switch {
	case m.watch == nil:
		m.core.Program = m.core.Plain
	case m.core.Plain == m.original:
		m.core.Program = m.watchedCode
	default:
		m.core.Program = m.core.Plain.Counted(m.watch.Blocks).Hooked(m.watch.At)
	}
	m.shade()
}

// WatchInterrupts says whether Outside wants to know of served interrupts.
func (m *Machine) WatchInterrupts(on bool) { m.watched = on }
