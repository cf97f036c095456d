package mcu

import (
	"slices"

	"motehound/mote/periph"
)

// Holds reports whether a register of a device only holds a value: reading it does nothing, and the value changes only when it is written,
// or with an event. That is known of those which programs look at to find out how deeply they may sleep.
func (m *Machine) Holds(addr uint16) bool {
	c := m.chip
	switch addr {
	case c.Control.SMCR, c.Control.MCUCR, c.SPI.SPCR, c.ADC.ADCSRA, c.ADC.ADMUX, c.TWI.TWCR:
		return true
	}
	for i := range c.Ports {
		if addr == c.Ports[i].PORT || addr == c.Ports[i].DDR {
			return true
		}
	}
	for i := range c.USARTs {
		if addr == c.USARTs[i].UCSRB {
			return true
		}
	}
	for i := range c.Timers {
		if m.timerHolds(&c.Timers[i], addr) {
			return true
		}
	}
	return false
}

// timerHolds is Holds for registers of a timer. What ASSR shows of writes that are under way changes by itself, unless there is none.
func (m *Machine) timerHolds(t *periph.TimerConfig, addr uint16) bool {
	for _, f := range t.Flags {
		if addr == f.TIMSK {
			return true
		}
	}
	if t.ASSR == 0 || addr != t.ASSR {
		return false
	}
	busy := uint8(0)
	for _, bit := range t.UB {
		if bit != periph.NoBit {
			busy |= 1 << bit
		}
	}
	return m.Peek(t.ASSR)&busy == 0
}

// Shows reports whether reading a register does nothing but give a value, whatever that is: counters of 8-bit timers, and what they are
// compared with.
func (m *Machine) Shows(addr uint16) bool {
	for i := range m.chip.Timers {
		t := &m.chip.Timers[i]
		if t.Bits == 8 && (addr == t.TCNTL || slices.Contains(t.OCRL[:], addr)) {
			return true
		}
	}
	return false
}

// VectorAt is the word address of an interrupt's vector.
func (m *Machine) VectorAt(vector uint8) uint32 { return m.vectorBase() + 2*uint32(vector-1) }
