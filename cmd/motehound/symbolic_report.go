package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"motehound/job"
	"motehound/job/document"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
	"motehound/world"
)

// symbolicDocument is what symbolic prints as JSON.
type symbolicDocument struct {
	Verdict   verdict.Verdict     `json:"verdict"`
	Explored  exploredDocument    `json:"explored"`
	Findings  []*symbolicFinding  `json:"findings"`
	Scenarios []*scenarioDocument `json:"scenarios"`
	Ends      []*endDocument      `json:"ends"` // the same, put together by how they end
	More      bool                `json:"more_scenarios"`
	LeftOut   []string            `json:"left_out"`
	Refuted   []string            `json:"refuted"`
	Sampled   []string            `json:"sampled"`
	NeverMet  []string            `json:"never_met"`
	Stopped   string              `json:"stopped,omitempty"`
	UntilS    float64             `json:"until_s"`
	Mapping   string              `json:"map"`
	Solver    solverDocument      `json:"solver"`
	TimeS     float64             `json:"time_s"` // of the host
}

// symbolicFinding is one finding. Its first fields are those of check's.
type symbolicFinding struct {
	Property   string       `json:"property"`
	Kind       string       `json:"kind"`
	Mote       int          `json:"mote"` // its node id; -1 for the network
	Function   string       `json:"function,omitempty"`
	File       string       `json:"file,omitempty"`
	Line       int          `json:"line,omitempty"`
	Detail     string       `json:"detail,omitempty"`
	AtS        float64      `json:"at_s"`
	Times      int          `json:"times"`
	Events     int          `json:"events"`
	Minimised  int          `json:"minimised"`
	Critical   int          `json:"critical,omitempty"`
	Recipe     string       `json:"recipe,omitempty"`
	Bundle     string       `json:"bundle,omitempty"`
	Inputs     []plan.Input `json:"inputs"`
	Failures   []string     `json:"failures"`
	Conditions []string     `json:"conditions"`
}

type scenarioDocument struct {
	Violates   []string     `json:"violates"`
	Inputs     []plan.Input `json:"inputs"`
	Failures   []string     `json:"failures"`
	Conditions []string     `json:"conditions"`
	Hash       string       `json:"hash"`
}

type solverDocument struct {
	Name    string  `json:"name"`
	Queries int     `json:"queries"`
	Asked   int     `json:"asked"` // of the backend
	Sat     int     `json:"sat"`
	Unsat   int     `json:"unsat"`
	Unknown int     `json:"unknown"`
	TimeS   float64 `json:"time_s"` // of the host
}

// document tells what was found, and keeps recipes.
func (f *symbolicFlags) document(u *unknowns, r *plan.Result, took time.Duration) (*symbolicDocument, error) {
	d := &symbolicDocument{
		Verdict: r.Verdict(), Findings: []*symbolicFinding{}, Scenarios: []*scenarioDocument{}, More: r.More,
		LeftOut: some(r.LeftOut), Refuted: some(r.Refuted), Sampled: some(r.Sampled), NeverMet: some(r.NeverMet), Stopped: r.Stats.Stopped,
		UntilS: float64(u.recipe.Until) / world.Second, Mapping: f.mapping, TimeS: took.Seconds(),
		Explored: exploredDocument{Events: r.Stats.Instructions, States: uint64(r.States), Paths: uint64(len(r.Outcomes))},
		Solver: solverDocument{Name: f.solver, Queries: r.Solver.Queries, Asked: r.Solver.Backend, Sat: r.Solver.Sat, Unsat: r.Solver.Unsat,
			Unknown: r.Solver.Unknown, TimeS: r.Solver.Time.Seconds()},
	}
	for _, o := range r.Outcomes {
		d.Scenarios = append(d.Scenarios, &scenarioDocument{Violates: o.Violates, Inputs: o.Inputs, Failures: o.Failures,
			Conditions: o.Conditions, Hash: o.Hash})
	}
	d.Ends = endsOf(d.Scenarios)
	for n, x := range r.Findings {
		y := found(u, x)
		d.Findings = append(d.Findings, y)
		if f.out == "" {
			continue
		}
		y.Recipe = filepath.Join(f.out, fmt.Sprintf("finding-%d.json", n+1))
		if err := job.Movable(x.Recipe, f.out).Write(y.Recipe); err != nil {
			return nil, err
		}
		var err error
		if y.Bundle, err = u.bundler.Write(x.Recipe, y.Recipe); err != nil {
			return nil, err
		}
	}
	if f.out == "" {
		return d, nil
	}
	if err := job.WriteFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return document.Write(to, d) }); err != nil {
		return nil, err
	}
	return d, f.keep(r)
}

// found is a finding for people and programs.
func found(u *unknowns, x *plan.Finding) *symbolicFinding {
	y := &symbolicFinding{Property: x.Property, Kind: x.Kind, Mote: -1, Function: x.Place.Function, File: x.Place.File, Line: x.Place.Line,
		Detail: x.Detail, AtS: float64(x.At) / world.Second, Times: x.Times, Inputs: x.Inputs, Failures: x.Failures, Conditions: x.Conditions}
	if x.Mote >= 0 {
		y.Mote = int(u.cfg.Motes[x.Mote].ID)
	}
	y.Minimised = len(x.Inputs) + len(x.Failures)
	y.Events = y.Minimised + x.Spared
	return y
}

// some is a list that JSON does not show as null.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
