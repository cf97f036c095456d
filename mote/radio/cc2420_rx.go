package radio

import "motehound/mote/cell"

// search begins to look for a synchronisation header.
func (r *cc2420) search() {
	s := r.S
	s.Mode = cc2420RXSearch
	s.LockedOn, s.OnByte, s.HeardLen, s.Filtering = false, false, 0, false
}

// byteStart takes the start of a byte. While it searches, the receiver follows the first signal that it can receive, and
// leaves it for one that is more than 3 dB stronger; once it has found an SFD it stays until the frame's end.
func (r *cc2420) byteStart(h Host, c *cc2420Carrier, bit uint64, data cell.Cell) {
	s := r.S
	if s.LockedOn && s.Locked.Sender == c.Sender {
		r.finishByte(h)
	}
	if s.Mode != cc2420RXSearch && s.Mode != cc2420RXFrame {
		return
	}
	if !s.LockedOn || s.Locked.Sender != c.Sender {
		if s.Mode != cc2420RXSearch || !r.receivable(c) || s.LockedOn && c.Power/2 <= s.Locked.Power {
			return
		}
		s.LockedOn, s.HeardLen = true, 0
	}
	s.Locked = *c
	s.RXByte, s.OnByte, s.Cut = data, true, false
	s.Worst, _ = r.interference()
	r.plan(h, cc2420Symbol, h.Time()+8*bit)
}

// receivable says whether the demodulator can make something of a signal.
func (r *cc2420) receivable(c *cc2420Carrier) bool {
	return c.Modulation == OQPSK && c.DBm >= cc2420Sensitivity && c.Hertz == cc2420Hertz(r.S.Tuned)
}

// lose takes the end of a carrier. A frame goes on with noise until its length is reached.
func (r *cc2420) lose(h Host, sender uint16) {
	s := r.S
	if !s.LockedOn || s.Locked.Sender != sender {
		return
	}
	if s.Due[cc2420Symbol] <= h.Time()+cc2420Jitter {
		r.finishByte(h)
	}
	s.LockedOn, s.Cut = false, true
	if s.Mode != cc2420RXFrame {
		r.plan(h, cc2420Symbol, Never)
	}
}

// finishByte ends a byte of which the sender already began the next one, or went off: they reached the radio rounded to
// clock cycles.
func (r *cc2420) finishByte(h Host) {
	if r.S.OnByte {
		r.plan(h, cc2420Symbol, Never)
		r.byteEnd(h, h.Time())
	}
}

// byteEnd takes a byte that has been received.
func (r *cc2420) byteEnd(h Host, at uint64) {
	s := r.S
	c := s.RXByte
	s.OnByte = false
	// Electrical specifications, receive section: co-channel rejection is -3 dB.
	spoilt := s.Cut || s.Worst >= s.Locked.Power/2
	switch {
	case s.Mode == cc2420RXFrame:
		if spoilt {
			c = r.garble(h, c)
		}
		r.take(h, c, spoilt, at)
	case spoilt:
		s.HeardLen = 0
	default:
		r.seek(c.V())
	}
	if s.Mode == cc2420RXFrame {
		// Unless the next byte begins now, the demodulator goes on with noise.
		s.RXByte, s.Cut = 0, true
		r.plan(h, cc2420Symbol, at+cc2420ByteTime)
	}
}

// garble is a byte as noise or another signal spoils it: never what was sent. How, is one choice for each frame.
func (r *cc2420) garble(h Host, c cell.Cell) cell.Cell {
	s := r.S
	if !s.Garbled {
		s.Garbled, s.Noise = true, uint8(h.Choose(256))
	}
	cell.Decide(h, c)
	_, other := r.interference()
	flip := (s.Noise+s.RXIndex)*167 + other*31 + 1
	if flip == 0 {
		flip = 0x55
	}
	return cell.Of(c.V() ^ flip)
}

// seek looks for the synchronisation header: SYNCWORD after at least a byte of zeros. Its nibbles that are 0xF match
// everything.
func (r *cc2420) seek(b uint8) {
	s := r.S
	word := s.Regs[cc2420SYNCWORD]
	if s.HeardLen >= 2 && uint8(s.Heard>>8) == 0 &&
		cc2420Matches(uint8(s.Heard), uint8(word)) && cc2420Matches(b, uint8(word>>8)) {
		r.beginFrame()
		return
	}
	s.Heard = s.Heard<<8 | uint16(b)
	s.HeardLen = min(s.HeardLen+1, 2)
}

func cc2420Matches(b, word uint8) bool {
	return (b&0x0F == word&0x0F || word&0x0F == 0x0F) && (b&0xF0 == word&0xF0 || word&0xF0 == 0xF0)
}

func (r *cc2420) beginFrame() {
	s := r.S
	s.Mode, s.SFD = cc2420RXFrame, true
	s.RXIndex, s.RXLen, s.RXStored, s.CRC, s.FCS = 0, 0, 0, 0, 0
	s.FCF0, s.FCF1 = 0, 0
	s.RXStart = (s.RXHead + s.RXCount) % cc2420FIFOSize
	s.Filtering = s.Regs[cc2420MDMCTRL0]&cc2420ADRDECODE != 0
	s.Rejected, s.Garbled, s.CRCOK, s.AckAsked = false, false, false, false
	snr := s.Locked.DBm - cc2420NoiseFloor
	s.Correlation = uint8(min(max(50+4*(snr-5), 50), 110))
	s.FrameRSSI = cc2420Reading(s.Meter.Level)
}

// take puts a byte of the frame where it belongs.
func (r *cc2420) take(h Host, c cell.Cell, spoilt bool, at uint64) {
	s := r.S
	if s.RXIndex < 4 {
		// RSSI and correlation are averages over the first eight symbols (section 16.4).
		s.FrameRSSI = cc2420Reading(s.Meter.Level)
		if spoilt {
			s.Correlation -= min(s.Correlation-40, 10)
		}
	}
	i := s.RXIndex
	s.RXIndex++
	if i <= 2 || s.Filtering {
		cell.Decide(h, c) // how long the frame is, of what kind, and for whom
	}
	if i == 0 {
		s.RXLen = c.V() & 0x7F
	} else {
		c = r.note(i, c)
	}
	if !s.Rejected && !r.store(c) {
		s.Overflow, s.Mode, s.Filtering, s.LockedOn = true, cc2420RXOverflow, false, false
		return
	}
	if s.Filtering && i > 0 {
		switch r.recognise() {
		case cc2420Accept:
			s.Filtering = false
		case cc2420Reject:
			r.reject()
		}
	}
	if i == s.RXLen {
		r.frameEnd(h, at)
	}
}

// note keeps what is needed of byte i of the frame, and gives what goes to the RXFIFO in its place: with AUTOCRC, RSSI
// and correlation instead of the FCS (Figure 21).
func (r *cc2420) note(i uint8, c cell.Cell) cell.Cell {
	s := r.S
	switch i {
	case 1:
		s.FCF0 = c.V()
	case 2:
		s.FCF1 = c.V()
	case 3:
		s.DSN = c
	}
	switch {
	case i+1 < s.RXLen:
		s.CRC = crc16(s.CRC, c.V())
		return c
	case i+1 == s.RXLen:
		s.FCS = uint16(c.V())
	default:
		s.FCS |= uint16(c.V()) << 8
		s.CRCOK = s.FCS == s.CRC && s.RXLen >= 2
	}
	if s.Regs[cc2420MDMCTRL0]&cc2420AUTOCRC == 0 {
		return c
	}
	if i+1 == s.RXLen {
		return cell.Of(uint8(s.FrameRSSI))
	}
	v := s.Correlation
	if s.CRCOK {
		v |= 0x80
	}
	return cell.Of(v)
}

// store puts a byte into the RXFIFO, if there is room.
func (r *cc2420) store(c cell.Cell) bool {
	s := r.S
	if s.RXCount == cc2420FIFOSize {
		return false
	}
	if s.RXCount == 0 {
		s.RXUntouched = true
	}
	s.RAM[cc2420RAMRX+int((s.RXHead+s.RXCount)%cc2420FIFOSize)] = c
	s.RXCount++
	s.RXStored++
	return true
}

// reject drops the frame: its bytes leave the RXFIFO, SFD goes low, and the search begins again after its end (section 18).
func (r *cc2420) reject() {
	s := r.S
	s.Filtering, s.Rejected, s.SFD = false, true, false
	s.RXCount -= min(s.RXCount, s.RXStored)
}

// frameEnd takes the last byte's end: acknowledge, or wait before the next search.
func (r *cc2420) frameEnd(h Host, at uint64) {
	s := r.S
	if s.Filtering {
		r.reject() // too short to have an address
	}
	s.SFD, s.LockedOn = false, false
	if s.Rejected {
		s.CRCOK = false
	} else {
		s.RXFrames++
		s.NewFrame = true
		asked := s.Regs[cc2420MDMCTRL0]&cc2420AUTOACK != 0 && s.FCF0&cc2420AckRequest != 0 &&
			(s.FCF0&7 == cc2420FrameData || s.FCF0&7 == cc2420FrameCommand)
		if s.CRCOK && (asked || s.AckAsked) {
			r.startACK(h, at)
			return
		}
	}
	s.Mode = cc2420RXWaiting
	r.plan(h, cc2420Step, at+cc2420RXWait)
}
