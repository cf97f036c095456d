package reproduce

import (
	"fmt"
	"maps"
	"slices"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

const (
	// step is how often a run is looked at, and kept to go back to.
	step = 20 * world.Millisecond
	// maxKept is how many states a run keeps. Where there are more, every other one goes.
	maxKept = 400
	// numRecent is how many of the last items' times are known.
	numRecent = 16
	// slack is how much later than the trace says an item may come: clocks of motes are coarse.
	slack = world.Second
)

// question is a choice that the world asked for, and what it was told.
type question struct {
	world.Choice
	answer uint32
	at     uint64 // the step in which it was asked began
}

// key is what tells a question from all others.
type key struct {
	kind   world.ChoiceKind
	mote   int
	number uint32
}

func keyOf(c world.Choice) key { return key{c.Kind, c.Mote, c.Number} }

// recent is when the last items came.
type recent struct {
	times [numRecent]uint64
	n     int
}

func (r *recent) add(at uint64) {
	r.times[r.n%numRecent] = at
	r.n++
}

// back is when the item came that has so many behind it; 0 if that is not known any more.
func (r *recent) back(n int) uint64 {
	if n >= min(r.n, numRecent) {
		return 0
	}
	return r.times[(r.n-1-n)%numRecent]
}

// gap is where and when a gap of unknown length has ended: behind it comes the item at pos.
type gap struct {
	pos int
	at  uint64
}

// progress is how far a run has got. It is a value: a copy is a snapshot.
type progress struct {
	match  matcher
	ended  gap // the last one
	recent recent
	resets uint32
	last   Item // that the tracer was told
}

// kept is a state to go back to.
type kept struct {
	at    uint64
	world *world.World
	progress
	asked int // questions before it
}

// runner has one world that is put back and run again. It is the world's chooser: answers are those that the search has given,
// which change only together with the world's state.
type runner struct {
	*Problem
	w       *world.World
	points  map[uint32]point
	wide    bool // labels of two bytes
	answers map[key]uint32
	skip    map[int]int // see matcher.take

	progress
	wrongAt uint64
	asked   []question
}

// Choose implements world.Chooser.
func (r *runner) Choose(c world.Choice) uint32 {
	answer, ok := r.answers[keyOf(c)]
	if !ok || !c.Allows(answer) {
		answer = r.Chooser.Choose(c)
	}
	now := uint64(0)
	if r.w != nil {
		now = r.w.Now()
	}
	r.asked = append(r.asked, question{c, answer, now})
	return answer
}

// point is what is at an instruction that is watched.
type point uint8

const (
	pointEvent point = iota // the tracer is told something
	pointStart              // it begins, after a reset
	pointMore               // what it was told last came more often
)

func newRunner(p *Problem) (*runner, error) {
	r := &runner{Problem: p, points: map[uint32]point{}}
	if err := r.findTracer(p.Config.Motes[p.Mote].Kind.Image); err != nil {
		return nil, err
	}
	w, err := world.New(p.Config, r)
	if err != nil {
		return nil, err
	}
	r.w = w
	r.observe()
	return r, nil
}

// findTracer finds the tracer in a firmware.
func (r *runner) findTracer(im *image.Image) error {
	for _, x := range []struct {
		name string
		point
	}{{"mh_wait", pointEvent}, {"mh_trace_start", pointStart}} {
		s, ok := im.Symbol(x.name)
		if !ok {
			return fmt.Errorf("%s has no tracer in it (no symbol %s): give the firmware that trace cc has built, not stripped", im.Path, x.name)
		}
		r.points[s.Addr/2] = x.point
	}
	if s, ok := im.Symbol("mh_trace_more"); ok {
		r.points[s.Addr/2] = pointMore
	}
	_, r.wide = im.Symbol("mh_trace_enter_wide")
	return nil
}

// observe has the world tell what the mote does.
func (r *runner) observe() {
	of := r.w.Motes()[r.Mote].Kind
	r.w.Observe(world.Observer{
		CodeAt: func(k *mote.Kind) (at []uint32) {
			if k == of {
				at = slices.Sorted(maps.Keys(r.points))
			}
			return at
		},
		Code: func(i int, _ uint64, pc uint32) bool {
			if i == r.Mote {
				r.show(r.points[pc])
			}
			return false
		},
	})
}

// show takes what the mote does.
func (r *runner) show(p point) {
	m := r.w.Motes()[r.Mote]
	c := &m.Core().R
	if p == pointMore {
		for range c[24] {
			r.take(r.last, m)
		}
		return
	}
	label, shift := uint16(c[24]), 6
	if r.wide {
		label, shift = label|uint16(c[25])<<8, 14
	}
	item := Item{Kind: record.Kind(label >> shift), Proc: label & (1<<shift - 1), Path: uint16(c[22]) | uint16(c[23])<<8}
	if item.Kind == record.Enter {
		item.Path = 0
	}
	if p == pointStart {
		first := r.resets == 0
		r.resets = m.Resets()
		if first {
			return
		}
		item = Item{Kind: record.Reset}
	}
	r.last = item
	r.take(item, m)
}

// take takes something that the mote did now.
func (r *runner) take(item Item, m *mote.Mote) {
	if r.match.wrong || r.match.done(r.Target) {
		return
	}
	at := r.boot() + m.Time()
	before := r.match.open
	r.match.take(r.Target, item, float64(m.Time())/world.Second, r.skip)
	if before && !r.match.open {
		r.ended = gap{r.match.pos - 1, at}
	}
	if r.match.wrong {
		r.wrongAt = at
		return
	}
	r.recent.add(at)
}

// boot is when the mote was switched on.
func (r *runner) boot() uint64 {
	at, late := r.Config.Motes[r.Mote].BootFrom, uint64(0)
	for _, q := range r.asked {
		if q.Kind == world.ChoiceBoot && q.Choice.Mote == r.Mote {
			at += (uint64(q.answer) + late) * world.Microsecond
			late = 1 // the second one is how much later than planned
		}
		if q.at > 0 {
			break // both are asked before anything runs
		}
	}
	return at
}

// late reports whether the next item should have come by now.
func (r *runner) late() bool {
	now := r.w.Now()
	if now >= r.Until {
		return true
	}
	pos := r.match.pos
	if pos >= len(r.Target.By) || r.Target.By[pos] == 0 {
		return false
	}
	return now > r.boot()+uint64(r.Target.By[pos]*world.Second)+slack
}

// begin puts the world at time 0, with the given answers.
func (r *runner) begin(answers map[key]uint32) error {
	r.answers, r.asked = answers, nil
	now := r.w
	r.w = nil
	w, err := world.New(r.Config, r)
	r.w = now
	if err != nil {
		return err
	}
	r.w.CopyFrom(w)
	r.progress = progress{match: newMatcher(r.Target)}
	return nil
}

// run goes on from the present state until the run is over, one way or the other. It adds states to those that are kept. What
// comes over serial lines is put in when its time comes.
func (r *runner) run(states []kept, serial []world.Serial) []kept {
	for !r.match.wrong && !r.match.done(r.Target) && !r.late() {
		now := r.w.Now()
		if len(states) == 0 || states[len(states)-1].at < now {
			states = append(thin(states), kept{now, r.w.Clone(), r.progress, len(r.asked)})
		}
		for i := range serial {
			if serial[i].At >= now && serial[i].At < now+step {
				r.w.SerialIn(serial[i])
				list := r.w.Config().Serial
				serial[i].At = list[len(list)-1].At
			}
		}
		r.w.RunUntil(now + step)
	}
	if r.wrongAt == 0 || !r.match.wrong {
		r.wrongAt = r.w.Now()
	}
	return states
}

// thin leaves out every other state, except for the latest, if there are too many.
func thin(states []kept) []kept {
	if len(states) < maxKept {
		return states
	}
	var out []kept
	for i, s := range states {
		if i%2 == 0 || i > maxKept/2 {
			out = append(out, s)
		}
	}
	return out
}
