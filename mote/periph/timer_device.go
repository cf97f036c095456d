package periph

import "motehound/mote/cell"

// Timer is one Timer/Counter.
type Timer struct {
	ID        ID
	Cfg       *TimerConfig
	S         *TimerState
	CrystalHz uint32 // the crystal on TOSC1 and TOSC2; 0: none fitted
}

// Event kinds of a timer.
const (
	timerTick    = iota // the counter must act
	timerEdge           // an edge on Tn has passed the synchroniser
	timerCapture        // a capture edge has passed the synchroniser
	numTimerKinds
)

// Edges on Tn and ICP pass a synchroniser and an edge detector, 2.5 to 3.5 cycles (ATmega328P, section 17.2); the noise
// canceler wants four equal samples more (section 16.6.2).
const (
	timerSyncDelay  = 3
	timerNoiseDelay = 4
)

// tap is the prescaler tap that clocks the counter, 0 if no prescaled clock does.
func (t *Timer) tap() uint64 {
	s := t.S
	clk := t.Cfg.Clocks[s.CS]
	if clk >= clockFalling || s.Gated || s.Held || s.Async && !t.crystal() {
		return 0
	}
	return uint64(clk)
}

// index is the number of the present cycle, or of the last TOSC1 edge.
func (t *Timer) index(h Host) uint64 {
	if !t.S.Async {
		return h.Now(ClkIO)
	}
	if t.CrystalHz == 0 {
		return 0
	}
	return crystalEdges(h.Now(ClkReal), uint64(t.CrystalHz))
}

// sync brings the counter to the present.
func (t *Timer) sync(h Host) { t.syncTo(h, t.index(h)) }

// settle brings the counter to where a write in this cycle takes effect.
func (t *Timer) settle(h Host) {
	if t.S.Async {
		t.sync(h)
		return
	}
	t.syncTo(h, h.Now(ClkIO)+1)
}

func (t *Timer) syncTo(h Host, i uint64) {
	if t.S.Async {
		t.latchUpTo(h, i)
	}
	t.run(h, i)
}

// run does the ticks up to index i.
func (t *Timer) run(h Host, i uint64) {
	s := t.S
	if i <= s.Synced {
		return
	}
	from := s.Synced
	s.Synced = i
	if tap := t.tap(); tap != 0 {
		t.advance(h, (i-s.Origin)/tap-(from-s.Origin)/tap)
	}
}

// plan asks for the next event, if somebody must know of one.
func (t *Timer) plan(h Host) {
	s := t.S
	at := Never
	if tap := t.tap(); tap != 0 {
		if d := t.next(); d != timerNever {
			at = s.Origin + ((s.Synced-s.Origin)/tap+d)*tap
		}
	}
	if !s.Async {
		h.At(t.ID, timerTick, ClkIO, at)
		return
	}
	if t.crystal() && !s.Asleep {
		for r, busy := range s.Busy {
			if busy {
				at = min(at, s.Due[r])
			}
		}
	}
	if at != Never {
		at = crystalTime(at, uint64(t.CrystalHz))
	}
	h.At(t.ID, timerTick, ClkReal, at)
}

// Event brings the timer to the present when it must act.
func (t *Timer) Event(h Host, kind uint8) {
	t.sync(h)
	switch kind {
	case timerEdge:
		t.S.EdgeAt = timerPop(t.S.EdgeAt)
		if clk := t.Cfg.Clocks[t.S.CS]; clk >= clockFalling && !t.S.Gated {
			t.advance(h, 1)
		}
		h.At(t.ID, timerEdge, ClkIO, t.S.EdgeAt[0])
	case timerCapture:
		t.S.CaptureAt = timerPop(t.S.CaptureAt)
		t.capture(h)
		h.At(t.ID, timerCapture, ClkIO, t.S.CaptureAt[0])
	}
	t.plan(h)
}

func timerPop(q [2]uint64) [2]uint64 { return [2]uint64{q[1], Never} }

// timerPush adds an edge that passes the synchroniser at cycle at.
func timerPush(q [2]uint64, at uint64) [2]uint64 {
	if q[0] == Never {
		q[0] = at
	} else {
		q[1] = at
	}
	return q
}

// timerCancel drops the newest edge if it came at or after cycle since: the pulse was too short to be seen.
func timerCancel(q [2]uint64, since uint64) [2]uint64 {
	switch {
	case q[1] != Never && q[1] >= since:
		q[1] = Never
	case q[1] == Never && q[0] != Never && q[0] >= since:
		q[0] = Never
	}
	return q
}

// capture is the input capture event itself.
func (t *Timer) capture(h Host) {
	if t.waveform().Top == topICR {
		return // "the ICP1 is disconnected and consequently the input capture function is disabled"
	}
	t.S.ICR = t.S.Count
	t.raise(h, ICF)
}

// captureEdge is an edge at the capture input, from the pad or the comparator.
func (t *Timer) captureEdge(h Host, level bool) {
	s := t.S
	delay, hold := uint64(timerSyncDelay), uint64(1)
	if t.bit(t.Cfg.ICNC) {
		delay, hold = timerSyncDelay+timerNoiseDelay, timerNoiseDelay
	}
	now := h.Now(ClkIO)
	s.ICPLevel, s.ICPSince = timerSeen(s.ICPLevel, level, s.ICPSince, now, hold), now
	if t.Cfg.ICRL == 0 || t.waveform().Top == topICR || s.Gated {
		return
	}
	switch {
	case level != t.bit(t.Cfg.ICES):
		s.CaptureAt = timerCancel(s.CaptureAt, now+delay-hold+1)
	case s.ICPLevel != level:
		s.CaptureAt = timerPush(s.CaptureAt, now+delay)
	}
	h.At(t.ID, timerCapture, ClkIO, s.CaptureAt[0])
}

// timerSeen is what a sampler that wants hold equal samples has seen by an edge to level, when the edge before was at
// since: the level until now, if it lasted.
func timerSeen(seen, level bool, since, now, hold uint64) bool {
	if now-since >= hold {
		return !level
	}
	return seen
}

// Pins lists the pads that the timer watches.
func (t *Timer) Pins() []Pin {
	var pins []Pin
	for _, p := range []Pin{t.Cfg.ICP, t.Cfg.T} {
		if p != NoPin {
			pins = append(pins, p)
		}
	}
	return pins
}

// PinChanged takes an edge on ICP or Tn.
func (t *Timer) PinChanged(h Host, p Pin, level bool) {
	if p == t.Cfg.ICP && !t.S.Comparator {
		t.captureEdge(h, level)
	}
	if p != t.Cfg.T {
		return
	}
	s, now := t.S, h.Now(ClkIO)
	s.TLevel, s.TSince = timerSeen(s.TLevel, level, s.TSince, now, 1), now
	clk := t.Cfg.Clocks[s.CS]
	switch at := now + timerSyncDelay; {
	case clk < clockFalling:
		return
	case level != (clk == clockRising):
		s.EdgeAt = timerCancel(s.EdgeAt, at)
	case s.TLevel != level:
		s.EdgeAt = timerPush(s.EdgeAt, at)
	}
	h.At(t.ID, timerEdge, ClkIO, t.S.EdgeAt[0])
}

// Signals lists the internal lines that reach the timer.
func (t *Timer) Signals() []Signal {
	s := []Signal{SigPrescalerResetSync, SigPrescalerHoldSync, SigPrescalerRunSync}
	if t.Cfg.ASSR != 0 {
		s = []Signal{SigPrescalerResetAsync, SigPrescalerHoldAsync, SigPrescalerRunAsync,
			SigClkIOStopped, SigClkIOStarted, SigClkAsyncStopped, SigClkAsyncStarted}
	}
	if t.Cfg.ACIC.Reg != 0 {
		s = append(s, SigComparatorRise, SigComparatorFall)
	}
	return s
}

// Signalled takes a signal of another peripheral or of the clock control unit.
func (t *Timer) Signalled(h Host, sig Signal) {
	s := t.S
	switch sig {
	case SigComparatorRise, SigComparatorFall:
		if s.Comparator {
			t.captureEdge(h, sig == SigComparatorRise)
		}
		return
	case SigPrescalerResetSync, SigPrescalerResetAsync:
		t.settle(h)
		s.Origin = s.Synced
	case SigPrescalerHoldSync, SigPrescalerHoldAsync:
		t.settle(h)
		s.Held = true
	case SigPrescalerRunSync, SigPrescalerRunAsync:
		t.settle(h)
		s.Held = false
		s.Origin = s.Synced
	case SigClkIOStopped:
		t.sleep(h)
	case SigClkIOStarted:
		t.wake(h)
	case SigClkAsyncStopped:
		t.sync(h)
		s.CrystalOff = true
	case SigClkAsyncStarted:
		t.sync(h)
		s.CrystalOff = false
	}
	t.plan(h)
}

// Vectors implements Device.
func (t *Timer) Vectors() (list []uint8) {
	for _, f := range t.Cfg.Flags {
		list = append(list, f.Vector)
	}
	return list
}

// Served clears the flag of an interrupt that was taken.
func (t *Timer) Served(h Host, vector uint8) {
	t.sync(h)
	for f := range t.Cfg.Flags {
		if t.Cfg.Flags[f].Vector == vector && vector != 0 {
			t.lower(h, TimerFlagIndex(f))
		}
	}
	t.plan(h)
}

// lower clears a flag.
func (t *Timer) lower(h Host, f TimerFlagIndex) {
	t.S.Flags &^= 1 << f
	t.request(h, f)
}

// Reset stops the timer and gives its pads back.
func (t *Timer) Reset(h Host, _ bool) {
	for x, out := range t.S.Out {
		if out {
			h.Release(t.ID, t.Cfg.OC[x])
		}
	}
	now := h.Now(ClkIO)
	*t.S = TimerState{Synced: now, Origin: now, WokeAt: Never,
		EdgeAt: [2]uint64{Never, Never}, CaptureAt: [2]uint64{Never, Never}}
	for f := range NumTimerFlags {
		t.request(h, f)
	}
	for kind := range uint8(numTimerKinds) {
		h.At(t.ID, kind, ClkIO, Never)
	}
}

// Kinds is how many kinds of events a timer has.
func (t *Timer) Kinds() int { return numTimerKinds }

// Clocked warns when the CPU became too slow for the asynchronous timer.
func (t *Timer) Clocked(h Host) { t.checkRatio(h) }

// timerPeek is a Host that lets a copy of a timer come to the present without anybody noticing.
type timerPeek struct{ Host }

func (timerPeek) At(ID, uint8, Clock, uint64) {}
func (timerPeek) Request(uint8, bool)         {}
func (timerPeek) Drive(ID, Pin, bool, bool)   {}
func (timerPeek) Release(ID, Pin)             {}
func (timerPeek) Signal(Signal)               {}
func (timerPeek) Notice(ID, string, string)   {}

// Peek is Read without side effects.
func (t *Timer) Peek(h Host, addr uint16) uint8 {
	s := *t.S
	c := Timer{ID: t.ID, Cfg: t.Cfg, S: &s, CrystalHz: t.CrystalHz}
	return c.Read(timerPeek{h}, addr).V()
}

// Read answers for the timer's registers.
func (t *Timer) Read(h Host, addr uint16) cell.Cell {
	if t.moves(addr) {
		t.sync(h)
	}
	return cell.Of(t.read(h, addr))
}

// moves reports whether a register's value can have changed since the timer was last brought to the present.
func (t *Timer) moves(addr uint16) bool {
	c := t.Cfg
	if addr == c.TCNTL || t.S.Async && t.S.Busy != [numLatches]bool{} {
		return true
	}
	for f := range c.Flags {
		if addr == c.Flags[f].TIFR {
			return addr != 0
		}
	}
	return false
}
