package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/job/document"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/study/travel"
)

// explored is an explored run as it was opened.
type explored struct {
	subject *subject
	trace   []check.Event
	found   *finding.Violation
}

// chosen is an event of a path.
type chosen struct {
	check.Event
	natural bool // it is the one that is due first
}

// explore opens a run whose events are to be chosen.
func (f *Debug) explore(ctx context.Context, h Host) (*Journey, error) {
	of := NewCheck(f.File)
	of.World = f.World
	of.Stagger = 0 // as check has it
	s, err := of.subject(ctx, h)
	if err != nil {
		return nil, err
	}
	j := &Journey{Recipe: s.recipe, own: &explored{subject: s}}
	return j, j.Follow(ctx, "")
}

// mostSteps is how many events a path has at most.
const mostSteps = 20_000

// Follow takes another path: "" is that of the run itself. Its parts have dots between them: t17 is the first 17 events of the run itself, n5 is five events in the natural
// order, and 0_interrupt_19 is an event.
func (j *Journey) Follow(ctx context.Context, path string) error {
	if j.own == nil {
		return errors.New("this run has a clock: only a run of events can take another path")
	}
	trace, found := j.own.trace, j.own.found
	if path != "" {
		found = nil
	}
	list, err := j.resolve(ctx, path)
	if err != nil {
		return err
	}
	if path != "" {
		trace = nil
		for _, e := range list {
			trace = append(trace, e.Event)
		}
	}
	s := j.own.subject
	next := Journey{Recipe: j.Recipe, own: j.own, chosen: list, Found: found, again: func(ctx context.Context, h Host) error { return s.observe(ctx, trace, h) }}
	told := s.base.Clone().(*explore.System)
	defer told.Release()
	err = told.Tell(trace, func(_ int, b explore.Beat, step check.Step) error {
		b.Changed = nil
		next.Beats = append(next.Beats, Beat{b, step.Violations})
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return &Unfinished{}
	}
	if err == nil {
		next.Traveller, err = travel.Explored(s.base.(*explore.System), trace)
	}
	if err != nil {
		return err
	}
	*j = next
	return nil
}

// resolve is the events of a path.
func (j *Journey) resolve(ctx context.Context, path string) (list []chosen, err error) {
	s := listing(j.own.subject.base.(*explore.System))
	defer s.Release()
	fire := func(e chosen) error {
		if list = append(list, e); len(list) > mostSteps {
			return fmt.Errorf("the path has more than %d events", mostSteps)
		}
		if ctx.Err() != nil {
			return &Unfinished{}
		}
		if e.Event == check.Healing {
			s.Heal()
			return nil
		}
		_, err := s.Fire(e.Event)
		return err
	}
	if path == "" {
		for _, e := range j.own.trace {
			list = append(list, chosen{Event: e})
		}
		return list, nil
	}
	for _, part := range strings.Split(path, ".") {
		count, failed := strconv.Atoi(part[min(1, len(part)):])
		switch {
		case failed == nil && count >= 0 && part[0] == 't' && len(list) == 0 && count <= len(j.own.trace):
			for _, e := range j.own.trace[:count] {
				err = errors.Join(err, fire(chosen{Event: e}))
			}
		case failed == nil && count >= 0 && part[0] == 'n':
			for ; count > 0 && err == nil; count-- {
				e, ok := j.due(s)
				if !ok {
					return list, nil // nothing more happens by itself
				}
				err = fire(chosen{e, true})
			}
		default:
			var e check.Event
			if e, err = check.ParseEvent(strings.ReplaceAll(part, "_", " ")); err == nil {
				enabled := s.Enabled(nil)
				at := slices.IndexFunc(enabled, func(x check.Event) bool { return x.Text() == e.Text() })
				if at < 0 {
					return nil, fmt.Errorf("event %d of the path, %s, cannot happen there", len(list)+1, part)
				}
				first, ok := j.due(s)
				err = fire(chosen{enabled[at], ok && first == enabled[at]})
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// listing is a copy of a system that also lists interrupts in the middle of something.
func listing(s *explore.System) *explore.System {
	c := s.Clone().(*explore.System)
	c.List(true)
	return c
}

// due is the event that is due first, by the time for which motes have run.
func (j *Journey) due(s *explore.System) (first check.Event, ok bool) {
	base := j.own.subject.base.(*explore.System)
	when := func(e check.Event) uint64 { return max(s.Clock(e.Mote), s.Due(e)) - base.Clock(e.Mote) }
	for _, e := range s.Enabled(nil) {
		if e.Class == check.Fault || e.Option != 0 || e.Intrudes() || e.Made() {
			continue
		}
		if !ok || when(e) < when(first) {
			first, ok = e, true
		}
	}
	return first, ok
}

// path names the first events of the path that is taken.
func (j *Journey) path(events int) string {
	var parts []string
	own := 0
	for own < min(events, len(j.own.trace)) && j.chosen[own].Event == j.own.trace[own] {
		own++
	}
	if own > 0 || events == 0 {
		parts = append(parts, fmt.Sprintf("t%d", own))
	}
	for at := own; at < events; at++ {
		run := 0
		for at+run < events && j.chosen[at+run].natural {
			run++
		}
		if run > 0 {
			parts = append(parts, fmt.Sprintf("n%d", run))
			at += run - 1
			continue
		}
		parts = append(parts, strings.ReplaceAll(j.chosen[at].Text(), " ", "_"))
	}
	return strings.Join(parts, ".")
}

// mostChoices is how many are listed.
const mostChoices = 300

// Choices is what can happen where the traveller is, and how the goals stand.
func (j *Journey) Choices() (*document.Choices, error) {
	if j.System() == nil {
		return nil, errors.New("this run has a clock: only in a run of events can one choose what comes next")
	}
	s := listing(j.System())
	defer s.Release()
	before := j.Here().Event - 1
	path := j.path(before)
	d := &document.Choices{At: document.MomentOf(travel.Point{Event: before + 1}), Path: path, Choices: []document.Choice{}, Goals: []document.GoalState{}}
	first, ok := j.due(s)
	for _, e := range s.Enabled(nil) {
		if len(d.Choices) == mostChoices {
			d.More++
			continue
		}
		d.Choices = append(d.Choices, document.Choice{Path: path + "." + strings.ReplaceAll(e.Text(), " ", "_"), Mote: j.id(int(e.Mote)), Kind: e.Class.String(), Title: s.Title(e),
			Natural: ok && e == first, Fault: !e.Intrudes() && (e.Class == check.Fault || e.Option != 0), Inside: e.Intrudes()})
	}
	live := s.Live(nil)
	for i, g := range s.Goals() {
		d.Goals = append(d.Goals, document.GoalState{Name: g.Property, Mote: j.id(int(g.Mote)), Holds: live[i]})
	}
	return d, nil
}
