package radio

import "motehound/mote/cell"

// startTX begins a transmission: the preamble starts 8 or 12 symbols later (section 20, TXCTRL.TX_TURNAROUND).
func (r *cc2420) startTX(h Host) {
	s := r.S
	if cc2420Sending(s.Mode) || s.Mode == cc2420TXUnderflow {
		return
	}
	if s.Regs[cc2420SECCTRL0]&3 != 0 {
		h.Notice("cc2420-aes-tx", "SECCTRL0.SEC_MODE asks for encryption of the frame, which is not modelled: it goes out as it is")
	}
	turn := uint64(cc2420Calibration)
	if s.Regs[cc2420TXCTRL]&cc2420TurnAround == 0 {
		turn = cc2420QuickTurn
	}
	r.transmit(h, cc2420TXCalibrate, h.Time()+turn)
}

// startACK begins an acknowledgement, 12 symbols from the given moment (section 19).
func (r *cc2420) startACK(h Host, at uint64) {
	r.S.AckAsked = false
	r.transmit(h, cc2420TXACKCalibrate, at+cc2420Calibration)
}

func (r *cc2420) transmit(h Host, m cc2420Mode, first uint64) {
	r.stop(h)
	s := r.S
	s.Mode = m
	s.Tuned = s.Regs[cc2420FSCTRL] & cc2420FREQ
	s.FirstAt, s.TXIndex, s.CRC, s.Starved = first, 0, 0, false
	s.CRCOK = false
	// Leading zeros and the two bytes of SYNCWORD.
	s.TXHead = s.Regs[cc2420MDMCTRL0]&0xF + 1 + 2
	r.plan(h, cc2420Fetch, first-cc2420Lead)
	r.plan(h, cc2420Edge, first)
}

// fetch tells the Host of the next byte, or of the end.
func (r *cc2420) fetch(h Host, at uint64) {
	s := r.S
	begins := at + cc2420Lead
	if s.TXIndex == 0 {
		h.SwitchOn(begins, Carrier{Hertz: cc2420Hertz(s.Tuned), DBm: r.dBm(), Modulation: OQPSK})
		s.OnAir = true
	}
	head := s.TXHead
	c, more := cell.Cell(0), true
	switch {
	case s.TXIndex < head-2:
	case s.TXIndex < head:
		c = cell.Of(r.syncByte(head - 1 - s.TXIndex))
	default:
		c, more = r.content(uint8(s.TXIndex - head))
		if s.TXIndex == head {
			cell.Decide(h, c) // how long the frame is
		}
	}
	if !more {
		s.OnAir = false
		h.SwitchOff(begins)
		r.plan(h, cc2420Edge, begins)
		return
	}
	h.Emit(begins, cc2420BitTime, c)
	s.TXIndex++
	s.ToldEnd = begins + cc2420ByteTime
	r.plan(h, cc2420Fetch, at+cc2420ByteTime)
}

// syncByte is a byte of SYNCWORD as it is sent: 0xF goes out as 0. The low byte (1) comes before the high one (0).
func (r *cc2420) syncByte(fromEnd uint16) uint8 {
	b := uint8(r.S.Regs[cc2420SYNCWORD] >> 8)
	if fromEnd == 1 {
		b = uint8(r.S.Regs[cc2420SYNCWORD])
	}
	if b&0x0F == 0x0F {
		b &= 0xF0
	}
	if b&0xF0 == 0xF0 {
		b &= 0x0F
	}
	return b
}

// content is byte i of the frame, of which byte 0 is the length. There is none after the last, nor after the TXFIFO ran
// empty.
func (r *cc2420) content(i uint8) (c cell.Cell, more bool) {
	s := r.S
	if s.Mode == cc2420TXACKCalibrate || s.Mode == cc2420TXACKPreamble || s.Mode == cc2420TXACK {
		return r.ackContent(i)
	}
	if i == 0 {
		if s.TXCount == 0 {
			s.Underflow, s.Starved = true, true
			return 0, false
		}
		c = s.RAM[cc2420RAMTX]
		s.TXEnd = c.V()&0x7F + 1
		return c, true
	}
	if i == s.TXEnd {
		return 0, false
	}
	if s.Regs[cc2420MDMCTRL0]&cc2420AUTOCRC != 0 && i+2 >= s.TXEnd {
		return cell.Of(uint8(s.CRC >> (8 * (i + 2 - s.TXEnd)))), true
	}
	if i >= s.TXCount {
		s.Underflow, s.Starved = true, true
		return 0, false
	}
	c = s.RAM[cc2420RAMTX+int(i)]
	s.CRC = crc16(s.CRC, c.V())
	return c, true
}

// ackContent is byte i of an acknowledgement (Figure 23).
func (r *cc2420) ackContent(i uint8) (c cell.Cell, more bool) {
	s := r.S
	switch i {
	case 0:
		return cell.Of(5), true
	case 1:
		c = cell.Of(cc2420FrameACK)
		if s.AckPending {
			c |= cc2420FramePending
		}
	case 2:
	case 3:
		c = s.DSN
	case 4:
		return cell.Of(uint8(s.CRC)), true
	case 5:
		return cell.Of(uint8(s.CRC >> 8)), true
	default:
		return 0, false
	}
	s.CRC = crc16(s.CRC, c.V())
	return c, true
}

// edge follows the transmission: its start, the end of its SFD, its end (section 14.4).
func (r *cc2420) edge(h Host, at uint64) {
	s := r.S
	switch s.Mode {
	case cc2420TXCalibrate, cc2420TXACKCalibrate:
		s.Calibrated = true
		s.Mode = cc2420After[s.Mode]
		r.plan(h, cc2420Edge, at+uint64(s.TXHead)*cc2420ByteTime)
	case cc2420TXPreamble, cc2420TXACKPreamble:
		s.Mode = cc2420After[s.Mode]
		s.SFD = true
		if s.Starved {
			// The TXFIFO was empty: this is the end already.
			r.underflow()
		}
	case cc2420TXFrame, cc2420TXACK:
		s.SFD = false
		if s.Starved {
			r.underflow()
			return
		}
		s.TXSent = s.TXSent || s.Mode == cc2420TXFrame
		r.calibrate(h, cc2420RXCalibrate, at)
	}
}

// cc2420After is the state that follows one of a transmission.
var cc2420After = [...]cc2420Mode{
	cc2420TXCalibrate:    cc2420TXPreamble,
	cc2420TXPreamble:     cc2420TXFrame,
	cc2420TXACKCalibrate: cc2420TXACKPreamble,
	cc2420TXACKPreamble:  cc2420TXACK,
}

// underflow stops: TX_UNDERFLOW stays until SFLUSHTX (section 17.1).
func (r *cc2420) underflow() {
	r.S.SFD = false
	r.S.Mode = cc2420TXUnderflow
}

// offAir ends the transmission with the byte under way.
func (r *cc2420) offAir(h Host) {
	s := r.S
	if s.OnAir {
		s.OnAir = false
		h.SwitchOff(max(s.ToldEnd, h.Time()+MinLookahead))
	}
}
