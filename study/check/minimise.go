package check

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/finding"
)

// MinimiseOptions say how hard to try to make a trace short.
type MinimiseOptions struct {
	// Events bounds what is fired for it; 0 for 2,000,000.
	Events uint64
	// Changes is how many random changes are tried; 0 for 1,000.
	Changes int
	// Window is from how many events before its end the trace is searched for a shorter one; 0 for 8.
	Window int
	// Walks and Reach are how many walks of how many events show that a goal is out of reach at the end of a trace. They are
	// for goals that were only sampled; 0 for 3 and DefaultThreshold.
	Walks, Reach int
	Weight       func(Event) uint32
	Seed         uint64
	Threads      int
	Stop         func() bool
	Meter        *Meter
	interrupted  func() bool // as Options.Interrupted
}

func (o *MinimiseOptions) defaults() {
	set := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	if o.Events == 0 {
		o.Events = 2_000_000
	}
	set(&o.Changes, 1000)
	set(&o.Window, 8)
	set(&o.Walks, 3)
	set(&o.Reach, DefaultThreshold)
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
}

// minimise makes a finding's trace shorter, from the state of base: it cuts loops, leaves events out (delta debugging), continues
// at random from somewhere within, as the paper does, and searches near the end. The result shows the same cause, is replayed,
// and never longer; Minimal tells whether leaving any one event out loses the violation. Where events are left out, those behind
// that are no longer possible are left out too, and the others stand for the next event of their queue.
//
// Of a lasso the way to the cycle is made shorter, the cycle is kept. A goal that was only sampled is said to be violated by a
// trace if no walk from its end reaches the goal, so such a trace ends with the critical transition, if that is known.
func minimise(base System, f *Finding, o MinimiseOptions) error {
	o.defaults()
	found := *f
	from := base.Clone()
	track(from, false)
	m := &shrinker{o: o, rng: chooser{rng: generator(o.Seed, 0), weight: o.Weight, favour: f.Mote, favoured: f.Mote >= 0},
		limit: o.Meter.events.Load() + o.Events}
	defer m.release()
	m.marks, m.until = []mark{{sys: from}}, m.limit
	if err := m.aim(f); err != nil {
		return err
	}
	switch err := m.shrink(); {
	case errors.Is(err, errStopped) && f.Kind == finding.Safety && len(m.best) < len(f.Trace):
		// What was reached is better than nothing.
	case err != nil:
		return err
	}
	cycle, err := m.rotated()
	if err != nil {
		return err
	}
	f.Minimal = m.minimal
	if f.Critical != nil && f.Evidence == Sampled {
		c := *f.Critical
		c.After = len(m.best)
		f.Critical = &c
	} else {
		f.Critical = nil // it is that of another trace
	}
	f.Trace = slices.Concat(m.best, m.tail, cycle)
	f.Inputs = inputsOf(base, f.Trace)
	if f.Kind == finding.Safety {
		f.Since = len(f.Trace)
	} else {
		f.Since = min(f.Since, len(m.best))
	}
	err = confirmed(base, f, o.interrupted)
	if errors.Is(err, errStopped) {
		*f = found
	}
	return err
}

// confirmed replays a finding from a copy of base.
func confirmed(base System, f *Finding, stop func() bool) error {
	var p proof
	defer p.drop()
	return p.confirm(base, f, stop)
}

// shrinker makes one trace shorter.
type shrinker struct {
	o       MinimiseOptions
	best    []Event
	tight   bool            // best can come in nature, and has to stay so
	may     map[uint64]bool // but these may wait, by key
	easy    []Event
	minimal bool
	marks   []mark // snapshots along best, by position; the first is at 0
	sys     System // for trying
	rng     chooser
	limit   uint64 // of events
	ran     uint64 // events, for gaveUp
	until   uint64 // limit of the current pass
	enabled []Event
	// reached tells whether the aim is reached by the last step; nil if only the end of a trace tells.
	reached func(Step) bool
	// ended tells whether the aim is reached at the end of a trace.
	ended func(System) (bool, error)
	// cycle is that of a lasso, and entries tells which of its states come before which of its events.
	cycle   []Event
	entries map[[2]uint64]int
	tail    []Event // comes behind the trace in any case
	// last is the critical transition, which the trace keeps and before which the goal is in reach; nil if there is none.
	last *Event
	goal int
	edge System // the state before it, in the trace that is tried
	look CriticalOptions
}

type mark struct {
	at  int
	sys System
}

// aim sets what a shorter trace has to reach.
func (m *shrinker) aim(f *Finding) error {
	m.best, m.tight = slices.Clone(f.Trace), f.Strain == 0
	if f.Kind == finding.Safety {
		m.aimAt(f.Cause())
		return nil
	}
	goal := slices.Index(goalsOf(m.marks[0].sys), f.Goal())
	if goal < 0 {
		return fmt.Errorf("the system has no goal %q%s", f.Property, whose(m.marks[0].sys, f.Mote))
	}
	switch f.Evidence {
	case Lasso:
		return m.aimAtCycle(len(f.Trace) - f.Cycle)
	case Stuck:
		m.ended = func(s System) (bool, error) {
			return !slices.ContainsFunc(s.Enabled(nil), Event.obliged) && !liveOf(s, nil)[goal], nil
		}
	default:
		if f.Critical != nil {
			m.best = m.best[:f.Critical.After]
			if n := len(m.best); n > 0 {
				m.last = &m.best[n-1]
			}
		}
		o := CriticalOptions{Walks: m.o.Walks, Events: m.o.Reach, Weight: m.o.Weight, Seed: m.o.Seed, Threads: m.o.Threads,
			Stop: m.o.Stop, Meter: m.o.Meter, heal: slices.Contains(f.Trace, Healing)}
		if o.heal && !slices.Contains(m.best, Healing) {
			m.tail = []Event{Healing}
		}
		m.goal, m.look = goal, o
		m.ended = m.lost
	}
	return nil
}

// aimAt has a trace end with a violation.
func (m *shrinker) aimAt(cause finding.Cause) {
	m.reached = func(s Step) bool {
		return slices.ContainsFunc(s.Violations, func(v finding.Violation) bool { return v.Cause() == cause })
	}
}

// lost tells whether the goal is lost for good where a trace ends, and by the same transition as before.
func (m *shrinker) lost(s System) (bool, error) {
	if m.last != nil {
		if m.edge == nil {
			return false, nil
		}
		if ok, err := canReach(m.edge, m.goal, m.look, 1); err != nil || !ok {
			return false, err
		}
	}
	ok, err := canReach(s, m.goal, m.look, 0)
	return !ok, err
}

func (m *shrinker) dropEdge() {
	if m.edge != nil {
		m.edge.Release()
		m.edge = nil
	}
}

// keepEdge keeps the state before an event that may be the last and critical one.
func (m *shrinker) keepEdge(e Event) {
	m.dropEdge()
	if m.last != nil && e.key() == m.last.key() {
		m.edge = m.sys.Clone()
	}
}

// aimAtCycle lets a trace lead to whichever state of the lasso's cycle, which begins after n events.
func (m *shrinker) aimAtCycle(n int) error {
	sys := m.marks[0].sys.Clone()
	defer sys.Release()
	if err := follow(sys, m.best[:n], m.o.Stop); err != nil {
		return err
	}
	m.best, m.cycle = m.best[:n:n], m.best[n:]
	m.entries = make(map[[2]uint64]int)
	for i, e := range m.cycle {
		if _, ok := m.entries[sys.Hash()]; !ok {
			m.entries[sys.Hash()] = i
		}
		if _, err := fire(sys, e); err != nil {
			return err
		}
	}
	m.ended = func(s System) (bool, error) {
		_, ok := m.entries[s.Hash()]
		return ok, nil
	}
	return nil
}

// rotated gives the cycle from the state to which the trace leads.
func (m *shrinker) rotated() ([]Event, error) {
	if m.cycle == nil {
		return nil, nil
	}
	if err := m.restore(len(m.best)); err != nil {
		return nil, err
	}
	i := m.entries[m.sys.Hash()]
	return slices.Concat(m.cycle[i:], m.cycle[:i]), nil
}

// spent tells whether to give up.
func (m *shrinker) spent() bool {
	return m.o.Meter.events.Load() >= m.until || m.o.Stop != nil && m.o.Stop()
}

// gaveUp tells, now and then, whether the caller does not want to wait any longer: a long trace takes seconds to run.
func (m *shrinker) gaveUp() bool {
	const often = 256
	m.ran++
	return m.ran%often == 0 && m.o.Stop != nil && m.o.Stop()
}

// restore puts m.sys into the state after the first n events of best, from the nearest snapshot, and leaves snapshots on the way.
func (m *shrinker) restore(n int) error {
	i := len(m.marks) - 1
	for m.marks[i].at > n {
		i--
	}
	if m.sys == nil {
		m.sys = m.marks[i].sys.Clone()
	} else {
		m.sys.CopyFrom(m.marks[i].sys)
	}
	apart := max(16, len(m.best)/32)
	for at := m.marks[i].at; at < n; at++ {
		if m.gaveUp() {
			return errStopped
		}
		if _, err := fire(m.sys, m.best[at]); err != nil {
			return err
		}
		m.o.Meter.events.Add(1)
		if last := m.marks[len(m.marks)-1].at; at+1 >= last+apart {
			m.marks = append(m.marks, mark{at: at + 1, sys: m.sys.Clone()})
		}
	}
	return nil
}

// accept takes a better trace, which has its first same events in common with the one before.
func (m *shrinker) accept(trace []Event, same int) {
	for len(m.marks) > 1 && m.marks[len(m.marks)-1].at > same {
		m.marks[len(m.marks)-1].sys.Release()
		m.marks = m.marks[:len(m.marks)-1]
	}
	m.best, m.minimal = trace, false
}

func (m *shrinker) release() {
	for _, k := range m.marks {
		k.sys.Release()
	}
	if m.sys != nil {
		m.sys.Release()
	}
	m.dropEdge()
}

// try runs the first same events of best and then others, as far as they are possible. If that reaches the aim with fewer events
// than best has, it becomes best.
func (m *shrinker) try(same int, then []Event) (bool, error) {
	trace, ok, err := m.attempt(same, then)
	return m.take(ok, trace, same), err
}

// attempt runs the first same events of best and then others, as far as they are possible, and tells what it ran, and whether that reaches the aim.
func (m *shrinker) attempt(same int, then []Event) (trace []Event, ok bool, err error) {
	if err := m.restore(same); err != nil {
		return nil, false, err
	}
	m.dropEdge()
	trace = slices.Clone(m.best[:same])
	for _, e := range then {
		if m.gaveUp() {
			return nil, false, errStopped
		}
		if !m.possible(&e) {
			continue
		}
		if m.strains(e) {
			return nil, false, nil
		}
		m.keepEdge(e)
		step, err := fire(m.sys, e)
		if err != nil {
			return nil, false, err
		}
		m.o.Meter.events.Add(1)
		trace = append(trace, e)
		if over, ok := m.judge(step); over {
			return trace, ok, nil
		}
	}
	if m.ended == nil {
		return nil, false, nil
	}
	ok, err = m.ended(m.sys)
	return trace, ok, err
}

func (m *shrinker) take(ok bool, trace []Event, same int) bool {
	if !ok || len(trace) >= len(m.best) {
		return false
	}
	m.accept(trace, same)
	return true
}

// judge tells whether a trace ends here, and whether it has reached the aim.
func (m *shrinker) judge(s Step) (over, ok bool) {
	if m.reached != nil && m.reached(s) {
		return true, true
	}
	return finding.Spoils(s.Violations), false
}

// strains tells whether an event would spoil a trace that can come in nature.
func (m *shrinker) strains(e Event) bool {
	p, ok := m.sys.(Pacer)
	return ok && m.tight && e != Healing && strain(p, e, m.may) > 0
}

// possible tells whether an event can be fired, or another of its queue with the same outcome, which it is set to then.
func (m *shrinker) possible(e *Event) bool {
	if *e == Healing {
		return true
	}
	m.enabled = m.sys.Enabled(m.enabled[:0])
	if e.Intrudes() || e.Made() || e.Pauses() {
		return can(m.sys, nil, *e)
	}
	i := slices.IndexFunc(m.enabled, func(x Event) bool { return x.key() == e.key() })
	if i >= 0 {
		*e = m.enabled[i]
	}
	return i >= 0
}
