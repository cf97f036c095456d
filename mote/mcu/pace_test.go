package mcu

import (
	"math/rand/v2"
	"testing"
)

// The quick map between cycles and moments is the exact one.
func TestPace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	quick := 0
	for range 300 {
		hz := [...]uint64{7_372_800, 8_000_000, 16_000_000, 1, 31_250, 20_000_000, random.Uint64N(1 << 25)}[random.IntN(7)] + 1
		to := newRate(hz-random.Uint64N(2), random.Int64N(201)-100, 1+random.Uint64N(2), 1<<random.IntN(9))
		if to.d == 0 {
			continue
		}
		m := &Machine{st: new(state)}
		m.st.rate = to
		m.st.rate.baseCycle, m.st.rate.basePs = random.Uint64N(1<<40), random.Uint64N(1<<60)
		for range 300 {
			x := random.Uint64N(1<<62) >> random.IntN(62) // picoseconds: up to 53 days
			cycle, ps := m.st.rate.baseCycle+x/(to.n/to.d+1), m.st.rate.basePs+x
			if random.IntN(2) == 0 {
				ps = m.st.rate.ps(cycle) + random.Uint64N(3) - 1
			}
			if got, want := m.psOf(cycle), m.st.rate.ps(cycle); got != want {
				t.Fatalf("%+v: cycle %d begins at %d, not %d", m.st.rate, cycle, got, want)
			}
			if got, want := m.cycleOf(ps), m.st.rate.cycle(ps); got != want {
				t.Fatalf("%+v: %d is in cycle %d, not %d", m.st.rate, ps, got, want)
			}
			if m.pace.fits(&m.st.rate) {
				quick++
			}
		}
		if m.cycleOf(^uint64(0)) != m.st.rate.cycle(^uint64(0)) {
			t.Errorf("%+v: never is at cycle %d", m.st.rate, m.cycleOf(^uint64(0)))
		}
	}
	if quick < 50_000 {
		t.Errorf("only %d of the pairs are mapped quickly", quick)
	}
}
