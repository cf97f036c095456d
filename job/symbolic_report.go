package job

import (
	"fmt"
	"path/filepath"
	"time"

	"motehound/job/document"
	"motehound/study/symbolic/plan"
	"motehound/world"
)

// document tells what was found, and keeps recipes.
func (f *Symbolic) document(u *unknowns, r *plan.Result, took time.Duration) (*document.Symbolic, error) {
	d := &document.Symbolic{
		Verdict: r.Verdict(), Findings: []*document.SymbolicFinding{}, Outcomes: []*document.SymbolicOutcome{}, More: r.More,
		LeftOut: document.List(r.LeftOut), Refuted: document.List(r.Refuted), Sampled: document.List(r.Sampled), NeverMet: document.List(r.NeverMet), Stopped: r.Stats.Stopped,
		UntilS: float64(u.recipe.Until) / world.Second, Mapping: f.Map, TimeS: took.Seconds(),
		Explored: document.Explored{Events: r.Stats.Instructions, States: uint64(r.States), Paths: uint64(len(r.Outcomes))},
		Solver: document.Solver{Name: f.Solver, Queries: r.Solver.Queries, Asked: r.Solver.Backend, Sat: r.Solver.Sat, Unsat: r.Solver.Unsat,
			Unknown: r.Solver.Unknown, TimeS: r.Solver.Time.Seconds()},
	}
	for _, o := range r.Outcomes {
		d.Outcomes = append(d.Outcomes, &document.SymbolicOutcome{Violates: o.Violates, Inputs: o.Inputs, Failures: o.Failures,
			Conditions: o.Conditions, Hash: o.Hash})
	}
	d.Ends = document.EndsOf(d.Outcomes)
	for n, x := range r.Findings {
		y := found(u, x)
		d.Findings = append(d.Findings, y)
		if f.Out == "" {
			continue
		}
		y.Recipe = filepath.Join(f.Out, fmt.Sprintf("finding-%d.json", n+1))
		if err := Movable(x.Recipe, f.Out).Write(y.Recipe); err != nil {
			return nil, err
		}
		var err error
		if y.Bundle, err = u.bundler.Write(x.Recipe, y.Recipe); err != nil {
			return nil, err
		}
	}
	if f.Out == "" {
		return d, nil
	}
	if err := KeepReport(f.Out, d); err != nil {
		return nil, err
	}
	return d, f.keep(r)
}

// found is a finding for people and programs.
func found(u *unknowns, x *plan.Finding) *document.SymbolicFinding {
	y := &document.SymbolicFinding{Property: x.Property, Kind: x.Kind, Mote: -1, Function: x.Place.Function, File: x.Place.File, Line: x.Place.Line,
		Detail: x.Detail, AtS: float64(x.At) / world.Second, Times: x.Times, Inputs: x.Inputs, Failures: x.Failures, Conditions: x.Conditions}
	if x.Mote >= 0 {
		y.Mote = int(u.cfg.Motes[x.Mote].ID)
	}
	y.Minimised = len(x.Inputs) + len(x.Failures)
	y.Events = y.Minimised + x.Spared
	return y
}
