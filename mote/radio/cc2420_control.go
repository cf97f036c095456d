package radio

import "math/bits"

// strobe executes a command (Table 11, Figure 25).
func (r *cc2420) strobe(h Host, cmd uint8) {
	s := r.S
	if cmd == cc2420SNOP {
		return
	}
	if s.Regs[cc2420MAIN]&cc2420MainRESETn == 0 {
		h.Notice("cc2420-in-reset", "the firmware sends a command to the CC2420 while MAIN.RESETn is 0: it is ignored")
		return
	}
	if cmd == cc2420SXOSCON {
		if !s.Stable && s.Due[cc2420Oscillator] == Never {
			r.plan(h, cc2420Oscillator, h.Time()+cc2420OscillatorTime)
		}
		return
	}
	if !s.Stable {
		if cmd == cc2420SXOSCOFF {
			r.plan(h, cc2420Oscillator, Never)
			return
		}
		h.Notice("cc2420-strobe-off", "the firmware sends a command to the CC2420 while its crystal oscillator is not stable: it is ignored")
		return
	}
	switch cmd {
	case cc2420STXCAL:
		if !cc2420Sending(s.Mode) {
			r.stop(h)
			r.calibrate(h, cc2420TXReady, h.Time())
		}
	case cc2420SRXON:
		// A transmission goes on: it ends in receive mode anyway. In receive mode the synthesizer is calibrated again.
		if !cc2420Sending(s.Mode) && s.Mode != cc2420TXUnderflow {
			r.stop(h)
			r.calibrate(h, cc2420RXCalibrate, h.Time())
		}
	case cc2420STXON:
		r.startTX(h)
	case cc2420STXONCCA:
		if cc2420Receiving(s.Mode) && r.clear() {
			r.startTX(h)
		}
	case cc2420SRFOFF:
		r.stop(h)
		s.Mode = cc2420Idle
	case cc2420SXOSCOFF:
		r.stop(h)
		s.Mode, s.Stable = cc2420PowerDown, false
	case cc2420SFLUSHRX:
		r.flushRX(h)
	case cc2420SFLUSHTX:
		s.TXCount, s.TXSent, s.Underflow = 0, false, false
		if s.Mode == cc2420TXUnderflow {
			r.calibrate(h, cc2420RXCalibrate, h.Time())
		}
	case cc2420SACK, cc2420SACKPEND:
		s.AckPending = cmd == cc2420SACKPEND
		switch {
		case s.Mode == cc2420RXFrame:
			s.AckAsked = true
		case cc2420Receiving(s.Mode) && s.Mode != cc2420RXCalibrate && s.CRCOK:
			r.startACK(h, h.Time())
		}
	case cc2420SRXDEC, cc2420STXENC, cc2420SAES:
		h.Notice("cc2420-aes", "the firmware starts AES encryption in the CC2420 (SRXDEC, STXENC or SAES), which is not modelled: the data stays as it is")
	default:
		h.Notice("cc2420-strobe", "the firmware sends command 0x0F to the CC2420, which does not exist")
	}
}

func cc2420Sending(m cc2420Mode) bool {
	switch m {
	case cc2420TXCalibrate, cc2420TXPreamble, cc2420TXFrame, cc2420TXACKCalibrate, cc2420TXACKPreamble, cc2420TXACK:
		return true
	}
	return false
}

// inLock says whether the synthesizer is in lock.
func (r *cc2420) inLock() bool {
	switch r.S.Mode {
	case cc2420PowerDown, cc2420Idle, cc2420RXCalibrate, cc2420TXCalibrate, cc2420TXACKCalibrate:
		return false
	case cc2420TXReady:
		return r.S.Due[cc2420Step] == Never
	}
	return true
}

// stop ends whatever the radio does on the air. A frame that was being received stays in the RXFIFO as far as it came;
// a byte that was being sent is completed.
func (r *cc2420) stop(h Host) {
	s := r.S
	r.receiverOff(h)
	r.offAir(h)
	for _, k := range [...]uint8{cc2420Step, cc2420Fetch, cc2420Edge} {
		r.plan(h, k, Never)
	}
	s.SFD = false
}

// calibrate enters a state that lasts for the synthesizer's calibration, on the frequency that FSCTRL has now.
func (r *cc2420) calibrate(h Host, m cc2420Mode, at uint64) {
	s := r.S
	s.Mode = m
	s.Tuned = s.Regs[cc2420FSCTRL] & cc2420FREQ
	r.plan(h, cc2420Step, at+cc2420Calibration)
}

// stepEnd goes on from a state with a fixed length.
func (r *cc2420) stepEnd(h Host, at uint64) {
	s := r.S
	s.Calibrated = true
	switch s.Mode {
	case cc2420RXCalibrate:
		r.receiverOn(h, at)
	case cc2420RXWaiting:
		r.search()
	}
}

// flushRX empties the RXFIFO and resets the demodulator. After an overflow it takes a second strobe to bring SFD back
// (section 14.3).
func (r *cc2420) flushRX(h Host) {
	s := r.S
	if s.RXUntouched && s.RXCount > 0 {
		h.Notice("cc2420-flush-unread", "the firmware flushes the RXFIFO of the CC2420 without having read a byte from it: "+
			"Table 11 asks to read at least one first")
	}
	r.emptyRX()
	if !s.Overflow {
		s.SFD = s.SFD && cc2420Sending(s.Mode)
	}
	s.Overflow = false
	switch s.Mode {
	case cc2420RXFrame, cc2420RXOverflow, cc2420RXWaiting, cc2420RXSearch:
		r.plan(h, cc2420Step, Never)
		r.plan(h, cc2420Symbol, Never)
		r.search()
	}
}

// updatePins drives the outputs that changed (sections 14 and 25, registers IOCFG0 and IOCFG1).
func (r *cc2420) updatePins(h Host) {
	s := r.S
	var level uint8
	if s.Powered {
		cfg0, cfg1 := s.Regs[cc2420IOCFG0], s.Regs[cc2420IOCFG1]
		if s.RXCount > 0 && !s.Overflow {
			level |= 1 << PinFIFO
		}
		if r.fifop() {
			level |= 1 << PinFIFOP
		}
		if r.mux(cfg1>>5&0x1F, s.SFD) {
			level |= 1 << PinSFD
		}
		if r.mux(cfg1&0x1F, r.clear()) {
			level |= 1 << PinCCA
		}
		level ^= bits.Reverse8(uint8(cfg0 >> 3 & 0xF0)) // FIFO_POLARITY, FIFOP_POLARITY, SFD_POLARITY, CCA_POLARITY are bits 10 to 7
	}
	for changed := level ^ s.Pins; changed != 0; changed &= changed - 1 {
		p := uint8(bits.TrailingZeros8(changed))
		h.SetPin(p, level>>p&1 != 0)
	}
	s.Pins = level
}

// fifop is FIFOP, active high (section 14.2).
func (r *cc2420) fifop() bool {
	s := r.S
	unread := s.RXCount
	if s.Filtering {
		unread -= min(unread, s.RXStored)
	}
	return s.Overflow || s.NewFrame || uint16(unread) > s.Regs[cc2420IOCFG0]&cc2420FIFOPTHR
}

// Signals that IOCFG1 can put on CCA and SFD (Tables 12 and 13): the pin's own, LOCK_STATUS, XOSC16M_STABLE.
const (
	cc2420MuxOwn    = 0
	cc2420MuxLock   = 3
	cc2420MuxStable = 24
)

func cc2420Muxed(v uint16) bool {
	return v == cc2420MuxOwn || v == cc2420MuxLock || v == cc2420MuxStable
}

func (r *cc2420) mux(sel uint16, own bool) bool {
	switch sel {
	case cc2420MuxOwn:
		return own
	case cc2420MuxLock:
		return r.inLock()
	case cc2420MuxStable:
		return r.S.Stable
	}
	return false
}
