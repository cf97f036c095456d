package periph

import "motehound/mote/cell"

// EachCell visits the cells that a USART holds. If one is changed that is on the line, so are the levels there and the bits that
// were sampled of it: only whole bytes of 8 bits without parity have an expression (see Receive).
func (u *USART) EachCell(visit func(*cell.Cell)) {
	s := u.S
	for i := range s.RxCells {
		visit(&s.RxCells[i])
	}
	visit(&s.RxLast)
	visit(&s.TxBuf)
	visit(&s.TxShift)
	if line := s.LineCell; s.LineLen != 0 {
		if visit(&s.LineCell); s.LineCell != line {
			s.LineLevels = s.LineLevels&^(0xFF<<1) | uint32(s.LineCell.V())<<1
		}
	}
	source := s.RxSource
	if visit(&s.RxSource); s.RxSource != source && s.RxBusy && s.RxWhole {
		if bit := (s.RxSample - 1) / uint16(u.samples()); bit > 1 {
			s.RxWord = uint16(s.RxSource.V()) & (1<<(bit-1) - 1)
		}
	}
}

// DataRegister implements DataPort, here and below.
func (u *USART) DataRegister() uint16  { return u.Cfg.UDR }
func (p *SPI) DataRegister() uint16    { return p.Cfg.SPDR }
func (t *TWI) DataRegister() uint16    { return t.Cfg.TWDR }
func (e *EEPROM) DataRegister() uint16 { return e.Cfg.EEDR }

// EachCell visits the cells that the SPI holds.
func (p *SPI) EachCell(visit func(*cell.Cell)) {
	visit(&p.S.Shift)
	visit(&p.S.Rx)
}

// EachCell visits the cell that the TWI holds.
func (t *TWI) EachCell(visit func(*cell.Cell)) { visit(&t.S.TWDR) }

// EachCell visits the cells that the ADC holds.
func (a *ADC) EachCell(visit func(*cell.Cell)) {
	visit(&a.S.SampleLo)
	visit(&a.S.SampleHi)
	visit(&a.S.ResultLo)
	visit(&a.S.ResultHi)
}

// EachCell visits the cells that the EEPROM's registers hold.
func (e *EEPROM) EachCell(visit func(*cell.Cell)) {
	visit(&e.S.EEDR)
	visit(&e.S.Data)
}

// EachCell visits the cells of the page, which becomes this buffer's own.
func (b *PageBuffer) EachCell(visit func(*cell.Cell)) {
	if b.page == nil {
		return
	}
	if !b.owns {
		b.page, b.owns = b.page.copy(), true
	}
	for i := range b.page.cells {
		visit(&b.page.cells[i])
	}
}
