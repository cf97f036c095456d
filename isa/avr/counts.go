package avr

import "math/bits"

// Counts is how often each of some places was reached. Most of a firmware does not run most of the time, so a bit for each place says
// whether it was reached at all: nobody needs to look at the others.
type Counts struct {
	N       []uint32 // by place
	Reached []uint64 // bit i%64 of word i/64: N[i] is not 0
}

// NewCounts makes the counts of n places.
func NewCounts(n int) Counts { return Counts{make([]uint32, n), make([]uint64, (n+63)/64)} }

// Clear sets all counts to 0.
func (c *Counts) Clear() {
	for w, set := range c.Reached {
		if set == 0 {
			continue
		}
		for ; set != 0; set &= set - 1 {
			c.N[w*64+bits.TrailingZeros64(set)] = 0
		}
		c.Reached[w] = 0
	}
}

// Add adds the counts of the same places.
func (c *Counts) Add(more *Counts) {
	for w, set := range more.Reached {
		c.Reached[w] |= set
		for ; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			c.N[i] += more.N[i]
		}
	}
}

// Each calls a function with the places that were reached, ascending, and how often they were.
func (c *Counts) Each(yield func(place int, n uint32) bool) {
	for w, set := range c.Reached {
		for ; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			if !yield(i, c.N[i]) {
				return
			}
		}
	}
}

// Count counts that a place was reached.
func (c *Counts) Count(place uint32) {
	c.N[place]++
	c.Reached[place/64] |= 1 << (place % 64)
}

// CountMany counts that a place was reached n times.
func (c *Counts) CountMany(place uint32, n uint64) {
	if n != 0 {
		c.N[place] += uint32(n)
		c.Reached[place/64] |= 1 << (place % 64)
	}
}
