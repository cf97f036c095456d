package periph

import "math/bits"

// The common counting core of the 8- and 16-bit Timer/Counters.
//
// Time convention, which agrees with what an ATmega328P shows (avr8js issues 40, 41 and 72 record the runs on
// silicon): a timer clock tick with index i happens at the start of cycle i, so an access in cycle c sees the ticks up
// to c; what a write in cycle c changes is in force from the start of cycle c+1, after the tick of that cycle. The
// asynchronous clock counts edges of TOSC1 in the same way.
//
// A tick looks at the value that it leaves: "a match will set the Output Compare Flag at the next timer clock cycle"
// (ATmega328P, DS40002061A section 15.5), and the timing diagrams show the same for TOV, ICF and the update of OCR.

// TimerFlagIndex numbers the interrupt flags of a timer.
type TimerFlagIndex uint8

const (
	TOV TimerFlagIndex = iota
	OCFA
	OCFB
	OCFC
	ICF
	NumTimerFlags
)

// TimerFlag says where one flag of a timer lives: the same bit in TIFR (the flag) and TIMSK (its enable). TIMSK 0 means that
// the timer has no such flag.
type TimerFlag struct {
	TIMSK, TIFR uint16
	Bit         uint8
	Vector      uint8
	Signal      Signal // told to the other peripherals when the flag rises
}

// RegBit is one bit of a register; Reg 0 means that the chip lacks it.
type RegBit struct {
	Reg uint16
	Bit uint8
}

// WaveformKind is how a timer counts.
type WaveformKind uint8

const (
	WaveNormal WaveformKind = iota
	WaveCTC
	WaveFast
	WavePhase          // phase correct: OCR updated at TOP
	WavePhaseFrequency // phase and frequency correct: OCR updated at BOTTOM
	WaveReserved
)

// Waveform is one row of a datasheet's table "Waveform Generation Mode Bit Description".
type Waveform struct {
	Kind WaveformKind
	Top  uint16 // a fixed TOP, or topOCRA or topICR
}

// TOP from a register; no fixed TOP has these values.
const (
	topOCRA uint16 = 1
	topICR  uint16 = 2
)

// Clock selections that are no prescaler tap.
const (
	clockStopped uint16 = 0
	clockFalling uint16 = 0xFFFE // external clock on Tn, falling edge
	clockRising  uint16 = 0xFFFF
)

// The registers that have an update-busy flag in asynchronous operation, in the order of TimerConfig.UB.
const (
	latchTCNT = iota
	latchOCRA
	latchOCRB
	latchTCCRA
	latchTCCRB
	numLatches
)

// NoBit stands for a bit that the chip lacks where 0 is a bit position.
const NoBit uint8 = 0xFF

// Reentry says what happens when the chip goes back to sleep within one TOSC1 cycle of being woken by the timer.
type Reentry uint8

const (
	ReentryDeaf   Reentry = iota // the interrupt does not occur and the chip fails to wake up
	ReentryRepeat                // the interrupt occurs again at once
)

// TimerConfig is one Timer/Counter of a chip.
type TimerConfig struct {
	Name string
	Bits uint8 // 8 or 16

	TCCRA, TCCRB, TCCRC uint16 // an ATmega128's TCCR0 or TCCR2 is TCCRA
	TCNTL, TCNTH        uint16 // an 8-bit TCNT is TCNTL, and so on
	OCRL, OCRH          [3]uint16
	ICRL, ICRH          uint16

	WGM        [4]RegBit
	COM        [3]RegBit // the low bit of each pair
	FOC        [3]RegBit
	CS         RegBit // the lowest of three
	ICNC, ICES RegBit
	PRTIM      RegBit // the power reduction bit

	Waveforms []Waveform // by WGM
	ToggleOCA uint16     // the PWM modes (bit n: mode n) in which COMA = 1 toggles OCA
	Clocks    [8]uint16  // by CS: a prescaler tap, clockStopped, clockFalling or clockRising

	Flags [NumTimerFlags]TimerFlag

	OC      [3]Pin
	ICP, T  Pin
	ACIC    RegBit // the comparator's bit that takes the capture input from ICP
	ASSR    uint16
	AS      uint8             // bit in ASSR
	EXCLK   uint8             // bit in ASSR, or NoBit
	UB      [numLatches]uint8 // update-busy bits in ASSR, or NoBit
	Reentry Reentry
}

// units is how many output compare units the timer has.
func (c *TimerConfig) units() int {
	n := 0
	for n < len(c.OCRL) && c.OCRL[n] != 0 {
		n++
	}
	return n
}

func (c *TimerConfig) max() uint32 { return 1<<c.Bits - 1 }

// TimerState is the state of a Timer/Counter of either width.
type TimerState struct {
	Synced     uint64             `time:"ticks"`       // index of the clock cycle or TOSC1 edge up to which all ticks are done
	Origin     uint64             `time:"ticks"`       // index at which the prescaler was zero
	WokeAt     uint64             `time:"ps"`          // ClkReal time of the last wake-up by this timer, or Never
	StaleUntil uint64             `time:"ticks,ahead"` // TOSC1 edge from which TCNT reads true again after a sleep
	Due        [numLatches]uint64 `time:"ticks"`       // TOSC1 edge at which a register written asynchronously is updated
	EdgeAt     [2]uint64          `time:"clkio"`       // cycles of Tn edges still in the synchroniser, or Never
	CaptureAt  [2]uint64          `time:"clkio"`       // cycles of capture edges still in the synchroniser, or Never
	TSince     uint64             `time:"clkio"`       // cycle of the last edge on Tn
	ICPSince   uint64             `time:"clkio"`       // cycle of the last edge at the capture input
	Count      uint16
	OCR        [3]uint16 // in force
	Buf        [3]uint16 // as the CPU sees it
	ICR        uint16
	Stale      uint16 // what TCNT reads until StaleUntil
	Temp       uint8
	TCCRA      uint8 // in force; while busy the CPU reads Written
	TCCRB      uint8
	WGM        uint8
	CS         uint8
	COM        [3]uint8
	Written    [numLatches]uint8 // the temporary registers of asynchronous operation
	Busy       [numLatches]bool
	Enabled    uint8 // bit per TimerFlagIndex
	Flags      uint8
	WokeBy     uint8 // the flags that woke the chip at WokeAt
	Async      bool  // AS
	ExtClock   bool  // EXCLK
	Gated      bool  // PRTIM
	Held       bool  // the prescaler is kept in reset
	Comparator bool  // ACIC
	Asleep     bool  // clkI/O is halted
	CrystalOff bool  // a sleep mode stopped the crystal's oscillator
	Deaf       bool  // slept again within one TOSC1 cycle: no wake-up
	Down       bool
	Blocked    bool    // TCNT was written: no compare match on the next tick
	OC         [3]bool // the output compare registers
	Out        [3]bool // OC has the pad
	TLevel     bool    // Tn, as the sampler last saw it for long enough
	ICPLevel   bool    // the capture input, as the sampler or the noise canceler last saw it for long enough
	Pad        [7]uint8
}

// waveform is the mode the timer is in.
func (t *Timer) waveform() Waveform { return t.Cfg.Waveforms[t.S.WGM] }

func (w Waveform) dual() bool { return w.Kind == WavePhase || w.Kind == WavePhaseFrequency }
func (w Waveform) pwm() bool  { return w.Kind == WaveFast || w.dual() }

// top is TOP now.
func (t *Timer) top() uint32 {
	switch w := t.waveform(); w.Top {
	case topOCRA:
		return uint32(t.S.OCR[0])
	case topICR:
		return uint32(t.S.ICR)
	default:
		return uint32(w.Top)
	}
}

// timerNever is a distance that is not reached.
const timerNever = ^uint64(0)

// leaves is the number of ticks up to and including the one that leaves value v, as things stand.
func (t *Timer) leaves(v uint32) uint64 {
	c, top, maxv := uint32(t.S.Count), t.top(), t.Cfg.max()
	if v > maxv {
		return timerNever
	}
	if !t.waveform().dual() {
		switch {
		case v >= c && (v <= top || c > top):
			return uint64(v - c + 1)
		case v < c && c <= top:
			return uint64(top-c+1) + uint64(v+1)
		case v < c && v <= top:
			return uint64(maxv-c+1) + uint64(v+1)
		}
		return timerNever
	}
	turn := top // where the way up ends
	if c > top {
		turn = maxv
	}
	switch {
	case !t.S.Down && v >= c && v <= turn:
		return uint64(v - c + 1)
	case !t.S.Down && v < c:
		return uint64(2*turn-c-v) + 1
	case t.S.Down && v <= c:
		return uint64(c-v) + 1
	case t.S.Down && v <= top:
		return uint64(c+1) + uint64(v)
	}
	return timerNever
}

// period is the length of a full cycle of the counter in ticks.
func (t *Timer) period() uint64 {
	top := uint64(t.top())
	switch {
	case !t.waveform().dual():
		return top + 1
	case top == 0:
		return 1
	}
	return 2 * top
}

// pending reports whether a double-buffered OCR waits for its update.
func (t *Timer) pending() bool { return t.S.OCR != t.S.Buf }

// updateAt is the value whose leaving loads OCR from its buffer.
func (t *Timer) updateAt() uint32 {
	if t.waveform().Kind == WavePhaseFrequency {
		return 0
	}
	return t.top()
}

// turning is the number of ticks to the next one at which something other than a compare match happens.
func (t *Timer) turning() uint64 {
	if t.S.Blocked {
		return 1
	}
	d := t.leaves(t.top())
	if t.waveform().dual() {
		d = min(d, t.leaves(0))
	}
	return min(d, t.leaves(t.Cfg.max()))
}

// advance does n timer clock ticks. The cost does not depend on n: from one value at which something happens to the
// next, and whole periods at once when they repeat.
func (t *Timer) advance(h Host, n uint64) {
	done := uint64(0)
	for n > 0 {
		d := t.turning()
		for x := range t.Cfg.units() {
			if t.matters(x) {
				d = min(d, t.leaves(uint32(t.S.OCR[x])))
			}
		}
		if d > n {
			t.move(n)
			return
		}
		if t.pending() || uint32(t.S.Count) > t.top() {
			done = 0 // not yet in the cycle that repeats
		} else {
			done += d
		}
		t.move(d - 1)
		t.tick(h)
		n -= d
		// After some periods every flag that can rise has risen; an even number of periods undoes all toggling.
		if p := 2 * t.period(); done >= 2*p && n > p {
			n %= p
		}
	}
}

// matters reports whether a match of unit x would change anything.
func (t *Timer) matters(x int) bool { return t.S.Flags&(1<<(int(OCFA)+x)) == 0 || t.comActive(x) }

// move counts n ticks in which nothing happens.
func (t *Timer) move(n uint64) {
	if t.S.Down {
		t.S.Count -= uint16(n)
	} else {
		t.S.Count += uint16(n)
	}
}

// tick is one timer clock.
func (t *Timer) tick(h Host) {
	s, w := t.S, t.waveform()
	v, top, maxv := uint32(s.Count), t.top(), t.Cfg.max()
	variable := w.Top == topOCRA || w.Top == topICR
	// "The compare match for the TOP will be ignored and the counter will continue to 0xFFFF" (ATmega328P, section 16.9,
	// on writing TCNT1 equal to a variable TOP).
	atTop := v == top && !(s.Blocked && variable)
	var matched [3]bool
	for x := range t.Cfg.units() {
		matched[x] = v == uint32(s.OCR[x]) && !s.Blocked && !t.compareOff(x)
	}
	s.Blocked = false
	overflow := false
	if w.dual() {
		overflow = t.turn(v, top, maxv, atTop)
	} else {
		overflow = atTop && w.Kind == WaveFast || v == maxv && w.Kind != WaveFast
		s.Count++
		if atTop || v == maxv {
			s.Count = 0
		}
	}
	wrapped := !w.dual() && s.Count == 0
	if t.buffered() && (wrapped || w.Kind == WavePhase && atTop || w.Kind == WavePhaseFrequency && v == 0) {
		s.OCR = s.Buf
	}
	for x := range t.Cfg.units() {
		t.output(h, x, matched[x], wrapped, atTop, uint32(s.OCR[x]) == top)
		if matched[x] {
			t.raise(h, OCFA+TimerFlagIndex(x))
		}
	}
	if overflow {
		t.raise(h, TOV)
	}
	if atTop && w.Top == topICR {
		t.raise(h, ICF)
	}
}

// turn counts one tick of a dual-slope mode and tells whether BOTTOM was left after counting down.
func (t *Timer) turn(v, top, maxv uint32, atTop bool) bool {
	s := t.S
	switch {
	case top == 0 && v == 0:
		s.Down = false
		return false
	case s.Down && v == 0:
		s.Down = false
		s.Count = 1
		return true
	case !s.Down && (atTop || v == maxv):
		s.Down = true
		s.Count--
	case s.Down:
		s.Count--
	default:
		s.Count++
	}
	return false
}

// buffered reports whether OCR is double-buffered in the present mode.
func (t *Timer) buffered() bool { return t.waveform().pwm() }

// compareOff reports whether unit x is switched off: "the Output Compare function is disabled during writing to OCR2x or
// TCNT2" in asynchronous operation.
func (t *Timer) compareOff(x int) bool { return t.S.Busy[latchTCNT] || x < 2 && t.S.Busy[latchOCRA+x] }

// comActive reports whether OCnx has its pad: Tables "Compare Output Mode".
func (t *Timer) comActive(x int) bool {
	s := t.S
	if s.COM[x] == 1 && t.waveform().pwm() {
		return x == 0 && t.Cfg.ToggleOCA>>s.WGM&1 != 0
	}
	return s.COM[x] != 0
}

// output is the waveform generator of unit x on one tick.
func (t *Timer) output(h Host, x int, matched, wrapped, atTop, ocrIsTop bool) {
	if !t.comActive(x) {
		return
	}
	s, w, inverted := t.S, t.waveform(), t.S.COM[x] == 3
	switch {
	case s.COM[x] == 1 || !w.pwm():
		if matched {
			t.match(h, x)
		}
	case w.Kind == WaveFast && wrapped: // BOTTOM wins over a match at TOP (note under Table 15-3)
		t.setOC(h, x, !inverted)
	case w.Kind == WaveFast && matched:
		t.setOC(h, x, inverted)
	case w.dual() && atTop:
		// "The OCnx value at MAX must correspond to the result of an up-counting Compare Match" unless OCR is TOP
		// (section 15.7.4).
		t.setOC(h, x, ocrIsTop != inverted)
	case w.dual() && matched:
		t.setOC(h, x, s.Down != inverted)
	}
}

// match does what COM says for a compare match, real or forced, in the modes without PWM.
func (t *Timer) match(h Host, x int) {
	switch t.S.COM[x] {
	case 1:
		t.setOC(h, x, !t.S.OC[x])
	case 2:
		t.setOC(h, x, false)
	case 3:
		t.setOC(h, x, true)
	}
}

func (t *Timer) setOC(h Host, x int, level bool) {
	if t.S.OC[x] == level {
		return
	}
	t.S.OC[x] = level
	if t.S.Out[x] {
		h.Drive(t.ID, t.Cfg.OC[x], level, false)
	}
}

// raise sets a flag.
func (t *Timer) raise(h Host, f TimerFlagIndex) {
	cfg := &t.Cfg.Flags[f]
	if cfg.TIMSK == 0 || t.S.Flags>>f&1 != 0 {
		return
	}
	t.S.Flags |= 1 << f
	t.request(h, f)
	if cfg.Signal != SigNone {
		h.Signal(cfg.Signal)
	}
}

// request tells the interrupt unit whether flag f asks for its interrupt.
func (t *Timer) request(h Host, f TimerFlagIndex) {
	if v := t.Cfg.Flags[f].Vector; v != 0 {
		h.Request(v, t.S.Flags&t.S.Enabled>>f&1 != 0 && !t.S.Deaf)
	}
}

// wanted reports whether somebody must know at once when flag f rises.
func (t *Timer) wanted(f TimerFlagIndex) bool {
	cfg := &t.Cfg.Flags[f]
	return cfg.TIMSK != 0 && t.S.Flags>>f&1 == 0 && (t.S.Enabled>>f&1 != 0 || cfg.Signal != SigNone)
}

// next is the number of ticks until the timer must act by itself.
func (t *Timer) next() uint64 {
	d, need := timerNever, false
	want := func(at uint64) { d, need = min(d, at), true }
	w := t.waveform()
	for x := range t.Cfg.units() {
		active := t.comActive(x) && t.Cfg.OC[x] != NoPin
		if active || t.wanted(OCFA+TimerFlagIndex(x)) {
			want(t.leaves(uint32(t.S.OCR[x])))
		}
		if active && w.pwm() {
			want(t.turning())
		}
	}
	if t.wanted(TOV) {
		switch {
		case w.dual():
			want(t.leaves(0))
		case w.Kind == WaveFast:
			want(t.leaves(t.top()))
		default:
			want(t.leaves(t.Cfg.max()))
		}
	}
	if w.Top == topICR && t.wanted(ICF) {
		want(t.leaves(t.top()))
	}
	if need && t.S.Blocked {
		return 1
	}
	if need && t.pending() {
		d = min(d, t.leaves(t.updateAt()))
	}
	return d
}

// crystalEdges is the number of rising edges of a crystal of hz up to a moment: edge k comes at floor(k * 10^12 / hz)
// picoseconds, so k is the greatest with k * 10^12 < (ps + 1) * hz.
func crystalEdges(ps, hz uint64) uint64 {
	hi, lo := bits.Mul64(ps+1, hz)
	lo, borrow := bits.Sub64(lo, 1, 0)
	k, _ := bits.Div64(hi-borrow, lo, 1e12)
	return k
}

// crystalTime is the moment of edge k.
func crystalTime(k, hz uint64) uint64 {
	hi, lo := bits.Mul64(k, 1e12)
	ps, _ := bits.Div64(hi, lo, hz)
	return ps
}
