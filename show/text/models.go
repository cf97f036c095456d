// Package text prints documents for people, on a terminal.
//
// Invariants: it prints what documents have, and decides nothing.
package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/behavior"
)

// Models prints models and what was found with them.
type Models struct {
	To    io.Writer
	Trees bool     // with what each model calls
	Only  []string // models to print, nil for all
	shown map[string]bool
}

// Printf prints what is to stand between models.
func (p *Models) Printf(format string, args ...any) { fmt.Fprintf(p.To, format, args...) }

func (p *Models) wants(name string) bool {
	if !slices.Contains(p.Only, name) {
		return p.Only == nil
	}
	if p.shown == nil {
		p.shown = map[string]bool{}
	}
	p.shown[name] = true
	return true
}

// Missing tells which models of --model there are not.
func (p *Models) Missing() error {
	for _, n := range p.Only {
		if !p.shown[n] {
			return fmt.Errorf("--model %s: the file has no such model", n)
		}
	}
	return nil
}

// File prints the models, flows and interleavings of a file.
func (p *Models) File(f *behavior.File, rivals []document.RivalFlow) {
	for _, v := range f.Vectors {
		title := fmt.Sprintf("\n%s (vector %d), depth %s", v.Name, v.Vector, v.Depth)
		switch {
		case v.Idle:
			title += ", background"
		case !v.Watched:
			title += ", only because it interleaves others"
		}
		first := true
		for _, m := range v.Models {
			if !p.wants(m.Name) {
				continue
			}
			if first {
				p.Printf("%s\n", title)
				first = false
			}
			p.model(&m)
		}
		if p.Only != nil {
			continue
		}
		for _, flow := range v.Flows {
			p.flow(&flow)
		}
		if v.Loose {
			p.Printf("  its order is too irregular to be checked: drop models (--drop), or use another --depth\n")
		}
		for _, r := range rivals {
			if r.Vector == v.Vector {
				p.Printf("  the rest has   %s  (%d times, %.1f %%)\n", r.Models, r.Count, 100*r.Share)
			}
		}
	}
}

func (p *Models) model(m *behavior.FileModel) {
	count := ""
	if m.Count > 0 {
		count = fmt.Sprintf(" %9s times", phrase.Grouped(m.Count))
	}
	dropped := ""
	if m.Dropped {
		dropped = " (dropped)"
	}
	p.Printf("  %-5s%s  %s%s\n", m.Name, count, m.Summary, dropped)
	if p.Trees {
		for _, line := range m.Functions {
			p.Printf("          %s\n", line)
		}
	}
}

func (p *Models) flow(f *behavior.FileFlow) {
	what := "other stretch"
	if f.Main {
		what = "job flow"
	}
	p.Printf("  %-13s  %s", what, f.Models)
	if f.Count > 0 {
		p.Printf("  (%d times, %.1f %%)", f.Count, 100*f.Share)
	}
	p.Printf("\n")
	for _, x := range f.Interleaved {
		var how []string
		if x.Inside {
			how = append(how, "within a member")
		}
		if x.Between {
			how = append(how, "between two")
		}
		example := ""
		if x.Example != nil {
			example = fmt.Sprintf(", as at instance %d of mote %d", x.Example.Instance, x.Example.Mote)
		}
		p.Printf("    interleaved by %s: %s%s\n", x.Model, strings.Join(how, " and "), example)
	}
}

// Verified prints what a verification found.
func (p *Models) Verified(doc *document.VerifiedModels, out string) {
	for _, v := range doc.Violations {
		p.violation(v)
	}
	if len(doc.New) > 0 {
		p.Printf("\nnew, but all rules about it hold in this run (--strict reports these as violations):\n")
	}
	for _, v := range doc.New {
		p.violation(v)
	}
	if len(doc.Violations) == 0 {
		p.Printf("%s event procedures in %.1f s: none violates %s\n", phrase.Grouped(doc.Instances), doc.TimeS, doc.Models)
		for _, text := range doc.LeftOut {
			p.Printf("  left out: %s\n", text)
		}
		return
	}
	p.Printf("\nviolated: %d causes in %s event procedures\n", len(doc.Violations), phrase.Grouped(doc.Instances))
	if doc.More > 0 {
		p.Printf("and %d more, of causes that are not listed\n", doc.More)
	}
	if out == "" {
		p.Printf("--out DIR keeps recipes that replay to them, and a report for motehound model approve\n")
	}
}

// violation prints one violation.
func (p *Models) violation(v *document.VerifiedViolation) {
	p.Printf("\n%s: ", v.ID)
	switch v.Kind {
	case behavior.ProcedureViolation:
		p.Printf("a new event procedure of %s, %s\n", v.VectorName, v.Model)
	case behavior.JobflowViolation:
		p.Printf("%s does not follow an approved job flow\n  %s\n", v.VectorName, marked(v.Sequence, v.Odd, v.More))
		if v.Expected != "" {
			p.Printf("  the flow is %s: after %s comes %s, not %s\n", v.Flow, before(v.Sequence, v.Odd), v.Expected, v.Model)
		}
	case behavior.InterleavingViolation:
		if v.Variable != "" {
			p.orders(v)
			break
		}
		how := "between two members"
		if v.Inside {
			how = "within a member"
		}
		p.Printf("%s interleaves the job flow %s, %s\n", v.Model, v.Flow, how)
	case behavior.UnansweredViolation:
		p.Printf("%s is called, and %s never answers again\n", v.Request.Call, v.Request.Answer)
	}
	p.Printf("  mote %d, instance %d, from cycle %s; %d times on motes %s\n", v.Mote, v.Instance, phrase.Grouped(v.Start), v.Count,
		strings.Trim(fmt.Sprint(v.Motes), "[]"))
	if v.Broken != nil {
		p.Printf("  a rule is broken: %s ran %d times, but its answer %s only %d times\n", v.Broken.Function, v.Broken.Came, v.Broken.Answer, v.Broken.Answered)
	}
	if len(v.Also) > 0 {
		p.Printf("  and %d more that diverge at the same place; the JSON report has them\n", len(v.Also))
	}
	if v.Leaves != nil {
		p.Printf("  the nearest model is %s; it differs in %s\n", v.Nearest, p.leaves(v.Leaves))
	}
	for _, f := range v.Functions {
		p.Printf("    %s%s\n", strings.Repeat("  ", f.Layer-1), named(&f))
	}
	if v.Recipe != "" {
		p.Printf("  to replay: motehound replay %s\n", v.Recipe)
	}
}

// orders says how data was used.
func (p *Models) orders(v *document.VerifiedViolation) {
	p.Printf("%s is used in an order that was not approved\n", v.Variable)
	for _, o := range v.Orders {
		p.Printf("  %s\n", orderText(o))
	}
}

func orderText(o behavior.DataOrder) string {
	did := "reads"
	if o.Access.Write {
		did = "writes"
	}
	return fmt.Sprintf("after %s has written, %s %s", accessor(o.After), accessor(o.Access), did)
}

func accessor(a behavior.Access) string {
	if a.Model == "" {
		return a.In
	}
	return a.In + " of " + a.Model
}

// leaves says where a path is left.
func (p *Models) leaves(l *behavior.Leave) string {
	text := named(&l.In)
	if l.After != nil && *l.After != l.In {
		text += ", after " + l.After.Function
	}
	expected, got := l.Sides(named)
	if l.Expected != nil && l.Got != nil && l.Got.Function == l.Expected.Function && l.Got.Layer != l.Expected.Layer {
		return fmt.Sprintf("%s: %s in layer %d instead of %d", text, got, l.Got.Layer, l.Expected.Layer)
	}
	return fmt.Sprintf("%s: %s instead of %s", text, got, expected)
}

func named(f *behavior.PathFunction) string {
	text := f.Function
	if f.Kind == "task" {
		text = "task " + text
	}
	if f.File != "" {
		text += fmt.Sprintf(" (%s:%d)", f.File, f.Line)
	}
	return text
}

// marked is a sequence with the odd model in brackets.
func marked(sequence string, odd, more int) string {
	list := strings.Fields(sequence)
	if odd < len(list) {
		list[odd] = "[" + list[odd] + "]"
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("... and %d more", more))
	}
	return strings.Join(list, " ")
}

// before is what came before the odd model, shortened.
func before(sequence string, odd int) string {
	list := strings.Fields(sequence)
	list = list[:min(odd, len(list))]
	if len(list) > 6 {
		list = append([]string{"..."}, list[len(list)-6:]...)
	}
	return strings.Join(list, " ")
}

// Difference prints what differs between two files.
func (p *Models) Difference(d *behavior.Difference) {
	if d.Same() {
		p.Printf("the same models, flows and interleavings; they may differ at a greater --depth\n")
		return
	}
	for _, v := range d.Vectors {
		if v.Depths == nil && len(v.Changed)+len(v.Removed)+len(v.Added)+len(v.Flows) == 0 {
			continue
		}
		p.Printf("\n%s (vector %d): %d models in common\n", v.Name, v.Vector, len(v.Common))
		if v.Depths != nil {
			p.Printf("  mined at depths %s and %s: mine both at the same depth to compare everything\n", v.Depths[0], v.Depths[1])
		}
		if v.Shows != "" {
			p.Printf("  they differ at depth %s and above\n", v.Shows)
		}
		for _, c := range v.Changed {
			p.Printf("  changed  %s -> %s, in %s\n", c.From, c.To, p.leaves(c.Leaves))
		}
		for _, m := range v.Removed {
			p.Printf("  removed  %s\n", m)
		}
		for _, m := range v.Added {
			p.Printf("  added    %s\n", m)
		}
		for _, f := range v.Flows {
			switch {
			case f.To == "":
				p.Printf("  removed  flow %s\n", f.From)
			case f.From == "":
				p.Printf("  added    flow %s\n", f.To)
			default:
				p.Printf("  flow %s: no longer interleaved by %v, newly by %v\n", f.From, f.Removed, f.Added)
			}
		}
	}
	for _, list := range []struct {
		what     string
		orders   []behavior.DataOrder
		rules    []behavior.Rule
		requests []behavior.Request
	}{{"removed", d.RemovedOrders, d.RemovedRules, d.RemovedRequests}, {"added", d.AddedOrders, d.AddedRules, d.AddedRequests}} {
		for _, o := range list.orders {
			p.Printf("%-8s %s: %s\n", list.what, o.Variable, orderText(o))
		}
		for _, r := range list.rules {
			p.Printf("%-8s rule: %s is answered by %s\n", list.what, r.Function, r.Answer)
		}
		for _, r := range list.requests {
			p.Printf("%-8s request: a call of %s is answered by %s\n", list.what, r.Call, r.Answer)
		}
	}
}
