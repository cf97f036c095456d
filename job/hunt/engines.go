package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"motehound/job"
	"motehound/job/document"
)

// within ends a context when a budget is spent. Without a budget, or a clock, nothing does.
func within(ctx context.Context, h job.Host, budget time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	if budget > 0 && h.After != nil {
		alarm := h.After(budget)
		select {
		case <-alarm: // at once
			cancel()
		default:
			go func() {
				select {
				case <-alarm:
					cancel()
				case <-ctx.Done():
				}
			}()
		}
	}
	return ctx, cancel
}

// perSecond is how many events a second of a mote's own time counts for.
const perSecond = 100

// run makes timed runs with the built-in checks on: an ordinary one, then others with other seeds, drifting crystals and lossy links.
func (x *hunt) run(w job.World) func(context.Context, job.Host, slice) (*outcome, error) {
	const most = 4 // runs: what they can show differs little
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		f := job.Run{World: w, File: x.File, Out: s.out, Bundle: true}
		if s.number > 0 {
			f.Seed = &s.seed
		}
		if s.number > 0 && !x.about.Scenario {
			f.Drift, f.Loss = 50, 0.1*float64(s.number)
		}
		ctx, cancel := within(ctx, h, s.budget/2)
		defer cancel()
		got, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		d := got.Document
		o := &outcome{events: 1 + uint64(d.TimeS*perSecond)*uint64(len(d.Motes)), done: s.number+1 == most}
		bundle := filepath.Join(s.out, "recipe.zip")
		for i := range d.Findings {
			o.sights = append(o.sights, ranSight(&d.Findings[i], bundle))
		}
		for i := range d.Violations {
			o.sights = append(o.sights, violatedSight(&d.Violations[i], bundle))
		}
		return o, nil
	}
}

// check tries orders of events: walks first, which reach far; once also every order of few events. Where something comes in from outside that is done at once, if there
// is a budget that ends it: programs that wait in a loop are slow to walk through, and go wrong early.
func (x *hunt) check(w job.World, soon bool) func(context.Context, job.Host, slice) (*outcome, error) {
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		f := job.NewCheck(x.File)
		x.walking(&f, w, s)
		f.Mode = "walk"
		if s.number == 2 || soon && s.number == 0 && s.budget > 0 {
			f.Mode = "both"
		}
		const shortest, part = 10_000, 5
		events := int(min(max(shortest, s.events/part), job.UsualEvents))
		if x.about.Goals && s.from == nil { // shorter walks cannot tell that a goal is lost
			events = f.Threshold + f.Threshold/2
		}
		f.Events = &events
		got, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		o := explored(got.Document, "check")
		o.covered = got.Exercised()
		o.done = got.Document.Verdict == document.Holds
		return o, nil
	}
}

// fuzz makes inputs up.
func (x *hunt) fuzz(w job.World) func(context.Context, job.Host, slice) (*outcome, error) {
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		f := job.NewFuzz(x.File)
		x.walking(&f.Check, w, s)
		got, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		o := explored(&got.Document.Checked, "fuzz")
		o.covered, o.inputs, o.listens = got.Covered, got.Document.Inputs, got.Document.Listens
		o.done = len(o.listens) == 0
		return o, nil
	}
}

// walking is what check and fuzz have in common.
func (x *hunt) walking(f *job.Check, w job.World, s slice) {
	f.World, f.Stagger = w, 0
	f.Seed, f.Total, f.Budget, f.Threads = &s.seed, s.events, s.budget, x.Threads
	f.Out, f.Bundle, f.NoRepair, f.Benign, f.Resume = s.out, true, true, s.benign, s.again > 0
	f.From = s.from
	const least = 20_000
	f.Shorten = min(f.Shorten, max(least, s.events)) // not more than it took to find
	f.All = s.number > 0                             // the first one stops at its first finding, so that that is known soon
}

// explored is what check and fuzz have found.
func explored(d *document.Checked, engine string) *outcome {
	o := &outcome{events: max(1, d.Explored.Events), orders: d.Explored.Walks + d.Explored.States}
	for _, f := range d.Findings {
		switch {
		case f.Suspected:
			o.open = true
			o.doubtful = append(o.doubtful, fmt.Sprintf("whether %q is only late: %s could not decide", f.Property, engine))
		case f.With > 0: // it comes of the one that it is with
		default:
			o.sights = append(o.sights, exploredSight(f))
		}
	}
	return o
}
