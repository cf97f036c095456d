package mcu

import "motehound/mote/cell"

// Marker follows data through devices. A number goes with a byte that the program writes to a register that passes it on, as a symbolic expression
// would: into the radio, over the air, and out of another mote's register.
type Marker interface {
	// Stored gives the number that goes with what the program writes to a register; 0 for none.
	Stored(addr uint16) uint32
	// Loaded tells which number went with what the program has read from a register.
	Loaded(addr uint16, number uint32)
}

// Mark has somebody follow data from now on. What is marked has another hash, and does the same.
func (m *Machine) Mark(by Marker) {
	m.marker = by
	m.dev()           // which gives the core what it need not ask for
	m.core.Held = nil // now it asks for every byte
}

// Marked reports whether somebody follows data.
func (m *Machine) Marked() bool { return m.marker != nil }

// mark is what the program writes to a register.
func (m *Machine) mark(addr uint16, v uint8) cell.Cell {
	if m.marker != nil && m.KeepsCell(addr) {
		return cell.Symbolic(v, m.marker.Stored(addr))
	}
	return cell.Of(v)
}
