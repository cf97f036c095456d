package check

import (
	"slices"

	"motehound/study/finding"
)

// eased looks for a run that hardware can make to what a finding broke: the found trace, but whatever an event would keep waiting for too
// long comes before it. If there is none, it looks for one in which as few things as possible have to wait. It changes the finding if
// it finds one, and tells whether it did.
func eased(base System, f *Finding, o MinimiseOptions) (bool, error) {
	if _, ok := base.(Pacer); !ok || f.Strain == 0 || f.Kind != finding.Safety {
		return false, nil
	}
	o.defaults()
	e := &easing{o: o, base: base, cause: f.Cause(), limit: o.Meter.events.Load() + o.Events}
	if err := e.survey(f.Trace); err != nil {
		return false, err
	}
	changed := false
	try := func(may map[uint64]bool) (bool, error) {
		trace, err := e.try(f.Trace, may)
		if err != nil || trace == nil {
			return false, err
		}
		g := *f
		g.Trace, g.Since = trace, len(trace)
		if err := confirmed(base, &g, o.interrupted); err != nil {
			return false, err
		}
		*f, changed = g, true
		return true, nil
	}
	if ok, err := try(nil); err != nil || ok {
		return ok, err
	}
	may := make(map[uint64]bool)
	for _, k := range e.late {
		may[k] = true
	}
	for _, k := range e.late {
		if o.Meter.events.Load() >= e.limit {
			break // as few as could be found
		}
		delete(may, k)
		if ok, err := try(may); err != nil {
			return changed, err
		} else if !ok {
			may[k] = true
		}
	}
	return changed, nil
}

// easing is the search for an easier run.
type easing struct {
	o     MinimiseOptions
	base  System
	cause finding.Cause
	limit uint64
	late  []uint64 // what waits for too long in the trace, by key, in order
}

// survey finds out what waits for too long.
func (e *easing) survey(trace []Event) error {
	sys := e.base.Clone()
	defer sys.Release()
	track(sys, false)
	p := sys.(Pacer)
	for i, x := range trace {
		if asked(e.o.Stop, i) {
			return errStopped
		}
		if x != Healing {
			p.Overdue(x, func(what Event, _ uint64) {
				if k := what.key(); !slices.Contains(e.late, k) {
					e.late = append(e.late, k)
				}
			})
		}
		if _, err := fire(sys, x); err != nil {
			return err
		}
	}
	return nil
}

// try runs a trace so that only certain things wait for too long; nil if that does not break what it should.
func (e *easing) try(trace []Event, may map[uint64]bool) ([]Event, error) {
	sys := e.base.Clone()
	defer sys.Release()
	track(sys, false)
	m := &shrinker{o: e.o, sys: sys, tight: true, may: may}
	m.aimAt(e.cause)
	return m.ease(trace)
}

// ease runs a trace so that nothing waits for too long, and gives the run that reaches the aim; nil if it does not.
func (m *shrinker) ease(trace []Event) ([]Event, error) {
	most := 4*len(trace) + 1000
	var run []Event
	for _, e := range trace {
		for done := false; !done; {
			if m.gaveUp() {
				return nil, errStopped
			}
			if len(run) == most {
				return nil, nil
			}
			if !m.possible(&e) {
				break
			}
			next := e
			if done = !m.strains(e); !done {
				var ok bool
				if next, ok = m.waiting(e); !ok {
					break // nothing can come before it
				}
			}
			step, err := fire(m.sys, next)
			if err != nil {
				return nil, err
			}
			m.o.Meter.events.Add(1)
			run = append(run, next)
			if over, ok := m.judge(step); over {
				if !ok {
					run = nil
				}
				return run, nil
			}
		}
	}
	return nil, nil
}

// waiting is what has to come before an event of the same mote.
func (m *shrinker) waiting(e Event) (Event, bool) {
	return soonest(m.sys.(Pacer), m.enabled, e.Mote, m.may)
}

// counting is how many findings are violations.
func (r *Report) counting() int {
	n := 0
	for _, f := range r.Findings {
		if f.Counts() {
			n++
		}
	}
	return n
}
