package job

import (
	"motehound/job/document"
	"motehound/observe/coverage"
	"motehound/observe/energy"
	"motehound/study/travel"
	"motehound/world"
)

// notes are what is noted of a timed run while it is made for the first time: how often lines were executed, and how much happened when.
type notes struct {
	w     *world.World
	cover *coverage.Watcher
	lanes [][len(laneKinds)][]uint32 // by mote and lane: how much began in each bin
	kinds [][len(laneKinds)]string
	bin   uint64      // how long one is
	took  [][]float32 // what motes took from their supplies, in millijoules, up to the start of each bin; none if that is not known of their boards
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
	j.Attend(func(w *world.World) (then func()) {
		most := min(max(mostNoted/(len(w.Motes())*len(laneKinds)), fewestBins), mostBins)
		n := &notes{w: w, lanes: make([][len(laneKinds)][]uint32, len(w.Motes())), bin: max((j.Recipe.Until/uint64(most)/travel.AttendEvery+1)*travel.AttendEvery, shortestBin)}
		for i := range n.lanes {
			for k := range n.lanes[i] {
				n.lanes[i][k] = make([]uint32, j.Recipe.Until/n.bin+1)
			}
		}
		n.cover = coverage.Watch(w)
		n.kinds = watchLanes(w, func(mote, lane int, ps uint64, _ func() string) {
			list := n.lanes[mote][lane]
			list[min(ps/n.bin, uint64(len(list)-1))]++
		}, func(int, int, uint64) {}, func(int, uint64) {})
		j.notes = n
		return n.weigh(w)
	})
}

// weigh notes what motes take from their supplies.
func (n *notes) weigh(w *world.World) (then func()) {
	x, err := energy.Watch(w)
	if err != nil {
		return nil
	}
	return func() {
		if w.Now() < uint64(len(n.took))*n.bin {
			return
		}
		var list []float32
		for _, m := range x.Motes() {
			sum := 0.0
			for _, s := range m.States {
				sum += s.Millijoules(m.Millivolts)
			}
			list = append(list, float32(sum))
		}
		n.took = append(n.took, list)
	}
}

// millijoules is what a mote took up to a moment; nil if that is not known.
func (n *notes) millijoules(mote int, ps uint64) *float64 {
	if n == nil || len(n.took) == 0 {
		return nil
	}
	k := min(ps/n.bin, uint64(len(n.took)-1))
	at := float64(n.took[k][mote])
	if k+1 < uint64(len(n.took)) {
		at += float64(n.took[k+1][mote]-n.took[k][mote]) * float64(ps-k*n.bin) / float64(n.bin)
	}
	return &at
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
			l := document.TimelineLane{Kind: n.kinds[i][k], Names: []string{}, Slices: []document.Slice{}, Counts: make([]uint32, bins)}
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
