package mcu

import "motehound/isa/avr"

// hold tells the core which registers only hold a value: those of one device, where reading shows a byte of its state.
func (m *Machine) hold() {
	h := &m.wires.held
	h.Bus, m.core.Held = m, h
	show := func(addr uint16, value *uint8) {
		if i := int(addr) - avr.IOBase; i >= 0 && i < avr.IORegisters && len(m.lay.claim[addr]) == 1 {
			h.Shown[i] = value
		}
	}
	show(m.chip.SPI.SPCR, &m.st.spi.SPCR)
	if spdr := m.chip.SPI.SPDR; len(m.lay.claim[spdr]) == 1 {
		// Reading it acknowledges flags that a read of SPSR has shown, if any.
		h.Data = avr.Data{Addr: uint32(spdr), Value: (*uint32)(&m.st.spi.Rx), Guard: &m.st.spi.Seen}
	}
	for i := range m.chip.Ports {
		p := &m.wires.ports[i]
		show(p.Cfg.PORT, &p.S.PORT)
		show(p.Cfg.DDR, &p.S.DDR)
	}
	if len(m.lay.claim[m.chip.Control.SMCR]) == 1 {
		h.Sleep = m.wires.control.held()
	}
}

// held is the register with the sleep bits, as far as it only holds a value. On the ATmega128 it has others too, of which those
// that move the interrupt vectors do more.
func (c *control) held() avr.SleepControl {
	s := avr.SleepControl{
		Addr:  uint32(c.cfg.SMCR),
		Masks: [2]uint8{c.sleep, 0},
		Bytes: [2]*uint8{&c.s.smcr, &c.s.mcucr},
		Guard: &c.s.window,
	}
	if c.cfg.SMCR == c.cfg.MCUCR {
		s.Bar, s.Masks[1] = 1<<c.cfg.IVCE, c.cfg.KeepMCUCR
	}
	return s
}
