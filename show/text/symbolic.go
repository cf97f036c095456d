package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
)

// Symbolic prints what symbolic found.
func Symbolic(to io.Writer, asked *job.Symbolic, d *document.Symbolic) {
	for n, x := range d.Findings {
		printSymbolic(to, n+1, x)
	}
	printEnds(to, d)
	fmt.Fprintln(to)
	for _, text := range d.LeftOut {
		fmt.Fprintf(to, "left out: %s\n", text)
	}
	for _, text := range d.Refuted {
		fmt.Fprintf(to, "the emulator did something else: %s\n", text)
	}
	fmt.Fprintln(to, SymbolicVerdict(asked, d))
	fmt.Fprintf(to, "explored: %s\n", SymbolicExplored(d))
	if d.Stopped != "" && asked.Out == "" {
		longer(to, d.TimeS)
	}
}

// SymbolicExplored says how much was followed.
func SymbolicExplored(d *document.Symbolic) string {
	return fmt.Sprintf("%s instructions, %s states, %s in %.1f s; solver: %s, %s of them asked, %.1f s", phrase.Grouped(d.Explored.Events), phrase.Grouped(d.Explored.States),
		phrase.Counted(int(d.Explored.Paths), "outcome"), d.TimeS, phrase.Counted(d.Solver.Queries, "question"), phrase.Grouped(uint64(d.Solver.Asked)), d.Solver.TimeS)
}

// Tells is what distinguishes an outcome.
func Tells(s *document.SymbolicOutcome) string {
	parts := append([]string{}, s.Failures...)
	for _, in := range s.Inputs {
		parts = append(parts, in.String())
	}
	if len(parts) == 0 {
		return "no failures"
	}
	return strings.Join(parts, "; ")
}

// EndText is how an outcome ends.
func EndText(s *document.SymbolicOutcome) string {
	switch {
	case s.Hash == "":
		return "not run again"
	case len(s.Violates) == 0:
		return "no violation"
	}
	return "violates " + strings.Join(s.Violates, ", ")
}

// SymbolicVerdict says what is known, and how well.
func SymbolicVerdict(asked *job.Symbolic, d *document.Symbolic) string {
	var b strings.Builder
	switch d.Verdict {
	case verdict.Violated:
		fmt.Fprintf(&b, "violated: %s", phrase.Counted(len(d.Findings), "finding"))
	case verdict.Holds:
		order := "in the natural order of events"
		if asked.Reorder {
			orders, delay := asked.Order()
			order = fmt.Sprintf("in the natural order of events, and with up to %s waiting for up to %v", phrase.Counted(int(orders), "interrupt"), delay)
		}
		fmt.Fprintf(&b, "holds for all symbolic inputs and all failures that the scenario allows, %s, for %g s", order, d.UntilS)
		if len(d.Sampled) > 0 {
			fmt.Fprintf(&b, "\n  only for one input of each outcome: %s", strings.Join(d.Sampled, ", "))
		}
		fmt.Fprint(&b, "\n  built-in checks: only for one input of each outcome")
	default:
		fmt.Fprint(&b, "unknown: nothing was found")
	}
	return b.String()
}

// printSymbolic tells of one finding.
func printSymbolic(to io.Writer, n int, x *document.SymbolicFinding) {
	fmt.Fprintf(to, "%d. %s", n, x.Property)
	if x.Mote >= 0 {
		fmt.Fprintf(to, ", mote %d", x.Mote)
	}
	fmt.Fprintf(to, ", at %.6f s\n", x.AtS)
	if where := document.PlaceText(x.Function, x.File, x.Line); where != "" {
		fmt.Fprintf(to, "   in %s\n", where)
	}
	if x.Detail != "" && x.Detail != x.Property {
		fmt.Fprintf(to, "   %s\n", x.Detail)
	}
	for _, text := range x.Failures {
		fmt.Fprintf(to, "   failure: %s\n", text)
	}
	printInputs(to, x.Inputs)
	for _, text := range shortest(x.Conditions, maxConditions) {
		fmt.Fprintf(to, "   when: %s\n", text)
	}
	if n := len(x.Conditions) - maxConditions; n > 0 {
		fmt.Fprintf(to, "   ... and %d longer conditions\n", n)
	}
	if x.Times > 1 {
		fmt.Fprintf(to, "   found in %d states; this one has the fewest failures\n", x.Times)
	}
	if x.Recipe != "" {
		again(to, cmp.Or(x.Bundle, x.Recipe), "back")
	}
	fmt.Fprintln(to)
}

// maxConditions is how many conditions of a finding people are shown.
const maxConditions = 8

// shortest are the shortest of some texts, at most so many, in their order: those that say most to people.
func shortest(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	byLength := slices.SortedStableFunc(slices.Values(list), func(a, b string) int { return cmp.Compare(len(a), len(b)) })[:most]
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !slices.Contains(byLength, s) })
}

func printInputs(to io.Writer, list []plan.Input) {
	for _, in := range list {
		fmt.Fprintf(to, "   input: %s\n", in)
	}
}

// What people are shown: so many ends, and so many outcomes that end alike one by one.
const (
	maxEnds  = 20
	maxAlike = 3
)

// printEnds tells people how outcomes end: many that end alike in one line.
func printEnds(to io.Writer, d *document.Symbolic) {
	if len(d.Outcomes) == 0 {
		return
	}
	fmt.Fprintf(to, "%s:\n", phrase.Counted(len(d.Outcomes), "outcome"))
	for i, e := range d.Ends {
		if i == maxEnds {
			fmt.Fprintf(to, "  ... and %d other ends\n", len(d.Ends)-i)
			break
		}
		first := d.Outcomes[e.Outcomes[0]-1]
		if e.Count > maxAlike {
			fmt.Fprintf(to, "  %d of %d %s: %s\n", e.Count, len(d.Outcomes), differ(d), EndText(first))
			fmt.Fprintf(to, "    for example: %s\n", Tells(first))
			continue
		}
		for _, n := range e.Outcomes {
			s := d.Outcomes[n-1]
			fmt.Fprintf(to, "  %s: %s\n", Tells(s), EndText(s))
		}
	}
	if len(d.Ends) > maxEnds || slices.ContainsFunc(d.Ends, func(e *document.End) bool { return e.Count > maxAlike }) {
		fmt.Fprintln(to, "  (--json or --out DIR has each of them)")
	}
}

// differ names what outcomes differ in: one input that has a value in each, or else the outcomes themselves.
func differ(d *document.Symbolic) string {
	name := ""
	for _, s := range d.Outcomes {
		if len(s.Failures) > 0 || len(s.Inputs) != 1 || name != "" && s.Inputs[0].Name != name {
			return "outcomes"
		}
		name = s.Inputs[0].Name
	}
	return strings.TrimSpace("values of " + name)
}
