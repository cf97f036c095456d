package check

import (
	"math/rand/v2"
	"slices"
)

// Intruder is a System in which interrupts may come in the middle of what an event does. Such events are many, and to find them takes time.
type Intruder interface {
	lister
	// Preempt is how many may follow each other closely; 0 for none.
	Preempt() int
	// Intrude draws one in which an enabled event has a part: it is what is interrupted, or what interrupts. It reports whether it found one.
	Intrude(e Event, rng *rand.Rand) (Event, bool)
	// Worth reports whether this is a rare moment for an event to come in the middle of something.
	Worth(Event) bool
	// Breaks reports whether it is known that an event which is listed breaks something.
	Breaks(Event) bool
	// Intrudes reports whether such an event can be fired now, whether it is listed or not.
	Intrudes(Event) bool
}

type lister interface {
	// List says whether Enabled lists events of an Intruder, up to Preempt in a run. At first it does not. Clones inherit it.
	List(on bool)
}

// list says whether a system lists events in which an interrupt comes in the middle of something.
func list(s System, on bool) {
	if x, ok := s.(lister); ok {
		x.List(on)
	}
}

// can tells whether an event can be fired, given those that are listed.
func can(s System, enabled []Event, e Event) bool {
	if x, ok := s.(Intruder); ok && e.Intrudes() {
		return x.Intrudes(e)
	}
	if x, ok := s.(Feeder); ok && e.Made() {
		return x.Fits(e)
	}
	if x, ok := s.(Pauser); ok && e.Pauses() {
		return x.Pauses(e)
	}
	return slices.Contains(enabled, e)
}

// intrusions has interrupts come in the middle of events of a walk: a few that are close to each other, and then none for a while. Where a
// search would list all places, a walk draws some.
type intrusions struct {
	sys   Intruder // nil if there are none
	rng   *rand.Rand
	often int // one event in so many; 0 for none
	spent int // of this episode
	age   int // of this episode, in events
}

// newIntrusions has random numbers of its own, so that a walk is the same up to the first intrusion, with or without.
func newIntrusions(sys System, rng *rand.Rand) *intrusions {
	n := &intrusions{rng: rng}
	if x, ok := sys.(Intruder); ok && x.Preempt() > 0 {
		n.sys = x
	}
	n.change()
	return n
}

// change draws how often they come. In one walk of four there are none, except at rare moments.
func (n *intrusions) change() {
	const styles, most = 4, 8
	if n.sys == nil {
		return
	}
	n.often = 0
	if n.rng.IntN(styles) > 0 {
		n.often = most << n.rng.IntN(styles)
	}
}

// into has an interrupt come into an event that was chosen, or not. In the prefix of a walk that is only at rare moments: input comes early; or when two meet.
func (n *intrusions) into(e Event, strolls, meet bool) Event {
	const episode = 100
	if n.sys == nil || e.Class == Fault || e.Class == Frame || !e.natural() {
		return e
	}
	if n.age++; n.age > episode {
		n.age, n.spent = 0, 0
	}
	switch {
	case meet || n.sys.Worth(e): // it begins another episode
		if n.age, n.spent = 0, 0; n.rng.IntN(3) == 0 {
			return e
		}
	case !strolls || n.often == 0 || n.spent >= n.sys.Preempt() || n.rng.IntN(n.often) > 0:
		return e
	}
	x, ok := n.sys.Intrude(e, n.rng)
	if !ok {
		return e
	}
	n.spent++
	return x
}
