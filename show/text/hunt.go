package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/phrase"
)

// Hunt prints what hunt found, with whole traces or their ends, and where its page is.
func Hunt(to io.Writer, d *document.Hunted, full bool, page string) {
	for n, f := range d.Findings {
		hunted(to, n+1, f, full)
	}
	fmt.Fprintln(to, HuntVerdict(d))
	for _, text := range d.LeftOut {
		fmt.Fprintf(to, "  left out: %s\n", text)
	}
	for _, line := range HuntChanges(d) {
		fmt.Fprintln(to, line)
	}
	fmt.Fprintf(to, "tried: %s\n", HuntTried(d))
	exercised(to, &d.Coverage)
	if page != "" {
		fmt.Fprintf(to, "report: %s\n", page)
	}
}

// hunted prints one finding: at most a screen, unless all of its trace was asked for.
func hunted(to io.Writer, n int, f *document.HuntFinding, full bool) {
	fmt.Fprintf(to, "%d. %s: %s\n", n, f.Grade, f.Title)
	fmt.Fprintf(to, "   severity %s, confidence %s: %s\n", f.Severity, f.Confidence, f.Why)
	first := f.Seen[0]
	fmt.Fprintf(to, "   seen by %s; first by %s of %s, after %.1f s and %s events\n", strings.Join(f.Engines, ", "), first.Engine, first.Network, first.AfterS,
		phrase.Grouped(first.Events))
	if f.State != findings.New {
		fmt.Fprintf(to, "   %s: first seen by hunt %d\n", f.State, f.First.Hunt)
	}
	if f.Look != "" {
		fmt.Fprintf(to, "   second look: %s\n", f.Look)
	}
	if x := f.Explored; x != nil {
		for _, in := range x.Inputs {
			fmt.Fprintf(to, "   input: %s\n", in)
		}
		fmt.Fprintln(to)
		writeChart(to, &x.Story, aScreen, full)
	}
	if f.Nearest != "" {
		fmt.Fprintf(to, "   nearest good run: %s\n", f.Nearest)
	}
	if f.Replay != "" {
		again(to, f.Replay, "back")
	}
	if f.Test != "" {
		fmt.Fprintf(to, "   a test to commit: %s\n", f.Test)
	}
	fmt.Fprintln(to)
}

// HuntVerdict says what is known.
func HuntVerdict(d *document.Hunted) string {
	count := map[findings.Grade]int{}
	for _, f := range d.Findings {
		count[f.Grade]++
	}
	var parts []string
	for _, g := range []findings.Grade{findings.Violation, findings.Race, findings.Difference, findings.Symptom} {
		if n := count[g]; n > 0 {
			parts = append(parts, phrase.Counted(n, string(g)))
		}
	}
	if parts == nil {
		parts = []string{"nothing was found"}
	}
	return fmt.Sprintf("%s: %s", d.Verdict, strings.Join(parts, ", "))
}

// HuntChanges says what is new since the hunts before, and what is no longer known of them.
func HuntChanges(d *document.Hunted) (lines []string) {
	if d.Salvaged != nil {
		lines = append(lines, d.Salvaged.String())
	}
	o := d.Changes
	if o == nil || o.Hunt < 2 {
		return lines
	}
	var parts []string
	for _, x := range []struct {
		list []findings.Finding
		what string
	}{{o.New, "new"}, {o.CameBack, "came back"}, {o.Still, "still there"}, {o.Fixed, "fixed"}, {o.NotSeen, "not seen this time"}, {o.Dismissed, "dismissed"}} {
		if len(x.list) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", len(x.list), x.what))
		}
	}
	if parts != nil {
		lines = append(lines, "since the last hunt: "+strings.Join(parts, ", "))
	}
	for _, f := range o.Fixed {
		lines = append(lines, "  fixed: "+f.Title)
	}
	return lines
}

// HuntTried says what each engine did.
func HuntTried(d *document.Hunted) string {
	var names []string
	events := map[string]uint64{}
	for _, t := range d.Trials {
		if !slices.Contains(names, t.Engine) {
			names = append(names, t.Engine)
		}
		events[t.Engine] += t.Events
	}
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s %s", name, phrase.Grouped(events[name])))
	}
	return fmt.Sprintf("%s events in %.1f s: %s", phrase.Grouped(d.Events), d.TimeS, strings.Join(parts, ", "))
}

// exercised says what of the firmware ran, and what did not.
func exercised(to io.Writer, c *document.HuntCoverage) {
	fmt.Fprintf(to, "exercised: %d of %d functions; interrupts: %s", c.Reached, c.Functions, listed(c.Interrupts, 6))
	if len(c.Missed) > 0 {
		fmt.Fprintf(to, "; never: %s", listed(c.Missed, 6))
	}
	fmt.Fprintf(to, "\ninputs: %s made up; listens: %s\n", phrase.Grouped(c.Inputs), listed(c.Listens, 6))
	if len(c.Unreached) > 0 {
		fmt.Fprintf(to, "never reached: %s\n", listed(c.Unreached, 5))
	}
}

// listed is the first few of a list.
func listed(list []string, most int) string {
	switch {
	case len(list) == 0:
		return "none"
	case len(list) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}
