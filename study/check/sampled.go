package check

import (
	"cmp"
	"errors"
	"slices"

	"motehound/study/finding"
)

// explainSampled explains a goal that did not hold for a long time. If long walks, as long as a goal may take, reach it from the end of the
// trace, it was late. To find the critical transition, and to make the trace short, takes many walks, which are short at first. What
// comes of that is believed only if long walks do not reach the goal either; else all is done again with walks of that length.
func (r *runner) explainSampled(f *Finding) (late bool, err error) {
	found := *f
	defer func() {
		if errors.Is(err, errStopped) {
			*f = found
		}
	}()
	short := r.o.Critical
	short.defaults()
	if f.doubted() {
		if r.looked == nil {
			r.looked = make(map[finding.Cause]bool)
		}
		r.looked[f.Cause()] = true
		if plain, err := plainer(r.base, f, short); err != nil || !plain {
			return false, err // to wait for the goal would tell nothing, and take long
		}
	}
	long := short
	long.Walks, long.Events = 2, max(short.Events, cmp.Or(r.o.Walk.Threshold, DefaultThreshold))
	long.within = withinOf(r.base, slices.Index(goalsOf(r.base), f.Goal()))
	long.span = new(uint64)
	if lost, err := r.lost(f, len(f.Trace), long); err != nil || !lost {
		return !lost, err
	}
	f.Suspected, f.Waited = false, *long.span
	if err := confirmed(r.base, f, r.o.Interrupted); err != nil {
		return false, err
	}
	found = *f
	for _, c := range []CriticalOptions{short, long} {
		*f = found
		if _, err := plainer(r.base, f, c); err != nil {
			return false, err
		}
		if f.Critical, err = findCritical(r.base, f.Trace, f.Goal(), c); err != nil {
			return false, err
		}
		if f.Critical == nil {
			continue // a plainer trace, after which it was only late
		}
		whole := *f
		m := r.o.Minimise
		m.Reach = c.Events
		if err := minimise(r.base, f, m); err != nil {
			return false, err
		}
		for _, g := range []*Finding{f, &whole} {
			long.span = new(uint64)
			lost, err := r.lost(g, g.Critical.After, long)
			if err != nil {
				return false, err
			}
			if !lost {
				continue
			}
			*f = *g
			f.Critical.Walks, f.Critical.Events, f.Critical.Span = long.Walks, long.Events, *long.span
			return false, confirmed(r.base, f, r.o.Interrupted)
		}
	}
	*f = found
	return false, confirmed(r.base, f, r.o.Interrupted)
}

// lost tells whether no walk reaches the goal of a finding from behind some events of its trace.
func (r *runner) lost(f *Finding, after int, o CriticalOptions) (bool, error) {
	r.o.Meter.does("waiting for the goal of %s", r.which)
	defer r.o.Meter.does("shortening %s", r.which)
	sys := r.base.Clone()
	defer sys.Release()
	track(sys, false)
	if err := follow(sys, f.Trace[:after], o.Stop); err != nil {
		return false, err
	}
	o.heal = slices.Contains(f.Trace, Healing)
	goal := slices.Index(goalsOf(sys), f.Goal())
	reached, err := canReach(sys, goal, o, uint64(after))
	return !reached, err
}

// doubts is how many goals were looked at and are doubted.
func (r *runner) doubts() int {
	n := 0
	for cause, f := range r.catalog.byCause {
		if f.doubted() && (r.told[f] || r.final[cause]) {
			n++
		}
	}
	return n
}
