// Package report makes pages and charts of what jobs have found.
//
// Invariants: it shows what documents have, and changes nothing in it.
package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"

	"motehound/job"
	"motehound/job/document"
	"motehound/mote/chip"
	"motehound/study/mining"
)

// Page is what the HTML report of mine shows. It is put into the page as JSON, and the page's script puts it on the screen as
// text: names and sources may have any characters in them.
type Page struct {
	Made
	Bounded  []string            `json:"bounded"` // what is not on the page, to keep it small
	Runs     []document.MinedRun `json:"runs"`
	Rankings []PageRanking       `json:"rankings"`
	Sources  []Source            `json:"sources"`
	read     func(path string) ([]byte, error)
	room     int // bytes that are left for details
}

// PageRanking is one interrupt of one firmware.
type PageRanking struct {
	document.Mine
	Board   string      `json:"board"`
	Hertz   uint64      `json:"hertz"`
	Points  []PagePoint `json:"points"`
	Details []PageEntry `json:"details"`
	Normal  []PageEntry `json:"normal"` // intervals to compare those with, as PageEntry.Nearest names them: only what executed in them
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
	Nearest int         `json:"nearest,omitempty"` // rank of the nearest normal interval; 0 if there is none, or it is as normal as any
	Posts   []PageTask  `json:"posts"`
	Steps   []PageStep  `json:"steps"`
	Heat    []PageHeat  `json:"heat"`
	Code    []PageBlock `json:"code"` // of the places in Why
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
	maxPoints       = 4000          // of an interrupt's plot
	maxListed       = 500           // intervals of a ranking
	maxDetailed     = 6_000_000     // bytes of JSON of all details
)

// MinePage makes the page of what mine found, with at least so many intervals of each ranking, as far as a page can have.
func MinePage(m *job.Mined, top int, asked Asked) *Page {
	p := &Page{Made: Made{asked.Motehound, []document.Built{}}, Bounded: []string{}, Runs: m.Runs, Rankings: []PageRanking{}, Sources: []Source{}, read: asked.Read, room: maxDetailed}
	for _, b := range m.Builds {
		im := b.Collection.Firmware.Image
		p.Builds = append(p.Builds, document.Built{Firmware: im.Path, SHA256: fmt.Sprintf("%x", im.Hash), Board: b.Board.Name, Motes: []int{}})
	}
	var of *built
	for _, r := range m.Rankings {
		if of == nil || of.MinedBuild != r.Build {
			of = &built{r.Build, map[string]int{}}
		}
		p.add(r.Ranking, of, min(max(top, job.OnPage), maxListed))
		if listed := r.Ranking.Intervals; (top == 0 || top > maxListed) && listed > maxListed {
			p.bound(fmt.Sprintf("This page lists the first %d intervals of a ranking; --json, --csv and --parquet have all that --top asks for.", maxListed))
		}
	}
	return p
}

// bound notes once that something is not on the page.
func (p *Page) bound(says string) {
	if !slices.Contains(p.Bounded, says) {
		p.Bounded = append(p.Bounded, says)
	}
}

// built is the firmware of a ranking.
type built struct {
	*job.MinedBuild
	files map[string]int // see PageRanking
}

// add puts a ranking of a firmware on the page.
func (p *Page) add(r *mining.Ranking, of *built, top int) {
	pr := PageRanking{Files: of.files, Mine: *document.MineOf(r, of.Chip, p.Runs, top, of.Task), Board: of.Board.Name, Hertz: of.Board.Hertz,
		Points: []PagePoint{}, Details: []PageEntry{}, Normal: []PageEntry{}}
	pr.Firmware, pr.Runs = of.Name, nil
	pr.Beyond = pr.Beyond[:min(maxListed, len(pr.Beyond))]
	with := document.MinedRuns(p.Runs)
	place := map[int]int{} // points by sample
	for i := range r.Suspects {
		s := &r.Suspects[i]
		at, seen := place[s.Sample]
		if !seen {
			if len(pr.Points) == maxPoints {
				p.bound(fmt.Sprintf("A plot has the %d most unusual points.", maxPoints))
				continue
			}
			at = len(pr.Points)
			place[s.Sample] = at
			pr.Points = append(pr.Points, PagePoint{X: s.Point[0], Y: s.Point[1], Score: s.Score, Rank: s.Rank, Intervals: r.Weights[s.Sample]})
		}
		pr.Points[at].StandsOut = pr.Points[at].StandsOut || s.StandsOut
		most := maxDetails
		if s.StandsOut {
			most *= 2
		}
		if len(pr.Details) < most && (!seen || s.Rank <= top || s.StandsOut) {
			e := p.entry(s, with, of)
			p.compare(&pr, &e, s, r, func(n *mining.Suspect) PageEntry { return p.entry(n, with, of) })
			p.detail(&pr, e)
		}
	}
	p.Rankings = append(p.Rankings, pr)
}

// compare puts the nearest normal interval beside one that is not, if there is room for it.
func (p *Page) compare(to *PageRanking, e *PageEntry, s *mining.Suspect, r *mining.Ranking, entry func(*mining.Suspect) PageEntry) {
	n := r.NearestNormal(s)
	if n == nil {
		return
	}
	if !slices.ContainsFunc(to.Normal, func(x PageEntry) bool { return x.Rank == n.Rank }) {
		x := entry(n)
		x.Heat, x.Code, x.Why = []PageHeat{}, []PageBlock{}, nil
		size := encoded(x)
		if size > p.room/4 {
			return
		}
		p.room -= size
		to.Normal = append(to.Normal, x)
	}
	e.Nearest = n.Rank
}

// detail adds what is shown of an interval, if there is room for it.
func (p *Page) detail(to *PageRanking, e PageEntry) {
	n := encoded(e)
	if n > p.room {
		p.bound("Some intervals cannot be chosen here: the page would become too large. Mine a shorter run, or one interrupt (--vector).")
		return
	}
	p.room -= n
	to.Details = append(to.Details, e)
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
	if n := encoded(x); n <= p.room {
		p.room -= n
	} else {
		x.Lines, x.Note = []string{}, "not on this page, which would become too large"
	}
	at = slices.IndexFunc(p.Sources, func(s Source) bool { return s.File == x.File && s.Found == x.Found })
	if at < 0 {
		at = len(p.Sources)
		p.Sources = append(p.Sources, x)
	}
	of.files[file] = at
	return at
}

//go:embed mine.html
var mineHTML string

//go:embed mine.css
var mineCSS string

//go:embed mine.js
var mineJS string

//go:embed mine_page.js
var minePageJS string

// Write writes the page: one file that needs no other.
func (p *Page) Write(to io.Writer) error { return write(to, p, mineHTML, mineCSS, mineJS+minePageJS) }
