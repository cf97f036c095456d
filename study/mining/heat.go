package mining

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/study/outlier"
)

// Heat is how often a line of source ran during an interval, and how often it does in the nearest normal ones.
type Heat struct {
	Function string
	File     string
	Line     int
	Count    uint32
	Usual    uint32
}

// Heat lists the lines that ran during an explained suspect or that usually do, by file and line. A line that is in several
// blocks counts as often as the block of it whose count differs most, or else ran most.
func (f *Firmware) Heat(s *Suspect) []Heat {
	type line struct {
		file string
		line int
	}
	unusual := map[uint32]outlier.Deviation{}
	features := make([]uint32, 0, len(s.Counts))
	for _, n := range s.Counts {
		features = append(features, n.Feature)
	}
	for _, d := range s.deviations {
		unusual[d.Feature] = d
		if d.Count == 0 {
			features = append(features, d.Feature)
		}
	}
	slices.Sort(features)
	found := map[line]Heat{}
	for _, feature := range features {
		count := s.Counts.At(feature)
		usual := count
		if d, ok := unusual[feature]; ok {
			usual = d.Usual
		}
		for _, p := range f.lines(feature) {
			h := Heat{p.Function, p.File, p.Line, count, usual}
			if old, ok := found[line{p.File, p.Line}]; !ok || h.hotter(old) {
				found[line{p.File, p.Line}] = h
			}
		}
	}
	all := make([]Heat, 0, len(found))
	for _, h := range found {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b Heat) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return all
}

// hotter compares two blocks of one line.
func (h Heat) hotter(than Heat) bool {
	difference := func(h Heat) uint32 { return max(h.Count, h.Usual) - min(h.Count, h.Usual) }
	return cmp.Or(cmp.Compare(difference(h), difference(than)), cmp.Compare(h.Count, than.Count)) > 0
}

// lines are the lines of a block, each once.
func (f *Firmware) lines(feature uint32) []Place {
	var all []Place
	b := f.Blocks[feature]
	for pc := b.Start; pc < b.End; pc += f.code.At(pc).Length() {
		p := f.PlaceOf(pc * 2)
		if p.File != "" && !slices.ContainsFunc(all, func(q Place) bool { return q.File == p.File && q.Line == p.Line }) {
			all = append(all, p)
		}
	}
	return all
}

// Disassemble lists the instructions of the block at a byte address, at most n.
func (f *Firmware) Disassemble(pc uint32, n int) []string {
	var all []string
	for _, b := range f.Blocks {
		if pc/2 < b.Start || pc/2 >= b.End {
			continue
		}
		for at := b.Start; at < b.End && len(all) < n; at += f.code.At(at).Length() {
			all = append(all, fmt.Sprintf("%#06x  %v", at*2, f.code.At(at)))
		}
	}
	return all
}
