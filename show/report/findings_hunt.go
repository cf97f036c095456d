package report

import (
	"fmt"
	"strings"

	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/phrase"
	"motehound/show/text"
)

// HuntPage is the page of what hunt found.
func HuntPage(d *document.Hunted, asked Asked) *Findings {
	p := newFindings("hunt", asked, d.Builds)
	p.Verdict, p.Says = string(d.Verdict), append([]string{text.HuntVerdict(d)}, text.HuntChanges(d)...)
	c := &d.Coverage
	p.Explored = []string{"tried: " + text.HuntTried(d), fmt.Sprintf("exercised: %d of %d functions", c.Reached, c.Functions), fmt.Sprintf("inputs: %s made up", phrase.Grouped(c.Inputs))}
	p.leftOut(d.LeftOut)
	p.list("What each engine did", trials(d.Trials))
	p.list("Interrupts whose handlers ran", c.Interrupts)
	p.list("Interrupts that never came", c.Missed)
	p.list("Where the firmware takes input", c.Listens)
	p.list("Functions that never ran", c.Unreached)
	p.list("Found, but it did not show again when it was replayed", d.Refuted)
	addAll(p, d.Findings, p.hunted)
	return p
}

func trials(list []*document.HuntTrial) (lines []string) {
	for _, t := range list {
		line := fmt.Sprintf("%s of %s: %s events, %s, %d new lines of code", t.Engine, t.Network, phrase.Grouped(t.Events), phrase.Counted(t.Findings, "finding"), t.Lines)
		if t.Note != "" {
			line += "; " + t.Note
		}
		lines = append(lines, line)
	}
	return lines
}

// hunted is a finding of hunt: what the engine that saw it first knows, and what the hunt makes of it.
func (p *Findings) hunted(n int, x *document.HuntFinding, size size) Finding {
	f := Finding{Facts: []string{}, Warnings: []string{}, Lists: []List{}, Code: []Excerpt{}, Values: []Change{}}
	switch {
	case x.Explored != nil:
		f = p.found(n, x.Explored, size)
	case x.Solved != nil:
		f = p.symbolic(n, x.Solved, size)
	case size.code:
		f.Code = p.sources.excerpts(x.Mote, []marked{{file: x.File, from: x.Line, to: x.Line, kind: "here", says: "here"}})
	}
	f.Number, f.Grade, f.Title, f.Says, f.Place = n, string(x.Grade), x.Property, sentenceOf(x.Title), document.PlaceText(x.Function, x.File, x.Line)
	f.Marks = append(f.Marks, "severity "+string(x.Severity), "confidence "+string(x.Confidence), "seen by "+strings.Join(x.Engines, ", "))
	if x.State != findings.New && x.State != "" {
		f.Marks = append(f.Marks, string(x.State))
	}
	f.Facts = append([]string{x.Why}, f.Facts...)
	if x.Look != "" {
		f.Facts = append(f.Facts, "second look: "+x.Look)
	}
	for _, s := range x.Seen {
		f.Facts = append(f.Facts, fmt.Sprintf("seen by %s of %s after %.1f s and %s events", s.Engine, s.Network, s.AfterS, phrase.Grouped(s.Events)))
	}
	if x.Nearest != "" {
		f.Facts = append(f.Facts, "nearest good run: "+x.Nearest)
	}
	if r := x.Ran; r != nil {
		f.Facts = append(f.Facts, fmt.Sprintf("first at %.6f s of the run; seen %s", r.TimeS, phrase.Counted(r.Count, "time")))
		f.list("Calls that led there, the innermost first", r.Calls)
	}
	if m := x.Mined; m != nil {
		f.list("What is unusual", unusual(m))
	}
	f.Commands = replayed(x.Replay, "", "runs it again")
	if x.Test != "" {
		f.Commands = append(f.Commands, Command{x.Test, "shows it with a scenario that is ready to commit, as a regression test"})
	}
	return f
}

// unusual is what an interval stands out by.
func unusual(m *document.MinedEntry) (lines []string) {
	for _, l := range m.Lost {
		lines = append(lines, fmt.Sprintf("%s%s, written by %s, was lost", l.Variable, l.Part, document.PlaceText(l.Wrote.Function, l.Wrote.File, l.Wrote.Line)))
	}
	for _, y := range m.Why {
		lines = append(lines, fmt.Sprintf("%s ran %s, usually %d", document.PlaceText(y.Function, y.File, y.Line), phrase.Counted(int(y.Count), "time"), y.Usual))
	}
	return lines
}

// sentenceOf is a title with a full stop.
func sentenceOf(title string) string { return strings.TrimSuffix(title, ".") + "." }
