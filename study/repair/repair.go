// Package repair works out what is to be done about a race that package explore has found: whether the wrong value was used.
//
// Invariants: nothing is changed in the system that is given; what is worked out depends on it and on the trace alone.
package repair

import (
	"fmt"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
)

// Of works out the race that a trace ends with. It is nil if there is none.
func Of(base *explore.System, trace []check.Event, cause finding.Cause) (*explore.Raced, error) {
	s := base.Clone().(*explore.System)
	defer s.Release()
	for n, e := range trace {
		if n == len(trace)-1 {
			if r, err := s.Raced(cause, e); r != nil || err != nil {
				return r, err
			}
		}
		if e == check.Healing {
			s.Heal()
		} else if _, err := s.Fire(e); err != nil {
			return nil, fmt.Errorf("event %d of the trace: %w", n+1, err)
		}
	}
	return nil, nil
}
