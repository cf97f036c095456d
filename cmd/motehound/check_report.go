package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/chart"
	"motehound/study/check"
	"motehound/study/finding"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// checkedDocument is what check prints as JSON.
type checkedDocument struct {
	Verdict  verdict.Verdict   `json:"verdict"`
	LeftOut  []string          `json:"left_out"` // why nothing more is known
	Explored exploredDocument  `json:"explored"`
	Search   *searchedDocument `json:"search,omitempty"`
	Findings []*foundDocument  `json:"findings"`
	Stopped  bool              `json:"stopped"` // by the budget, or by the user
	TimeS    float64           `json:"time_s"`  // of the host
}

type exploredDocument struct {
	Events uint64 `json:"events"`
	States uint64 `json:"states"`
	Walks  uint64 `json:"walks"`
	Paths  uint64 `json:"paths"` // always 0: that is for symbolic
}

type searchedDocument struct {
	Depth     int     `json:"depth"`
	Complete  bool    `json:"complete"`
	Exhausted bool    `json:"exhausted"`
	Reduction string  `json:"reduction"`
	Odds      float64 `json:"collision_odds"`
}

// foundDocument is one finding.
type foundDocument struct {
	Property  string         `json:"property"`
	Kind      string         `json:"kind"`
	Mote      int            `json:"mote"` // its node id; -1 for the network
	Motes     []int          `json:"motes"`
	Function  string         `json:"function,omitempty"`
	File      string         `json:"file,omitempty"`
	Line      int            `json:"line,omitempty"`
	Detail    string         `json:"detail,omitempty"`
	Events    int            `json:"events"`    // of the trace as it was found
	Minimised int            `json:"minimised"` // and as it is now
	Minimal   bool           `json:"minimal"`   // no single event of it can be left out
	Evidence  string         `json:"evidence,omitempty"`
	Cycle     int            `json:"cycle,omitempty"`
	Critical  int            `json:"critical,omitempty"` // the number of the event behind which the goal is out of reach
	CriticalS string         `json:"critical_event,omitempty"`
	Waited    int            `json:"waited_events,omitempty"` // how long the walks were that did not reach the goal from there
	WaitedS   float64        `json:"waited_s,omitempty"`
	Latest    int            `json:"latest,omitempty"` // the number of the event that comes latest after its time
	LatestS   string         `json:"latest_event,omitempty"`
	LateS     float64        `json:"late_s,omitempty"`
	Counts    bool           `json:"counts"`           // it is a violation; else something has to wait longer than hardware makes it, or the goal may only be late
	Suspected bool           `json:"suspected"`        // the goal may only be late
	Needs     []lateDocument `json:"needs"`            // what has to wait longer than it can in nature, the longest first
	With      int            `json:"with,omitempty"`   // the number of the finding that the same transition brought about before
	Recipe    string         `json:"recipe,omitempty"` // its file
	Bundle    string         `json:"bundle,omitempty"` // the same with all that it names
	Inputs    []string       `json:"inputs"`           // always empty: that is for symbolic
	Trace     []string       `json:"trace"`
	// Undescribed is the number of the event from which on the story was cut short by the user; 0 if it was not.
	Undescribed int `json:"undescribed,omitempty"`

	chart chart.Chart
}

// document tells what was found, and keeps recipes.
func (f *checkFlags) document(s *subject, r *check.Report, told []*telling, c *verdict.Case, took time.Duration) (*checkedDocument, error) {
	d := &checkedDocument{Verdict: c.Verdict(), LeftOut: some(c.LeftOut), Stopped: r.Stopped, TimeS: took.Seconds(), Findings: []*foundDocument{},
		Explored: exploredDocument{Events: r.Stats.Events, States: r.Stats.States, Walks: r.Stats.Walks}}
	if r.Search != nil {
		d.Search = &searchedDocument{Depth: r.Search.Depth, Complete: r.Search.Complete, Exhausted: r.Search.Exhausted,
			Reduction: f.reduce, Odds: check.CollisionOdds(r.Stats.States)}
	}
	for n, found := range r.Findings {
		x := told[n].foundDocument
		x.With = 1 + slices.IndexFunc(r.Findings[:n], func(g *check.Finding) bool {
			return g.Kind == finding.Safety && found.Kind == finding.Safety && g.Rank < found.Rank && slices.Equal(g.Trace, found.Trace)
		})
		d.Findings = append(d.Findings, x)
		if f.out == "" {
			continue
		}
		x.Recipe = filepath.Join(f.out, fmt.Sprintf("finding-%d.json", n+1))
		rec := s.recipeOf(found, told[n].hash)
		if err := job.Movable(rec, f.out).Write(x.Recipe); err != nil {
			return nil, err
		}
		var err error
		if x.Bundle, err = s.bundler.Write(rec, x.Recipe); err != nil {
			return nil, err
		}
	}
	if f.out != "" {
		return d, job.WriteFile("--out", filepath.Join(f.out, "report.json"), func(to io.Writer) error { return document.Write(to, d) })
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
	r.Explored = &recipe.Explored{Skew: s.skew, Property: f.Property, Kind: string(f.Kind), Mote: int(f.Mote),
		Function: f.Function, File: f.File, Line: f.Line, Detail: f.Detail, Cycle: f.Cycle}
	if f.Critical != nil && f.Critical.Reached {
		r.Explored.Critical, r.Explored.Reach = f.Critical.After, f.Critical.Reach
	}
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
