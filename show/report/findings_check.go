package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
	"motehound/study/finding"
)

// CheckPage is the page of what check found.
func CheckPage(c *job.Checked, asked Asked) *Findings {
	p := newFindings("check", asked, c.Builds)
	p.checked(c, c.Document)
	return p
}

// FuzzPage is the page of what fuzz found.
func FuzzPage(c *job.Fuzzed, asked Asked) *Findings {
	p := newFindings("fuzz", asked, c.Builds)
	d := c.Document
	p.checked(c.Checked, &d.Checked)
	p.Explored = []string{"tried: " + text.FuzzTried(d), "reached: " + text.FuzzReached(d)}
	p.list("Where the firmware takes input", d.Listens)
	p.list("Functions that never ran", d.Unreached)
	return p
}

func newFindings(command string, asked Asked, builds []document.Built) *Findings {
	p := &Findings{Made: Made{asked.Motehound, builds}, Command: command, File: asked.File, Says: []string{}, Explored: []string{}, LeftOut: []string{},
		Lists: []List{}, Findings: []Finding{}, Ends: []Ending{}, Bounded: []string{}, room: maxData}
	p.sources = sources{read: asked.Read, builds: builds, found: map[[2]string]Source{}}
	return p
}

func (p *Findings) checked(c *job.Checked, d *document.Checked) {
	p.Verdict, p.Says = string(d.Verdict), []string{text.CheckVerdict(c.Report, d, c.Faults)}
	p.Explored = []string{text.CheckExplored(d)}
	p.leftOut(d.LeftOut)
	for _, late := range c.Report.Refuted {
		p.Explored = append(p.Explored, fmt.Sprintf("no finding: %q was late, but could still be reached", late.Property))
	}
	addAll(p, d.Findings, p.found)
}

// found is a finding of check or fuzz.
func (p *Findings) found(n int, x *document.Found, size size) Finding {
	f := Finding{Number: n, Grade: grade(x), Title: x.Property, Says: sentence(x), Place: document.PlaceText(x.Function, x.File, x.Line), Marks: marks(x),
		Facts: text.Length(x), Warnings: warnings(x), Lists: []List{}, Code: []Excerpt{}, Values: []Change{}, Commands: replayed(x.Recipe, x.Bundle, "runs it again and shows every event")}
	if x.With > 0 {
		f.Facts = []string{fmt.Sprintf("in the same transition as finding %d, after it", x.With)}
	}
	for _, line := range text.Circumstances(x) {
		if len(x.Needs) == 0 || !strings.HasPrefix(line, "needs ") {
			f.Facts = append(f.Facts, line)
		}
	}
	f.list("Inputs, in their order", x.Inputs)
	if x.Race != nil {
		f.Repair = text.Race(x.Race)
	}
	if size.code {
		f.Code = p.sources.excerpts(x.Mote, placesOf(x))
	}
	for _, c := range x.Story.Last {
		f.Values = append(f.Values, Change{c.Number, c.Event, bounded(c.Changed, maxChanged)})
	}
	switch {
	case len(x.Story.Rows) == 0 || x.With > 0:
	case size.chart:
		f.Chart = chartOf(&x.Story, size)
	default:
		f.Facts = append(f.Facts, "its events are not on this page, which would become too large")
	}
	return f
}

func grade(x *document.Found) string {
	switch {
	case !x.Counts:
		return doubtful
	case x.Race != nil || strings.HasPrefix(x.Property, "race: "):
		return race
	}
	return violation
}

// marks are the short words of a finding.
func marks(x *document.Found) []string {
	list := []string{}
	mark := func(is bool, word string) {
		if is {
			list = append(list, word)
		}
	}
	mark(x.Mote >= 0, fmt.Sprintf("mote %d", x.Mote))
	mark(len(x.Needs) > 0, "needs long waits")
	mark(x.Suspected, "may only be late")
	mark(!x.Minimal && x.With == 0, "may be shorter")
	return list
}

// warnings are the reasons why a finding may be none.
func warnings(x *document.Found) []string {
	list := []string{}
	if len(x.Needs) > 0 {
		for _, line := range text.Circumstances(x) {
			if strings.HasPrefix(line, "needs ") {
				list = append(list, "It "+line+".")
			}
		}
	}
	if x.Suspected {
		list = append(list, "The goal may only be late: a longer --budget can decide.")
	}
	return list
}

// sentence says what happens.
func sentence(x *document.Found) string {
	who := "In the network"
	if x.Mote >= 0 {
		who = fmt.Sprintf("On mote %d", x.Mote)
	}
	where := ""
	switch {
	case x.Function != "" && x.File != "":
		where = fmt.Sprintf(", in %s at %s:%d", x.Function, filepath.Base(x.File), x.Line)
	case x.Function != "":
		where = ", in " + x.Function
	}
	switch {
	case x.Kind != string(finding.Safety) && x.Critical > 0:
		return fmt.Sprintf("%s, the goal %q is out of reach after event %d%s.", who, x.Property, x.Critical, where)
	case x.Kind != string(finding.Safety):
		return fmt.Sprintf("%s, the goal %q is not reached%s.", who, x.Property, where)
	case x.Detail != "":
		return fmt.Sprintf("%s%s: %s.", who, where, strings.TrimSuffix(x.Detail, "."))
	}
	return fmt.Sprintf("%s%s, %q does not hold.", who, where, x.Property)
}

// replayed are the commands that show a finding again.
func replayed(recipe, bundle, about string) []Command {
	list := []Command{}
	if recipe == "" {
		return append(list, Command{"", "No recipe was kept: run it again with --out DIR, then motehound replay shows the finding again."})
	}
	list = append(list, Command{"motehound replay " + quoted(recipe), about},
		Command{"motehound debug " + quoted(recipe), "looks inside, forwards and backwards: finding, where and back lead to the line"})
	if bundle != "" {
		list = append(list, Command{"motehound replay " + quoted(bundle), "the same from one file with all that it needs, for another machine"})
	}
	return list
}

// quoted is a word for a shell.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=~", r)
	}
	if strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// placesOf are the places in the source that a finding is about, the most important first.
func placesOf(x *document.Found) []marked {
	list := []marked{{file: x.File, from: x.Line, to: x.Line, kind: "here", says: cmp.Or(placeWord[grade(x)], "here")}}
	if x.Race == nil {
		return list
	}
	for _, s := range x.Race.Sections {
		m := marked{file: s.From.File, from: s.From.Line, to: s.From.Line, kind: "atomic", says: "make atomic"}
		if s.To.File == s.From.File && s.To.Line > s.From.Line {
			m.to = s.To.Line
		}
		list = append(list, m)
		if s.To.File != s.From.File {
			list = append(list, marked{file: s.To.File, from: s.To.Line, to: s.To.Line, kind: "atomic", says: "the end of it"})
		}
	}
	if u := &x.Race.Used; u.File != "" {
		says := "the wrong value is used"
		if u.Fate == "overwritten" {
			says = "written again"
		}
		list = append(list, marked{file: u.File, from: u.Line, to: u.Line, kind: "used", says: says})
	}
	return list
}

// placeWord says what happens at the place of a finding.
var placeWord = map[string]string{race: "the access after the interrupt", violation: "the violation"}
