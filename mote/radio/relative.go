package radio

import (
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/relative"
)

// How the states of radios look from now (package relative).

var (
	cc2420Table = relative.Of[cc2420State]()
	cc1000Table = relative.Of[cc1000State]()
)

// AppendRelative feeds the state to a digest as it looks from now. DCLK's edges that the microcontroller has not seen stay so: they
// are shifted at moments of the radio's own, whoever looks. (Inlined, the compiler would put the copy on the heap.)
//
//go:noinline
func (r *cc1000) AppendRelative(h *digest.Digest, now *relative.Now) {
	c := *r.S
	cc1000Table.Append(h, &c, now)
}

// Shift moves the times: see relative.Table.
func (r *cc1000) Shift(now, by *relative.Now) { cc1000Table.Shift(r.S, now, by) }

// AppendState feeds the state to a digest.
func (r *cc1000) AppendState(d *digest.Digest) { digest.Struct(d, r.S) }

// AppendRelative feeds the state to a digest as it looks from now, with the signal strength measured up to now.
func (r *cc2420) AppendRelative(h *digest.Digest, now *relative.Now) {
	c := *r.S
	copied := cc2420{S: &c}
	copied.forgetMeter(now[relative.Real])
	c.forgetFrame()
	c.forgetSent()
	c.forgetAccess()
	cc2420Table.Append(h, &c, now)
}

// Shift moves the times: see relative.Table.
func (r *cc2420) Shift(now, by *relative.Now) { cc2420Table.Shift(r.S, now, by) }

// AppendState feeds the state to a digest.
func (r *cc2420) AppendState(d *digest.Digest) { digest.Struct(d, r.S) }

// forgetMeter takes the samples that are due, and drops what a receiver that is off has measured, and samples from before it went on:
// none is looked at before there are eight new ones. The reading that was kept is replaced when the receiver goes off.
func (r *cc2420) forgetMeter(now uint64) {
	m := &r.S.Meter
	if !r.receiverIsOn() {
		*m = cc2420Meter{Last: Never, Pad: m.Pad}
		return
	}
	m.fill(now)
	clear(m.Samples[min(m.Count, 8):])
	if m.valid() {
		r.S.RSSI = 0
	}
}

// fill is Advance, except for Count and Busy: when they change there is an event.
func (m *cc2420Meter) fill(now uint64) {
	if now < m.Last {
		return
	}
	ticks := (now - m.Last) / cc2420SymbolTime
	n := min(ticks, uint64(len(m.Samples)))
	copy(m.Samples[n:], m.Samples[:])
	for i := range n {
		m.Samples[i] = m.Level
	}
	m.Last += ticks * cc2420SymbolTime
}

// forgetFrame drops what is known of a byte, a carrier, a synchronisation header and a frame that the receiver is not at any more.
func (s *cc2420State) forgetFrame() {
	if s.Due[cc2420Symbol] == Never {
		s.Worst, s.RXByte, s.OnByte, s.Cut = 0, cell.Of(0), false, false // set when a byte begins
	}
	if !s.LockedOn {
		s.Locked = cc2420Carrier{}
	}
	switch {
	case !s.LockedOn || s.Mode != cc2420RXSearch:
		s.Heard, s.HeardLen = 0, 0 // set when it follows a carrier, or searches again
	case s.HeardLen == 0:
		s.Heard = 0
	case s.HeardLen == 1:
		s.Heard &= 0xFF
	}
	if s.Mode != cc2420RXFrame { // set when a frame begins
		s.FCS, s.FCF0, s.FCF1, s.RXLen, s.RXIndex, s.RXStart, s.RXStored = 0, 0, 0, 0, 0, 0, 0
		s.Rejected, s.Garbled, s.Correlation, s.FrameRSSI, s.AckAsked = false, false, 0, 0, false
		if !cc2420Sending(s.Mode) {
			s.CRC = 0
		}
	}
	if !s.Garbled {
		s.Noise = 0
	}
	if s.Mode <= cc2420Idle {
		s.Tuned = 0 // set by the next calibration
	}
}

// forgetSent drops what is known of a transmission that is over.
func (s *cc2420State) forgetSent() {
	if !cc2420Sending(s.Mode) {
		s.TXIndex, s.TXHead, s.Starved = 0, 0, false
	}
	if s.Mode < cc2420TXCalibrate || s.Mode > cc2420TXFrame || s.TXIndex <= s.TXHead {
		s.TXEnd = 0 // set by the length byte
	}
	if s.Due[cc2420Fetch] == Never || s.OnAir {
		s.FirstAt = Never // the Host knows
	}
	if !s.OnAir {
		s.ToldEnd = Never
	}
}

// forgetAccess drops what the SPI access before has left.
func (s *cc2420State) forgetAccess() {
	switch s.SPIPhase {
	case cc2420SPIReadHigh, cc2420SPIReadLow, cc2420SPIWriteHigh, cc2420SPIWriteLow, cc2420SPIBank, cc2420SPIReadRAM, cc2420SPIWriteRAM:
	default:
		s.SPIAddr = 0
	}
	if s.SPIPhase != cc2420SPIWriteLow {
		s.SPIHigh = 0
	}
}
