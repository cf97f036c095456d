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

// Feature is the hashed name of something that was seen.
type Feature uint32

// Hash makes a feature of up to four numbers. Different ones seldom give the same feature.
func Hash(a, b, c, d uint64) Feature {
	h := mix(a ^ mix(b^mix(c^mix(d))))
	return Feature(h ^ h>>32)
}

// mix spreads every bit of x over the result (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Set is a set of features that is quick to ask. It may take a feature for another one that is in it: a few of a hundred if it is full.
type Set struct{ bits []uint64 }

// setBits is the size of a set. Firmware with a radio shows some ten thousand features.
const setBits = 1 << 21

// NewSet makes an empty set.
func NewSet() *Set { return &Set{bits: make([]uint64, setBits/64)} }

// Add adds a feature, and reports whether it was not in the set.
func (s *Set) Add(f Feature) bool {
	n := uint32(f) % setBits
	word, bit := &s.bits[n/64], uint64(1)<<(n%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
