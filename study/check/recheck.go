package check

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/finding"
)

// Recheck lists what a finding says of its goal that does not show: that the events of its cycle lead back to where they began, for ever
// without the goal, and that the goal is in reach before the critical transition and out of reach after it. It always uses the same random
// walks, so that a finding that has passed once passes again, wherever it is replayed. The error is errStopped if stop, which may be nil,
// ended it.
func Recheck(base System, f *Finding, threads int, stop func() bool) (differs []string, err error) {
	if f.Kind != finding.Liveness {
		if f.Cycle != 0 || f.Critical != nil {
			return []string{"only a goal has a cycle or a critical transition"}, nil
		}
		return nil, nil
	}
	goal := slices.Index(goalsOf(base), finding.Goal{Property: f.Property, Mote: f.Mote})
	way := len(f.Trace) - f.Cycle // to the cycle
	switch c := f.Critical; {
	case goal < 0:
		return nil, fmt.Errorf("the system has no goal %q%s", f.Property, whose(base, f.Mote))
	case f.Cycle < 0 || way < 0:
		return []string{fmt.Sprintf("a cycle of %d events does not fit into a trace of %d", f.Cycle, len(f.Trace))}, nil
	case c != nil && (c.After < 1 || c.After > way):
		return []string{fmt.Sprintf("event %d cannot be the critical transition of %d events", c.After, way)}, nil
	}
	sys := base.Clone()
	defer sys.Release()
	if f.Cycle > 0 {
		if err := follow(sys, f.Trace[:way], stop); err != nil {
			return nil, err
		}
		if err := checkLasso(sys, slices.Clone(f.Trace[way:]), goal); err != nil {
			differs = append(differs, fmt.Sprintf("the last %d events cannot repeat for ever: %v", f.Cycle, err))
		}
	}
	if f.Critical == nil {
		return differs, nil
	}
	sys.CopyFrom(base)
	why, err := recheckCritical(sys, f, goal, threads, stop)
	if why != "" {
		differs = append(differs, why)
	}
	return differs, err
}

// recheckCritical tells why the transition is not the critical one; nothing if it is.
func recheckCritical(sys System, f *Finding, goal, threads int, stop func() bool) (string, error) {
	after := f.Critical.After
	track(sys, false)
	if err := follow(sys, f.Trace[:after-1], stop); err != nil {
		return "", err
	}
	o := CriticalOptions{Events: f.Critical.Reach, Threads: threads, Stop: stop, heal: slices.Contains(f.Trace, Healing)}
	o.defaults()
	before := o
	before.within = withinOf(sys, goal)
	if ok, err := canReach(sys, goal, before, uint64(after-1)); err != nil {
		return "", err
	} else if !ok {
		return fmt.Sprintf("event %d is not the critical transition: the goal is not reached from before it either", after), nil
	}
	if err := follow(sys, f.Trace[after-1:after], nil); err != nil {
		return "", err
	}
	o.Walks = 8 // all of them are run where the finding is right
	if ok, err := canReach(sys, goal, o, uint64(after)); err != nil || !ok {
		return "", err
	}
	return fmt.Sprintf("event %d is not the critical transition: the goal is reached from after it, too", after), nil
}

// proveCritical leaves out a critical transition that Recheck would not believe: luck with the walks has made it up.
func (r *runner) proveCritical(f *Finding) error {
	if f.Critical == nil || !f.Critical.Reached {
		return nil
	}
	differs, err := Recheck(r.base, f, r.o.Threads, r.o.Stop)
	if len(differs) > 0 || errors.Is(err, errStopped) {
		f.Critical = nil
	}
	return err
}
