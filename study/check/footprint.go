package check

import "slices"

// resources is the resources From up to but not including To. What a resource is, a byte of a mote's RAM, a register, a queue, a
// budget, is for the system to say.
type resources struct{ From, To uint32 }

// Footprint is what a transition read and wrote, and how it depends on time. The zero value is that of a transition which touched
// nothing.
type Footprint struct {
	reads, writes ranges
	timed         bool
	clock         uint32
	span, slack   uint64
}

// Whenever is the slack of a transition that would do the same at any time.
const Whenever = ^uint64(0)

// Read notes that the resources from and up to but not including to were read.
func (f *Footprint) Read(from, to uint32) { f.reads.add(resources{from, to}) }

// Write notes that the resources from and up to but not including to were written. It does not imply that they were read.
func (f *Footprint) Write(from, to uint32) { f.writes.add(resources{from, to}) }

// Takes notes that the transition lets a clock go on by span, and would do the same if it began any time up to slack later: what it
// read of the clock, a counter with coarse ticks for instance, would still be the same.
func (f *Footprint) Takes(clock uint32, span, slack uint64) {
	f.timed, f.clock, f.span, f.slack = true, clock, span, slack
}

// Conflicts tells whether one of the two transitions wrote what the other one read or wrote, or makes it too late for the other. If
// not, they can be swapped: neither can tell whether the other one came first. An unknown footprint conflicts with all.
func (f *Footprint) Conflicts(g *Footprint) bool {
	if f == nil || g == nil {
		return true
	}
	return f.touches(g) || f.delays(g, 0) || g.delays(f, 0)
}

func (f *Footprint) touches(g *Footprint) bool {
	return f.writes.overlap(g.writes) || f.writes.overlap(g.reads) || f.reads.overlap(g.writes)
}

// lasts is by how much later another transition begins if this one comes first.
func (f *Footprint) lasts(g *Footprint) uint64 {
	if !f.timed || !g.timed || f.clock != g.clock {
		return 0
	}
	return f.span
}

// delays tells whether another transition, which begins late already, would be too late if this one came first.
func (f *Footprint) delays(g *Footprint, late uint64) bool {
	return g.timed && g.slack != Whenever && late+f.lasts(g) > g.slack
}

// ranges are in order and neither overlap nor touch.
type ranges []resources

func (s *ranges) add(r resources) {
	if r.From >= r.To {
		return
	}
	t := *s
	// A transition mostly touches what lies behind or in what it touched last.
	i := len(t)
	if i > 0 && r.From <= t[i-1].To {
		i, _ = slices.BinarySearchFunc(t, r.From, func(x resources, from uint32) int {
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
