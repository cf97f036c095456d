package mcu

import "math/bits"

// pace is a rate's two quotients, n/d and d/n, as fixed-point numbers, so that the map needs multiplications only. It is derived from
// the rate, and no part of the state.
type pace struct {
	n, d   uint64 // of the rate that it was made for
	period uint64 // n/d, with 64-up bits behind the point
	hertz  uint64 // d/n, with 64+down bits behind the point
	up     uint8
	down   uint8
}

// newPace makes a pace for a rate, if it can be made: neither quotient is so large or so small that its product with a time would
// be far off.
func newPace(n, d uint64) (p pace) {
	up := max(bits.Len64(n)-bits.Len64(d)+1, 1)
	down := bits.LeadingZeros64(d) - bits.LeadingZeros64(n) - 1
	if down < 0 || bits.Len64(n) > 62 || bits.Len64(d) > 62 {
		return pace{}
	}
	p = pace{n: n, d: d, up: uint8(up), down: uint8(down)}
	p.period, _ = bits.Div64(n>>up, n<<(64-up), d)
	p.hertz, _ = bits.Div64(d<<down, 0, n)
	return p
}

// fits reports whether the pace is that of the rate.
func (p *pace) fits(r *rate) bool { return p.n == r.n && p.d == r.d }

// psOf is rate.ps. What the product lacks of the quotient is found out by the remainder, of which 64 bits are enough: the
// product is never far off.
func (m *Machine) psOf(cycle uint64) uint64 {
	r, p := &m.st.rate, &m.pace
	if !p.fits(r) || cycle < r.baseCycle {
		return m.psSlowly(cycle)
	}
	x := cycle - r.baseCycle
	if x>>(64-p.up) != 0 {
		return r.ps(cycle)
	}
	hi, lo := bits.Mul64(x, p.period)
	q := hi<<p.up | lo>>(64-p.up)
	for rest := x*p.n - q*p.d; rest >= p.d; rest -= p.d {
		q++
	}
	return r.basePs + q
}

// cycleOf is rate.cycle.
func (m *Machine) cycleOf(ps uint64) uint64 {
	r, p := &m.st.rate, &m.pace
	if !p.fits(r) || ps <= r.basePs {
		return m.cycleSlowly(ps)
	}
	x := ps - r.basePs
	if x>>62 != 0 {
		return r.cycle(ps)
	}
	q, _ := bits.Mul64(x, p.hertz)
	q >>= p.down
	rest := x*p.d - q*p.n
	for ; rest >= p.n; rest -= p.n {
		q++
	}
	if rest != 0 {
		q++
	}
	return r.baseCycle + q
}

// psSlowly and cycleSlowly are for what has no pace, or not yet.
func (m *Machine) psSlowly(cycle uint64) uint64 {
	m.pace = newPace(m.st.rate.n, m.st.rate.d)
	return m.st.rate.ps(cycle)
}

func (m *Machine) cycleSlowly(ps uint64) uint64 {
	m.pace = newPace(m.st.rate.n, m.st.rate.d)
	return m.st.rate.cycle(ps)
}
