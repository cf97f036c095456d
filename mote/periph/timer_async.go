package periph

import "fmt"

// Asynchronous operation: the counter runs on TOSC1 while clkI/O may stand still. What is said here follows the sections
// "Asynchronous Operation of Timer/Counter2" (ATmega328P, DS40002061A section 18.9) and "... of Timer/Counter0" (ATmega128,
// 2467X).

// crystal reports whether TOSC1 ticks.
func (t *Timer) crystal() bool { return t.CrystalHz != 0 && !t.S.CrystalOff && !t.S.ExtClock }

// delay puts a written byte in the temporary register: it is "latched after two positive edges on TOSC1".
func (t *Timer) delay(h Host, r int, v uint8) {
	s := t.S
	if s.Busy[r] {
		h.Notice(t.ID, t.Cfg.Name+" busy write", fmt.Sprintf(
			"%s: a register was written while its update-busy flag in ASSR was set; the chip might corrupt the value: wait for the flag",
			t.Cfg.Name))
	}
	s.Busy[r] = true
	s.Written[r] = v
	s.Due[r] = s.Synced + 2
}

// latchUpTo puts the temporary registers in force whose time has come by edge i, in the order of their times. Asleep
// they wait: "the MCU will enter sleep mode before the changes are effective".
func (t *Timer) latchUpTo(h Host, i uint64) {
	s := t.S
	for !s.Asleep && t.crystal() {
		first := -1
		for r, busy := range s.Busy {
			if busy && s.Due[r] <= i && (first < 0 || s.Due[r] < s.Due[first]) {
				first = r
			}
		}
		if first < 0 {
			return
		}
		t.run(h, s.Due[first])
		s.Busy[first] = false
		t.apply(h, first, s.Written[first])
	}
}

// visible is what the CPU reads of a register with a temporary register: "when reading OCR2A/B and TCCR2A/B the value in the
// temporary storage register is read".
func (t *Timer) visible(r int, inForce uint8) uint8 {
	if t.S.Busy[r] {
		return t.S.Written[r]
	}
	return inForce
}

// readable is TCNT as the CPU reads it: "TCNT2 will read as the previous value (before entering sleep) until the next rising
// TOSC1 edge".
func (t *Timer) readable(h Host) uint16 {
	if t.S.Async && t.index(h) < t.S.StaleUntil {
		return t.S.Stale
	}
	return t.S.Count
}

func (t *Timer) readASSR() uint8 {
	v := uint8(0)
	if t.S.Async {
		v |= 1 << t.Cfg.AS
	}
	if t.S.ExtClock {
		v |= 1 << t.Cfg.EXCLK
	}
	for r, busy := range t.S.Busy {
		if busy && t.Cfg.UB[r] != NoBit {
			v |= 1 << t.Cfg.UB[r]
		}
	}
	return v
}

func (t *Timer) writeASSR(h Host, v uint8) {
	s, c := t.S, t.Cfg
	s.ExtClock = c.EXCLK != NoBit && v>>c.EXCLK&1 != 0
	on := v>>c.AS&1 != 0
	if on != s.Async {
		// The registers "might be corrupted" by the switch; here what was still under way just takes effect.
		for r, busy := range s.Busy {
			if busy {
				s.Busy[r] = false
				t.apply(h, r, s.Written[r])
			}
		}
		h.At(t.ID, timerTick, ClkIO, Never)
		s.Async = on
		s.Synced = t.index(h)
		s.Origin = s.Synced
		s.StaleUntil = 0
		s.WokeAt = Never
	}
	switch {
	case !on:
	case s.ExtClock:
		h.Notice(t.ID, c.Name+" EXCLK", c.Name+": an external clock on TOSC1 (EXCLK) is not modelled; the counter stands still")
	case t.CrystalHz == 0:
		h.Notice(t.ID, c.Name+" no crystal", c.Name+
			": asynchronous operation was selected, but the board has no crystal on TOSC1 and TOSC2; the counter stands still")
	}
	t.checkRatio(h)
}

// checkRatio: "the CPU main clock frequency must be more than four times the oscillator frequency"; with XDIV on the
// ATmega128 this is the divided clock.
func (t *Timer) checkRatio(h Host) {
	if t.S.Async && t.CrystalHz != 0 && h.Hertz() <= 4*uint64(t.CrystalHz) {
		h.Notice(t.ID, t.Cfg.Name+" slow CPU", fmt.Sprintf(
			"%s: the CPU clock (%d Hz) must be more than four times the %d Hz of TOSC1", t.Cfg.Name, h.Hertz(), t.CrystalHz))
	}
}

// sleep is the halt of clkI/O.
func (t *Timer) sleep(h Host) {
	s := t.S
	t.sync(h)
	s.Stale = t.readable(h)
	s.Asleep = true
	if !s.Async || t.CrystalHz == 0 || s.WokeAt == Never || h.Now(ClkReal)-s.WokeAt >= 1e12/uint64(t.CrystalHz) {
		return
	}
	h.Notice(t.ID, t.Cfg.Name+" re-entry", t.Cfg.Name+
		": the chip was put to sleep again less than one TOSC1 cycle after this timer woke it: "+
		"write a timer register and wait for its update-busy flag first")
	if t.Cfg.Reentry == ReentryDeaf {
		s.Deaf = true
	} else {
		s.Flags |= s.WokeBy
	}
	for f := range NumTimerFlags {
		t.request(h, f)
	}
}

// wake is the return of clkI/O.
func (t *Timer) wake(h Host) {
	s := t.S
	t.sync(h)
	s.Asleep = false
	if s.Deaf {
		s.Deaf = false
		for f := range NumTimerFlags {
			t.request(h, f)
		}
	} else if by := t.heeded(h); by != 0 && s.Async {
		s.WokeAt, s.WokeBy = h.Now(ClkReal), by
	}
	s.StaleUntil = t.index(h) + 1
	for r, busy := range s.Busy {
		if busy {
			s.Due[r] = s.Synced + 2
		}
	}
}
