package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"motehound/job/document"
	"motehound/job/phrase"
)

// printMine prints a ranking for people.
func printMine(to io.Writer, d *document.Mine) {
	of := ""
	if d.Mote != nil {
		of = fmt.Sprintf(" of mote %d", *d.Mote)
	}
	fmt.Fprintf(to, "\n%s (vector %d)%s: %d intervals, %d different ones, ranked by %s\n", d.VectorName, d.Vector, of, d.Intervals, d.Distinct, d.Detector)
	fmt.Fprintln(to, d.Says)
	if slices.Contains(d.LeftOut, document.Interrupted) {
		fmt.Fprintf(to, "%s: what was run until then\n", document.Interrupted)
	}
	if d.Distinct == 1 {
		return
	}
	t := table.NewWriter()
	t.SetOutputMirror(to)
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	with := document.MinedRuns(d.Runs) != nil
	header := table.Row{"", "rank", "run"}
	if with {
		header = append(header, "with")
	}
	t.AppendHeader(append(header, "mote", "instance", "score", "from cycle", "to cycle", "tasks"))
	shown := append(append([]document.MinedEntry(nil), d.Ranking...), d.Beyond...)
	for _, e := range shown {
		mark := ""
		if e.StandsOut {
			mark = "!"
		}
		row := table.Row{mark, e.Rank, e.Run}
		if with {
			row = append(row, e.With)
		}
		t.AppendRow(append(row, e.Mote, e.Instance, fmt.Sprintf("%.3f", e.Score), phrase.Grouped(e.StartCycle), phrase.Grouped(e.EndCycle),
			shorten(strings.Join(e.Tasks, ", "), 60)))
	}
	t.Render()
	printLost(to, shown)
	for _, e := range shown {
		if e.SameAs != 0 || len(e.Why) == 0 || e.Score >= 0 && !e.StandsOut {
			continue
		}
		also := ""
		if len(e.Alike) > 0 {
			also = fmt.Sprintf(" (and %d more like it)", len(e.Alike))
		}
		fmt.Fprintf(to, "rank %d%s is unusual in:\n", e.Rank, also)
		for i, w := range e.Why {
			if i == 4 {
				break
			}
			fmt.Fprintf(to, "  %3.0f %%  %s ran %d times, usually %d\n", 100*w.Weight, strings.TrimPrefix(w.Place.Text(), "at 0x0000 in "), w.Count, w.Usual) // a trace has no addresses
		}
	}
}

// printLost says which data went astray, the same in several intervals once.
func printLost(to io.Writer, ranking []document.MinedEntry) {
	ranks := map[string][]string{}
	var texts []string
	for _, e := range ranking {
		for _, l := range e.Lost {
			text := lostText(l)
			if ranks[text] == nil {
				texts = append(texts, text)
			}
			ranks[text] = append(ranks[text], strconv.Itoa(e.Rank))
		}
	}
	for _, text := range texts {
		fmt.Fprintf(to, "lost in rank %s: %s\n", strings.Join(ranks[text], ", "), text)
	}
}

// lostText says what became of a value.
func lostText(l document.Lost) string {
	text := l.Variable + l.Part
	switch {
	case l.Part != "":
	case l.Last != l.First:
		text += fmt.Sprintf(", bytes %d to %d", l.First, l.Last)
	default:
		text += fmt.Sprintf(", byte %d", l.First)
	}
	text += ", written " + l.Wrote.Text()
	switch {
	case l.Over == nil:
		return text + ": not used until the run ended"
	case l.Mixed:
		text += ": overwritten " + l.Over.Text() + " before it was used, and the new value was used in its place"
	case l.Reads > 0:
		text += fmt.Sprintf(": read only %s, usually %d, and then overwritten %s", phrase.Counted(l.Reads, "time"), l.Usual, l.Over.Text())
	default:
		text += ": not used, and then overwritten " + l.Over.Text()
	}
	return text + fmt.Sprintf(" (%d of %d values)", l.Times, l.Values)
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n-3] + "..."
}
