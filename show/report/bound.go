package report

import (
	"encoding/json"
	"fmt"

	"motehound/job/phrase"
	"motehound/show/chart"
)

// A page stays small, however much was found: browsers, mail and CI servers have to take it. What is left out is said on the page.
const (
	maxData    = 1_500_000 // bytes of JSON
	maxText    = 600       // runes of one text
	maxItems   = 200       // of a list
	maxChanged = 40        // variables that one event changed
	maxNotes   = 12        // of one event
	maxLines   = 160       // of source in one finding
	maxLine    = 240       // runes of a source line
)

// size is how much is shown of a finding.
type size struct {
	head, tail int  // events at the start and at the end of its trace
	hidden     int  // events between them that can be unfolded
	code       bool // source lines
	chart      bool
}

// sizes are tried one after the other until a finding fits.
var sizes = []size{{20, 40, 400, true, true}, {20, 40, 0, true, true}, {5, 15, 0, true, true}, {1, 5, 0, false, true}, {}}

// addAll puts findings onto the page, the first ones if there is no room for all.
func addAll[T any](p *Findings, list []T, made func(n int, x T, s size) Finding) {
	for i, x := range list {
		p.add(i+1, func(s size) Finding { return made(i+1, x, s) })
	}
	if left := len(list) - len(p.Findings); left > 0 {
		p.Bounded = append(p.Bounded, fmt.Sprintf("%s not on this page: --json or --out DIR has all.", phrase.Counted(left, "more finding")))
	}
}

// add puts a finding onto the page, as large as there is room for it, so that some is left for the others.
func (p *Findings) add(n int, made func(size) Finding) {
	share := p.room
	if n > 1 {
		share = p.room / 4
	}
	for _, s := range sizes {
		if p.full {
			break
		}
		f := made(s).bounded()
		if length := encoded(f); length <= share {
			p.room -= length
			p.Findings = append(p.Findings, f)
			return
		}
	}
	p.full = true
}

// take reports whether there is room for something, and uses that up.
func (p *Findings) take(x any) bool {
	n := encoded(x)
	if n > p.room/2 {
		return false
	}
	p.room -= n
	return true
}

// list adds a list that has something in it.
func (p *Findings) list(name string, items []string) {
	if l := (List{name, bounded(items, maxItems)}); len(items) > 0 && p.take(l) {
		p.Lists = append(p.Lists, l)
	}
}

func (p *Findings) leftOut(list []string) { p.LeftOut = bounded(list, maxItems) }

func (f *Finding) list(name string, items []string) {
	if len(items) > 0 {
		f.Lists = append(f.Lists, List{name, bounded(items, maxItems)})
	}
}

// bounded is the finding with clean text, none of which is too long.
func (f Finding) bounded() Finding {
	f.Title, f.Says, f.Place = cut(f.Title), cut(f.Says), cut(f.Place)
	f.Facts, f.Warnings, f.Repair, f.Marks = bounded(f.Facts, maxItems), bounded(f.Warnings, maxItems), bounded(f.Repair, maxItems), bounded(f.Marks, maxItems)
	for i := range f.Values {
		f.Values[i].Event = cut(f.Values[i].Event)
	}
	return f
}

// bounded is the first of some texts, made clean; a last one says how many more there are.
func bounded(list []string, most int) []string {
	out := []string{}
	for _, text := range list[:min(most, len(list))] {
		out = append(out, cut(text))
	}
	if more := len(list) - most; more > 0 {
		out = append(out, fmt.Sprintf("… and %s more", phrase.Grouped(uint64(more))))
	}
	return out
}

// cut is clean text that is not too long.
func cut(text string) string {
	const enough = 8 * maxText // bytes, of which some are cleaned away
	return cutTo(chart.Clean(text[:min(enough, len(text))]), maxText)
}

func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + " …"
	}
	return text
}

func encoded(x any) int {
	data, err := json.Marshal(x)
	if err != nil {
		panic("BUG: a page that is no JSON: " + err.Error())
	}
	return len(data)
}
