package check

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/finding"
)

// errStopped says that the caller's Stop ended something before there was an answer.
var errStopped = errors.New("stopped before there was an answer")

// Critical is the transition of a trace behind which a goal is out of reach.
type Critical struct {
	// After is how many events of the trace it takes, so that the transition is that of the last of them; 0 if the goal
	// was out of reach from the start.
	After int `json:"after"`
	// Walks is how many walks from behind the transition all missed the goal, and Events how long each was: the
	// odds that the goal is in reach after all.
	Walks  int `json:"walks"`
	Events int `json:"events"`
	// Span is how long the shortest of them took for the mote that it was longest for, in picoseconds; 0 if the system knows no time.
	Span uint64 `json:"span_ps,omitempty"`
	// Reach is how long the walks were that looked for the transition: those of Recheck are so long, too.
	Reach int `json:"reach,omitempty"`
	// Reached says that from before the transition the goal held or a walk reached it: false only if After is 0.
	Reached bool `json:"reached"`
}

// CriticalOptions say how to look for a critical transition.
type CriticalOptions struct {
	Walks   int // from each state; 0 for 20
	Events  int // of each walk; 0 for DefaultThreshold
	Weight  func(Event) uint32
	Seed    uint64
	Threads int
	Stop    func() bool
	Meter   *Meter

	heal   bool    // walks start with healing
	within uint64  // walks last at least so long, if time is known
	span   *uint64 // if not nil, becomes Critical.Span
}

func (o *CriticalOptions) defaults() {
	if o.Walks == 0 {
		o.Walks = 20
	}
	if o.Events == 0 {
		o.Events = DefaultThreshold
	}
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
}

// findCritical looks for the critical transition of a trace from the state of base, after which a goal does not hold: by binary
// search, with random walks that test whether the goal can still be reached (Killian et al.). It tells nil if from the end of
// the trace a walk reaches the goal: then it was late, not dead. The error is errStopped if Stop ended it. Binary search is right as behind a dead state all are dead; that a
// state is dead is known only as well as the walks go. If the trace heals the system, dead means that healing does not help.
func findCritical(base System, trace []Event, goal finding.Goal, o CriticalOptions) (*Critical, error) {
	index := slices.Index(goalsOf(base), goal)
	if index < 0 {
		return nil, fmt.Errorf("the system has no goal %q%s", goal.Property, whose(base, goal.Mote))
	}
	o.defaults()
	o.heal = slices.Contains(trace, Healing)
	c := &criticalSearch{o: o, goal: index, alive: base.Clone(), trace: trace}
	track(c.alive, false)
	defer func() { c.alive.Release() }()
	return c.run()
}

type criticalSearch struct {
	o     CriticalOptions
	goal  int
	trace []Event
	at    int    // events of the trace after which the goal is in reach
	alive System // the state there
}

func (c *criticalSearch) run() (*Critical, error) {
	result := &Critical{Walks: c.o.Walks, Events: c.o.Events, Reach: c.o.Events}
	for _, end := range []int{len(c.trace), 0} {
		ok, err := c.inReach(end)
		if err != nil || ok && end == len(c.trace) {
			return nil, err
		}
		if !ok && end == 0 {
			return result, nil
		}
	}
	dead := len(c.trace)
	for dead-c.at > 1 {
		middle := c.probe(dead)
		ok, err := c.inReach(middle)
		if err != nil {
			return nil, err
		}
		if !ok {
			dead = middle
		}
	}
	result.After, result.Reached = dead, true
	return result, nil
}

// probe says where to look next, between where the goal is in reach and where it is not: after what failed, and before it, since that
// mostly is what it was; else in the middle.
func (c *criticalSearch) probe(dead int) int {
	if !c.trace[dead-1].natural() {
		return dead - 1
	}
	var after []int
	for i := c.at; i < dead-1; i++ {
		if !c.trace[i].natural() {
			after = append(after, i+1)
		}
	}
	if len(after) == 0 {
		return (c.at + dead) / 2
	}
	return after[len(after)/2]
}

// inReach tells whether the goal can be reached from the state after n events, and if so goes on from there.
func (c *criticalSearch) inReach(n int) (bool, error) {
	sys := c.alive.Clone()
	if err := follow(sys, c.trace[c.at:n], c.o.Stop); err != nil {
		sys.Release()
		return false, err
	}
	c.o.Meter.events.Add(uint64(n - c.at))
	reached, err := canReach(sys, c.goal, c.o, uint64(n))
	if reached && n < len(c.trace) {
		c.alive, sys = sys, c.alive
		c.at = n
	}
	sys.Release()
	return reached, err
}

// canReach tells whether the goal holds or some walk reaches it. It leaves the system as it was.
func canReach(sys System, goal int, o CriticalOptions, salt uint64) (bool, error) {
	if liveOf(sys, nil)[goal] {
		return true, nil
	}
	crew := newCrew(&origin{sys: sys}, o.Threads)
	defer crew.release()
	reached := false
	var failed error
	inOrder(o.Threads, 0, o.Walks, func(thread, piece int, cancelled func() bool) arrival {
		choose := chooser{rng: generator(o.Seed^mix(salt), uint64(piece)), weight: o.Weight}
		sys := crew.start(thread)
		if o.heal {
			if _, err := fire(sys, Healing); err != nil {
				return arrival{err: err}
			}
		}
		g := newStrategy(sys, choose.rng)
		if g != nil {
			g = g.settled() // what only an odd order of events would mend is broken
		}
		return arrive(sys, goal, &o, choose, g, cancelled)
	}, func(n int, a arrival) bool {
		reached, failed = a.reached, a.err
		if o.span != nil && (n == 0 || a.span < *o.span) {
			*o.span = a.span
		}
		return !reached && failed == nil
	})
	return reached, failed
}

type arrival struct {
	reached bool
	err     error
	span    uint64
}

// stopwatch tells how long a walk takes for the mote that it is longest for.
type stopwatch struct {
	sys   Pacer // nil if nobody knows
	began map[int16]uint64
	span  uint64
}

// starts is told that something is about to happen to a mote, and stops that it has.
func (t *stopwatch) starts(mote int16) {
	if _, ok := t.began[mote]; t.sys != nil && !ok {
		t.began[mote] = t.sys.Clock(mote)
	}
}

func (t *stopwatch) stops(mote int16) {
	if t.sys != nil {
		t.span = max(t.span, t.sys.Clock(mote)-min(t.sys.Clock(mote), t.began[mote]))
	}
}

// arrive walks until the goal holds.
func arrive(sys System, goal int, o *CriticalOptions, choose chooser, g *strategy, cancelled func() bool) arrival {
	var enabled []Event
	var live []bool
	pick := choose.pick
	if o.heal {
		pick = choose.natural
	}
	watch := stopwatch{began: make(map[int16]uint64)}
	if o.span != nil || o.within > 0 {
		watch.sys, _ = sys.(Pacer)
	}
	// A system whose time does not get on is not waited for.
	const most = 100
	for i := 0; i < o.Events || watch.sys != nil && watch.span < o.within && i < most*o.Events; i++ {
		if i%64 == 0 && (cancelled() || o.Stop != nil && o.Stop()) {
			return arrival{err: errStopped}
		}
		enabled = sys.Enabled(enabled[:0])
		among := enabled
		if g != nil {
			among = g.among(enabled)
		}
		e, ok := pick(among)
		if !ok {
			break
		}
		watch.starts(e.Mote)
		step, err := fire(sys, e)
		if err != nil {
			return arrival{err: err}
		}
		watch.stops(e.Mote)
		o.Meter.events.Add(1)
		// What the state is worth after a violation nobody knows, so it counts for nothing.
		if finding.Harmful(step.Violations) {
			break
		}
		if live = liveOf(sys, live[:0]); live[goal] {
			return arrival{reached: true}
		}
	}
	return arrival{span: watch.span}
}
