package check

import (
	"math"
	"math/rand/v2"
	"slices"

	"motehound/study/guide"
)

// A detour goes a known way once more, to code that seldom ran, and on the way something has to wait that had its turn there: so what came next meets what is not done yet. What does
// not happen without it is left out. The trip goes on behind that, and the queue still waits.
//
// Places that are kept say what was new, and that is most often something behind what could have gone wrong. A trip from there is too late.

// detour is what a trip begins with.
type detour struct {
	rest []Event // of the way, behind what has to wait
	hold uint64  // its queue
}

// diverts draws whether the next trip is a detour. Made-up inputs are not part of ways.
func (w *walker) diverts() bool {
	return w.made.sys == nil && w.strategy != nil && w.choose.rng.IntN(3) != 0
}

// pickFor draws an entry for a trip, or for a detour: then one that has shown code that seldom ran.
func pickFor(detour bool, v *guide.View[*place], rng *rand.Rand) *guide.Entry[*place] {
	if detour {
		return v.PickBy(codeRan, rng)
	}
	return v.Pick(rng)
}

// divert leaves for somewhere on the way to a place, and prepares the detour.
func (w *walker) divert(to *place) error {
	const shortest, doublings = 16, 6
	rng := w.choose.rng
	way := to.trace()
	last := way[max(0, len(way)-shortest<<rng.IntN(doublings)):]
	queue := w.turn(last)
	n, at := 0, len(way)
	for i, e := range last {
		if e.waits() && e.queue() == queue {
			if n++; rng.IntN(n) == 0 {
				at = len(way) - len(last) + i
			}
		}
	}
	from, length := to.before(at)
	if err := w.leave(from); err != nil || at == len(way) {
		return err
	}
	for _, e := range way[length:at] {
		if _, err := fire(w.sys, e); err != nil {
			return err
		}
		w.trace = append(w.trace, e)
		w.fired++
	}
	w.detour = detour{rest: way[at+1:], hold: queue}
	w.strategy.slow, w.strategy.alone = true, false
	w.strategy.delay(queue)
	w.strategy.left = math.MaxInt
	return nil
}

// waits tells whether a mote does something that could have had to wait.
func (e Event) waits() bool {
	return e.Mote >= 0 && e.Class <= Frame && !e.Made() && !e.Pauses() && !e.Intrudes()
}

// turn draws one of the queues that had their turn, every other time one of a kind that had to wait when something was found; 0 if there is none.
func (w *walker) turn(events []Event) (queue uint64) {
	rng := w.choose.rng
	var all, known []uint64
	for _, e := range events {
		if q := e.queue(); e.waits() && !slices.Contains(all, q) {
			all = append(all, q)
			if slices.Contains(w.scouting.lags, kindOf(q)) {
				known = append(known, q)
			}
		}
	}
	if len(known) > 0 && rng.IntN(2) == 0 {
		all = known
	}
	if len(all) == 0 {
		return 0
	}
	return all[rng.IntN(len(all))]
}

// retrace goes on as the way did, as far as that is possible, and reports whether the trip goes on.
func (w *walker) retrace() bool {
	d := w.detour
	w.detour = detour{}
	p, _ := w.sys.(Pacer)
	for _, e := range d.rest {
		if e.queue() == d.hold {
			continue
		}
		w.enabled = w.sys.Enabled(w.enabled[:0])
		if !slices.Contains(w.enabled, e) || w.bound && p != nil && strain(p, e, nil) > 0 {
			continue
		}
		if !w.do(e) {
			return false
		}
	}
	return true
}
