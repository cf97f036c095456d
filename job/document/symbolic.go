package document

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// Symbolic is what symbolic prints as JSON.
type Symbolic struct {
	Verdict  verdict.Verdict    `json:"verdict"`
	Explored Explored           `json:"explored"`
	Findings []*SymbolicFinding `json:"findings"`
	Outcomes []*SymbolicOutcome `json:"outcomes"`
	Ends     []*End             `json:"ends"` // the same, put together by how they end
	More     bool               `json:"more_outcomes"`
	LeftOut  []string           `json:"left_out"`
	Refuted  []string           `json:"refuted"`
	Sampled  []string           `json:"sampled"`
	NeverMet []string           `json:"never_met"`
	Stopped  string             `json:"stopped,omitempty"`
	UntilS   float64            `json:"until_s"`
	Mapping  string             `json:"map"`
	Solver   Solver             `json:"solver"`
	TimeS    float64            `json:"time_s"` // of the host
}

// SymbolicFinding is one finding. Its first fields are those of check's.
type SymbolicFinding struct {
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

// SymbolicOutcome is one feasible combination of paths, one per mote.
type SymbolicOutcome struct {
	Violates   []string     `json:"violates"`
	Inputs     []plan.Input `json:"inputs"`
	Failures   []string     `json:"failures"`
	Conditions []string     `json:"conditions"`
	Hash       string       `json:"hash"`
}

// Solver is what the solver was asked.
type Solver struct {
	Name    string  `json:"name"`
	Queries int     `json:"queries"`
	Asked   int     `json:"asked"` // of the backend
	Sat     int     `json:"sat"`
	Unsat   int     `json:"unsat"`
	Unknown int     `json:"unknown"`
	TimeS   float64 `json:"time_s"` // of the host
}

// Replayed is a run's document and whether it was the same run.
type Replayed struct {
	Same     bool   `json:"same"`
	Expected string `json:"expected_hash"`
	*Run
}

// ReplayedInputs is what replay prints of a recipe that symbolic has made.
type ReplayedInputs struct {
	Same     bool             `json:"same"` // the final state is the same, and the violation, if it can be seen
	Expected string           `json:"expected_hash"`
	Hash     string           `json:"hash"`
	Seen     bool             `json:"violation_seen"`
	Differs  []string         `json:"differs"` // what is not as the recipe says
	Finding  *recipe.Symbolic `json:"finding"`
}

// Cause names what a finding is about.
func (f *SymbolicFinding) Cause() string {
	return fmt.Sprintf("%s: %s of mote %d at %s:%d (%s)", f.Kind, f.Property, f.Mote, f.File, f.Line, f.Function)
}

// Add adds the outcomes and findings of another piece. Of findings with one cause the plainest stays. The bundles are of the findings, in their order.
func (d *Symbolic) Add(o *Symbolic, bundles, others [][]byte) [][]byte {
	for i, f := range o.Findings {
		at := slices.IndexFunc(d.Findings, func(x *SymbolicFinding) bool { return x.Cause() == f.Cause() })
		if at < 0 {
			d.Findings, bundles = append(d.Findings, f), append(bundles, others[i])
			continue
		}
		times := d.Findings[at].Times + f.Times
		if f.Minimised < d.Findings[at].Minimised {
			d.Findings[at], bundles[at] = f, others[i]
		}
		d.Findings[at].Times = times
	}
	d.Outcomes, d.More = append(d.Outcomes, o.Outcomes...), d.More || o.More
	for _, x := range []struct{ to, from *[]string }{{&d.LeftOut, &o.LeftOut}, {&d.Refuted, &o.Refuted}, {&d.Sampled, &o.Sampled}} {
		for _, what := range *x.from {
			if !slices.Contains(*x.to, what) {
				*x.to = append(*x.to, what)
			}
		}
	}
	d.NeverMet = slices.DeleteFunc(d.NeverMet, func(name string) bool { return !slices.Contains(o.NeverMet, name) })
	d.Stopped = cmp.Or(d.Stopped, o.Stopped)
	d.Explored.Events += o.Explored.Events
	d.Explored.States += o.Explored.States
	d.Explored.Paths += o.Explored.Paths
	d.Solver.Queries += o.Solver.Queries
	d.Solver.Asked += o.Solver.Asked
	d.Solver.Sat += o.Solver.Sat
	d.Solver.Unsat += o.Solver.Unsat
	d.Solver.Unknown += o.Solver.Unknown
	return bundles
}
