package spin

// kind is what is known of a byte.
type kind uint8

const (
	same  kind = iota // it is the same in each iteration
	part              // a byte of a form
	saved             // SREG, with flags that are not the same
	murky             // made in this iteration, of what is not the same
	stale             // left from the iteration before: nobody may look at it
)

// mark is what a byte is in iteration k. Of a part, b says which byte of f it is, 0 for the lowest; of saved flags b is those that are murky,
// and f.c those that are stale.
type mark struct {
	kind kind
	b    uint8
	f    form
}

// form is a number that depends on the iteration: c + a*k + m*t, where t is how often a counter has ticked since iteration 0. Its
// bytes are those of the two's complement.
type form struct {
	c, a, m int64
	src     uint8 // the counter's read, plus one; 0 if m is 0
}

// source is where an iteration reads a counter.
type source struct {
	counter uint8
	at      uint64 // in iteration 0
	ticks   uint64 // then
	tap     uint64 // cycles of a tick, if that is a whole number
}

// bound is what a form must not leave for an iteration to go the same way.
type bound struct {
	f      form
	lo, hi int64
}

func (x form) constant() bool { return x.a == 0 && x.m == 0 }

// plus is x + sign*y, if that is a form.
func (x form) plus(y form, sign int64) (form, bool) {
	if x.src != 0 && y.src != 0 && x.src != y.src {
		return form{}, false
	}
	z := form{x.c + sign*y.c, x.a + sign*y.a, x.m + sign*y.m, max(x.src, y.src)}
	if z.m == 0 {
		z.src = 0
	}
	return z, within(z.c, maxFactor) && within(z.a, maxFactor) && within(z.m, maxFactor)
}

func within(v, limit int64) bool { return -limit < v && v < limit }

// shift is the form as it is so many iterations later.
func (x form) shift(by int64) form {
	x.c += by * x.a
	return x
}

// floor is the greatest multiple of unit that is not above v, and unit is a power of two.
func floor(v, unit int64) int64 { return v &^ (unit - 1) }

// unit is the weight of a byte.
func unit(b uint8) int64 { return 1 << (8 * b) }

// byteOf is the byte of a part in iteration 0.
func (m mark) byteOf() uint8 { return uint8(m.f.c >> (8 * m.b)) }

// at is the value of a form in iteration k.
func (f *Finder) at(x form, k uint64) int64 {
	v := x.c + x.a*int64(k)
	if x.src != 0 {
		s := &f.sources[x.src-1]
		v += x.m * int64(f.chip.Ticks(s.counter, s.at+k*f.cycle)-s.ticks)
	}
	return v
}

// keep notes bounds for a form.
func (f *Finder) keep(x form, lo, hi int64) {
	if !x.constant() {
		f.bounds = append(f.bounds, bound{x, lo, hi})
	}
}

// stay bounds a form to where it has the same multiple of a unit below it, which it returns.
func (f *Finder) stay(x form, unit int64) int64 {
	lo := floor(x.c, unit)
	f.keep(x, lo, lo+unit-1)
	return lo
}

// last is the last iteration up to n in which a form is within its bounds; false if that is not to be known.
func (f *Finder) last(b *bound, n uint64) (uint64, bool) {
	inside := func(k uint64) bool {
		v := f.at(b.f, k)
		return b.lo <= v && v <= b.hi
	}
	if b.f.a < 0 && b.f.m > 0 || b.f.a > 0 && b.f.m < 0 || !inside(0) {
		return 0, false // it may leave them and come back
	}
	if inside(n) {
		return n, true
	}
	lo, hi := uint64(0), n // inside, not inside
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; inside(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, true
}
