package text

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"motehound/firmware/pathtrace/cflow"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
)

// traceLine is a line for people.
func traceLine(line document.TraceLine, clock int) string {
	at, e := line.At, line.Element
	start := fmt.Sprintf("%10s  %s", fmt.Sprintf("%.3f s", float64(at.Ticks)/float64(max(clock, 1))), strings.Repeat("  ", min(line.Depth, 40)))
	times := ""
	if e.Count > 1 {
		times = fmt.Sprintf("  x %d", e.Count)
	}
	path := ""
	if line.Path != nil {
		path = fmt.Sprintf(" path %d", e.Path)
		if line.Lines != "" {
			path += "  " + line.Lines
		}
	}
	switch e.Kind {
	case record.Enter:
		return start + line.Name + " {" + times
	case record.Path:
		return start + line.Name + " ..." + path + times
	case record.Leave:
		return start + "} " + line.Name + path + times
	case record.Call:
		return start + line.Name + path + times
	case record.Lost:
		return start + fmt.Sprintf("-- %d events lost: the mote had no room for them", e.Count)
	case record.Missing:
		return start + fmt.Sprintf("-- %d pages are missing", e.Count)
	case record.Torn:
		return start + "-- the rest of this page could not be read"
	case record.Broken:
		return start + "-- the rest of this page was not written by a tracer"
	case record.Endless:
		return start + fmt.Sprintf("-- this log contains more than %s events, so it is damaged or forged: the rest is left out", phrase.Grouped(record.Most))
	case record.Fault:
		return start + fmt.Sprintf("-- fault, reason %d", e.Arg)
	case record.Reset:
		text := fmt.Sprintf("-- boot %d, reset flags %02x", at.Boot, e.Arg)
		if e.Uncertain {
			text += "; the last event before it may be missing or doubled"
		}
		return start + text
	}
	return start + line.Kind
}

// Trace prints the lines of a log as they come.
func Trace(ctx context.Context, w io.Writer, d *job.Decoding) error {
	out := bufio.NewWriter(w)
	err := d.Each(ctx, func(line document.TraceLine) error {
		_, err := fmt.Fprintln(out, traceLine(line, d.Document.Clock))
		return err
	})
	if err != nil {
		return err
	}
	if len(d.Document.LeftOut) > 0 {
		fmt.Fprintf(out, "-- %s\n", verdict.Interrupted)
	}
	return out.Flush()
}

// TraceStats prints what is in a log.
func TraceStats(to io.Writer, s *document.TraceStats) {
	fmt.Fprintf(to, "%d pages, %s bytes, %d boots, %.1f s\n", s.Pages, phrase.Grouped(uint64(s.Bytes)), s.Boots, s.Seconds)
	fmt.Fprintf(to, "%s events, %s bytes without compression: %.1f %% saved\n", phrase.Grouped(s.Events), phrase.Grouped(s.Raw), s.Savings)
	fmt.Fprintf(to, "%d gaps, %s events lost by the mote, %d faults\n\n", s.Gaps, phrase.Grouped(s.Lost), s.Faults)
	t := table.NewWriter()
	t.SetOutputMirror(to)
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.AppendHeader(table.Row{"procedure", "calls", "rounds", "paths", "most often", "lines"})
	for _, p := range s.Procedures {
		t.AppendRow(table.Row{p.Name, phrase.Grouped(p.Calls), phrase.Grouped(p.Rounds), p.Paths, p.Most, p.Lines})
	}
	t.Render()
}

// ReplayedTrace prints what trace replay found.
func ReplayedTrace(to io.Writer, d *document.ReplayedTrace) {
	what := fmt.Sprintf("%s events of boot %d", phrase.Grouped(uint64(d.Events)), d.Boot)
	if d.Reset {
		what += ", and the reset that ended it"
	}
	if d.Recipe == "" {
		fmt.Fprintf(to, "no run was found in %d tries that matches the %s\n", d.Tries, what)
		if slices.Contains(d.LeftOut, verdict.Interrupted) {
			fmt.Fprintln(to, verdict.Interrupted)
		}
		fmt.Fprintf(to, "the best one matches %s of them; then the trace has\n  %s\nand the run has\n  %s\n", phrase.Grouped(uint64(d.Shown)), d.Wanted, orNothing(d.Got))
		fmt.Fprintln(to, "This proves nothing. To allow more runs: --drift, --may-send, a scenario with faults, --tries, --budget.")
		return
	}
	fmt.Fprintf(to, "found in %d tries: a run that matches all %s, after %.3f s\n", d.Tries, what, d.TimeS)
	for _, c := range d.Chosen {
		if c.Kind == "serial" {
			fmt.Fprintf(to, "  mote %d gets %s over its serial line at %.6f s\n", c.Mote, c.Hex, c.TimeS)
		} else {
			fmt.Fprintf(to, "  mote %d, %s, question %d: answer %d\n", c.Mote, c.Kind, c.Number, c.Answer)
		}
	}
	switch {
	case d.Fit > 0:
		fmt.Fprintf(to, "Several runs match: of %d others that were tried, %d leave the same trace.\n", d.Others, d.Fit)
	case d.Others > 0:
		fmt.Fprintf(to, "Of %d others that were tried, none leaves the same trace.\n", d.Others)
	}
	fmt.Fprintf(to, "to replay: motehound replay %s\n", d.Recipe)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing, until long after"
	}
	return text
}

// Instrumented prints what was instrumented, and what was not: all of it, or how much.
func Instrumented(to io.Writer, d *document.Instrumented, all bool) {
	kinds := map[string]int{}
	for _, p := range d.Procs {
		kinds[p.Kind]++
	}
	fmt.Fprintf(to, "%s: %d procedures traced (%d interrupt handlers, %d tasks), %d unchanged; map in %s\n", d.Output, len(d.Procs),
		kinds[cflow.Interrupt.String()], kinds[cflow.Task.String()], len(d.Left), d.Map)
	reasons := map[string]int{}
	for _, l := range d.Left {
		reasons[l.Why]++
		if all {
			fmt.Fprintf(to, "  %s:%d: %s: %s\n", l.File, l.Line, l.Name, l.Why)
		}
	}
	if all {
		return
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(to, "  %5d %s\n", reasons[why], why)
	}
}
