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
	"motehound/show/chart"
	"motehound/study/check"
	"motehound/study/verdict"
)

// Check prints what check found, with whole traces or their ends.
func Check(to io.Writer, c *job.Checked, full, kept bool) {
	d, r := c.Document, c.Report
	for n, x := range d.Findings {
		Finding(to, n+1, x, full)
	}
	for _, late := range r.Refuted {
		on := ""
		if late.Mote >= 0 {
			on = fmt.Sprintf(" on mote %d", c.ID(late.Mote))
		}
		fmt.Fprintf(to, "No finding: %q was late%s, but could still be reached.\n\n", late.Property, on)
	}
	fmt.Fprintf(to, "%s\n", checkVerdict(r, d, c.Faults))
	fmt.Fprintf(to, "explored: %s\n", CheckExplored(d))
	if d.Stopped && !kept {
		longer(to, d.TimeS)
	}
}

// CheckExplored says how much was tried.
func CheckExplored(d *document.Checked) string {
	x := &d.Explored
	text := fmt.Sprintf("%s events in %.1f s (%s/s)", phrase.Grouped(x.Events), d.TimeS, phrase.Grouped(uint64(float64(x.Events)/max(d.TimeS, 1e-3))))
	if d.Search != nil {
		text += fmt.Sprintf("; search: %s states, depth %d, reduction %s", phrase.Grouped(x.States), d.Search.Depth, d.Search.Reduction)
	}
	return text + fmt.Sprintf("; %s walks", phrase.Grouped(x.Walks))
}

// longer says how to continue a search that took so many seconds: in ten minutes, or ten times as long.
func longer(to io.Writer, seconds float64) {
	minutes := 10
	if seconds > 300 {
		minutes = int(seconds / 6)
	}
	fmt.Fprintf(to, "To search longer: --budget %dm. To keep findings and continue later: --out DIR, then --resume.\n", minutes)
}

// checkVerdict says what is known, and how well, with what was left out if nothing is violated.
func checkVerdict(r *check.Report, d *document.Checked, faults bool) string {
	text := CheckVerdict(r, d, faults)
	if d.Verdict != verdict.Violated {
		for _, x := range d.LeftOut {
			text += fmt.Sprintf("\n  left out: %s", x)
		}
	}
	return text
}

// CheckVerdict says what is known, and how well.
func CheckVerdict(r *check.Report, d *document.Checked, faults bool) string {
	var text strings.Builder
	upTo := ""
	if d.Search != nil && d.Search.Complete {
		upTo = fmt.Sprintf("up to %s", phrase.Counted(d.Search.Depth, "event"))
		if d.Search.Exhausted {
			upTo = "in every order of events"
		}
	}
	switch d.Verdict {
	case verdict.Violated:
		return fmt.Sprintf("violated: %s", phrase.Counted(counting(d), "finding")) + besides(d)
	case verdict.Holds:
		with := "without faults"
		if faults {
			with = "with the faults that the scenario allows"
		}
		fmt.Fprintf(&text, "holds %s, %s (reduction %s, chance of a hash collision %.1g)", upTo, with, d.Search.Reduction, d.Search.Odds)
		if d.Explored.Events == 0 {
			text.WriteString("; but nothing can happen: once the motes have started, no interrupt comes and no task is waiting")
		}
	default:
		text.WriteString("unknown: " + unknown(d))
		if upTo != "" {
			fmt.Fprintf(&text, " %s", upTo)
		}
	}
	if r.Walked > 0 {
		nothing := "nothing in "
		if len(d.Findings) > 0 {
			nothing = "no violation in "
		}
		fmt.Fprintf(&text, "; walks: %s%s events", nothing, phrase.Grouped(r.Walked))
	}
	return text.String()
}

// unknown says what was found if that does not count.
func unknown(d *document.Checked) string {
	if len(d.Findings) == 0 {
		return "nothing was found"
	}
	return "no violation was found"
}

// counting is how many findings are violations.
func counting(d *document.Checked) int {
	n := 0
	for _, x := range d.Findings {
		if x.Counts {
			n++
		}
	}
	return n
}

// besides tells of findings that are no violations.
func besides(d *document.Checked) string {
	if n := len(d.Findings) - counting(d); n > 0 {
		return fmt.Sprintf(", and %d that may be none", n)
	}
	return ""
}

// Finding prints one finding, with its whole trace or the ends of it.
func Finding(to io.Writer, n int, x *document.Found, full bool) {
	fmt.Fprintf(to, "%d. %s", n, x.Property)
	if x.Mote >= 0 {
		fmt.Fprintf(to, ", mote %d", x.Mote)
	}
	fmt.Fprintln(to)
	if where := document.PlaceText(x.Function, x.File, x.Line); where != "" {
		fmt.Fprintf(to, "   in %s\n", where)
	}
	if x.Detail != "" {
		fmt.Fprintf(to, "   %s\n", x.Detail)
	}
	if x.Race != nil {
		for _, line := range Race(x.Race) {
			fmt.Fprintf(to, "   %s\n", line)
		}
	}
	if x.With > 0 {
		fmt.Fprintf(to, "   in the same transition as finding %d, after it\n", x.With)
		if x.Recipe != "" {
			again(to, cmp.Or(x.Bundle, x.Recipe), "back")
		}
		fmt.Fprintln(to)
		return
	}
	for _, line := range Length(x) {
		fmt.Fprintf(to, "   %s\n", line)
	}
	for _, in := range x.Inputs {
		fmt.Fprintf(to, "   input: %s\n", in)
	}
	for _, line := range Circumstances(x) {
		fmt.Fprintf(to, "   %s\n", line)
	}
	fmt.Fprintln(to)
	opt := chart.Options{Head: 20, Tail: 40}
	if !x.Counts {
		opt = aScreen
	}
	writeChart(to, &x.Story, opt, full)
	if x.Recipe != "" {
		third := "back"
		if x.Race != nil {
			third = "who " + x.Race.Variable
		}
		again(to, cmp.Or(x.Bundle, x.Recipe), third)
		fmt.Fprintln(to)
	}
}

// again says how to see a finding again, and which three commands lead to its line. The third is where to go from there.
func again(to io.Writer, recipe, third string) {
	fmt.Fprintf(to, "   to see it again: motehound replay %s\n", recipe)
	fmt.Fprintf(to, "   to look inside: motehound debug %s, then: finding, where, %s\n", recipe, third)
}

// Length says how long a trace is, and how well it is known that a goal is out of reach.
func Length(x *document.Found) []string {
	events := phrase.Counted(x.Minimised, "event")
	if x.Events != x.Minimised {
		events += fmt.Sprintf(" (%s when it was found)", phrase.Grouped(uint64(x.Events)))
	}
	if x.Minimal {
		events += ", none of which can be left out"
	} else {
		events += "; shortening was cut short, fewer may be enough"
	}
	lines := []string{events}
	switch x.Evidence {
	case string(check.Lasso):
		lines = append(lines, fmt.Sprintf("proven: the last %d events lead back to the same state, and can repeat for ever", x.Cycle))
	case string(check.Stuck):
		lines = append(lines, "proven: nothing can happen any more")
	case string(check.Sampled):
		sampled := "sampled: it did not hold again in any continuation that was tried"
		if x.Suspected {
			return append(lines, sampled, "it may only be late: a longer --budget can decide")
		}
		if x.WaitedS > 0 {
			sampled += fmt.Sprintf(", for %s or %.0f s (--threshold says how long)", phrase.Counted(x.Waited, "event"), x.WaitedS)
		}
		lines = append(lines, sampled)
	}
	return lines
}

// Circumstances say what else belongs to a finding: its critical transition, and what has to be late for it.
func Circumstances(x *document.Found) (lines []string) {
	if x.Undescribed > 0 {
		lines = append(lines, fmt.Sprintf("%s: the effects of events are not shown from event %d on", verdict.Interrupted, x.Undescribed))
	}
	if x.Critical > 0 {
		lines = append(lines, fmt.Sprintf("critical transition: event %d, %s", x.Critical, x.CriticalS))
	}
	if len(x.Needs) > 0 {
		lines = append(lines, fmt.Sprintf("needs %s, which is unlikely on real hardware", needs(x)))
	} else if x.LateS > 0.001 {
		lines = append(lines, fmt.Sprintf("the latest event: %d, %s, comes %s after its time", x.Latest, x.LatestS, late(x.LateS)))
	}
	return lines
}

// late is a time in seconds, for people.
func late(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.1f ms", 1000*s)
	}
	return fmt.Sprintf("%.1f s", s)
}

// needs says what has to wait for a finding, or to come early, the worst first.
func needs(x *document.Found) string {
	const most = 3
	var parts []string
	for _, n := range x.Needs[:min(most, len(x.Needs))] {
		if n.Early > 0 {
			parts = append(parts, fmt.Sprintf("%s to reach mote %d %s early", n.What, n.Mote, late(n.Early)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s of mote %d to wait %s (at most %s)", n.What, n.Mote, late(n.Late), late(n.Bound)))
	}
	if more := len(x.Needs) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// aScreen is what is shown of a trace where much else is to be seen.
var aScreen = chart.Options{Head: 6, Tail: 14}

// writeChart writes a trace as a chart, with a line behind it: all of it, or its ends, where an event that changed many variables does not fill the screen with them.
func writeChart(to io.Writer, s *document.Story, opt chart.Options, full bool) {
	const changes = 12
	c := ChartOf(s)
	if full {
		opt = chart.Options{}
	} else {
		for i, r := range c.Rows {
			if more := len(r.Changed) - changes; more > 1 {
				c.Rows[i].Changed = append(slices.Clone(r.Changed[:changes]), fmt.Sprintf("and %d more (--full shows them)", more))
			}
		}
	}
	var text strings.Builder
	if err := c.Write(&text, opt); err == nil {
		fmt.Fprintln(to, text.String())
	}
}

// ChartOf is a trace as a chart.
func ChartOf(s *document.Story) *chart.Chart {
	c := &chart.Chart{Columns: s.Columns, Cycle: s.Cycle}
	for _, r := range s.Rows {
		c.Rows = append(c.Rows, chart.Row(r))
	}
	return c
}
