package radio

import "motehound/mote/cell"

// Heard takes what reaches the antenna now. Carriers are to be told always, bytes only while Listening.
func (r *cc1000) Heard(h Host, x Heard) {
	switch x.Kind {
	case CarrierOn:
		r.carrierOn(h, x)
	case CarrierOff:
		r.carrierOff(h, x)
	case Byte:
		r.hearByte(h, x.Sender, x.Bit, x.Data)
	}
	r.showViolation(h)
}

// HearByte is Heard for a byte.
func (r *cc1000) HearByte(h Host, sender uint16, bit uint64, c cell.Cell) {
	r.hearByte(h, sender, bit, c)
	r.showViolation(h)
}

// showViolation has CHP_OUT follow the Manchester violation flag, if it is to show that.
func (r *cc1000) showViolation(h Host) {
	if r.S.Reg[cc1000LOCK]>>4 == cc1000SelViolation {
		r.driveCHPOut(h)
	}
}

// carrierOn remembers a carrier.
func (r *cc1000) carrierOn(h Host, x Heard) {
	i := r.place(x.Sender)
	if g := &r.S.Signals[i]; g.On != 0 && g.Sender != x.Sender && g.DBm >= x.Carrier.DBm {
		return
	}
	before := r.captured()
	r.S.Signals[i] = cc1000Signal{
		Hertz: x.Carrier.Hertz, DBm: x.Carrier.DBm, Sender: x.Sender, Modulation: x.Carrier.Modulation, On: 1,
	}
	r.disturb(h, before)
}

// place is where a sender's carrier is or, if it is new, a free place; without one, that of the weakest.
func (r *cc1000) place(sender uint16) int {
	free, weakest := -1, 0
	for i := range r.S.Signals {
		switch g := &r.S.Signals[i]; {
		case g.On == 0:
			free = i
		case g.Sender == sender:
			return i
		case g.DBm < r.S.Signals[weakest].DBm:
			weakest = i
		}
	}
	if free >= 0 {
		return free
	}
	return weakest
}

func (r *cc1000) carrierOff(h Host, x Heard) {
	s := r.S
	for i := range s.Signals {
		if g := &s.Signals[i]; g.On != 0 && g.Sender == x.Sender {
			before := r.captured()
			*g = cc1000Signal{}
			r.disturb(h, before)
		}
	}
	if s.Locking != 0 && s.Locked == x.Sender {
		s.Locking, s.Locked, s.Settled = 0, 0, 0
	}
}

// cc1000None stands for no sender.
const cc1000None = -1

// disturb spoils the bits that were not over when the receiver lost the signal it was captured by.
func (r *cc1000) disturb(h Host, before int) {
	s := r.S
	if s.Locking != 0 && before == int(s.Locked) && r.captured() != before {
		r.scramble(h.Time())
	}
}

// The receiver's filter ("IF frequency 150 kHz"): how far a signal may be from where it should be, on either side of the local
// oscillator, since nothing rejects the image.
const (
	cc1000IF        = 150_000
	cc1000Bandwidth = 64_000
)

// inBand reports whether a frequency passes the filter, and whether its data come out inverted: with the oscillator above it.
func (r *cc1000) inBand(hertz uint64) (ok, inverted bool) {
	if hertz == EveryChannel {
		return true, false
	}
	d := int64(r.S.Hertz) - int64(hertz)
	inverted = d > 0
	d = max(d, -d) - cc1000IF
	return d >= -cc1000Bandwidth && d <= cc1000Bandwidth, inverted
}

// cc1000CaptureRatio is by how many dB, in tenths, a signal must exceed all others together to be read.
const cc1000CaptureRatio = 60

// captured is the sender whose signal the demodulator follows.
func (r *cc1000) captured() int {
	if i := r.strongest(); i >= 0 {
		return int(r.S.Signals[i].Sender)
	}
	return cc1000None
}

// strongest is which signal the demodulator follows, strong enough by itself and against the others; -1 if there is none.
func (r *cc1000) strongest() int {
	s := r.S
	best, on, mine := -1, 0, r.modulation()
	for i := range s.Signals {
		g := &s.Signals[i]
		if g.On == 0 {
			continue
		}
		ok, _ := r.inBand(g.Hertz)
		if !ok {
			continue
		}
		on++
		if g.Modulation == mine && (best < 0 || g.DBm > s.Signals[best].DBm) {
			best = i
		}
	}
	if best < 0 || s.Signals[best].DBm < r.sensitivity() {
		return -1
	}
	if on == 1 {
		return best
	}
	others, several := int32(0), false
	for i := range s.Signals {
		g := &s.Signals[i]
		if g.On == 0 || i == best {
			continue
		}
		if ok, _ := r.inBand(g.Hertz); !ok {
			continue
		}
		p := int32(g.DBm) * 10
		if several {
			p = cc1000Sum(others, p)
		}
		others, several = p, true
	}
	if several && int32(s.Signals[best].DBm)*10-others < cc1000CaptureRatio {
		return -1
	}
	return best
}

// cc1000Sensitivity is the weakest signal that can be read at 600 baud (SWRS048, "Receiver sensitivity" for 64 kHz
// separation): 2 dB less for each doubling of the rate.
const cc1000Sensitivity = -113

// sensitivity is the weakest signal that can be read.
func (r *cc1000) sensitivity() int16 { return r.speed().sensitivity }

// cc1000Sums is 10*log10(1+10^(-d/10)) in tenths of dB for d = 0, 1, 2, ... dB.
var cc1000Sums = [...]int32{30, 25, 21, 18, 15, 12, 10, 8, 6, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1}

// cc1000Sum is the power of two signals together, in tenths of dBm.
func cc1000Sum(a, b int32) int32 {
	a, b = max(a, b), min(a, b)
	if d := (a - b + 5) / 10; d < int32(len(cc1000Sums)) {
		a += cc1000Sums[d]
	}
	return a
}

// lockBits is how many bits the bit synchronizer and the averaging filter take before data are right. The datasheet's numbers
// for the filter (MODEM1 SETTLING: 11, 22, 43, 86 baud) are for the largest frequency offset; senders here are tuned well, and
// real ones are read after a third of that.
func (r *cc1000) lockBits() uint8 { return 8 + 1<<(r.S.Reg[cc1000MODEM1]>>1&3) }

// violation is the Manchester violation flag: noise has violations, a signal that is read has none.
func (r *cc1000) violation() bool {
	s := r.S
	if s.Mode != cc1000Receive || r.format() != cc1000Manchester || s.Reg[cc1000MODEM1]>>5 == 0 {
		return false
	}
	return s.Locking == 0 || s.Settled < r.lockBits() || r.captured() != int(s.Locked)
}

// hearByte takes a byte that begins now.
func (r *cc1000) hearByte(h Host, sender uint16, bit uint64, c cell.Cell) {
	s := r.S
	if !r.Listening() || s.Edge == Never {
		return
	}
	i := r.strongest()
	clean := i >= 0 && s.Signals[i].Sender == sender
	locked := s.Locking != 0 && s.Locked == sender
	if !clean && !locked || !r.sameRate(h, bit) {
		return
	}
	if !locked {
		s.Locking, s.Locked, s.Settled = 1, sender, 0
	}
	r.follow(h, bit, !locked)

	spoilt := uint8(0xFF) // which bits
	if clean {
		n := int(r.lockBits()) - int(s.Settled)
		spoilt = ^uint8(0xFF >> min(max(n, 0), 8))
		s.Settled = min(s.Settled+8, r.lockBits())
	}
	if !clean {
		i = r.place(sender)
	}
	if g := &s.Signals[i]; g.On != 0 && g.Sender == sender {
		if _, inverted := r.inBand(g.Hertz); inverted {
			c = cell.Invert(h, c)
		}
	}
	if spoilt != 0 {
		c = cell.Of(cell.Decide(h, c) ^ r.noise()&spoilt)
	}
	r.put(c)
	s.Hiss = 0
}

// Follows reports whether the receiver is in step with a sender whose byte begins at a moment, when so many more of its bytes have
// been heard: then that byte changes nothing before DCLK has clocked a whole byte out, and can be told until then.
func (r *cc1000) Follows(sender uint16, at, bit uint64, more int) bool {
	s := r.S
	if s.Locking == 0 || s.Locked != sender || s.Hiss != 0 || s.Edge == Never || !r.Listening() || s.Reg[cc1000LOCK]>>4 == cc1000SelViolation {
		return false
	}
	return int(s.Fill)+more < len(s.Fifo) && r.inPhase(at+bit+bit/2, more)
}

// inPhase reports whether DCLK's edge for a byte's first bit comes when it should, or nearly so, after what waits and so many more bytes.
func (r *cc1000) inPhase(first uint64, more int) bool {
	s := r.S
	due := s.Edge + uint64(r.waiting()+8*more)*s.Period
	return max(due, first)-min(due, first) <= s.Period/8
}

// sameRate reports whether the bit synchronizer can follow bits of a length.
func (r *cc1000) sameRate(h Host, bit uint64) bool {
	own := r.bitTime(h)
	return max(bit, own)-min(bit, own) <= own/32
}

// follow sees to it that DCLK's edge for the first bit of a byte that begins now comes half a bit after that bit's end. A phase that
// is off by less than an eighth of a bit is good enough.
func (r *cc1000) follow(h Host, bit uint64, anew bool) {
	s := r.S
	now := h.Time()
	first := now + bit + bit/2
	if !anew && s.Hiss == 0 && s.Fill < uint8(len(s.Fifo)) && r.inPhase(first, 0) {
		return
	}
	r.run(h, now)
	if anew || s.Hiss != 0 || uint64(r.waiting())*bit >= first-now {
		r.empty()
	}
	s.Period = bit
	s.Edge = first - uint64(r.waiting())*bit
	r.plan(h)
}

// loseLock forgets what was being received.
func (r *cc1000) loseLock() {
	r.S.Locking, r.S.Locked, r.S.Settled = 0, 0, 0
	r.empty()
}

// waiting is how many bits wait for DCLK.
func (r *cc1000) waiting() int { return int(r.S.Fill)*8 - int(r.S.Taken) }

func (r *cc1000) empty() { r.S.Fifo, r.S.Fill, r.S.Taken, r.S.Hiss = [4]cell.Cell{}, 0, 0, 0 }

func (r *cc1000) put(c cell.Cell) {
	r.S.Fifo[r.S.Fill] = c
	r.S.Fill++
}

// drop forgets the first byte that waits.
func (r *cc1000) drop() cell.Cell {
	s := r.S
	c := s.Fifo[0]
	copy(s.Fifo[:], s.Fifo[1:])
	s.Fifo[len(s.Fifo)-1] = 0
	s.Fill--
	return c
}

// need has at least some bits wait, made of noise if nothing was received.
func (r *cc1000) need(bits int) {
	for r.waiting() < bits {
		r.put(cell.Of(r.noise()))
		r.S.Hiss = 1
	}
}

func (r *cc1000) takeBit(h Host) bool {
	s := r.S
	r.need(1)
	bit := cell.Decide(h, s.Fifo[0])<<s.Taken&0x80 != 0
	if s.Taken++; s.Taken == 8 {
		s.Taken = 0
		r.drop()
	}
	return bit
}

// takeByte takes eight bits, of one byte or of two.
func (r *cc1000) takeByte(h Host) cell.Cell {
	s := r.S
	r.need(8)
	c := r.drop()
	if s.Taken == 0 {
		return c
	}
	return cell.Join(h, c, s.Fifo[0], s.Taken)
}

// scramble makes noise of the waiting bits that were not over on the air at a moment.
func (r *cc1000) scramble(now uint64) {
	s := r.S
	keep := 0
	// A bit leaves half a bit after its end; a quarter more allows for DCLK's error.
	if end := now + s.Period*3/4; s.Edge <= end {
		keep = int((end-s.Edge)/s.Period) + 1
	}
	for i := range int(s.Fill) {
		n := keep - (i*8 - int(s.Taken)) // bits of this byte that stay
		if n < 8 {
			s.Fifo[i] = cell.Of(s.Fifo[i].V() ^ r.noise()&(0xFF>>max(n, 0)))
		}
	}
}

// cc1000Seeds is how many sequences of noise there are to choose from.
const cc1000Seeds = 1 << 16

func cc1000Seed(n uint32) uint64 { return (uint64(n) + 1) * 0x9E37_79B9_7F4A_7C15 }

// noise is the next eight bits made of noise (xorshift64*, Marsaglia and Vigna).
func (r *cc1000) noise() uint8 {
	x := r.S.Noise
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	r.S.Noise = x
	return uint8(x * 0x2545_F491_4F6C_DD1D >> 56)
}

// cc1000NoiseFloor is what the receiver measures without a signal, in tenths of dBm.
const cc1000NoiseFloor = -1050

// RSSI is the voltage at the RSSI pin in millivolts: it falls as the signal rises (SWRS048 "RSSI output": P = -51.3 V - 49.2 dBm at
// 433 MHz, -50.0 V - 45.5 dBm at 868 MHz, 0 to 1.2 V). The pin is a current source on a resistor to ground: 0 while the
// receiver or its RSSI (IF_RSSI in FRONT_END) is off.
func (r *cc1000) RSSI() (millivolts uint16) {
	s := r.S
	if !r.Listening() || s.Reg[cc1000FRONTEND]>>1&3 != 1 {
		return 0
	}
	p := int32(cc1000NoiseFloor)
	for i := range s.Signals {
		g := &s.Signals[i]
		if ok, _ := r.inBand(g.Hertz); ok && g.On != 0 {
			p = cc1000Sum(p, int32(g.DBm)*10)
		}
	}
	v := (-p - 455) * 2
	if s.Hertz < cc1000Bands {
		v = (-p - 492) * 1000 / 513
	}
	return uint16(min(max(v, 0), 1200))
}
