package periph

import (
	"math/bits"

	"motehound/mote/digest"
	"motehound/mote/relative"
)

// nobody is a Host for a copy of a timer that comes to the present: whatever it does then it has done, or will do, itself.
type nobody struct{}

func (nobody) Now(Clock) uint64 {
	panic("BUG: a timer that is brought to the present asks for the time")
}
func (nobody) At(ID, uint8, Clock, uint64) {}
func (nobody) Hertz() uint64               { panic("BUG: a timer that is brought to the present asks for its clock") }
func (nobody) Request(uint8, bool)         {}
func (nobody) Level(Pin) bool              { panic("BUG: a timer that is brought to the present asks for a pad") }
func (nobody) Drive(ID, Pin, bool, bool)   {}
func (nobody) Release(ID, Pin)             {}
func (nobody) IsOutput(Pin) bool           { panic("BUG: a timer that is brought to the present asks for a pad") }
func (nobody) Signal(Signal)               {}
func (nobody) Notice(ID, string, string)   {}

// ticks is what index is, for clocks that show now.
func (t *Timer) ticks(now *relative.Now) uint64 {
	switch {
	case !t.S.Async:
		return now[relative.IO]
	case t.CrystalHz == 0:
		return 0
	}
	return crystalEdges(now[relative.Real], uint64(t.CrystalHz))
}

// AppendRelative feeds the timer's state to a digest as it looks from now, and as it is when it has counted up to now.
func (t *Timer) AppendRelative(h *digest.Digest, now *relative.Now) {
	s := *t.S
	c := Timer{ID: t.ID, Cfg: t.Cfg, S: &s, CrystalHz: t.CrystalHz}
	own := *now
	own[relative.Ticks] = c.ticks(now)
	if s.Origin <= s.Synced { // as it is in every state that can come about
		c.syncTo(nobody{}, own[relative.Ticks])
	}
	c.forget(&own)
	timerTable.Append(h, &s, &own)
}

// Shift moves the timer's times: see relative.Table.
func (t *Timer) Shift(now, by *relative.Now) {
	n, b := *now, *by
	n[relative.Ticks] = t.ticks(now)
	later := *now
	later[relative.IO] += by[relative.IO]
	later[relative.Real] += by[relative.Real]
	b[relative.Ticks] = t.ticks(&later) - n[relative.Ticks]
	timerTable.Shift(t.S, &n, &b)
}

// CrystalPhase says how a moment lies to the edges of a crystal: how long ago the last one was, and the fraction of a picosecond, in units
// of 1/hz, by which it came before it.
func CrystalPhase(ps, hz uint64) (since, fraction uint64) {
	k := crystalEdges(ps, hz)
	hi, lo := bits.Mul64(k, 1e12)
	at, fraction := bits.Div64(hi, lo, hz)
	return ps - at, fraction
}

// timerPhases is a number of ticks after which the prescaler is as it was, for every tap.
const timerPhases = 1024

// forget drops what can matter no more in a timer that was brought to the present.
func (t *Timer) forget(now *relative.Now) {
	s := t.S
	switch {
	case s.Held:
		s.Origin = s.Synced // it starts over when it is let go
	case s.Origin <= s.Synced:
		s.Origin = s.Synced - (s.Synced-s.Origin)%timerPhases
	}
	if !s.Async || t.CrystalHz == 0 || s.WokeAt == Never || now[relative.Real]-s.WokeAt >= 1e12/uint64(t.CrystalHz) {
		s.WokeAt, s.WokeBy = Never, 0 // sleeping again is safe
	}
	switch {
	case s.Asleep && s.Async:
		s.StaleUntil = Never // what TCNT reads after waking up is known, until when is not
	case !s.Async || now[relative.Ticks] >= s.StaleUntil:
		s.StaleUntil, s.Stale = Never, 0 // TCNT reads true
	}
	for r, busy := range s.Busy {
		if !busy {
			s.Written[r] = 0 // it is in force
		}
		if !busy || s.Asleep {
			s.Due[r] = Never // asleep nothing is updated; it is planned anew on waking up
		}
	}
	// The samplers have seen the level that a pad has had for as long as they want.
	if now[relative.IO]-s.TSince >= 1 {
		s.TSince, s.TLevel = Never, false
	}
	if now[relative.IO]-s.ICPSince >= timerNoiseDelay {
		s.ICPSince, s.ICPLevel = Never, false
	}
}
