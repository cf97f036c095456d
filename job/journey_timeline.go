package job

import (
	"fmt"
	"slices"
	"sort"

	"motehound/firmware/kernel"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/observe/lifecycle"
	"motehound/study/travel"
	"motehound/world"
)

// chronicle is what handlers, tasks and radios did in a stretch of a timed run. It grows when somebody looks further.
type chronicle struct {
	w     *world.World // at its end
	from  uint64
	lanes [][len(laneKinds)]lane // by mote
	kinds [][len(laneKinds)]string
	count int
}

// The kinds of lanes. Firmware without a kernel has the iterations of its main loop instead of tasks.
var laneKinds = [...]string{"interrupts", "tasks", "frames"}

const (
	laneInterrupts = iota
	laneTasks
	laneFrames
)

// lane is things of one kind, in the order in which they began. The last ones may still be open: they are on the stack.
type lane struct {
	spans []span
	open  []int
	names []string
	known map[string]uint16
}

type span struct {
	from, to uint64
	name     uint16
}

// endless is the end of what is still open.
const endless = ^uint64(0)

// mostSpans bounds a chronicle: some 50 MB.
const mostSpans = 2 << 20

// newChronicle begins where a world is.
func newChronicle(w *world.World) *chronicle {
	c := &chronicle{w: w, from: w.Now(), lanes: make([][len(laneKinds)]lane, len(w.Motes()))}
	c.kinds = watchLanes(w, func(i, n int, ps uint64, name func() string) {
		c.lanes[i][n].begin(ps, name())
		c.count++
	}, func(i, n int, ps uint64) { c.lanes[i][n].end(ps) }, func(i int, ps uint64) {
		for n := range c.lanes[i] {
			for len(c.lanes[i][n].open) > 0 {
				c.lanes[i][n].end(ps)
			}
		}
	})
	return c
}

// watchLanes tells what begins and ends on the lanes of motes, and when one is reset. It gives the kinds of their lanes.
func watchLanes(w *world.World, begin func(mote, lane int, ps uint64, name func() string), end func(mote, lane int, ps uint64), reset func(mote int, ps uint64)) (kinds [][len(laneKinds)]string) {
	var life *lifecycle.Recorder
	rounds := make([]uint64, len(w.Motes())) // when the round under way began, and 1; 0 if none is
	item := func(i int, it kernel.Item) {
		ps := w.TimeOf(i, it.Cycle)
		switch it.Kind {
		case kernel.Int:
			begin(i, laneInterrupts, ps, func() string { return w.Motes()[i].Chip().VectorName(uint8(it.Arg)) })
		case kernel.Reti:
			end(i, laneInterrupts, ps)
		case kernel.Run:
			begin(i, laneTasks, ps, func() string { return life.Profile(i).TaskName(it.Arg) })
		case kernel.End:
			end(i, laneTasks, ps)
		case kernel.Round, kernel.Rest:
			if rounds[i] > 0 && it.Arg != kernel.Idle { // a round that did nothing is not shown
				begin(i, laneTasks, rounds[i]-1, func() string { return "iteration" })
				end(i, laneTasks, ps)
			}
			if rounds[i] = ps + 1; it.Kind == kernel.Rest {
				rounds[i] = 0
			}
		case kernel.Reset:
			rounds[i] = 0
			reset(i, ps)
		}
	}
	life, _ = lifecycle.RecordRounds(w, nil, nil, item) // without kernels there are no tasks
	if life == nil {
		w.Observe(world.Observer{Interrupt: func(i int, cycle uint64, vector uint8) {
			item(i, kernel.Item{Kind: kernel.Int, Cycle: cycle, Arg: uint16(vector)})
			item(i, kernel.Item{Kind: kernel.Reti, Cycle: cycle})
		}})
	}
	since := w.Now() // of a frame that was under way then, only the end is seen
	w.Observe(world.Observer{Frame: func(f world.Frame) {
		begin(f.Sender, laneFrames, max(f.Start, since), func() string { return phrase.Counted(len(f.Bytes), "byte") })
		end(f.Sender, laneFrames, f.End)
	}})
	for i := range w.Motes() {
		kinds = append(kinds, laneKinds)
		if life != nil && life.Profile(i).HasRounds() {
			kinds[i][laneTasks] = "loop"
		}
	}
	return kinds
}

func (l *lane) begin(ps uint64, name string) {
	n, ok := l.known[name]
	if !ok {
		if l.known == nil {
			l.known = map[string]uint16{}
		}
		n = uint16(len(l.names))
		l.known[name] = n
		l.names = append(l.names, name)
	}
	l.open = append(l.open, len(l.spans))
	l.spans = append(l.spans, span{ps, endless, n})
}

// end ends what began last. What began before the chronicle is not in it.
func (l *lane) end(ps uint64) {
	if last := len(l.open) - 1; last >= 0 {
		l.spans[l.open[last]].to = ps
		l.open = l.open[:last]
	}
}

// longestStretch is how much of a run is looked at at once, in picoseconds, before somebody can say that it is enough.
const longestStretch = world.Second / 4

// reach has the chronicle go on up to a moment, or until it is full.
func (c *chronicle) reach(ps uint64, stop func() bool) error {
	for c.w.Now() < ps && c.count < mostSpans {
		if stop != nil && stop() {
			return travel.ErrInterrupted
		}
		c.w.RunUntil(min(c.w.Now()+longestStretch, ps))
	}
	return nil
}

// between are the things of a lane that are in a stretch: those that began in it, and those that it begins within.
func (l *lane) between(from, to uint64) []span {
	first := sort.Search(len(l.spans), func(i int) bool { return l.spans[i].from >= from })
	last := first + sort.Search(len(l.spans)-first, func(i int) bool { return l.spans[first+i].from >= to })
	const deepest = 8
	for n := range min(deepest, first) {
		if l.spans[first-1-n].to > from {
			first -= n + 1
			break
		}
	}
	return l.spans[first:last]
}

// MostBins is into how many parts a stretch may be cut.
const MostBins = 4096

// slicesPerBin is how many bins there are for each thing that is listed: where there are fewer, things are too close together to be told apart.
const slicesPerBin = 2

// Timeline is what happened in a stretch. Lanes on which more happened than there is room for are counted. If a timed run is too busy to look at all of
// the stretch, it ends earlier.
func (j *Journey) Timeline(from, to travel.Point, bins int, stop func() bool) (*document.Timeline, error) {
	if bins < 1 || bins > MostBins {
		return nil, fmt.Errorf("%d bins: give 1 to %d", bins, MostBins)
	}
	first, last := j.Bounds()
	if from.Compare(first) < 0 {
		from = first
	}
	if to.Compare(last) > 0 {
		to = last
	}
	if from.Compare(to) >= 0 {
		return nil, fmt.Errorf("the stretch from %s to %s is empty, or not in the run", document.MomentOf(from), document.MomentOf(to))
	}
	if j.Explored() {
		return j.eventLine(from, to), nil
	}
	if d := j.notes.timeline(j, from.Time, to.Time, bins); d != nil {
		return d, nil
	}
	if err := j.remember(from.Time, to.Time, stop); err != nil {
		return nil, err
	}
	to.Time = min(to.Time, j.past.w.Now())
	d := &document.Timeline{From: document.MomentOf(from), To: document.MomentOf(to), Motes: []document.TimelineMote{}}
	for i := range j.past.lanes {
		m := document.TimelineMote{ID: uint16(j.id(i)), Lanes: []document.TimelineLane{}}
		for n := range j.past.lanes[i] {
			m.Lanes = append(m.Lanes, j.past.lanes[i][n].document(j.past.kinds[i][n], from.Time, to.Time, bins))
		}
		d.Motes = append(d.Motes, m)
	}
	return d, nil
}

// remember has the chronicle cover a stretch, as far as it can.
func (j *Journey) remember(from, to uint64, stop func() bool) error {
	c := j.past
	if c == nil || from < c.from || from > c.w.Now() || to > c.w.Now() && c.count >= mostSpans && from > c.from {
		here := j.Here()
		if err := j.Go(travel.Point{Time: from}, stop); err != nil {
			return err
		}
		if c != nil {
			c.w.Release()
		}
		c = newChronicle(j.World().Clone())
		j.past = c
		if err := j.Go(here.Point, stop); err != nil {
			return err
		}
	}
	return c.reach(to, stop)
}

func (l *lane) document(kind string, from, to uint64, bins int) document.TimelineLane {
	list := l.between(from, to)
	d := document.TimelineLane{Kind: kind, Names: document.List(l.names), Slices: []document.Slice{}, Total: len(list)}
	if len(list) <= bins/slicesPerBin {
		for _, s := range list {
			d.Slices = append(d.Slices, document.Slice{At: document.MomentOf(travel.Point{Time: s.from}), From: seconds(s.from), To: seconds(min(s.to, to)), Name: int(s.name)})
		}
		return d
	}
	d.Counts = make([]uint32, bins)
	width := max((to-from)/uint64(bins), 1)
	for _, s := range list {
		d.Counts[min((max(s.from, from)-from)/width, uint64(bins-1))]++
	}
	return d
}

func seconds(ps uint64) float64 { return float64(ps) / world.Second }

// eventLine is the timeline of an explored run: each event takes as long as any other.
func (j *Journey) eventLine(from, to travel.Point) *document.Timeline {
	d := &document.Timeline{From: document.MomentOf(from), To: document.MomentOf(to), Motes: []document.TimelineMote{}}
	for i := range j.Recipe.Motes {
		l := document.TimelineLane{Kind: "events", Names: []string{}, Slices: []document.Slice{}}
		for n := from.Event; n < to.Event; n++ {
			b := j.Beats[n-1]
			if int(b.Event.Mote) != i {
				continue
			}
			name := slices.Index(l.Names, b.Title)
			if name < 0 {
				name = len(l.Names)
				l.Names = append(l.Names, b.Title)
			}
			l.Slices = append(l.Slices, document.Slice{At: document.MomentOf(travel.Point{Event: n}), From: float64(n), To: float64(n + 1), Name: name})
		}
		l.Total = len(l.Slices)
		d.Motes = append(d.Motes, document.TimelineMote{ID: uint16(j.id(i)), Lanes: []document.TimelineLane{l}})
	}
	return d
}
