package check

import "slices"

// Range is the resources From up to but not including To. What a resource is, a byte of a mote's RAM, a register, a queue, a
// budget, is for the system to say.
type Range struct{ From, To uint32 }

// Footprint is what a transition read and wrote. The zero value is that of a transition which touched nothing.
type Footprint struct {
	reads, writes ranges
}

// Read notes that the resources from and up to but not including to were read.
func (f *Footprint) Read(from, to uint32) { f.reads.add(Range{from, to}) }

// Write notes that the resources from and up to but not including to were written. It does not imply that they were read.
func (f *Footprint) Write(from, to uint32) { f.writes.add(Range{from, to}) }

// Reads lists what was read, in order, without overlaps.
func (f *Footprint) Reads() []Range { return f.reads }

// Writes lists what was written, in order, without overlaps.
func (f *Footprint) Writes() []Range { return f.writes }

// Conflicts tells whether one of the two transitions wrote what the other one read or wrote. If not, they can be swapped: neither
// can tell whether the other one came first. An unknown footprint conflicts with all.
func (f *Footprint) Conflicts(g *Footprint) bool {
	if f == nil || g == nil {
		return true
	}
	return f.writes.overlap(g.writes) || f.writes.overlap(g.reads) || f.reads.overlap(g.writes)
}

// Union is the footprint of both transitions together.
func (f *Footprint) Union(g *Footprint) *Footprint {
	if f == nil || g == nil {
		return nil
	}
	u := &Footprint{reads: slices.Clone(f.reads), writes: slices.Clone(f.writes)}
	for _, r := range g.reads {
		u.reads.add(r)
	}
	for _, r := range g.writes {
		u.writes.add(r)
	}
	return u
}

// ranges are in order and neither overlap nor touch.
type ranges []Range

func (s *ranges) add(r Range) {
	if r.From >= r.To {
		return
	}
	t := *s
	// A transition mostly touches what lies behind or in what it touched last.
	i := len(t)
	if i > 0 && r.From <= t[i-1].To {
		i, _ = slices.BinarySearchFunc(t, r.From, func(x Range, from uint32) int {
			if x.To < from {
				return -1
			}
			return 1
		})
	}
	j := i
	for j < len(t) && t[j].From <= r.To {
		r.From, r.To = min(r.From, t[j].From), max(r.To, t[j].To)
		j++
	}
	if j == i+1 {
		t[i] = r
		return
	}
	*s = slices.Replace(t, i, j, r)
}

func (s ranges) overlap(t ranges) bool {
	for len(s) > 0 && len(t) > 0 {
		switch {
		case s[0].To <= t[0].From:
			s = s[1:]
		case t[0].To <= s[0].From:
			t = t[1:]
		default:
			return true
		}
	}
	return false
}
