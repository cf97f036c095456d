package behavior

import "slices"

// beat is how regularly an interrupt comes at a mote.
//
// A timer that overflows into a counter interleaves whatever there is, sooner or later: a short run sees it in some places
// and a long one in all, and neither is news. Such an interrupt is told by what it does, which is nothing but its handler,
// and by its times, which are those of a clock. It is background without being asked.
type beat struct {
	last             uint64
	shortest, widest uint64
	n                int
}

const minBeats = 8 // gaps between two of them, before they say anything

// beat notes an instance.
func (v *minedVector) beat(x *Instance) {
	if len(x.Tree.Calls) != 1 || len(x.Tree.Calls[0].Calls) != 0 {
		v.calls = true
		return
	}
	b := v.beats[x.Mote]
	if b == nil {
		v.beats[x.Mote] = &beat{last: x.Start}
		return
	}
	gap := x.Start - b.last
	if b.n == 0 {
		b.shortest, b.widest = gap, gap
	}
	b.last, b.shortest, b.widest = x.Start, min(b.shortest, gap), max(b.widest, gap)
	b.n++
}

// counts tells whether an interrupt that nobody named is a clock's that only counts.
func (m *Miner) counts(vector uint16) bool {
	v := m.vectors[vector]
	if v == nil || v.calls || len(v.beats) == 0 || slices.Contains(m.watched, vector) {
		return false
	}
	for _, b := range v.beats { // each by itself
		if b.n < minBeats || b.widest-b.shortest > b.shortest/64 {
			return false
		}
	}
	return true
}
