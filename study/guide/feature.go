// Package guide remembers which states of an exploration were promising, and says from which of them to go on.
//
// What a state shows is a list of features: hashed names of things that were seen, such as a piece of code that ran, or a value that a flag
// has. A state that shows a feature for the first time, or with much less work than before, is kept in an archive. States whose features
// few others show, and from which something new was reached before, are picked more often.
//
// The package knows nothing of motes, events or systems.
//
// Invariants: what an archive does depends only on the calls that were made, in their order, and on the random numbers that it is given.
// An archive keeps no more states than it was told to. A feature that was seen once is never new again, even if the state that showed it is
// gone.
package guide

import "math"

// Feature is the hashed name of something that was seen, of one of a few kinds. Kinds of which there are many features do not outweigh those of
// which there are few.
type Feature uint32

// kinds is how many kinds of features there are.
const kinds = 4

const kindShift = 30

// Hash makes a feature of the first kind of up to four numbers. Different ones seldom give the same feature.
func Hash(a, b, c, d uint64) Feature {
	h := mix(a ^ mix(b^mix(c^mix(d))))
	return Feature(h ^ h>>32).Of(0)
}

// Of is the feature as one of a kind.
func (f Feature) Of(kind int) Feature { return f&(1<<kindShift-1) | Feature(kind)<<kindShift }

func (f Feature) kind() int { return int(f >> kindShift) }

// mix spreads every bit of x over the result (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Counts says how often features were seen. It may take a feature for another one: a few of a hundred.
type Counts struct{ n []uint16 }

// counters is how many numbers it has. Firmware with a radio shows some ten thousand features.
const counters = 1 << 20

// NewCounts makes one of features that nobody has seen.
func NewCounts() *Counts { return &Counts{n: make([]uint16, counters)} }

func (c *Counts) at(f Feature) *uint16 { return &c.n[uint32(f^f>>11)%counters] }

// Add counts a feature, and reports whether it is the first time.
func (c *Counts) Add(f Feature) bool {
	n := c.at(f)
	if *n < math.MaxUint16 {
		*n++
	}
	return *n == 1
}

// Of is how often a feature was seen.
func (c *Counts) Of(f Feature) int { return int(*c.at(f)) }

// heed counts a feature as often as somebody else has seen it, if that is more.
func (c *Counts) heed(f Feature, times int) {
	if n := c.at(f); times > int(*n) {
		*n = uint16(min(times, math.MaxUint16))
	}
}
