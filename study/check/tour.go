package check

import (
	"slices"

	"motehound/study/guide"
)

// A tour is many short trips, each from a place that was promising. Before each walk there is one, about as long as most walks: who walks as if
// nobody knew anything finds what he would find without tours.

// Lengths of trips, in events.
const (
	shortTrip = 8
	doublings = 8
)

// shareOfTour says which part of the longest walk a tour is. Walks are a third of that on average.
const shareOfTour = 4

// tour takes trips until its events are spent. It has random numbers of its own.
func tour(sys System, o *WalkOptions, made *feeding, s *scouting, piece int, bound bool, abort func() bool) outcome {
	if s == nil {
		return outcome{}
	}
	rng := generator(o.Seed^0x746f7572, uint64(piece))
	w := &walker{o: o, sys: sys, bound: bound, choose: chooser{rng: rng, weight: o.Weight}, amid: newIntrusions(sys, rng), made: made, scouting: s, abort: abort,
		goals: goalsOf(sys), strolls: true}
	w.held = make([]int, len(w.goals))
	w.trips()
	w.meter()
	return w.outcome
}

// over tells whether nothing is to follow: the tour was stopped, or has found something new.
func (out *outcome) over() bool { return out.err != nil || out.aborted || out.last }

// and is what a tour and the walk behind it gave.
func (out outcome) and(walk outcome) outcome {
	walk.hits = append(out.hits, walk.hits...)
	walk.fired += out.fired
	return walk
}

// trips takes trips. It gives up where they do not lead anywhere any more: all end early, since nothing more can happen or since something
// goes wrong.
func (w *walker) trips() {
	const futile = 16
	s := w.scouting
	enough := w.o.Events / shareOfTour
	if w.made.sys != nil {
		enough = w.o.Events // most inputs are made up for places that are known
	}
	if len(w.goals) > 0 {
		enough /= shareOfTour // trips say nothing of goals, and walks take long to
	}
	for idle := 0; w.fired < enough && idle < futile; {
		mine, entry := s.pick(w)
		var from *place
		if entry != nil {
			from = entry.State
		}
		tried := 0
		if w.err = w.leave(from); w.err == nil {
			tried, w.err = w.revise(from)
		}
		if w.over() {
			return
		}
		kept, whole := w.trip()
		if w.over() {
			return
		}
		kept += tried
		s.note(entry, mine, kept)
		if idle++; whole || kept > 0 {
			idle = 0
		}
	}
}

// pick draws where to go on from: a place of this walk, or one of others. Entry is nil for the start.
func (s *scouting) pick(w *walker) (mine bool, entry *guide.Entry[*place]) {
	rng := w.choose.rng
	const home = 16
	if rng.IntN(home) == 0 {
		return false, nil
	}
	if own := s.own.View(); len(s.view.Entries) == 0 || len(own.Entries) > 0 && rng.IntN(2) == 0 {
		return true, own.Pick(rng)
	}
	return false, s.view.Pick(rng)
}

// note books what came of a trip.
func (s *scouting) note(entry *guide.Entry[*place], mine bool, kept int) {
	switch {
	case entry == nil:
	case mine:
		s.own.Book(entry, 1, kept)
	default:
		n := slices.IndexFunc(s.used, func(u use) bool { return u.entry == entry })
		if n < 0 {
			n = len(s.used)
			s.used = append(s.used, use{entry: entry})
		}
		s.used[n].times++
		s.used[n].yield += kept
	}
}

// leave goes to a place, and draws how to walk on from there.
func (w *walker) leave(from *place) error {
	if err := from.goTo(w.sys, w.scouting.home); err != nil {
		return err
	}
	w.depart(from)
	return nil
}

// depart is what leave does once the system is at the place.
func (w *walker) depart(from *place) {
	w.scouting.from, w.scouting.base = from, 0
	w.trace = w.trace[:0]
	clear(w.held)
	w.settle()
	w.amid.change()
	w.made.anew()
}

// settle draws how the walker treats time on a trip. In most trips nothing fails: what may fail fails early on a trip, and many start. In every
// other one something that could happen at once has to wait: it may be what the state was kept for. Where inputs are made up, most come in the natural order.
func (w *walker) settle() {
	const often = 4
	w.stay = shortTrip << doublings
	if w.strategy = w.made.calmed(newStrategy(w.sys, w.choose.rng)); w.strategy == nil {
		return
	}
	if w.choose.rng.IntN(often) != 0 {
		w.strategy.calm = 0
	}
	if w.enabled = w.sys.Enabled(w.enabled[:0]); len(w.enabled) > 0 && w.made.sys == nil && w.choose.rng.IntN(2) == 0 {
		w.strategy.slow = true
		w.strategy.delay(w.enabled[w.choose.rng.IntN(len(w.enabled))].queue())
	}
}

// trip walks for a while, longer if it sees something new, and tells how many places it kept and whether it went as far as it was meant to.
func (w *walker) trip() (kept int, whole bool) {
	from, found := w.scouting.from, len(w.hits)
	left := shortTrip << w.choose.rng.IntN(w.made.doublings())
	for more := left; left > 0; left-- {
		w.change()
		was := w.scouting.from
		if !w.step(w.pick) {
			break
		}
		if w.scouting.from != was {
			kept++
			left = max(left, more)
		}
	}
	w.complete(from, found)
	return kept, left == 0
}

// doublings is how often a short trip is doubled at most. Where inputs are made up, trials are more than trips.
func (n *feeding) doublings() int {
	if n.sys != nil {
		return doublings - 2
	}
	return doublings
}

// complete gives the hits of a trip their whole traces. One of each cause will do. Whatever is found ends the trip; if it is something that no
// walk before has found, it ends the tour and the walk behind it as well, so that somebody hears of it.
func (w *walker) complete(from *place, found int) {
	if found == len(w.hits) {
		return
	}
	way := from.trace()
	all := append(slices.Clone(way), w.trace...)
	kept := w.hits[:found]
	for _, h := range w.hits[found:] {
		if cause := h.Cause(); !slices.Contains(w.scouting.causes, cause) {
			w.scouting.causes = append(w.scouting.causes, cause)
			h.length += len(way)
			h.since += len(way)
			h.trace = all[:h.length]
			w.last = w.last || !h.Harmless && !slices.Contains(w.scouting.known, cause)
			kept = append(kept, h)
		}
	}
	w.hits = kept
}
