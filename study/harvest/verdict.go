package harvest

import (
	"strings"

	"motehound/firmware/image"
)

// Verdict is whether the top of a ranking is more than the most unusual of many harmless intervals.
//
// Counters alone cannot tell: some interval is always the most unusual one, and a fault that was mended leaves the rare path
// to where it was. So an interval stands out if the detector finds it unusual and data went astray in it, which the Ledger
// knows: a value that was written in it was lost, or it destroyed one.
type Verdict uint8

// The verdicts.
const (
	NothingUnusual   Verdict = iota // no interval is on the wrong side of the detector's boundary
	NothingStandsOut                // some are, and no data went astray in them
	StandsOut                       // in some of those, data went astray
	Unknown                         // some are, and nobody watched the data
)

// String is the verdict's name in documents.
func (v Verdict) String() string {
	return [...]string{"nothing_unusual", "nothing_stands_out", "stands_out", "unknown"}[v]
}

// Lost is neighbouring bytes of a variable that were lost by the same code.
type Lost struct {
	Variable    string
	Part        string // of it, that all the bytes are in: ".readings[0]"; "" for the whole, or if that is not known
	First, Last int    // bytes of the variable
	Wrote       Place
	WroteCycle  uint64
	// Over is the write that destroyed them; Never says that there was none, and they were not used until the end either.
	Over         Place
	OverCycle    uint64
	Never        bool
	Reads, Usual int // how often they were read, and how often they are at least
	way          []string
}

// judge finds the intervals that stand out.
func (c *Crop) judge(r *Ranking) {
	type of struct{ run, mote int }
	losses := map[of][]Loss{}
	if c.Ledger != nil {
		for _, x := range c.Ledger.Losses() {
			losses[of{x.Run, x.Mote}] = append(losses[of{x.Run, x.Mote}], x)
		}
	}
	for i := range r.Suspects {
		s := &r.Suspects[i]
		if s.Score >= 0 {
			break // the rest is usual
		}
		r.Unusual++
		var mine []Loss
		for _, x := range losses[of{s.Run, s.Mote}] {
			if x.in(s.Interval) {
				mine = append(mine, x)
			}
		}
		if s.Lost = c.Field.lost(mine); len(s.Lost) > 0 {
			s.StandsOut = true
			r.StandOut++
		}
	}
	switch {
	case r.Unusual == 0:
		r.Verdict = NothingUnusual
	case r.StandOut > 0:
		r.Verdict = StandsOut
	case c.Ledger == nil || c.Ledger.Empty():
		r.Verdict = Unknown
	default:
		r.Verdict = NothingStandsOut
	}
}

// in says whether the value was written or destroyed during an interval.
func (x Loss) in(iv *Interval) bool {
	during := func(cycle uint64) bool { return cycle >= iv.Start && cycle <= iv.End }
	return during(x.Wrote.Cycle) || x.Over.PC != 0 && during(x.Over.Cycle)
}

// lost tells losses by variables. They come by address.
func (f *Field) lost(losses []Loss) []Lost {
	var all []Lost
	for _, x := range losses {
		o, _ := f.Image.ObjectAt(uint32(x.Address))
		at := int(uint32(x.Address) - o.Addr)
		l := Lost{Variable: image.Readable(o.Name), First: at, Last: at, Wrote: f.codeOf(x.Wrote.PC), WroteCycle: x.Wrote.Cycle,
			OverCycle: x.Over.Cycle, Never: x.Over.PC == 0, Reads: x.Reads, Usual: x.Usual}
		if !l.Never {
			l.Over = f.codeOf(x.Over.PC)
		}
		l.way = f.part(o, uint32(at))
		if n := len(all); n > 0 && all[n-1].takes(l) {
			all[n-1].Last, all[n-1].way = at, common(all[n-1].way, l.way)
			continue
		}
		all = append(all, l)
	}
	for i := range all {
		all[i].Part = strings.Join(all[i].way, "")
	}
	return all
}

// takes says whether m is a continuation of l.
func (l Lost) takes(m Lost) bool {
	same := func(a, b Place) bool { return a.Function == b.Function && a.File == b.File }
	return l.Variable == m.Variable && same(l.Wrote, m.Wrote) && same(l.Over, m.Over) && l.Never == m.Never && l.Reads == m.Reads &&
		l.Usual == m.Usual
}

// codeOf is like PlaceOf, but looks out of functions in headers, which say how bytes are moved and not what for.
func (f *Field) codeOf(pc uint32) Place {
	for _, frame := range f.Image.InlineStack(pc) {
		if frame.File != "" && !strings.HasSuffix(frame.File, ".h") {
			return Place{image.Readable(frame.Name), frame.File, frame.Line.Line, pc}
		}
	}
	return f.PlaceOf(pc)
}
