package outlier

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Count is how often one feature, a basic block, ran during an interval.
type Count struct {
	Feature uint32
	N       uint32
}

// Vector is the instruction counter of an interval (Sentomist, Definition 4), per basic block: its non-zero counts, by
// ascending feature.
type Vector []Count

// Dense is the vector of counts that are indexed by feature.
func Dense(counts []uint32) Vector {
	var v Vector
	for f, n := range counts {
		if n != 0 {
			v = append(v, Count{uint32(f), n})
		}
	}
	return v
}

// At is how often a feature ran.
func (v Vector) At(feature uint32) uint32 {
	if i, ok := slices.BinarySearchFunc(v, feature, func(c Count, f uint32) int { return int(c.Feature) - int(f) }); ok {
		return v[i].N
	}
	return 0
}

// appendKey appends bytes that no other vector has.
func (v Vector) appendKey(to []byte) []byte {
	for _, c := range v {
		to = binary.AppendUvarint(to, uint64(c.Feature))
		to = binary.AppendUvarint(to, uint64(c.N))
	}
	return to
}

func (v Vector) check() error {
	for i, c := range v {
		if c.N == 0 || i > 0 && c.Feature <= v[i-1].Feature {
			return fmt.Errorf("a counter lists feature %d out of order, twice or with count 0; counters hold the features "+
				"that ran, by ascending feature", c.Feature)
		}
	}
	return nil
}

// Sample is all intervals with exactly the same counter. Every detector gives the scores that it would give if each
// of them were a sample of its own.
type Sample struct {
	Counts Vector
	Weight int // how many intervals
}

// Set collects counters as intervals end, and keeps each distinct one once.
type Set struct {
	samples []Sample
	index   map[string]int
	key     []byte
}

// Add takes the counter of the next interval and returns the index of its sample. It keeps no reference to v.
func (s *Set) Add(v Vector) (sample int, err error) {
	if err := v.check(); err != nil {
		return 0, err
	}
	s.key = v.appendKey(s.key[:0])
	sample, ok := s.index[string(s.key)]
	if !ok {
		if s.index == nil {
			s.index = make(map[string]int)
		}
		sample = len(s.samples)
		s.index[string(s.key)] = sample
		s.samples = append(s.samples, Sample{Counts: slices.Clone(v)})
	}
	s.samples[sample].Weight++
	return sample, nil
}

// Samples is the distinct counters so far, by first appearance.
func (s *Set) Samples() []Sample { return s.samples }
