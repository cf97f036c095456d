package periph

import "motehound/mote/cell"

// Receive says that the start bit of a character arrives on RXD now (or, with c.Start in the past, arrived then). What
// the firmware gets is what the receiver's sampler sees of the waveform: at a wrong rate, wrong bits and FE. While the
// receiver is off the character passes unheard.
func (u *USART) Receive(h Host, c SerialChar) {
	s := u.S
	own, f := u.Rate(h)
	if c.BitTime == 0 {
		c.BitTime = own
	}
	if c.Format.DataBits == 0 {
		c.Format = f
	}
	if now := h.Now(ClkReal); c.Start == 0 || c.Start > now {
		c.Start = now
	}
	if s.RxBusy {
		u.halted(h)
		u.rxAdvance(h, max(u.cycleAt(c.Start), 1)-1)
	}
	fell := s.LineLen == 0 || u.level(c.Start-1)
	s.LineStart, s.LineBit = c.Start, c.BitTime
	s.LineLevels, s.LineLen = serialLevels(c)
	s.LineCell = c.Data
	if c.Format.Parity != ParityNone || c.Format.DataBits < 8 {
		cell.Decide(h, c.Data)
	}
	if c.Format.DataBits < 8 {
		s.LineCell = cell.Of(c.Data.V() & (1<<c.Format.DataBits - 1))
	}
	if s.UCSRB&usartRXEN == 0 || u.mode() != usartAsync || s.RxBusy {
		u.update(h)
		return
	}
	u.anchor(h)
	if !fell || !u.begin(h, s.LineStart) {
		u.hunt(h, u.cycleAt(c.Start))
	}
	u.update(h)
}

// RxSpace is how many more characters can arrive before one is lost; 0 while the receiver is off.
func (u *USART) RxSpace(Host) int {
	if u.S.UCSRB&usartRXEN == 0 {
		return 0
	}
	n := 3 - int(u.S.RxCount)
	if u.S.RxBusy {
		n--
	}
	return max(n, 0)
}

// RxFree is when the last character given to Receive has ended, its stop bits too.
func (u *USART) RxFree() uint64 { return u.S.LineStart + uint64(u.S.LineLen)*u.S.LineBit }

// rxIdle reports whether the line is free: the last character given to Receive has ended, its stop bits too.
func (u *USART) rxIdle(h Host) bool {
	return h.Now(ClkReal) >= u.RxFree()
}

// anchor notes how cycles and real time go together from now on.
func (u *USART) anchor(h Host) {
	u.S.RefAt, u.S.RefPs, u.S.RefHz = h.Now(ClkIO), h.Now(ClkReal), h.Hertz()
}

// psAt is the real time of a cycle, cycleAt the first cycle not before a real time.
func (u *USART) psAt(cycle uint64) uint64 {
	s := u.S
	if cycle < s.RefAt {
		return s.RefPs - min(s.RefPs, serialPs(s.RefAt-cycle, s.RefHz))
	}
	return s.RefPs + serialPs(cycle-s.RefAt, s.RefHz)
}

func (u *USART) cycleAt(ps uint64) uint64 {
	s := u.S
	if ps < s.RefPs {
		n, _ := serialCycles(s.RefPs-ps, s.RefHz)
		return s.RefAt - min(s.RefAt, n)
	}
	n, more := serialCycles(ps-s.RefPs, s.RefHz)
	if more {
		n++
	}
	return s.RefAt + n
}

// level is what RXD carries at a moment, as far as the newest incoming frame tells; an idle line is high.
func (u *USART) level(ps uint64) bool {
	s := u.S
	if ps < s.LineStart {
		return true
	}
	i := (ps - s.LineStart) / s.LineBit
	return i >= uint64(s.LineLen) || s.LineLevels>>i&1 == 1
}

// halted allows for a sleep that stopped clkI/O since the frame began: the samples come later than was foreseen. The
// whole pause is put before the samples still to be taken.
func (u *USART) halted(h Host) {
	s := u.S
	foreseen := u.psAt(h.Now(ClkIO))
	if now := h.Now(ClkReal); now > foreseen+s.LineBit/16 {
		s.RefPs += now - foreseen
	}
}

// rxEvent takes the moment of a decisive vote.
func (u *USART) rxEvent(h Host) {
	if u.S.RxBusy {
		u.halted(h)
		u.rxAdvance(h, h.Now(ClkIO))
	}
}

// rxAdvance takes the samples up to and including a cycle.
func (u *USART) rxAdvance(h Host, until uint64) {
	for u.S.RxBusy && u.S.RxAt <= until {
		u.vote(h, u.level(u.psAt(u.S.RxAt)))
	}
}

// begin starts a frame with the falling edge at a moment: sample 1 is the first tick of the baud-rate generator that
// sees the line low. It fails if the line is high again by then.
func (u *USART) begin(h Host, edgePs uint64) bool {
	s := u.S
	tick, at := u.tick(), u.cycleAt(edgePs)
	if at <= s.BaudBase {
		at = s.BaudBase
	} else if late := (at - s.BaudBase) % tick; late != 0 {
		at += tick - late
	}
	if u.level(u.psAt(at)) {
		return false
	}
	u.beginAt(h, at, edgePs == s.LineStart)
	return true
}

// beginAt starts a frame whose sample 1 is taken at a cycle. Voting samples are 8, 9 and 10 of the 16 in a bit, 4, 5
// and 6 of 8 at double speed (2467 "Asynchronous Clock Recovery", DS40002061 section 20.8.1).
func (u *USART) beginAt(h Host, at uint64, whole bool) {
	s := u.S
	tick, n := u.tick(), u.samples()
	f := u.format()
	f.StopBits = 1 // the receiver ignores all but the first
	s.RxBusy, s.RxVotes, s.RxWord = true, 0, 0
	s.RxWhole, s.RxSource = whole, s.LineCell
	s.RxSample = uint16(n / 2)
	s.RxAt = at + (n/2-1)*tick
	last := s.RxAt + 2*tick + uint64(f.Bits()-1)*n*tick
	h.At(u.ID, usartRxDone, ClkIO, last)
	start := Never
	if s.RxCount == 3 {
		start = s.RxAt + 2*tick
	}
	h.At(u.ID, usartRxStart, ClkIO, start)
}

// vote takes one voting sample, and decides the bit with the third.
func (u *USART) vote(h Host, high bool) {
	s := u.S
	tick, n := u.tick(), uint16(u.samples())
	bit, pos := (s.RxSample-1)/n, (s.RxSample-1)%n+1
	if high {
		s.RxVotes++
	}
	if pos < n/2+2 {
		s.RxSample++
		s.RxAt += tick
		return
	}
	at, one := s.RxAt, s.RxVotes >= 2
	s.RxVotes = 0
	s.RxSample += n - 2
	s.RxAt += uint64(n-2) * tick
	f := u.format()
	f.StopBits = 1
	switch {
	case bit == 0 && one: // a spike, no start bit
		u.rxStop(h)
		u.hunt(h, at)
	case bit == 0:
		u.rxOverrun()
	case bit < uint16(f.Bits())-1:
		if one {
			s.RxWord |= 1 << (bit - 1)
		}
	default:
		u.rxStop(h)
		u.store(one)
		if one && !high { // the next start bit fell between the last two votes of this stop bit
			u.beginAt(h, at, u.psAt(at)-s.LineStart < s.LineBit)
		} else {
			u.hunt(h, at)
		}
	}
}

func (u *USART) rxStop(h Host) {
	u.S.RxBusy = false
	h.At(u.ID, usartRxDone, ClkIO, Never)
	h.At(u.ID, usartRxStart, ClkIO, Never)
}

// rxOverrun loses the character that waits in the shift register to a new start bit (2467 "Receiver Error Flags"); DOR
// goes with the character that comes after the loss.
func (u *USART) rxOverrun() {
	if u.S.RxCount == 3 {
		u.S.RxCount = 2
		u.S.RxOverrun = true
	}
}

// hunt looks for the next falling edge on the line after a cycle.
func (u *USART) hunt(h Host, at uint64) {
	s := u.S
	if s.LineLen == 0 || s.UCSRB&usartRXEN == 0 {
		return
	}
	ps := u.psAt(at)
	first := uint64(1)
	if ps < s.LineStart {
		if u.begin(h, s.LineStart) {
			return
		}
	} else {
		first = (ps-s.LineStart)/s.LineBit + 1
	}
	for i := first; i < uint64(s.LineLen); i++ {
		if s.LineLevels>>(i-1)&3 == 1 && u.begin(h, s.LineStart+i*s.LineBit) {
			return
		}
	}
}

// store puts a received frame in the buffer, or in the third place, which is the shift register itself.
func (u *USART) store(stop bool) {
	s := u.S
	f := u.format()
	data := s.RxWord & (1<<f.DataBits - 1)
	var flags uint8
	if !stop {
		flags |= usartFE
	}
	if f.Parity != ParityNone && (s.RxWord>>f.DataBits&1 == 1) != serialParity(f.Parity, data) {
		flags |= usartUPE
	}
	address := stop // with 5 to 8 data bits the first stop bit tells the frame type (2467 "Multi-processor")
	if f.DataBits == 9 {
		address = data>>8 == 1
		if address {
			flags |= usartRXB8
		}
	}
	if s.UCSRA&usartMPCM != 0 && !address {
		return
	}
	if s.RxOverrun {
		flags |= usartDOR
		s.RxOverrun = false
	}
	c := cell.Of(uint8(data))
	if s.RxWhole && f.DataBits >= 8 && s.RxSource.V() == c.V() {
		c = s.RxSource
	}
	s.RxCells[s.RxCount], s.RxFlags[s.RxCount] = c, flags
	s.RxCount++
}

// pop takes the oldest character out of the receive buffer.
func (u *USART) pop() {
	s := u.S
	s.RxLast = s.RxCells[0]
	s.RxCells = [3]cell.Cell{s.RxCells[1], s.RxCells[2]}
	s.RxFlags = [3]uint8{s.RxFlags[1], s.RxFlags[2]}
	s.RxCount--
}

// flush empties the receiver.
func (u *USART) flush(h Host) {
	s := u.S
	u.rxStop(h)
	s.RxCount, s.RxOverrun, s.SyncRxCount = 0, false, 0
	s.RxCells, s.RxFlags = [3]cell.Cell{}, [3]uint8{}
}
