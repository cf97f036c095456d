package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/show/text"
)

// SymbolicPage is the page of what symbolic found.
func SymbolicPage(c *job.Outcomes, r *job.Symbolic, asked Asked) *Findings {
	p := newFindings("symbolic", asked, c.Builds)
	d := c.Document
	p.Verdict, p.Says = string(d.Verdict), strings.Split(text.SymbolicVerdict(r, d), "\n")
	p.Explored = []string{text.SymbolicExplored(d), fmt.Sprintf("events in their natural order for %g s; states shared by %s; solver %s", d.UntilS, d.Mapping, d.Solver.Name)}
	p.leftOut(d.LeftOut)
	p.list("The emulator did something else", d.Refuted)
	p.list("Checked for one input of each outcome only", d.Sampled)
	p.list("Never met", d.NeverMet)
	addAll(p, d.Findings, p.symbolic)
	p.endings(d)
	return p
}

// symbolic is a finding of symbolic. It has no order of events: inputs and failures bring it about.
func (p *Findings) symbolic(n int, x *document.SymbolicFinding, size size) Finding {
	f := Finding{Number: n, Grade: violation, Title: x.Property, Place: document.PlaceText(x.Function, x.File, x.Line), Marks: []string{}, Facts: []string{}, Warnings: []string{},
		Lists: []List{}, Code: []Excerpt{}, Values: []Change{}, Commands: replayed(x.Recipe, x.Bundle, "runs the motes again with these inputs and failures")}
	who := "In the network"
	if x.Mote >= 0 {
		who = fmt.Sprintf("On mote %d", x.Mote)
		f.Marks = append(f.Marks, fmt.Sprintf("mote %d", x.Mote))
	}
	if x.File != "" {
		who += fmt.Sprintf(", in %s at %s:%d", x.Function, filepath.Base(x.File), x.Line)
	}
	f.Says = fmt.Sprintf("%s, %q does not hold after %.6f s.", who, x.Property, x.AtS)
	if x.Detail != "" && x.Detail != x.Property {
		f.Says = fmt.Sprintf("%s, after %.6f s: %s.", who, x.AtS, strings.TrimSuffix(x.Detail, "."))
	}
	f.Marks = append(f.Marks, phrase.Counted(len(x.Inputs), "input"))
	if len(x.Failures) > 0 {
		f.Marks = append(f.Marks, phrase.Counted(len(x.Failures), "failure"))
	}
	if x.Times > 1 {
		f.Facts = append(f.Facts, fmt.Sprintf("found in %d states; this one has the fewest failures", x.Times))
	}
	f.Facts = append(f.Facts, "confirmed by an ordinary run in the emulator")
	var inputs []string
	for _, in := range x.Inputs {
		inputs = append(inputs, in.String())
	}
	f.list("Inputs", inputs)
	f.list("Failures", x.Failures)
	f.list("Conditions on the inputs", x.Conditions)
	if size.code {
		f.Code = p.sources.excerpts(x.Mote, []marked{{file: x.File, from: x.Line, to: x.Line, kind: "here", says: placeWord[violation]}})
	}
	return f
}

// findingOf is the number of the finding that shows where outcomes fail; 0 if there is none.
func findingOf(d *document.Symbolic, e *document.End) int {
	return 1 + slices.IndexFunc(d.Findings, func(x *document.SymbolicFinding) bool { return slices.Contains(e.Violates, x.Property) })
}

// endings are how outcomes end: all that end alike together.
func (p *Findings) endings(d *document.Symbolic) {
	const alike = 40 // outcomes that are shown of those that end alike
	left := 0
	for _, e := range d.Ends {
		x := Ending{Says: cut(text.EndText(d.Outcomes[e.Outcomes[0]-1])), Bad: len(e.Violates) > 0, Finding: findingOf(d, e), Count: e.Count, Outcomes: []Outcome{}}
		for _, n := range e.Outcomes[:min(alike, len(e.Outcomes))] {
			o := d.Outcomes[n-1]
			x.Outcomes = append(x.Outcomes, Outcome{n, cut(text.Tells(o)), bounded(o.Conditions, maxItems)})
		}
		if !p.take(x) {
			left++
			continue
		}
		p.Ends = append(p.Ends, x)
	}
	if left > 0 {
		p.Bounded = append(p.Bounded, fmt.Sprintf("%s not on this page: --json or --out DIR has all outcomes.", phrase.Counted(left, "other end")))
	}
	if d.More {
		p.LeftOut = append(p.LeftOut, "outcomes: there are more than are listed")
	}
}
