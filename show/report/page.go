// Package report makes pages and charts of what jobs have found.
//
// Invariants: it shows what documents have, and changes nothing in it.
package report

import (
	_ "embed"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/mote/chip"
	"motehound/study/mining"
)

// Page is what the HTML report of mine shows. It is put into the page as JSON, and the page's script puts it on the screen as
// text: names and sources may have any characters in them.
type Page struct {
	Runs     []document.MinedRun `json:"runs"`
	Rankings []PageRanking       `json:"rankings"`
	Sources  []Source            `json:"sources"`
	read     func(path string) ([]byte, error)
}

// PageRanking is one interrupt of one firmware.
type PageRanking struct {
	document.Mine
	Board   string      `json:"board"`
	Hertz   uint64      `json:"hertz"`
	Points  []PagePoint `json:"points"`
	Details []PageEntry `json:"details"`
	// Files are the indices in Page.Sources of the firmware's own source files: two firmwares may have different ones of one name.
	Files map[string]int `json:"files"`
}

// PagePoint is all intervals with one counter.
type PagePoint struct {
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	Score     float64 `json:"score"`
	Intervals int     `json:"intervals"`
	Rank      int     `json:"rank"` // of the first of them, which has details
	StandsOut bool    `json:"stands_out"`
}

// PageEntry is what is shown of an interval that was chosen.
type PageEntry struct {
	document.MinedEntry
	Posts []PageTask  `json:"posts"`
	Steps []PageStep  `json:"steps"`
	Heat  []PageHeat  `json:"heat"`
	Code  []PageBlock `json:"code"` // of the places in Why
}

// PageTask is a task of an interval. Cycles are told from the interval's start.
type PageTask struct {
	Name   string `json:"name"`
	Posted uint64 `json:"posted"`
	Start  uint64 `json:"start"`
	End    uint64 `json:"end"`
	State  string `json:"state"`
}

// PageStep is a stretch of an interval. Cycles are told from its start.
type PageStep struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
	Name string `json:"name"` // "" when the mote idled
	Own  bool   `json:"own"`
}

// PageHeat is a line of source in an interval. File is an index in Sources.
type PageHeat struct {
	File     int    `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Count    uint32 `json:"count"`
	Usual    uint32 `json:"usual"`
}

// PageBlock is the instructions at a place.
type PageBlock struct {
	PC    uint32   `json:"pc"`
	Lines []string `json:"lines"`
}

const (
	maxDetails      = job.Explained // intervals of an interrupt that can be chosen
	maxInstructions = 12            // shown of a block
)

// MinePage makes the page of what mine found, with at least so many intervals of each ranking. Read reads source files.
func MinePage(m *job.Mined, top int, read func(path string) ([]byte, error)) *Page {
	p := &Page{Runs: m.Runs, Rankings: []PageRanking{}, Sources: []Source{}, read: read}
	var of *built
	for _, r := range m.Rankings {
		if of == nil || of.MinedBuild != r.Build {
			of = &built{r.Build, map[string]int{}}
		}
		p.add(r.Ranking, of, max(top, job.OnPage))
	}
	return p
}

// built is the firmware of a ranking.
type built struct {
	*job.MinedBuild
	files map[string]int // see PageRanking
}

// add puts a ranking of a firmware on the page.
func (p *Page) add(r *mining.Ranking, of *built, top int) {
	pr := PageRanking{Files: of.files, Mine: *document.MineOf(r, of.Chip, p.Runs, top, of.Task), Board: of.Board.Name, Hertz: of.Board.Hertz,
		Points: []PagePoint{}, Details: []PageEntry{}}
	pr.Firmware, pr.Runs = of.Name, nil
	with := document.MinedRuns(p.Runs)
	place := map[int]int{} // points by sample
	for i := range r.Suspects {
		s := &r.Suspects[i]
		at, seen := place[s.Sample]
		if !seen {
			at = len(pr.Points)
			place[s.Sample] = at
			pr.Points = append(pr.Points, PagePoint{X: s.Point[0], Y: s.Point[1], Score: s.Score, Rank: s.Rank, Intervals: r.Weights[s.Sample]})
		}
		pr.Points[at].StandsOut = pr.Points[at].StandsOut || s.StandsOut
		if len(pr.Details) < maxDetails && (!seen || s.Rank <= top) || s.StandsOut {
			pr.Details = append(pr.Details, p.entry(s, with, of))
		}
	}
	p.Rankings = append(p.Rankings, pr)
}

func (p *Page) entry(s *mining.Suspect, with []string, of *built) PageEntry {
	e := PageEntry{MinedEntry: document.MinedEntryOf(s, with, of.Task), Posts: []PageTask{}, Steps: []PageStep{}, Heat: []PageHeat{}, Code: []PageBlock{}}
	since := func(cycle uint64) uint64 { return max(cycle, s.Start) - s.Start }
	for _, t := range s.Tasks {
		e.Posts = append(e.Posts, PageTask{of.Task(t.ID), since(t.Posted), since(t.Start), since(t.End), t.State.String()})
	}
	for _, x := range s.Timeline {
		e.Steps = append(e.Steps, PageStep{since(x.From), since(x.To), stepName(x, of.Chip, of.Task), x.Own})
	}
	if len(s.Why) > 0 {
		for _, h := range of.Collection.Firmware.Heat(s) {
			e.Heat = append(e.Heat, PageHeat{p.source(of, h.File), h.Line, h.Function, h.Count, h.Usual})
		}
	}
	for _, y := range s.Why {
		e.Code = append(e.Code, PageBlock{y.PC, of.Collection.Firmware.Disassemble(y.PC, maxInstructions)})
	}
	for _, l := range s.Lost {
		p.source(of, l.Wrote.File)
	}
	return e
}

// stepName says what executed.
func stepName(x mining.Step, c *chip.Chip, task func(id uint16) string) string {
	switch {
	case x.Instance == 0:
		return ""
	case x.Running:
		return task(x.Task)
	case x.Vector == 1:
		return "main"
	}
	return c.VectorName(uint8(x.Vector)) + " handler"
}

// source is the index of a source file of a firmware.
func (p *Page) source(of *built, file string) int {
	at, known := of.files[file]
	if known {
		return at
	}
	x := FindSource(file, of.Collection.Firmware.Image.Path, p.read)
	at = slices.IndexFunc(p.Sources, func(s Source) bool { return s.File == x.File && s.Found == x.Found })
	if at < 0 {
		at = len(p.Sources)
		p.Sources = append(p.Sources, x)
	}
	of.files[file] = at
	return at
}

//go:embed mine.html
var pageHTML string

//go:embed mine.css
var pageCSS string

//go:embed mine.js
var pageJS string

// Write writes the page: one file that needs no other.
func (p *Page) Write(to io.Writer) error {
	// Marshal escapes <, > and &, so that nothing in the data ends the script element or begins another.
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer("/*CSS*/", pageCSS, "/*JS*/", pageJS, "/*DATA*/", string(data)).WriteString(to, pageHTML)
	return err
}
