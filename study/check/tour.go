package check

import (
	"cmp"
	"math"
	"slices"

	"motehound/study/guide"
)

// A tour is many short trips, each from a place that was promising. Before each walk there is one, about as long as most walks, or behind it if there are
// goals: who walks as if nobody knew anything finds what he would find without tours.

// Lengths of trips, in events.
const (
	shortTrip = 8
	doublings = 8
)

// shareOfTour says which part of the longest walk a tour is, shareBesideGoals which part of that if there are goals. Walks are a third of the longest on average.
const (
	shareOfTour      = 2
	shareBesideGoals = 8
)

// tour takes trips until its events are spent. It has random numbers of its own.
func tour(sys System, o *WalkOptions, made *feeding, s *scouting, piece int, bound bool, abort func() bool) outcome {
	if s == nil {
		return outcome{}
	}
	rng := generator(o.Seed^0x746f7572, uint64(piece))
	w := &walker{o: o, sys: sys, bound: bound, choose: chooser{rng: rng, weight: o.Weight}, amid: newIntrusions(sys, rng), meets: meetings{rng: generator(^o.Seed^meetSalt, uint64(piece))}, made: made, scouting: s, abort: abort,
		goals: goalsOf(sys), strolls: true}
	w.held = make([]int, len(w.goals))
	w.trips()
	w.meter()
	return w.outcome
}

// over tells whether nothing is to follow: the tour was stopped, or has found something new.
func (out *outcome) over() bool { return out.err != nil || out.aborted || out.last }

// and is what a walk and a tour gave, in whichever order.
func (out outcome) and(tour outcome) outcome {
	out.hits = append(tour.hits, out.hits...)
	out.fired += tour.fired
	out.err, out.aborted = cmp.Or(out.err, tour.err), out.aborted || tour.aborted
	return out
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
		enough /= shareBesideGoals // trips say nothing of goals, and walks take long to
	}
	for idle := 0; w.fired < enough && idle < futile; {
		from, mine, entry, detour := s.pick(w)
		before, tried := w.fired, 0
		if detour {
			w.err = w.divert(from)
		} else if w.err = w.leave(from); w.err == nil && s.climb.aim == nil {
			tried, w.err = w.revise(from)
		}
		if w.over() {
			return
		}
		w.made.hold = w.made.sys != nil && s.climb.aim != nil && w.choose.rng.IntN(2) == 0
		kept, whole := w.trip()
		w.made.hold = false
		if w.over() {
			return
		}
		kept += tried
		s.climb.book(w.fired - before)
		s.note(entry, mine, kept)
		s.sample()
		if !s.climb.lost {
			idle++
		}
		if whole || kept > 0 {
			idle = 0
		}
	}
}

// pick draws where to go on from: a place that shows the value of a variable, or one of an archive, of this walk or of others. It is nil for the start.
// It also draws whether the trip is a detour on the way there.
func (s *scouting) pick(w *walker) (from *place, mine bool, entry *guide.Entry[*place], detour bool) {
	rng := w.choose.rng
	if from = s.ascend(rng); from != nil {
		return from, false, nil, false
	}
	const home = 16
	if rng.IntN(home) == 0 {
		return nil, false, nil, false
	}
	detour = w.diverts()
	if own := s.own.View(); len(s.view.Entries) == 0 || len(own.Entries) > 0 && rng.IntN(2) == 0 {
		mine, entry = true, pickFor(detour, own, rng)
	} else {
		entry = pickFor(detour, s.view, rng)
	}
	if entry != nil {
		from = entry.State
	}
	return from, mine, entry, detour && from != nil
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
	w.settle(from)
	w.amid.change()
	w.made.anew()
}

// settle draws how the walker treats time on a trip. In most trips nothing fails: what may fail fails early on a trip, and many start. In every
// other one something that could happen at once has to wait: it may be what the state was kept for. Most often it is something of the mote that the state was kept
// for; in some trips that one is alone, as far as it can be: in a large network it would else hardly ever get its turn. Where inputs are made up, most come in
// the natural order.
func (w *walker) settle(from *place) {
	const often = 4
	rng := w.choose.rng
	w.stay = shortTrip << doublings
	climbs := w.scouting.climb.aim != nil
	if w.strategy = newStrategy(w.sys, rng); w.strategy == nil {
		return
	}
	if !climbs {
		w.strategy = w.made.calmed(w.strategy)
	}
	if rng.IntN(often) != 0 {
		w.strategy.calm = 0
	}
	if w.made.sys != nil && !climbs {
		return
	}
	mote, known := from.whose()
	if known && rng.IntN(often) == 0 {
		w.strategy.alone, w.strategy.only = true, mote
	}
	lags := from != nil && from.lag != 0
	if w.strategy.slow = rng.IntN(2) == 0; w.strategy.slow {
		w.hold(from, lags && rng.IntN(2) == 0)
	}
}

// hold has something wait on a trip: what had to wait when the place was found, or something that could happen at once. Every other time it waits for as
// long as the trip takes.
func (w *walker) hold(from *place, same bool) {
	const often = 4
	rng := w.choose.rng
	mote, known := from.whose()
	if same {
		w.strategy.delay(from.lag)
	} else if known && len(w.scouting.lags) > 0 && rng.IntN(2) == 0 {
		w.strategy.delay(w.scouting.lags[rng.IntN(len(w.scouting.lags))].of(mote))
	} else {
		w.enabled = w.sys.Enabled(w.enabled[:0])
		if known && rng.IntN(often) != 0 {
			w.enabled = slices.DeleteFunc(w.enabled, func(e Event) bool { return e.Mote != mote })
		}
		if len(w.enabled) == 0 {
			return
		}
		w.strategy.delay(w.enabled[rng.IntN(len(w.enabled))].queue())
	}
	if rng.IntN(2) == 0 {
		w.strategy.left = math.MaxInt
	}
	if rng.IntN(2) == 0 {
		w.strategy.style = natural
	}
}

// whose is the mote that did the last thing on the way to a place, if one did.
func (p *place) whose() (mote int16, known bool) {
	if p == nil || len(p.events) == 0 {
		return 0, false
	}
	mote = p.events[len(p.events)-1].Mote
	return mote, mote >= 0
}

// trip walks for a while, longer if it sees something new, and tells how many places it kept and whether it went as far as it was meant to. A tour is never
// longer than the longest walk.
func (w *walker) trip() (kept int, whole bool) {
	from, found := w.scouting.from, len(w.hits)
	left := w.span()
	if !w.retrace() {
		w.complete(from, found)
		return 0, false
	}
	for more := left; left > 0 && w.fired < w.o.Events; left-- {
		w.change()
		was := w.scouting.from
		if !w.step(w.pick) || w.scouting.climb.lost {
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

// span draws how long a trip is: half as many are twice as long, so that as many events are for long ones as for short ones. Where something waits, it takes
// longer until that matters, except on a detour, where it waits already; and so it does where inputs are made up, since they come byte by byte. There, trials are more than trips.
func (w *walker) span() int {
	const longer = 4
	if w.made.sys != nil {
		return shortTrip << w.choose.rng.IntN(doublings-2)
	}
	n := shortTrip
	if w.strategy != nil && w.strategy.slow && w.detour.hold == 0 {
		n *= longer
	}
	for i := 0; i < doublings && w.choose.rng.IntN(2) == 0; i++ {
		n *= 2
	}
	return n
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
			whole := all
			if h.trace != nil { // it is of a visit
				whole = append(slices.Clone(way), h.trace...)
			}
			h.length += len(way)
			h.since += len(way)
			h.trace = whole[:h.length]
			w.last = w.last || !slices.Contains(w.scouting.known, cause)
			kept = append(kept, h)
		}
	}
	w.hits = kept
}
