package periph

// Again is when a flag that is up, and whose interrupt is enabled, would rise once more, on one of the clocks; Never if none is.
func (t *Timer) Again(h Host) (Clock, uint64) {
	s := t.S
	if s.Flags&s.Enabled == 0 || s.Deaf || t.tap() == 0 {
		return ClkIO, Never
	}
	t.sync(h)
	d := uint64(timerNever)
	for f := range TimerFlagIndex(len(t.Cfg.Flags)) {
		if t.Cfg.Flags[f].TIMSK != 0 && s.Flags&s.Enabled>>f&1 != 0 {
			d = min(d, t.rises(f))
		}
	}
	return t.after(d)
}

// AgainOf is when a vector's flag would rise once more. That is known if the vector is one of this timer's overflow or compare matches,
// and no register is about to change.
func (t *Timer) AgainOf(h Host, vector uint8) (clock Clock, at uint64, ok bool) {
	for f := TOV; f < ICF; f++ {
		if cfg := &t.Cfg.Flags[f]; cfg.TIMSK == 0 || cfg.Vector != vector {
			continue
		}
		if t.tap() == 0 || t.S.Busy != [numLatches]bool{} || t.pending() {
			return 0, 0, false
		}
		t.sync(h)
		clock, at = t.after(t.rises(f))
		return clock, at, true
	}
	return 0, 0, false
}

// after is when the counter, which is up to date, will have done so many ticks more.
func (t *Timer) after(ticks uint64) (Clock, uint64) {
	s := t.S
	if ticks == timerNever {
		return ClkIO, Never
	}
	at := s.Origin + ((s.Synced-s.Origin)/t.tap()+ticks)*t.tap()
	if s.Async {
		return ClkReal, crystalTime(at, uint64(t.CrystalHz))
	}
	return ClkIO, at
}

// Steady reports whether a register is the counter of an 8-bit timer, which can be read without consequences, and until when, on one of
// the clocks, it does not change by itself; Never if it stands still.
func (t *Timer) Steady(h Host, addr uint16) (clock Clock, until uint64, ok bool) {
	s, tap := t.S, t.tap()
	external := t.Cfg.Clocks[s.CS] >= clockFalling
	if addr != t.Cfg.TCNTL || t.Cfg.TCNTH != 0 || external || s.Async && !t.crystal() {
		return 0, 0, false
	}
	now := t.index(h)
	stale := s.Async && (now < s.StaleUntil || s.Busy != [numLatches]bool{})
	switch {
	case stale:
		tap = 1 // any edge may change it
	case tap == 0:
		return ClkIO, Never, true
	}
	at := now + tap - (now-s.Origin)%tap
	if s.Async {
		return ClkReal, crystalTime(at, uint64(t.CrystalHz)), true
	}
	return ClkIO, at, true
}

// rises is in how many ticks the timer itself raises a flag.
func (t *Timer) rises(f TimerFlagIndex) uint64 {
	w := t.waveform()
	switch {
	case f >= OCFA && int(f-OCFA) < t.Cfg.units():
		return t.leaves(uint32(t.S.OCR[f-OCFA]))
	case f == TOV && w.dual():
		return t.leaves(0)
	case f == TOV && w.Kind == WaveFast:
		return t.leaves(t.top())
	case f == TOV:
		return t.leaves(t.Cfg.max())
	case f == ICF && w.Top == topICR:
		return t.leaves(t.top())
	}
	return timerNever
}

// Withholder is a Host that keeps interrupts waiting although they are enabled.
type Withholder interface {
	Withheld(vector uint8) bool
}

// heeded is the flags that ask for an interrupt, except for those that are kept waiting: these have not woken anybody.
func (t *Timer) heeded(h Host) uint8 {
	flags := t.S.Flags & t.S.Enabled
	w, ok := h.(Withholder)
	if flags == 0 || !ok {
		return flags
	}
	for f := range NumTimerFlags {
		if v := t.Cfg.Flags[f].Vector; v != 0 && w.Withheld(v) {
			flags &^= 1 << f
		}
	}
	return flags
}
