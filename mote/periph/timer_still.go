package periph

// Counter is a counter that counts up.
type Counter struct {
	Count uint16
	Top   uint16 // where it stops doing so
	Tap   uint64 // cycles from one tick to the next; 0 if it counts another clock
}

// present is a copy of the timer, brought to the present without anybody noticing.
func (t *Timer) present(h Host, s *TimerState) (Timer, Host) {
	*s = *t.S
	c := Timer{ID: t.ID, Cfg: t.Cfg, S: s, CrystalHz: t.CrystalHz}
	c.sync(timerPeek{h})
	return c, timerPeek{h}
}

// Counter is the timer's counter, if a register is its TCNT, it runs, and nothing but counting up is to be expected of it before it has reached Top.
func (t *Timer) Counter(h Host, addr uint16) (Counter, bool) {
	if addr != t.Cfg.TCNTL || t.tap() == 0 {
		return Counter{}, false
	}
	var s TimerState
	c, _ := t.present(h, &s)
	if s.Blocked || c.waveform().dual() || c.pending() || s.Async && (s.Busy != [numLatches]bool{} || c.index(h) < s.StaleUntil) {
		return Counter{}, false
	}
	r := Counter{Count: s.Count, Top: uint16(c.top()), Tap: c.tap()}
	if s.Count > r.Top {
		r.Top = uint16(c.Cfg.max())
	}
	if s.Async {
		r.Tap = 0
	}
	return r, true
}

// Ticks is how often the counter has counted. It makes sense only as long as nothing is written.
func (t *Timer) Ticks(h Host) uint64 { return (t.index(h) - t.S.Origin) / t.tap() }

// Still reports whether reading a register, other than TCNT of a counter that runs, only shows a value, and until when, on one of the clocks,
// that stays the same, unless there is an event.
func (t *Timer) Still(h Host, addr uint16) (clock Clock, until uint64, ok bool) {
	c := t.Cfg
	switch addr {
	case c.TCNTL:
		return ClkIO, Never, t.tap() == 0 && c.TCNTH == 0 && !t.S.Async && c.Clocks[t.S.CS] < clockFalling
	case c.TCNTH, c.ICRL, c.ICRH:
		return 0, 0, false // they have a temporary register
	}
	for f := range c.Flags {
		if addr == c.Flags[f].TIFR && addr != 0 {
			return t.flagsStill(h)
		}
	}
	return ClkIO, Never, true
}

// flagsStill is Still for TIFR. Flags for which there is no event rise when somebody looks.
func (t *Timer) flagsStill(h Host) (Clock, uint64, bool) {
	if t.tap() == 0 {
		return ClkIO, Never, true
	}
	var s TimerState
	c, _ := t.present(h, &s)
	if c.pending() || s.Busy != [numLatches]bool{} {
		return 0, 0, false
	}
	ticks := uint64(timerNever)
	for f := range TimerFlagIndex(len(c.Cfg.Flags)) {
		if c.Cfg.Flags[f].TIMSK != 0 && s.Flags>>f&1 == 0 {
			ticks = min(ticks, c.rises(f))
		}
	}
	clock, at := c.after(ticks)
	return clock, at, true
}
