package periph

import "motehound/mote/cell"

// Pins lists SS.
func (p *SPI) Pins() []Pin { return []Pin{p.Cfg.SS} }

// PinChanged follows SS: a slave that is deselected forgets the bits it has, a master whose SS is an input and goes low
// becomes a slave.
func (p *SPI) PinChanged(h Host, _ Pin, level bool) {
	if level && p.S.SPCR&spiMSTR == 0 {
		p.S.Bits, p.S.In = 0, 0
	}
	p.checkSS(h)
	p.pads(h)
	p.update(h)
}

// checkSS makes a slave of a master that another one selects (2467 "SS Pin Functionality", Master Mode).
func (p *SPI) checkSS(h Host) {
	if !p.master() || h.IsOutput(p.Cfg.SS) || h.Level(p.Cfg.SS) {
		return
	}
	p.abort(h)
	p.S.SPCR &^= spiMSTR
	p.S.SPSR |= spiSPIF
}

// selected reports whether the SPI is an enabled slave with SS low: an outside clock would shift it.
func (p *SPI) selected(h Host) bool { return p.S.SPCR&(spiSPE|spiMSTR) == spiSPE && !h.Level(p.Cfg.SS) }

// shifts is Selected, and quick for a slave that has its pads: it has them as long as it is selected.
func (p *SPI) shifts(h Host) bool { return p.S.Pads == spiPadsSlave || p.selected(h) }

// outBit is the bit that the slave shows on MISO.
func (p *SPI) outBit() bool { return spiOrder(p.S.Shift, p.lsbFirst()).V()<<p.S.Bits&0x80 != 0 }

// SlaveExchange is a whole byte clocked by an outside master, whose last bit is sampled now; bytes are as a master sees
// them that sends the most significant bit first. A slave that is off or not selected answers 0xFF and hears nothing.
// Bits shifted by SlaveBit before are dropped.
func (p *SPI) SlaveExchange(h Host, in cell.Cell) (out cell.Cell) {
	if !p.shifts(h) {
		return cell.Of(0xFF)
	}
	out = spiOrder(p.S.Shift, p.lsbFirst())
	p.S.Bits, p.S.In = 0, 0
	p.received(h, spiOrder(in, p.lsbFirst()))
	p.selectedPads(h)
	return out
}

// SlaveBit is one bit clocked by an outside master: the edge on which both sides sample is now. From the first bit of a
// byte to the last, SPDR cannot be written (WCOL).
func (p *SPI) SlaveBit(h Host, in bool) (out bool) {
	if !p.shifts(h) {
		return true
	}
	s := p.S
	out = p.outBit()
	s.In <<= 1
	if in {
		s.In |= 1
	}
	if s.Bits++; s.Bits == 8 {
		got := cell.Of(s.In)
		s.Bits, s.In = 0, 0
		p.received(h, spiOrder(got, p.lsbFirst()))
	}
	p.selectedPads(h)
	return out
}

// SlaveShift is what SlaveBit is sending: the byte, as a master sees it, and how many of its bits have gone. A radio
// that clocks bits can thus pass whole cells on.
func (p *SPI) SlaveShift() (out cell.Cell, bits uint8) {
	return spiOrder(p.S.Shift, p.lsbFirst()), p.S.Bits
}
