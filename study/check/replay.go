package check

import (
	"fmt"
	"slices"

	"motehound/study/finding"
)

// asked tells, now and then, whether the caller does not want to wait any longer: a long trace takes seconds to run.
func asked(stop func() bool, event int) bool {
	const often = 256
	return event%often == often-1 && stop != nil && stop()
}

// follow fires the events of a trace that is known to be possible. The error is errStopped if stop, which may be nil, ended it.
func follow(sys System, trace []Event, stop func() bool) error {
	for i, e := range trace {
		if asked(stop, i) {
			return errStopped
		}
		if _, err := fire(sys, e); err != nil {
			return err
		}
	}
	return nil
}

// replay runs a trace from the state of the system, which is changed, and calls each with what every event did. An event that is not
// enabled when its turn comes is an error.
func replay(sys System, trace []Event, each func(i int, step Step) error) error {
	var enabled []Event
	for i, e := range trace {
		enabled = sys.Enabled(enabled[:0])
		if e != Healing && !can(sys, enabled, e) {
			return fmt.Errorf("event %d of the trace (%s) is not possible here: the trace belongs to another firmware or scenario",
				i+1, sys.Describe(e))
		}
		step, err := fire(sys, e)
		if err != nil {
			return err
		}
		if each == nil {
			continue
		}
		if err := each(i, step); err != nil {
			return err
		}
	}
	return nil
}

// proof is a trace that was replayed, and where it led.
type proof struct {
	sys    System // nil before the first event
	trace  []Event
	broken []finding.Violation // by the last event
}

// drop forgets what was replayed.
func (p *proof) drop() {
	if p.sys != nil {
		p.sys.Release()
	}
	*p = proof{}
}

// confirm replays a finding from a copy of base, or from where the proof stands if that is on the way: findings of one walk are the
// beginnings of one trace. It tells why the violation does not show; the error is errStopped if stop, which may be nil, ended it.
func (p *proof) confirm(base System, f *Finding, stop func() bool) error {
	n := len(p.trace)
	if p.sys == nil || f.Kind != finding.Safety || n > len(f.Trace) || !slices.Equal(p.trace, f.Trace[:n]) {
		p.drop()
		p.sys, n = base.Clone(), 0
	}
	err := f.confirm(p, f.Trace[n:], stop)
	if err != nil || f.Kind != finding.Safety {
		defer p.drop()
	}
	if err == nil {
		f.Replayed, f.Hash, f.Strain = true, p.sys.Hash(), strained(p.sys)
	}
	return err
}

// confirm runs the rest of the finding's trace.
func (f *Finding) confirm(p *proof, rest []Event, stop func() bool) error {
	each := func(i int, step Step) error {
		p.broken = step.Violations
		if asked(stop, i) {
			return errStopped
		}
		return nil
	}
	if f.Kind == finding.Liveness {
		return f.confirmLiveness(p.sys, each)
	}
	if err := replay(p.sys, rest, each); err != nil {
		return err
	}
	p.trace = f.Trace
	return f.about(p.broken)
}

func (f *Finding) confirmLiveness(sys System, each func(int, Step) error) error {
	goal := slices.Index(goalsOf(sys), f.Goal())
	if goal < 0 {
		return fmt.Errorf("the system has no goal %q%s", f.Property, whose(sys, f.Mote))
	}
	if f.Evidence == Lasso {
		n := len(f.Trace) - f.Cycle
		if err := replay(sys, f.Trace[:n], each); err != nil {
			return err
		}
		return checkLasso(sys, f.Trace[n:], goal)
	}
	if err := replay(sys, f.Trace, each); err != nil {
		return err
	}
	if liveOf(sys, nil)[goal] {
		return fmt.Errorf("the goal holds at the end of the trace")
	}
	if f.Evidence == Stuck && slices.ContainsFunc(sys.Enabled(nil), Event.obliged) {
		return fmt.Errorf("events are left at the end of the trace")
	}
	return nil
}

// checkLasso tells why the events, fired from the state of the system, are no fair cycle without the goal. It sets their serials:
// where a cycle is closed, queues have had more events than where it was first seen.
func checkLasso(sys System, cycle []Event, goal int) error {
	if len(cycle) == 0 {
		return fmt.Errorf("the cycle is empty")
	}
	start := sys.Hash()
	obliged, fired := make(map[uint64]bool), make(map[uint64]bool)
	for i, e := range cycle {
		if liveOf(sys, nil)[goal] {
			return fmt.Errorf("the goal holds on the cycle")
		}
		if !e.natural() {
			return fmt.Errorf("something fails on the cycle: %s", sys.Describe(e))
		}
		enabled := sys.Enabled(nil)
		at := slices.IndexFunc(enabled, func(x Event) bool { return x.key() == e.key() })
		if at < 0 {
			return fmt.Errorf("%s is not possible on the cycle", sys.Describe(e))
		}
		for _, x := range enabled {
			if x.obliged() {
				obliged[x.key()] = true
			}
		}
		fired[e.key()] = true
		cycle[i] = enabled[at]
		if _, err := fire(sys, enabled[at]); err != nil {
			return err
		}
	}
	if sys.Hash() != start {
		return fmt.Errorf("the cycle does not come back to its first state")
	}
	for k := range obliged {
		if !fired[k] {
			return fmt.Errorf("the cycle is not fair: an event that stays possible is never fired")
		}
	}
	return nil
}
