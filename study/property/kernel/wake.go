package kernel

import (
	"motehound/mote"
	"motehound/mote/chip"
	"motehound/mote/periph"
	"motehound/study/property/builtin"
)

// source is an interrupt that can end a sleep: its enable bit, and the modes in which its part of the chip runs.
type source struct {
	reg  uint16
	mask uint8
	from modes
	also periph.RegBit // a bit that must be set, too; Reg 0 for none
}

// modes is a set of sleep modes: bit n is for the SM bits' value n.
type modes uint8

// From "Active Clock Domains and Wake-up Sources in the Different Sleep Modes" (ATmega128: doc2467 Table 17; ATmega2560: doc2549
// Table 11-1; ATmega328P: doc8271 Table 10-1). The reserved values 4 and 5 are taken as idle.
const (
	inIdle     modes = 1<<0 | 1<<4 | 1<<5
	inQuiet    modes = inIdle | 1<<1         // ADC noise reduction
	inAsync    modes = inQuiet | 1<<3 | 1<<7 // where the crystal of the asynchronous timer runs: power-save, extended standby
	inAnything modes = 0xFF
)

// sourcesOf lists what can wake a chip, the watchdog among it. A source that is enabled counts, whether or not it will ever ask:
// who looks from here cannot know what pins and lines will do.
func sourcesOf(c *chip.Chip) []source {
	var list []source
	add := func(reg uint16, bit uint8, from modes) {
		if reg != 0 && bit != periph.NoBit {
			list = append(list, source{reg: reg, mask: 1 << bit, from: from})
		}
	}
	if w := c.Watchdog; w != nil {
		add(w.WDTCSR, w.WDE, inAnything)
		add(w.WDTCSR, w.WDIE, inAnything)
	}
	for i := range c.Timers {
		list = append(list, timerSources(&c.Timers[i])...)
	}
	if x := c.ExtInt; x != nil {
		list = append(list, source{reg: x.EIMSK, mask: 0xFF, from: inAnything})
	}
	if x := c.PinChange; x != nil {
		list = append(list, source{reg: x.PCICR, mask: 0xFF, from: inAnything})
	}
	for _, u := range c.USARTs {
		list = append(list, source{reg: u.UCSRB, mask: 0xE0, from: inIdle}) // RXCIE, TXCIE, UDRIE
	}
	if x := c.SPI; x != nil {
		add(x.SPCR, 7, inIdle) // SPIE
	}
	if x := c.TWI; x != nil {
		add(x.TWCR, 0, inAnything) // TWIE: its address wakes the chip from every mode
	}
	if x := c.ADC; x != nil {
		add(x.ADCSRA, 3, inQuiet) // ADIE
	}
	if x := c.Comparator; x != nil {
		add(x.ACSR, 3, inIdle) // ACIE
	}
	if x := c.EEPROM; x != nil {
		add(x.EECR, 3, inQuiet) // EERIE
	}
	if x := c.SelfProg; x != nil {
		add(x.SPMCSR, 7, inQuiet) // SPMIE
	}
	return list
}

// timerSources is a timer's interrupts. One that runs from its own crystal wakes the chip from more modes.
func timerSources(t *periph.TimerConfig) []source {
	var list []source
	for _, f := range t.Flags {
		if f.TIMSK == 0 {
			continue
		}
		list = append(list, source{reg: f.TIMSK, mask: 1 << f.Bit, from: inIdle})
		if t.ASSR != 0 {
			list = append(list, source{reg: f.TIMSK, mask: 1 << f.Bit, from: inAsync, also: periph.RegBit{Reg: t.ASSR, Bit: t.AS}})
		}
	}
	return list
}

// sleeps tells whether SLEEP would do anything now, and in which mode.
func sleeps(m *mote.Mote) (mode uint8, ok bool) {
	c := &m.Chip().Control
	v := m.Peek(c.SMCR)
	mode = v>>c.SM0&1 | v>>c.SM1&1<<1 | v>>c.SM2&1<<2
	return mode, v>>c.SE&1 != 0
}

// wakes tells whether anything can end a sleep in a mode; without interrupts, only the watchdog. What did so the last time is asked
// first: programs sleep often, and mostly for the same.
func (m *tracker) wakes(mode uint8) bool {
	if m.m.Core().I == 0 {
		return builtin.Guarded(m.m)
	}
	if m.woke < len(m.t.sources) && m.t.sources[m.woke].wakes(m.m, mode) {
		return true
	}
	for i := range m.t.sources {
		if m.t.sources[i].wakes(m.m, mode) {
			m.woke = i
			return true
		}
	}
	return false
}

func (s *source) wakes(m *mote.Mote, mode uint8) bool {
	return s.from>>mode&1 != 0 && m.Peek(s.reg)&s.mask != 0 && (s.also.Reg == 0 || m.Peek(s.also.Reg)>>s.also.Bit&1 != 0)
}
