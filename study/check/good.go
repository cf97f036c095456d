package check

import (
	"slices"

	"motehound/study/finding"
)

// Good is a run in which all is well, and which leaves the trace of a finding late.
type Good struct {
	Common int     // events with which both begin
	Rest   []Event // what comes then in the good one
}

// NearestGood makes runs that leave the trace of a finding, those that leave it last first, with one event that is another one; then the rest of the trace follows,
// as far as it can and unless that breaks something, and then everything in its natural order. It gives the first run that breaks nothing, and at whose end the finding's goal holds, if that is what the finding is about; nil if there is none.
func NearestGood(base System, f *Finding, stop func() bool) (*Good, error) {
	g := &goodSearch{f: f, goal: -1, after: 200, stop: stop}
	trace := f.Trace
	if f.Kind == finding.Liveness {
		if g.goal = slices.Index(goalsOf(base), f.Goal()); g.goal < 0 || f.Critical == nil || f.Critical.After == 0 {
			return nil, nil
		}
		trace, g.after, g.most = trace[:f.Critical.After], 2000, f.Critical.Reach
	}
	if _, ok := base.(Pacer); !ok {
		return nil, nil
	}
	sys := base.Clone()
	defer sys.Release()
	track(sys, false)
	places := partings(trace)
	var states []System
	defer func() {
		for _, s := range states {
			s.Release()
		}
	}()
	at := 0
	for _, n := range places {
		if err := follow(sys, trace[at:n], stop); err != nil {
			return nil, err
		}
		states, at = append(states, sys.Clone()), n
	}
	for i, n := range slices.Backward(places) {
		others := g.instead(states[i], trace[n])
		if len(others) == 0 && trace[n].outside() && g.goal < 0 {
			return &Good{Common: n}, nil // nothing happens without it
		}
		for _, along := range []bool{true, false} {
			for _, e := range others {
				sys.CopyFrom(states[i])
				track(sys, false)
				rest, err := g.goOn(sys, e, trace[n:], along)
				if err != nil || rest != nil {
					return &Good{n, rest}, err
				}
			}
		}
	}
	return nil, nil
}

// partings are the places of a trace at which another choice is tried, in order: the last ones, and before them those where something was chosen that nature does not choose by itself.
func partings(trace []Event) (places []int) {
	const last, odd = 8, 16
	found := 0
	for n, e := range slices.Backward(trace) {
		chosen := !e.natural() || e.Intrudes() || e.outside()
		if n >= len(trace)-last || chosen && found < odd {
			places = append(places, n)
		}
		if chosen {
			found++
		}
	}
	slices.Reverse(places)
	return places
}

// outside tells whether the event comes from outside of all motes.
func (e Event) outside() bool { return e.Made() || e.Class == Input }

// goodSearch looks for a good run.
type goodSearch struct {
	f     *Finding
	goal  int // the goal's number; -1 for none
	after int // for how many events nothing may break
	most  int // how many more a goal may take
	stop  func() bool
}

// instead are the events to try in place of one: the same without what comes into it, and what comes first in nature.
func (g *goodSearch) instead(sys System, e Event) (list []Event) {
	enabled := slices.DeleteFunc(easily(sys, sys.Enabled(nil), nil), func(x Event) bool { return x == e || !x.natural() })
	if i := slices.IndexFunc(enabled, func(x Event) bool { return x.Mote == e.Mote && x.Class == e.Class && x.Source == e.Source }); i >= 0 {
		list = append(list, enabled[i])
	}
	if x, ok := newStrategy(sys, generator(1, 0)).settled().first(enabled); ok && !slices.Contains(list, x) {
		list = append(list, x)
	}
	return list
}

// goOn makes a run that begins with an event, in place of the rest of the trace, and gives it if it ends well. An interrupt that came in the middle of the event
// comes behind it. Along says to follow the trace then.
func (g *goodSearch) goOn(sys System, e Event, bad []Event, along bool) (rest []Event, err error) {
	long := len(bad) + g.after
	var next []Event
	if bad[0].Intrudes() {
		next = append(next, Event{Mote: bad[0].Mote, Source: uint16(bad[0].Option)})
	}
	if along {
		next = append(next, bad[1:]...)
	}
	choose := chooser{rng: generator(1, 0)}
	order := newStrategy(sys, choose.rng).settled()
	var enabled []Event
	var live []bool
	for n := 0; ; n++ {
		if n%64 == 63 && g.stop != nil && g.stop() {
			return nil, errStopped
		}
		step, err := fire(sys, e)
		if err != nil {
			return nil, err
		}
		if finding.Harmful(step.Violations) || slices.ContainsFunc(step.Violations, func(v finding.Violation) bool { return v.Cause() == g.f.Cause() }) {
			return nil, nil
		}
		rest = append(rest, e)
		if live = liveOf(sys, live[:0]); len(rest) >= long && (g.goal < 0 || live[g.goal]) {
			return rest, nil
		}
		if len(rest) >= long+g.most {
			return nil, nil
		}
		enabled = easily(sys, sys.Enabled(enabled[:0]), nil)
		var ok bool
		if e, ok = follows(sys, enabled, next); ok {
			next = next[1:]
			continue
		}
		next = nil
		if e, ok = choose.natural(order.among(enabled)); !ok {
			if g.goal < 0 {
				return rest, nil // nothing can happen any more
			}
			return nil, nil
		}
	}
}

// follows is the next event of a list, if it can happen now.
func follows(sys System, enabled, list []Event) (Event, bool) {
	if len(list) == 0 {
		return Event{}, false
	}
	e := list[0]
	if e.Made() && can(sys, enabled, e) {
		return e, true
	}
	i := slices.IndexFunc(enabled, func(x Event) bool { return x.key() == e.key() })
	if i < 0 {
		return Event{}, false
	}
	return enabled[i], true
}
