package mcu

import "math/bits"

// rate maps CPU cycles to picoseconds and back, exactly: a cycle lasts n/d picoseconds. The divider (CLKPR, XDIV) can
// change while the mote runs, so the map counts from a base.
type rate struct {
	baseCycle uint64 `time:"cycles,hand"`
	basePs    uint64 `time:"ps,hand"`
	beforePs  uint64 `time:"ps,hand"` // when the cycle before the base began: the one that changes the rate
	n, d      uint64 `time:"number"`
}

const psPerSecond = 1_000_000_000_000

// newRate is the map for an oscillator of hz, off by ppm parts per million, divided by div.
func newRate(hz uint64, ppm int64, divNum, divDen uint64) rate {
	n, d := uint64(psPerSecond), hz
	if ppm != 0 {
		n, d = n*1_000_000, d*uint64(1_000_000+ppm)
	}
	g := gcd(n, d)
	n, d = n/g*divDen, d/g*divNum
	g = gcd(n, d)
	return rate{n: n / g, d: d / g}
}

// ps is the moment at which a cycle begins, rounded down.
func (r *rate) ps(cycle uint64) uint64 {
	if cycle < r.baseCycle {
		return r.beforePs
	}
	hi, lo := bits.Mul64(cycle-r.baseCycle, r.n)
	q, _ := bits.Div64(hi, lo, r.d)
	return r.basePs + q
}

// cycle is the first cycle that begins at or after a moment.
func (r *rate) cycle(ps uint64) uint64 {
	if ps <= r.basePs {
		return r.baseCycle
	}
	hi, lo := bits.Mul64(ps-r.basePs, r.d)
	if hi >= r.n {
		return ^uint64(0)
	}
	q, rem := bits.Div64(hi, lo, r.n)
	if rem != 0 {
		q++
	}
	return r.baseCycle + q
}

// change goes over to another rate at the given cycle.
func (r *rate) change(cycle uint64, to rate) {
	to.basePs, to.baseCycle, to.beforePs = r.ps(cycle), cycle, r.ps(cycle-1)
	*r = to
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
