package job

import (
	"motehound/job/document"
	"motehound/observe/coverage"
	"motehound/study/travel"
	"motehound/world"
)

// notes are what is noted of a timed run while it is made for the first time: how often lines were executed, and how much happened when.
type notes struct {
	w     *world.World
	cover *coverage.Watcher
	lanes [][len(laneKinds)][]uint32 // by mote and lane: how much began in each bin
	bin   uint64                     // how long one is
}

// How fine notes are, and from how many bins on they do for a timeline.
const (
	mostNoted   = 1 << 22 // counts, of all motes
	mostBins    = 1 << 14 // of a lane
	fewestBins  = 1 << 8
	shortestBin = world.Second / 10
	enoughBins  = 1 << 7
)

// TakeNotes has the lines of a timed run counted, and what happens in it, while it is recorded. Nobody may have travelled in it yet.
func (j *Journey) TakeNotes() {
	j.Attend(func(w *world.World) {
		most := min(max(mostNoted/(len(w.Motes())*len(laneKinds)), fewestBins), mostBins)
		n := &notes{w: w, lanes: make([][len(laneKinds)][]uint32, len(w.Motes())), bin: max(j.Recipe.Until/uint64(most)+1, shortestBin)}
		for i := range n.lanes {
			for k := range n.lanes[i] {
				n.lanes[i][k] = make([]uint32, j.Recipe.Until/n.bin+1)
			}
		}
		n.cover = coverage.Watch(w)
		watchLanes(w, func(mote, lane int, ps uint64, _ func() string) {
			list := n.lanes[mote][lane]
			list[min(ps/n.bin, uint64(len(list)-1))]++
		}, func(int, int, uint64) {}, func(int, uint64) {})
		j.notes = n
	})
}

// timeline is that of a long stretch, as far as it is noted; nil if the notes are too coarse for it.
func (n *notes) timeline(j *Journey, from, to uint64, bins int) *document.Timeline {
	if n == nil || to-from < enoughBins*n.bin {
		return nil
	}
	bins = int(min(uint64(bins), (to-from)/n.bin))
	width := (to - from) / uint64(bins)
	known := min(to, n.w.Now())
	d := &document.Timeline{From: document.MomentOf(travel.Point{Time: from}), To: document.MomentOf(travel.Point{Time: to}), Motes: []document.TimelineMote{}}
	for i := range n.lanes {
		m := document.TimelineMote{ID: uint16(j.id(i)), Lanes: []document.TimelineLane{}}
		for k, list := range n.lanes[i] {
			l := document.TimelineLane{Kind: laneKinds[k], Names: []string{}, Slices: []document.Slice{}, Counts: make([]uint32, bins)}
			for b := from / n.bin; b*n.bin < known; b++ {
				l.Counts[min((max(b*n.bin, from)-from)/width, uint64(bins-1))] += list[b]
				l.Total += int(list[b])
			}
			m.Lanes = append(m.Lanes, l)
		}
		d.Motes = append(d.Motes, m)
	}
	return d
}
