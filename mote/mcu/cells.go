package mcu

import (
	"motehound/mote/cell"
	"motehound/mote/periph"
)

// KeepsCell tells whether what is written to an I/O register is data that the chip passes on, expression and all. A byte that is
// written elsewhere decides what the chip does.
func (m *Machine) KeepsCell(addr uint16) bool {
	return int(addr) < len(m.lay.carries) && m.lay.carries[addr]
}

// EachCell visits the cells that the chip's devices and memories hold, SRAM excepted, which has bytes only.
func (m *Machine) EachCell(visit func(*cell.Cell)) {
	for _, d := range m.dev().devs[:m.lay.ids] {
		if c, ok := d.(periph.CellHolder); ok {
			c.EachCell(visit)
		}
	}
	m.page.EachCell(visit)
	m.eeprom.EachCell(visit)
	m.flash.EachCell(visit)
}

// Decided implements cell.Decider: Outside is told, if it wants to know.
func (m *Machine) Decided(c cell.Cell) {
	if d, ok := m.out.(cell.Decider); ok {
		d.Decided(c)
	}
}

// Quiet tells whether nothing but instructions happens in the next cycles: no event is due and no interrupt waits.
func (m *Machine) Quiet(cycles uint64) bool {
	return m.st.next > m.core.Cycles+cycles && (m.st.requests == 0 || m.core.I == 0) && m.st.reset == 0
}
