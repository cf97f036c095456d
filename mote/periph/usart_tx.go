package periph

import (
	"math/bits"

	"motehound/mote/cell"
)

const serialSecond = 1_000_000_000_000 // picoseconds

// serialPs is the duration of so many cycles in picoseconds, rounded down.
func serialPs(cycles, hz uint64) uint64 {
	hi, lo := bits.Mul64(cycles, serialSecond)
	q, _ := bits.Div64(hi, lo, hz)
	return q
}

// serialCycles is how many whole cycles fit in so many picoseconds, and whether something is left over.
func serialCycles(ps, hz uint64) (cycles uint64, more bool) {
	hi, lo := bits.Mul64(ps, hz)
	q, r := bits.Div64(hi, lo, serialSecond)
	return q, r != 0
}

// serialLevels spells a frame as line levels, the start bit in bit 0.
func serialLevels(c SerialChar) (levels uint32, n uint8) {
	f := c.Format
	n = f.Bits()
	if c.Break {
		return 0, n
	}
	data := uint32(c.Data.V())
	if c.Ninth {
		data |= 1 << 8
	}
	data &= 1<<f.DataBits - 1
	levels = data << 1
	at := 1 + f.DataBits
	if f.Parity != ParityNone {
		if serialParity(f.Parity, uint16(data)) {
			levels |= 1 << at
		}
		at++
	}
	return levels | (1<<f.StopBits-1)<<at, n
}

// serialParity is the parity bit that belongs to the data bits.
func serialParity(p Parity, data uint16) bool {
	odd := bits.OnesCount16(data)&1 == 1
	return odd == (p == ParityEven)
}

// put takes a write of UDR. With the transmitter off the buffer can be written again and again, and the last byte goes
// out when TXEN is set; otherwise a write into the full buffer is ignored (2467 "UDR").
func (u *USART) put(h Host, v cell.Cell) {
	s := u.S
	on := s.UCSRB&usartTXEN != 0
	if s.TxFull && (on || s.TxBusy) {
		return
	}
	s.TxBuf, s.TxNinth, s.TxFull = v, s.UCSRB&usartTXB8 != 0, true
	if on && !s.TxBusy {
		u.load(h, u.nextBitClock(h.Now(ClkIO)))
	}
	u.clockSync(h)
}

// nextBitClock is the first edge of the transmitter's clock after now. That clock divides the baud-rate generator's
// output, which runs freely from the last write of UBRRL, so a first frame waits for up to a bit time.
func (u *USART) nextBitClock(now uint64) uint64 {
	bit := u.tick() * u.samples()
	return now + bit - (now-u.S.BaudBase)%bit
}

// load moves the transmit buffer to the shift register; its first bit leaves at begin.
func (u *USART) load(h Host, begin uint64) {
	s := u.S
	f := u.format()
	s.TxShift, s.ShiftNinth, s.TxFull, s.TxBusy = s.TxBuf, s.TxNinth, false, true
	s.ShiftFormat = [3]uint8{f.DataBits, uint8(f.Parity), f.StopBits}
	n := uint64(f.Bits())
	switch u.mode() {
	case usartSync:
		levels, left := serialLevels(u.shifting())
		s.SyncTx, s.SyncTxLeft = uint16(levels), left
		return
	case usartMSPIM:
		n = 8
	}
	s.TxBegin = begin
	s.TxEnd = begin + n*u.tick()*u.samples()
	s.TxStartPs = h.Now(ClkReal) + serialPs(begin-h.Now(ClkIO), h.Hertz())
	h.At(u.ID, usartTxDone, ClkIO, s.TxEnd)
	if l, ok := u.Line.(SerialStarter); ok && u.mode() == usartAsync {
		c := u.shifting()
		c.Start = s.TxStartPs
		c.BitTime, _ = u.Rate(h)
		c.End = c.Start + serialPs(s.TxEnd-s.TxBegin, h.Hertz())
		l.Starting(u.Index, c)
	}
}

// shifting is the character in the transmit shift register, without its moments.
func (u *USART) shifting() SerialChar {
	s := u.S
	f := SerialFormat{s.ShiftFormat[0], Parity(s.ShiftFormat[1]), s.ShiftFormat[2]}
	return SerialChar{Data: s.TxShift, Ninth: f.DataBits == 9 && s.ShiftNinth, Format: f}
}

// txDone ends a frame: TXC rises only if no further character waits (2467 "Transmitter Flags and Interrupts").
func (u *USART) txDone(h Host) {
	s := u.S
	if !s.TxBusy {
		return
	}
	s.TxBusy = false
	if u.mode() == usartMSPIM {
		u.exchange(h)
	} else if u.Line != nil {
		c := u.shifting()
		c.Start, c.End = s.TxStartPs, h.Now(ClkReal)
		c.BitTime, _ = u.Rate(h)
		u.Line.Sent(u.Index, c)
	}
	if s.TxFull {
		u.load(h, h.Now(ClkIO))
	} else {
		s.TXC = true
	}
	u.pads(h)
}

// exchange ends a byte of MSPIM mode. The receiver's error flags are not in use there (DS40002061 section 21.6).
func (u *USART) exchange(h Host) {
	s := u.S
	lsb := s.UCSRC&usartUDORD != 0
	in := cell.Of(0)
	if u.Bus != nil {
		in = spiOrder(u.Bus.Exchange(spiOrder(s.TxShift, lsb)), lsb)
	} else if h.Level(u.Cfg.RXD) {
		in = cell.Of(0xFF)
	}
	if s.UCSRB&usartRXEN == 0 {
		return
	}
	if s.RxCount == 3 {
		s.RxCount--
	}
	s.RxCells[s.RxCount], s.RxFlags[s.RxCount] = in, 0
	s.RxCount++
}

// retime makes a change of rate or format. What is on its way is corrupted by it (2467 "UBRRL and UBRRH"): the frame
// being sent goes on with its remaining bits at the new rate, the frame being received is given up.
func (u *USART) retime(h Host, change func()) {
	s := u.S
	now := h.Now(ClkIO)
	u.rxAdvance(h, now)
	tick, bit, f, m := u.tick(), u.tick()*u.samples(), u.format(), u.mode()
	change()
	same := bit == u.tick()*u.samples() && tick == u.tick() && m == u.mode()
	if !same {
		s.BaudBase = now - (now-s.BaudBase)%tick
		switch {
		case m != u.mode():
			s.TxBusy, s.TxFull, s.SyncTxLeft, s.SyncRxCount = false, false, 0, 0
			h.At(u.ID, usartTxDone, ClkIO, Never)
		case s.TxBusy && m != usartSync:
			u.stretch(h, now, bit)
		}
	}
	if s.RxBusy && (!same || f != u.format()) {
		s.RxBusy = false
		h.At(u.ID, usartRxDone, ClkIO, Never)
		h.At(u.ID, usartRxStart, ClkIO, Never)
		if u.mode() == usartAsync {
			u.hunt(h, now)
		}
	}
}

// stretch re-plans the end of the frame being sent after the bit time was changed.
func (u *USART) stretch(h Host, now, oldBit uint64) {
	s := u.S
	h.Notice(u.ID, "retime", u.Cfg.Name+": the rate was changed while a character was being sent")
	from := max(now, s.TxBegin)
	left := (s.TxEnd - from + oldBit - 1) / oldBit
	s.TxEnd = from + left*u.tick()*u.samples()
	h.At(u.ID, usartTxDone, ClkIO, s.TxEnd)
}
