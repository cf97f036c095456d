// Package repair works out what is to be done about a race that package explore has found: whether the wrong value was used, and which
// lines have to be atomic. That these are enough is tried: the emulator runs them with interrupts off, and orders of events round the one that was
// found are searched once more. If the race is still there, the section is widened, or another one is added.
//
// Invariants: nothing is changed in the system that is given; what is worked out depends on it and on the trace alone.
package repair

import (
	"fmt"
	"slices"
	"strings"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
)

// Repair is what is known of a race.
type Repair struct {
	Variable string // that both touch
	Wrong    string // that has a value which it has in neither order
	Use      explore.Use
	Sections []explore.Section // to be atomic; none if nothing is known that helps
	Proof    Proof
}

// Proof is how it is known that sections are enough.
type Proof struct {
	Proven bool   // every order was tried, up to Depth events behind the first After of the trace, and none has the race
	Why    string // not
	After  int
	Depth  int
	Events uint64 // transitions that were tried
	Waits  uint64 // for how many cycles interrupts are off, at most
}

// Options bound the work.
type Options struct {
	Events uint64      // transitions of the search for one proof; 0 for 2,000
	Stop   func() bool // nobody waits any more; nil for never
}

// Bounds.
const (
	usualEvents = 2_000
	mostTries   = 6 // sections, one wider than the other
	shortTrace  = 8 // a trace so short is searched from its beginning
	beyond      = 6 // events more than the trace has
	atLeast     = 2 // so many events must have been searched
)

// Of works out the race that a trace ends with. It is nil if there is none. What cannot be worked out the proof says: the finding stands all the same.
func Of(base *explore.System, trace []check.Event, cause finding.Cause, opt Options) (*Repair, error) {
	if opt.Events == 0 {
		opt.Events = usualEvents
	}
	s := base.Clone().(*explore.System)
	defer s.Release()
	found, err := follow(s, trace, func(v finding.Violation, _ string) bool { return v.Cause() == cause })
	if found == nil || err != nil {
		return nil, err
	}
	r := &Repair{Variable: found.Variable, Wrong: found.Wrong}
	r.Use, err = found.Use()
	if err == nil && found.Advice != "" {
		r.Proof = Proof{Why: found.Advice}
		return r, nil
	}
	var section *explore.Section
	if err == nil {
		section, err = found.Section()
	}
	if err == nil {
		err = r.prove(base, trace, found.Object, section, opt)
	}
	if err != nil {
		r.Proof = Proof{Why: fmt.Sprintf("it could not be tried: %v", err)}
	}
	return r, nil
}

// follow runs a trace up to where a race is possible that is asked for: before its last event, or behind it.
func follow(s *explore.System, trace []check.Event, asked func(finding.Violation, string) bool) (*explore.Raced, error) {
	for n, e := range trace {
		if n == len(trace)-1 {
			if r, err := s.Raced(e, asked); r != nil || err != nil {
				return r, err
			}
		}
		if err := fire(s, e); err != nil {
			return nil, fmt.Errorf("event %d of the trace: %w", n+1, err)
		}
	}
	return s.Raced(check.Event{}, asked)
}

func fire(s *explore.System, e check.Event) error {
	if e == check.Healing {
		s.Heal()
		return nil
	}
	_, err := s.Fire(e)
	return err
}

// prove tries a section, and wider ones.
func (r *Repair) prove(base *explore.System, trace []check.Event, object string, next *explore.Section, opt Options) error {
	var tried []explore.Section
	for range mostTries {
		if next == nil {
			r.Proof = Proof{Why: "the accesses are in functions of which none calls the other"}
			return nil
		}
		tried = append(slices.DeleteFunc(tried, func(x explore.Section) bool { return next.Contains(&x) }), *next)
		s, err := base.With(tried)
		if err != nil {
			r.Proof = Proof{Why: fmt.Sprintf("with interrupts off there, %v", err)}
			return nil
		}
		var still *explore.Raced
		r.Proof, still, next, err = attempt(s, trace, object, opt)
		s.Release()
		if err != nil {
			return err
		}
		if still == nil {
			r.Sections = tried
			return nil
		}
	}
	r.Proof.Why = fmt.Sprintf("the race is still there after %d attempts, each with a longer section", mostTries)
	return nil
}

// attempt searches for a race of a variable round a trace. It gives the race, and the section that helps against it.
func attempt(s *explore.System, trace []check.Event, object string, opt Options) (p Proof, still *explore.Raced, next *explore.Section, err error) {
	p.After, err = approach(s, trace)
	if err != nil {
		return p, nil, nil, err
	}
	asked := func(_ finding.Violation, of string) bool { return of == object }
	for depth := 1; depth <= len(trace)-p.After+beyond; depth++ {
		if p.Events >= opt.Events {
			break
		}
		meter := new(check.Meter)
		found, err := check.Search(s, check.SearchOptions{Depth: depth, Reduce: check.Dynamic, Events: opt.Events - p.Events, Stop: opt.Stop, Meter: meter})
		if err != nil {
			return p, nil, nil, err
		}
		p.Events += meter.Stats().Events
		for _, f := range found.Findings {
			if !f.Harmless {
				p.Why = fmt.Sprintf("with interrupts off there, something else goes wrong (%s)", f.Property)
			}
			if !strings.HasPrefix(f.Property, explore.RacePrefix) {
				continue
			}
			at := s.Clone().(*explore.System)
			defer at.Release()
			if still, err = follow(at, f.Trace, asked); err != nil {
				return p, nil, nil, err
			}
			if still != nil {
				next, err = still.Section()
				return p, still, next, err
			}
		}
		if !found.Complete {
			break
		}
		p.Depth = depth
	}
	p.Waits = s.Waited()
	if p.Why == "" && p.Events == 0 {
		p.Why = "nothing can happen there any more"
	}
	if p.Why == "" && p.Depth < atLeast {
		p.Why = "there are too many orders to try them all"
		if opt.Stop != nil && opt.Stop() {
			p.Why = "no time was left to try it"
		}
	}
	p.Proven = p.Why == ""
	return p, nil, nil, nil
}

// approach runs the events of a trace before its last one, unless it is so short that it can be searched as a whole. Those that are not possible
// any more are left out.
func approach(s *explore.System, trace []check.Event) (after int, err error) {
	if len(trace) <= shortTrace {
		return 0, nil
	}
	for _, e := range trace[:len(trace)-1] {
		if e != check.Healing && !s.Intrudes(e) && !s.Pauses(e) && !slices.Contains(s.Enabled(nil), e) {
			continue
		}
		if err := fire(s, e); err != nil {
			return 0, err
		}
	}
	return len(trace) - 1, nil
}
