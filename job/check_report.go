package job

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"motehound/job/document"
	"motehound/study/check"
	"motehound/study/finding"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// document tells what was found, and keeps recipes.
func (f *Check) document(s *subject, r *check.Report, told []*telling, c *verdict.Case, took time.Duration) (*document.Checked, error) {
	d := &document.Checked{Verdict: c.Verdict(), LeftOut: document.List(c.LeftOut), Stopped: r.Stopped, TimeS: took.Seconds(), Findings: []*document.Found{},
		Explored: document.Explored{Events: r.Stats.Events, States: r.Stats.States, Walks: r.Stats.Walks}}
	if r.Search != nil {
		d.Search = &document.Searched{Depth: r.Search.Depth, Complete: r.Search.Complete, Exhausted: r.Search.Exhausted,
			Reduction: f.Reduce, Odds: check.CollisionOdds(r.Stats.States)}
	}
	for n, found := range r.Findings {
		x := told[n].Found
		x.With = 1 + slices.IndexFunc(r.Findings[:n], func(g *check.Finding) bool {
			return g.Kind == finding.Safety && found.Kind == finding.Safety && g.Rank < found.Rank && slices.Equal(g.Trace, found.Trace)
		})
		d.Findings = append(d.Findings, x)
		if f.Out == "" {
			continue
		}
		x.Recipe = filepath.Join(f.Out, fmt.Sprintf("finding-%d.json", n+1))
		rec := s.recipeOf(found, told[n].hash)
		if err := Movable(rec, f.Out).Write(x.Recipe); err != nil {
			return nil, err
		}
		var err error
		if x.Bundle, err = s.bundler.Write(rec, x.Recipe); err != nil {
			return nil, err
		}
	}
	if f.Out != "" && !s.fed { // what fuzz keeps has more
		return d, KeepReport(f.Out, d)
	}
	return d, nil
}

// id is a mote's node id.
func (s *subject) id(mote int16) int {
	if mote < 0 || int(mote) >= len(s.cfg.Motes) {
		return -1
	}
	return int(s.cfg.Motes[mote].ID)
}

// recipeOf is a finding as a recipe.
func (s *subject) recipeOf(f *check.Finding, hash string) *recipe.Recipe {
	r := *s.recipe
	r.Hash = hash
	r.Explored = &recipe.Explored{Skew: s.skew, Preempt: s.preempt, Property: f.Property, Kind: string(f.Kind), Mote: int(f.Mote),
		Function: f.Function, File: f.File, Line: f.Line, Detail: f.Detail, Cycle: f.Cycle}
	if f.Critical != nil && f.Critical.Reached {
		r.Explored.Critical, r.Explored.Reach = f.Critical.After, f.Critical.Reach
	}
	r.Explored.Inputs = madeInputs(f.Inputs)
	for _, e := range f.Trace {
		r.Explored.Events = append(r.Explored.Events, e.Text())
	}
	return &r
}

// traceOf is the events of a recipe.
func traceOf(x *recipe.Explored) ([]check.Event, error) {
	list := make([]check.Event, len(x.Events))
	for i, text := range x.Events {
		var err error
		if list[i], err = check.ParseEvent(text); err != nil {
			return nil, fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	return list, nil
}
