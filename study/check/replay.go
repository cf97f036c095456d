package check

import (
	"fmt"
	"slices"
)

// follow fires the events of a trace that is known to be possible.
func follow(sys System, trace []Event) error {
	for _, e := range trace {
		if _, err := fire(sys, e); err != nil {
			return err
		}
	}
	return nil
}

// Replay runs a trace from the state of the system, which is changed, and calls each with what every event did. An event that is not
// enabled when its turn comes is an error.
func Replay(sys System, trace []Event, each func(i int, step Step) error) error {
	var enabled []Event
	for i, e := range trace {
		enabled = sys.Enabled(enabled[:0])
		if e != Healing && !slices.Contains(enabled, e) {
			return fmt.Errorf("event %d of the trace (%s) is not possible here: the trace is of another firmware or scenario",
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

// confirm runs the finding's trace from the state of the system, which is changed, and tells why it does not show the violation.
func (f *Finding) confirm(sys System) error {
	defer func() { f.Strain = strained(sys) }()
	if f.Kind == Liveness {
		return f.confirmLiveness(sys)
	}
	var last []Violation
	err := Replay(sys, f.Trace, func(i int, step Step) error {
		last = step.Violations
		return nil
	})
	if err != nil {
		return err
	}
	return f.about(last)
}

func (f *Finding) confirmLiveness(sys System) error {
	goal := slices.Index(goalsOf(sys), Goal{Property: f.Property, Mote: f.Mote})
	if goal < 0 {
		return fmt.Errorf("the system has no goal %q%s", f.Property, whose(sys, f.Mote))
	}
	if f.Evidence == Lasso {
		n := len(f.Trace) - f.Cycle
		if err := Replay(sys, f.Trace[:n], nil); err != nil {
			return err
		}
		return checkLasso(sys, f.Trace[n:], goal)
	}
	if err := Replay(sys, f.Trace, nil); err != nil {
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
