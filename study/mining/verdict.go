package mining

import (
	"strings"

	"motehound/firmware/image"
)

// Verdict is whether the top of a ranking is more than the most unusual of many harmless intervals.
//
// Counters alone cannot tell: some interval is always the most unusual one, and a fault that was mended leaves the rare path
// to where it was. So an interval stands out if data went astray in it, which the LossTracker knows: see blame.
type Verdict uint8

// The verdicts.
const (
	NothingUnusual   Verdict = iota // no interval is on the wrong side of the detector's boundary
	NothingStandsOut                // some are, and no data was lost in any interval
	StandsOut                       // data was lost in some interval, whatever its score
	Unknown                         // some are, and there was no data to watch
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
	Reads, Usual int  // how often they were read, and how often they usually are
	Mixed        bool // what replaced them was used in their place
	Values       int  // that the same code wrote there, and of those
	Times        int  // were lost
	way          []string
}

// judge finds the intervals that stand out. Suspects are in the detector's order.
func (c *Collection) judge(r *Ranking, losses []lostValue) {
	if c.Losses != nil {
		r.Watched = c.Losses.watched()
		for i, losses := range c.blame(r, losses) { // each goes to its own suspect, in any order
			r.Suspects[i].Lost, r.Suspects[i].StandsOut = c.Firmware.lost(losses), true
			r.StandOut++
		}
	}
	switch {
	case r.StandOut > 0:
		r.Verdict = StandsOut
	case r.Unusual == 0:
		r.Verdict = NothingUnusual
	case r.Watched == 0:
		r.Verdict = Unknown
	default:
		r.Verdict = NothingStandsOut
	}
}

// lost tells losses by variables. They come by address.
func (f *Firmware) lost(losses []lostValue) []Lost {
	var all []Lost
	for _, x := range losses {
		o, _ := f.Image.ObjectAt(uint32(x.Address))
		at := int(uint32(x.Address) - o.Addr)
		l := Lost{Variable: image.Readable(o.Name), First: at, Last: at, Wrote: f.codeOf(x.Wrote.PC), WroteCycle: x.Wrote.Cycle,
			OverCycle: x.Over.Cycle, Never: x.Over.PC == 0, Reads: int(x.Reads), Usual: int(x.Usual), Mixed: x.Mixed, Values: int(x.Values), Times: int(x.Lost)}
		if !l.Never {
			l.Over = f.codeOf(x.Over.PC)
		}
		l.way = f.part(o, uint32(at))
		if n := len(all); n > 0 && all[n-1].takes(l) {
			all[n-1].Last, all[n-1].way = at, common(all[n-1].way, l.way)
			all[n-1].Mixed = all[n-1].Mixed || l.Mixed
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
func (f *Firmware) codeOf(pc uint32) Place {
	for _, frame := range f.Image.InlineStack(pc) {
		if frame.File != "" && !strings.HasSuffix(frame.File, ".h") {
			return Place{image.Readable(frame.Name), frame.File, frame.Line.Line, pc}
		}
	}
	return f.PlaceOf(pc)
}
