package mcu

import (
	"slices"

	"motehound/mote/cell"
	"motehound/mote/periph"
)

// KeepsCell tells whether what is written to an I/O register is data that the chip passes on, expression and all. A byte that is
// written elsewhere decides what the chip does.
func (m *Machine) KeepsCell(addr uint16) bool {
	c := m.chip
	return addr == c.SPI.SPDR || addr == c.TWI.TWDR || addr == c.EEPROM.EEDR ||
		slices.ContainsFunc(c.USARTs, func(u periph.USARTConfig) bool { return u.UDR == addr })
}

// EachCell visits the cells that the chip's devices and memories hold, SRAM excepted, which has bytes only.
func (m *Machine) EachCell(visit func(*cell.Cell)) {
	d := m.dev()
	for i := range m.chip.USARTs {
		d.usarts[i].EachCell(visit)
	}
	d.spi.EachCell(visit)
	d.twi.EachCell(visit)
	d.adc.EachCell(visit)
	d.eeprom.EachCell(visit)
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
