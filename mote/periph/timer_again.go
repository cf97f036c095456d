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
	if d == timerNever {
		return ClkIO, Never
	}
	at := s.Origin + ((s.Synced-s.Origin)/t.tap()+d)*t.tap()
	if s.Async {
		return ClkReal, crystalTime(at, uint64(t.CrystalHz))
	}
	return ClkIO, at
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
	case f == ICF && w.Top == TopICR:
		return t.leaves(t.top())
	}
	return timerNever
}

// Withholder is a Host that keeps interrupts waiting although they are enabled.
type Withholder interface {
	Withheld(vector uint8) bool
}

// heeded is the flags that ask for an interrupt, but for those that are kept waiting: these have not woken anybody.
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
