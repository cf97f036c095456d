package check

import (
	"slices"

	"motehound/study/finding"
)

// plainer looks for a trace that breaks the goal of a finding with what fails alone: everything else comes in its natural order. Of two
// runs after which a goal is lost for good, that is the one which people want to see, as it is nobody's bad luck; and its critical
// transition is what failed. The found trace tells what may fail, and how often. Where nothing failed, input alone may be what breaks it. The goal
// may be that of another mote.
//
// It changes the finding if there is such a trace, and reports whether there was.
func plainer(base System, f *Finding, o CriticalOptions) (bool, error) {
	o.defaults()
	faults := failures(f.Trace)
	if _, ok := base.(Pacer); !ok || len(faults) == 0 && f.Strain == 0 || slices.Contains(f.Trace, Healing) {
		return false, nil
	}
	const tries = 12
	sys := base.Clone()
	defer sys.Release()
	for i := range uint64(tries) {
		if i > 0 {
			sys.CopyFrom(base)
		}
		track(sys, false)
		t := &trial{o: &o, sys: sys, faults: faults, property: f.Property, choose: chooser{rng: generator(o.Seed, 1<<62|i), weight: o.Weight}}
		lost, err := t.run()
		if err != nil {
			return false, err
		}
		if lost < 0 {
			continue
		}
		f.Mote, f.Trace, f.Since, f.Strain = t.goals[lost].Mote, t.trace, t.held[lost], strained(t.sys)
		if !slices.Contains(f.Motes, f.Mote) {
			f.Motes = append(f.Motes, f.Mote)
			slices.Sort(f.Motes)
		}
		return true, nil
	}
	return false, nil
}

// failures gives the events of a trace that are faults or unfortunate outcomes.
func failures(trace []Event) []Event {
	var list []Event
	for _, e := range trace {
		if e != Healing && !e.natural() {
			list = append(list, e)
		}
	}
	return list
}

// trial is one walk in the natural order, in which something fails once or a few times.
type trial struct {
	o        *CriticalOptions
	sys      System
	faults   []Event
	property string
	choose   chooser
	strategy *strategy
	trace    []Event
	goals    []finding.Goal
	held     []int // after how many events each goal held for the last time
	enabled  []Event
	easy     []Event
	live     []bool
}

// run gives the goal that is lost, -1 for none.
func (t *trial) run() (int, error) {
	const most = 3 // faults
	rng := t.choose.rng
	t.goals = goalsOf(t.sys)
	t.held = make([]int, len(t.goals))
	t.strategy = newStrategy(t.sys, rng).settled()
	faults := 0
	if n := len(t.faults); n > 0 {
		faults = 1 + rng.IntN(min(most, n))
	}
	for n := range max(1, faults) {
		// Some things are lost only if it happens early, others only once the motes know each other.
		const shortest, doublings = 64, 9
		wait := shortest << rng.IntN(doublings)
		if ok, err := t.stroll(wait/2 + rng.IntN(wait/2+1)); err != nil || !ok {
			return -1, err
		}
		if n == faults {
			break
		}
		if ok, err := t.fail(); err != nil || !ok {
			return -1, err
		}
	}
	if ok, err := t.stroll(t.o.Events); err != nil || !ok {
		return -1, err
	}
	return t.lost()
}

// lost gives the goal that can no longer be reached.
func (t *trial) lost() (int, error) {
	for i, g := range t.goals {
		if g.Property != t.property || len(t.trace)-t.held[i] < t.o.Events/2 {
			continue
		}
		ok, err := canReach(t.sys, i, *t.o, uint64(i))
		if err != nil || !ok {
			return i, err
		}
	}
	return -1, nil
}

// stroll goes on for some events, and tells whether that was possible.
func (t *trial) stroll(events int) (bool, error) {
	for n := range events {
		if n%64 == 0 && t.o.Stop != nil && t.o.Stop() {
			return false, errStopped
		}
		t.enabled = t.sys.Enabled(t.enabled[:0])
		t.easy = easily(t.sys, t.enabled, t.easy[:0])
		e, ok := t.choose.natural(t.strategy.among(t.easy))
		if !ok {
			return false, nil
		}
		if ok, err := t.fire(e); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// fail lets something fail that failed in the found trace, as soon as it can, if it can soon.
func (t *trial) fail() (bool, error) {
	const soon = 1000
	want := t.faults[t.choose.rng.IntN(len(t.faults))]
	for range soon {
		t.enabled = t.sys.Enabled(t.enabled[:0])
		i := slices.IndexFunc(t.enabled, func(e Event) bool { return e.key() == want.key() })
		if i >= 0 {
			return t.fire(t.enabled[i])
		}
		if ok, err := t.stroll(1); err != nil || !ok {
			return false, err
		}
	}
	return false, nil
}

// fire fires an event, and tells whether the state still makes sense.
func (t *trial) fire(e Event) (bool, error) {
	step, err := fire(t.sys, e)
	if err != nil {
		return false, err
	}
	t.o.Meter.events.Add(1)
	t.trace = append(t.trace, e)
	t.live = liveOf(t.sys, t.live[:0])
	for i, live := range t.live {
		if live {
			t.held[i] = len(t.trace)
		}
	}
	return !finding.Harmful(step.Violations), nil
}
