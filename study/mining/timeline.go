package mining

import (
	"motehound/observe/intervals"
)

// Step is a stretch of cycles in which one thing executed.
type Step struct {
	From, To uint64 // cycles
	intervals.Active
	Own bool // by the interval's own instance, else by one that came in between; nothing if Instance is 0
}

const (
	maxSteps    = 256  // in the timeline of an interval
	maxSwitches = 4096 // remembered of a mote while intervals are open
)

// timeline is what executed on one mote, for as far back as an interval is open.
type timeline struct{ switches []switched }

type switched struct {
	cycle uint64
	now   intervals.Active
}

// add hears what executes from a cycle on. Without an open interval only the last is worth remembering.
func (t *timeline) add(cycle uint64, now intervals.Active, open bool) {
	if n := len(t.switches); n > 1 && (!open || n == maxSwitches) {
		keep := 1
		if open {
			keep = n / 2
		}
		t.switches = t.switches[:copy(t.switches, t.switches[n-keep:])]
	}
	t.switches = append(t.switches, switched{cycle, now})
}

// cut is the part of an interval.
func (t *timeline) cut(iv *intervals.Interval) []Step {
	var steps []Step
	for i, s := range t.switches {
		to := iv.End
		if i+1 < len(t.switches) {
			to = min(to, t.switches[i+1].cycle)
		}
		from := max(s.cycle, iv.Start)
		if from >= to || len(steps) == maxSteps {
			continue
		}
		own := s.now.Instance != 0 && s.now.Serial == iv.Serial
		steps = append(steps, Step{From: from, To: to, Active: s.now, Own: own})
	}
	return steps
}
