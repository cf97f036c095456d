// Package chart writes traces of motes as message sequence charts in plain text: one column with a life line per mote, time going
// down, events in the column of their mote, and frames as arrows from the life line of the sender.
//
// It knows words and columns, but neither motes nor checks: the caller names the events.
//
// Invariants: a chart depends only on its input, to the byte. No line is wider than the requested width, counted in terminal cells
// and not in bytes or runes, and none ends in a space. Text never moves a life line: it is wrapped or cut to its column. Every row of
// a trace is shown, is part of a run of equal rows that is shown with its length, or is counted where rows are left out. Text from
// outside is cleaned at the entry (see clean), so that it cannot control a terminal.
package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The classes of rows.
const (
	classInterrupt = "interrupt"
	classTask      = "task"
	classFrame     = "frame"
	classFault     = "fault"
	classInput     = "input"
	classHeal      = "heal"
)

var classes = []string{classInterrupt, classTask, classFrame, classFault, classInput, classHeal}

// allMotes is the Mote of a row that is about all motes.
const allMotes = -1

// Row is one event of a trace.
type Row struct {
	Number  int      // as people are told it
	Mote    int      // its column, or Everyone
	Class   string   // one of the classes above
	Title   string   // what happened
	From    int      // of a frame: the column of the mote that sent it; -1 if it came from elsewhere. Others: -1
	Lost    bool     // a frame that did not arrive
	Within  bool     // an interrupt in the middle of other code
	Notes   []string // what happened inside: posts, runs, sends
	Changed []string // variables: "name: old -> new"
	Mark    string   // why to look at this row: "critical transition", "violation"; empty for most
}

// Chart is a trace.
type Chart struct {
	Columns []string // the motes' names
	Rows    []Row
	Cycle   int // how many rows at the end repeat for ever; 0 if the trace just ends
}

// Options say how to write a chart.
type Options struct {
	Width int  // in cells of the terminal; 0 for 120
	ASCII bool // no box characters, and a ? for whatever else is not ASCII
	// Head and Tail are how many events to show at the start and at the end of a trace; if both are 0, all. A run of equal events
	// counts as one. Events with a mark, faults and healing are always shown.
	Head, Tail int
}

const defaultWidth = 120

// headEvery is after how many events the names of the columns are written again: about a screen.
const headEvery = 40

// Write writes the chart.
func (c *Chart) Write(w io.Writer, opt Options) error {
	if opt.Width == 0 {
		opt.Width = defaultWidth
	}
	if err := c.validate(opt); err != nil {
		return err
	}
	c = c.clean(opt.ASCII)
	lay, err := c.layout(opt)
	if err != nil {
		return err
	}
	d := &drawing{strokes: &unicodeStrokes, layout: lay, columns: c.Columns, width: opt.Width, used: map[string]bool{}}
	if opt.ASCII {
		d.strokes = &asciiStrokes
	}
	d.chart(c, opt)
	_, err = w.Write(d.out.Bytes())
	return err
}

// chart draws everything.
func (d *drawing) chart(c *Chart, opt Options) {
	d.header()
	if len(c.Rows) == 0 {
		d.span(d.life, "no events")
	}
	shown := 0
	for _, it := range c.items(opt) {
		switch {
		case it.cycle:
			d.bracket = d.loopStart
			d.rule(d.dash, d.cross, fmt.Sprintf("from here on for ever: %s", events(c.Cycle)))
			d.bracket = d.loop
		case it.left > 0:
			d.span(d.gap, events(it.left)+" left out")
		default:
			if shown > 0 && shown%headEvery == 0 {
				d.header()
			}
			shown++
			d.entry(it.entry)
		}
	}
	if c.Cycle > 0 {
		d.bracket = d.loopEnd
		d.rule(d.dash, d.cross, fmt.Sprintf("and again from %d", c.Rows[len(c.Rows)-c.Cycle].Number))
		d.bracket = ""
	}
	d.footer()
}

func events(n int) string {
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}

// validate says what cannot be drawn.
func (c *Chart) validate(opt Options) error {
	switch {
	case opt.Width < 0:
		return fmt.Errorf("a chart cannot be %d wide: give a positive width, or 0 for %d", opt.Width, defaultWidth)
	case opt.Head < 0 || opt.Tail < 0:
		return fmt.Errorf("a chart cannot show %d events at its start and %d at its end: give 0 for all", opt.Head, opt.Tail)
	case len(c.Columns) == 0:
		return errors.New("a chart needs at least one column: name the motes")
	case c.Cycle < 0 || c.Cycle > len(c.Rows):
		return fmt.Errorf("%d rows cannot repeat in a chart of %d: give how many at its end do, or 0", c.Cycle, len(c.Rows))
	}
	for i := range c.Rows {
		if err := c.Rows[i].validate(len(c.Columns)); err != nil {
			return fmt.Errorf("row %d of the chart (event %d): %w", i+1, c.Rows[i].Number, err)
		}
	}
	return nil
}

func (r *Row) validate(columns int) error {
	switch {
	case r.Mote < allMotes || r.Mote >= columns:
		return fmt.Errorf("no column %d: there are %d, from 0, and %d for all motes", r.Mote, columns, allMotes)
	case !slices.Contains(classes, r.Class):
		return fmt.Errorf("%q is no class of events: give one of %s", r.Class, strings.Join(classes, ", "))
	case r.Class == classFrame && (r.From < -1 || r.From >= columns):
		return fmt.Errorf("a frame from column %d: there are %d, from 0, and -1 for none of them", r.From, columns)
	case r.Lost && r.Class != classFrame:
		return fmt.Errorf("only a frame can be lost, not the %s %q", r.Class, r.Title)
	}
	return nil
}

// clean gives a chart of clean text, whose rows all have a title.
func (c *Chart) clean(ascii bool) *Chart {
	known := map[string]string{} // traces are long, and say the same again and again
	clean := func(text string) string {
		cleaned, ok := known[text]
		if !ok {
			cleaned = clean(text, ascii)
			known[text] = cleaned
		}
		return cleaned
	}
	list := func(texts []string) []string {
		if !slices.ContainsFunc(texts, func(t string) bool { return t == "" || clean(t) != t }) {
			return texts
		}
		var out []string
		for _, t := range texts {
			if t = clean(t); t != "" {
				out = append(out, t)
			}
		}
		return out
	}
	out := &Chart{Columns: make([]string, len(c.Columns)), Rows: slices.Clone(c.Rows), Cycle: c.Cycle}
	for i, name := range c.Columns {
		out.Columns[i] = clean(name)
	}
	for i := range out.Rows {
		r := &out.Rows[i]
		r.Title, r.Mark = clean(r.Title), clean(r.Mark)
		if r.Title == "" {
			r.Title = r.Class
		}
		r.Notes, r.Changed = list(r.Notes), list(r.Changed)
		if r.Class != classFrame {
			r.From = -1
		}
	}
	return out
}

// drawing is a chart on its way to text.
type drawing struct {
	*strokes
	*layout
	columns []string
	width   int
	bracket string          // beside the lines of a cycle
	used    map[string]bool // strokes that need a word in the legend
	out     bytes.Buffer
}
