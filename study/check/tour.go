package check

import (
	"slices"

	"motehound/study/guide"
)

// A tour is a walk that does not go on and on: it takes many short trips, each from a place that was promising.

// Lengths of trips, in events.
const (
	shortTrip = 8
	doublings = 8
)

// tour takes trips until the events are spent.
func (w *walker) tour() {
	s := w.scouting
	enough := w.length()
	w.strolls = true
	for w.fired < enough && w.err == nil && !w.aborted {
		mine, entry := s.pick(w)
		var from *place
		if entry != nil {
			from = entry.State
		}
		before := w.fired
		if w.err = w.leave(from); w.err != nil {
			return
		}
		kept, over := w.trip()
		if over {
			return
		}
		s.note(entry, mine, kept)
		if w.fired == before {
			return // nothing can happen there
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
	w.scouting.from, w.scouting.base = from, 0
	w.trace = w.trace[:0]
	clear(w.held)
	w.settle()
	w.amid.change()
	return nil
}

// settle draws how the walker treats time on a trip. In most trips nothing fails: what may fail fails early on a trip, and many start. In every
// other one something that could happen at once has to wait: it may be what the state was kept for.
func (w *walker) settle() {
	const often = 4
	w.stay = shortTrip << doublings
	if w.strategy = newStrategy(w.sys, w.choose.rng); w.strategy == nil {
		return
	}
	if w.choose.rng.IntN(often) != 0 {
		w.strategy.calm = 0
	}
	if w.enabled = w.sys.Enabled(w.enabled[:0]); len(w.enabled) > 0 && w.choose.rng.IntN(2) == 0 {
		w.strategy.slow = true
		w.strategy.delay(w.enabled[w.choose.rng.IntN(len(w.enabled))].queue())
	}
}

// trip walks for a while, longer if it sees something new. It tells how many places it kept, and whether the tour is over.
func (w *walker) trip() (kept int, over bool) {
	from, found := w.scouting.from, len(w.hits)
	left := shortTrip << w.choose.rng.IntN(doublings)
	for more := left; left > 0; left-- {
		w.change()
		was := w.scouting.from
		if on := w.step(w.pick); !on {
			over = w.err != nil || w.aborted || w.ended(found)
			break
		}
		if w.scouting.from != was {
			kept++
			left = max(left, more)
		}
	}
	w.complete(from, found)
	return kept, over
}

// ended tells whether something was found that ends a tour: nobody looks for more. Everything else ends a trip only.
func (w *walker) ended(found int) bool {
	return w.o.First && slices.ContainsFunc(w.hits[found:], func(h hit) bool { return !h.Harmless && h.strain == 0 })
}

// complete gives the hits of a trip their whole traces. One of each cause will do.
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
			kept = append(kept, h)
		}
	}
	w.hits = kept
}
