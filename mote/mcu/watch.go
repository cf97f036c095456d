package mcu

import "motehound/isa/avr"

// Watch is what to look at in a program: word addresses at which Outside.Hook is called, ones that are written to the core's logs, or
// Outside.Hook is called if they cannot be, and ones that are counted.
type Watch struct {
	At     []uint32
	Points []uint32
	Data   []uint32 // loads and stores
	Blocks []uint32
}

// Over is a program that is watched.
func (w *Watch) Over(p *avr.Program) *avr.Program {
	if len(w.Points)+len(w.Data) > 0 {
		p = p.Logged(w.Points, w.Data)
	}
	return p.Counted(w.Blocks).Hooked(w.At)
}

// WatchCode watches. Watched is w.Over the program that the machine was made with: machines share it. A machine that has programmed
// itself has its own.
func (m *Machine) WatchCode(w Watch, watched *avr.Program) {
	m.watch, m.watchedCode, m.original = &w, watched, m.core.Plain
	if len(m.core.Counts.N) != len(w.Blocks) {
		m.core.Counts = avr.NewCounts(len(w.Blocks))
	}
	m.core.KeepLogs(len(w.Points) > 0, len(w.Data) > 0)
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
		m.core.Program = m.watch.Over(m.core.Plain)
	}
	m.shade()
}

// WatchInterrupts says whether Outside wants to know of served interrupts.
func (m *Machine) WatchInterrupts(on bool) { m.watched = on }
