package mcu

import (
	"motehound/mote/cell"
	"motehound/mote/periph"
)

// SerialRate is the bit time and frame format that a USART is set to.
func (m *Machine) SerialRate(usart uint8) (bitTimePs uint64, f periph.SerialFormat) {
	return m.dev().usarts[usart].Rate(m)
}

// Receive puts a character on a USART's receive line: its start bit begins now, or began before.
func (m *Machine) Receive(usart uint8, c periph.SerialChar) {
	m.Disturb()
	m.dev().usarts[usart].Receive(m, c)
}

// SerialReady reports whether a USART's receiver is on, and all that it has received was read.
func (m *Machine) SerialReady(usart uint8) bool {
	const all = 3 // the receive buffer and the shift register
	return m.st.stop == Running && m.dev().usarts[usart].RxSpace(m) == all
}

// SerialUnread reports whether a USART has received a character that was not read.
func (m *Machine) SerialUnread(usart uint8) bool { return m.dev().usarts[usart].S.RxCount > 0 }

// SerialFree is since when nobody sends to a USART, in picoseconds; in the future while somebody does.
func (m *Machine) SerialFree(usart uint8) uint64 { return m.dev().usarts[usart].RxFree() }

// USARTs is how many the chip has.
func (m *Machine) USARTs() int { return len(m.chip.USARTs) }

// SPISlaveBit, SPISlaveByte and SPISlaveShown are the SPI as a slave, clocked from outside.
func (m *Machine) SPISlaveBit(in bool) (out bool)             { return m.dev().spi.SlaveBit(m, in) }
func (m *Machine) SPISlaveByte(in cell.Cell) (out cell.Cell)  { return m.dev().spi.SlaveExchange(m, in) }
func (m *Machine) SPISlaveShown() (out cell.Cell, gone uint8) { return m.dev().spi.SlaveShift() }
