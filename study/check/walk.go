package check

import (
	"math/rand/v2"
	"slices"

	"motehound/study/finding"
	"motehound/study/guide/input"
)

// WalkOptions say how to walk at random.
type WalkOptions struct {
	// Walks is how many walks there are.
	Walks int
	// Events is the most events of one walk, after its prefix.
	Events int
	// Total ends the walks with the first after which so many events were fired; 0 for no bound.
	Total uint64
	// Threshold is for how many events a goal may not hold before that is a violation; 0 for DefaultThreshold.
	Threshold int
	// Prefix is the most events of the prefix, in which nothing fails and goals do not count yet. Each walk draws its own
	// length: bugs of starting up are not those of the steady state.
	Prefix int
	// Weight is the weight of an event among those of its mote; nil for equal ones.
	Weight func(Event) uint32
	// NoLasso saves the hashing that the search for cycles takes.
	NoLasso bool
	// Heal ends faults and mends the network after each walk's prefix, in which things do fail then. From there on every goal
	// has to hold at some time.
	Heal bool
	// First ends the walks with the first that finds a violation.
	First bool
	// Patient has First go on behind a violation that ends no walk: it hides nothing.
	Patient bool
	Seed    uint64
	Threads int
	// Unguided has no walk learn from others.
	Unguided bool
	// Stop, if not nil, is asked now and then, by any goroutine, whether to give up.
	Stop func() bool
	// Meter, if not nil, counts.
	Meter *Meter
	// Inputs, if not nil, is what inputs are made up from. The system has to be a Feeder and a Pacer.
	Inputs *input.Source

	skip  int    // walks that an earlier run did
	spent uint64 // their events
	odd   oddity // of what was found before
	// doubts are goals of which one more doubted finding is no news.
	doubts map[finding.Cause]bool
	timed  bool // Stop also ends the walks when it is time to explain what was found
	found  reporter
	done   func(walks int, total uint64, l *lesson) error // told of walks that are done, and of their events
	guides *guides                                        // of an earlier run; nil for none
}

// DefaultThreshold is the paper's.
const DefaultThreshold = 100_000

// hit is a violation on a walk.
type hit struct {
	finding.Violation
	length   int     // of the trace up to it
	trace    []Event // that trace; nil if it is the outcome's
	since    int
	cycle    int
	rank     int
	evidence Evidence
	strain   uint64
	lag      uint64 // the queue that had to wait; 0 for none
	inputs   []MadeInput
}

// doubted is Finding.doubted.
func (h *hit) doubted() bool { return h.strain > 0 && h.evidence == Sampled }

// outcome is what a walk gave.
type outcome struct {
	trace   []Event
	hits    []hit
	fired   int
	aborted bool
	err     error
	last    bool    // nothing is to follow
	lesson  *lesson // nil if there is none
}

// walker walks a system.
type walker struct {
	o        *WalkOptions
	sys      System
	choose   chooser
	abort    func() bool
	goals    []finding.Goal
	counts   []int // for how many events each goal did not hold
	live     []bool
	enabled  []Event
	lasso    *lassoFinder
	metered  int       // events that the meter has
	strategy *strategy // nil if the system is no Pacer
	stay     int       // for how many events it is kept
	strict   *strategy // while a goal that is nearly overdue gets a chance: the strategy until then
	waited   bool      // a goal has not held for a while
	held     []int     // after how many events each goal held for the last time
	bound    bool      // nothing waits longer than it can in nature
	easy     []Event
	strolls  bool // the prefix is over
	amid     *intrusions
	made     *feeding
	meets    meetings
	scouting *scouting // nil if the walk is not guided
	detour   detour
	outcome
}

func (w *walker) meter() {
	w.o.Meter.events.Add(uint64(w.fired - w.metered))
	w.metered = w.fired
	w.made.meter(w.o.Meter)
}

// walk walks once, from the state of sys, to which the trace led.
func walk(sys System, o *WalkOptions, choose chooser, amid *intrusions, meets *rand.Rand, made *feeding, s *scouting, trace []Event, bound bool, abort func() bool) outcome {
	w := &walker{o: o, sys: sys, bound: bound, choose: choose, amid: amid, meets: meetings{rng: meets}, made: made, scouting: s, abort: abort, goals: goalsOf(sys)}
	w.trace = slices.Clone(trace)
	w.counts = make([]int, len(w.goals))
	w.held = slices.Repeat([]int{len(trace)}, len(w.goals))
	w.strategy = made.calmed(newStrategy(sys, choose.rng))
	if w.prefix() {
		w.stroll()
	}
	w.meter()
	return w.outcome
}

// prefix goes to the steady state, and tells whether to go on.
func (w *walker) prefix() bool {
	n := 0
	if w.o.Prefix > 0 {
		n = w.choose.rng.IntN(w.o.Prefix + 1)
	}
	pick := w.choose.natural
	if w.o.Heal {
		pick = w.pick
	}
	for range n {
		if !w.step(pick) {
			return false
		}
	}
	if w.o.Heal {
		_, w.err = fire(w.sys, Healing)
		w.trace = append(w.trace, Healing)
	}
	return w.err == nil
}

// pick chooses any event, or mostly one with which nothing fails.
func (w *walker) pick(enabled []Event) (Event, bool) {
	if w.strategy != nil && !w.strategy.fails() {
		return w.choose.natural(enabled)
	}
	return w.choose.pick(enabled)
}

// length draws how many events the walk has, if it is through a Pacer: most walks are short, since what may fail fails early in a walk,
// and then no more.
func (w *walker) length() int {
	const halvings = 6
	if w.strategy == nil {
		return w.o.Events
	}
	return w.o.Events >> w.choose.rng.IntN(halvings)
}

// waits tells whether a goal has not held for a while: it is seen through.
func (w *walker) waits() bool {
	const while = 2000
	return slices.ContainsFunc(w.counts, func(n int) bool { return n > while })
}

// change draws another strategy now and then.
func (w *walker) change() {
	const shortest, doublings = 256, 6
	if w.strategy == nil || w.strict != nil {
		return
	}
	if w.stay == 0 {
		met := w.strategy.met
		w.strategy = w.made.calmed(newStrategy(w.sys, w.choose.rng))
		w.strategy.met = met
		w.stay = shortest << w.choose.rng.IntN(doublings)
		w.amid.change()
		w.made.change()
	}
	w.stay--
}

// stroll walks until something is found or the events are spent.
func (w *walker) stroll() {
	threshold := w.o.Threshold
	if threshold == 0 {
		threshold = DefaultThreshold
	}
	if len(w.goals) > 0 && !w.o.NoLasso {
		w.lasso = newLassoFinder()
	}
	pick := w.pick
	if w.o.Heal {
		pick = w.choose.natural
	}
	enough := w.length()
	w.strolls = !w.o.Heal
	for n := 0; n < w.o.Events && (n < enough || w.waits()); n++ {
		w.change()
		if !w.step(pick) || w.overdue(threshold) || w.o.Heal && !slices.Contains(w.live, false) {
			return
		}
	}
}

// step fires one event, and tells whether the walk goes on.
func (w *walker) step(pick func([]Event) (Event, bool)) bool {
	const often = 64
	if w.fired-w.metered >= often {
		w.meter()
		if w.abort() {
			w.aborted = true
			return false
		}
	}
	w.enabled = w.sys.Enabled(w.enabled[:0])
	e, ok := pick(w.among())
	if w.strict == nil {
		e, ok = w.made.instead(e, ok)
	}
	if !ok && len(w.enabled) == 0 {
		w.stuck()
	}
	if !ok || !w.receives(e) {
		return false
	}
	e = w.interrupted(e)
	if w.lasso != nil {
		w.lasso.leave(w.sys, w.enabled, e, w.counts)
	}
	return w.do(e)
}

// among leaves the events that the walk chooses from.
func (w *walker) among() []Event {
	list := w.enabled
	if w.bound {
		w.easy = easily(w.sys, w.enabled, w.easy[:0])
		list = w.easy
	}
	if w.strategy != nil {
		list = w.strategy.among(list)
	}
	return list
}

// do fires an event that was chosen, and tells whether the walk goes on.
func (w *walker) do(e Event) bool {
	step, err := fire(w.sys, e)
	if err != nil {
		w.err = err
		return false
	}
	w.trace = append(w.trace, e)
	w.fired++
	if w.strategy != nil {
		w.strategy.last = e.Mote
	}
	over := finding.Spoils(step.Violations) || finding.Harmful(step.Violations) && strained(w.sys) == 0
	if !over && w.scouting.look(w) { // a state that makes no sense is new in every way
		w.made.keep()
	}
	for i, v := range step.Violations {
		if v.Mended && !over && w.often(v) {
			continue
		}
		w.hits = append(w.hits, hit{Violation: v, length: len(w.trace), since: len(w.trace), rank: i, strain: strained(w.sys), lag: w.strategy.lagging()})
	}
	return !over
}

// often tells whether a violation behind which the walk goes on was met so often that once more is no news.
func (w *walker) often(v finding.Violation) bool {
	const most = 4
	n := 0
	for i := range w.hits {
		if w.hits[i].Cause() == v.Cause() {
			n++
		}
	}
	return n >= most
}

// interrupted has an interrupt come into an event, now and then.
func (w *walker) interrupted(e Event) Event {
	if w.strict != nil || e.Made() || e.Pauses() {
		return e
	}
	p, ok := w.sys.(Pacer)
	tries, meet := 1, ok && w.meeting(p, e)
	if meet {
		tries = 4
	}
	for range tries {
		if x := w.amid.into(e, w.strolls, meet); !ok || !w.bound || strain(p, x, nil) == 0 {
			return x
		}
	}
	return e
}

// overdue counts for how long goals do not hold, and tells whether one is violated.
func (w *walker) overdue(threshold int) bool {
	w.live = liveOf(w.sys, w.live[:0])
	over := false
	for i, live := range w.live {
		if live {
			w.counts[i], w.held[i] = 0, len(w.trace)
			continue
		}
		w.counts[i]++
		if w.counts[i] > threshold {
			w.late(i, Sampled, 0)
			over = true
		}
	}
	if w.strategy != nil {
		w.chance(threshold)
	}
	if !over && w.lasso != nil {
		if goal, cycle := w.lasso.closed(w.sys, w.counts); cycle > 0 {
			w.late(goal, Lasso, cycle)
			over = true
		}
	}
	return over
}

// chance gives goals a chance that are nearly overdue, and every other one that has not held for a while: the natural order of events,
// in which nothing fails. Where everything may come late, what has to come in time may never do; and where it may not, what is
// broken for good might be mended by chance.
func (w *walker) chance(threshold int) {
	waits, nearly := w.waits(), slices.ContainsFunc(w.counts, func(n int) bool { return n > threshold-threshold/5 })
	switch {
	case w.strict != nil:
		if !waits && !nearly {
			w.strategy, w.strict = w.strict, nil
		}
	case nearly || waits && !w.waited && w.choose.rng.IntN(2) == 0:
		w.strict, w.strategy = w.strategy, w.strategy.settled()
	}
	w.waited = waits
}

// late books a goal that does not hold any more.
func (w *walker) late(i int, e Evidence, cycle int) {
	w.hits = append(w.hits, hit{length: len(w.trace), since: w.held[i], cycle: cycle, evidence: e, strain: strained(w.sys),
		Violation: w.goals[i].Missed("")})
}

// stuck books the goals that do not hold where nothing can happen any more.
func (w *walker) stuck() {
	for i, live := range liveOf(w.sys, w.live[:0]) {
		if !live {
			w.hits = append(w.hits, hit{Violation: stuck(w.goals[i]), length: len(w.trace), evidence: Stuck,
				since: w.held[i], strain: strained(w.sys)})
		}
	}
}
