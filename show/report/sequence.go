package report

import (
	"motehound/job/document"
	"motehound/show/chart"
	"motehound/show/text"
)

// Sequence is a trace as a sequence chart. Which events it shows, and who has a life line, is decided by package chart.
type Sequence struct {
	Lanes  []string      `json:"lanes"` // names of the life lines, from the left
	Others []string      `json:"others"`
	Shared bool          `json:"shared"` // the others have the last life line together
	Rows   []SequenceRow `json:"rows"`
	Again  int           `json:"again,omitempty"` // the number of the event with which a cycle begins again
}

// SequenceRow is an event, or several equal ones; or the start of the cycle; or events that are folded.
type SequenceRow struct {
	Number  int      `json:"n,omitempty"`
	Lane    int      `json:"lane"` // -1 for all motes
	From    int      `json:"from"` // of a frame: the sender's lane; -1 for none
	Class   string   `json:"class,omitempty"`
	Title   string   `json:"title,omitempty"`
	Lost    bool     `json:"lost,omitempty"`
	Within  bool     `json:"within,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Changed []string `json:"changed,omitempty"`
	Mark    string   `json:"mark,omitempty"`
	Times   int      `json:"times,omitempty"`

	Cycle  bool          `json:"cycle,omitempty"`
	Left   int           `json:"left,omitempty"`   // events that are folded
	Hidden []SequenceRow `json:"hidden,omitempty"` // the last of them, for who unfolds them
	Absent int           `json:"absent,omitempty"` // how many are not on the page
}

const (
	maxLanes       = 12
	maxOutstanding = 150 // events that are always shown, such as faults, at either end
)

// chartOf is the chart of a trace.
func chartOf(s *document.Story, size size) *Sequence {
	c := text.ChartOf(s)
	plan, err := c.Plan(chart.Options{Head: size.head, Tail: size.tail}, maxLanes)
	if err != nil {
		panic("BUG: a trace that cannot be drawn: " + err.Error())
	}
	out := &Sequence{Lanes: plan.Lanes, Others: []string{}, Shared: plan.Shared, Rows: []SequenceRow{}}
	for i, lane := range plan.Of {
		if lane < 0 || plan.Shared && lane == len(plan.Lanes)-1 {
			out.Others = append(out.Others, c.Columns[i])
		}
	}
	out.Others = bounded(out.Others, maxItems)
	if s.Cycle > 0 {
		out.Again = s.Rows[len(s.Rows)-s.Cycle].Number
	}
	d := folding{plan: plan, columns: c.Columns, hidden: size.hidden}
	for _, it := range fewer(plan.Items) {
		out.Rows = append(out.Rows, d.row(it))
	}
	return out
}

// fewer folds items in the middle where there are too many, except for marked ones.
func fewer(items []chart.Item) []chart.Item {
	if len(items) <= 2*maxOutstanding {
		return items
	}
	out := append([]chart.Item{}, items[:maxOutstanding]...)
	var folded chart.Item
	flush := func() {
		if folded.Left > 0 {
			out = append(out, folded)
			folded = chart.Item{}
		}
	}
	for _, it := range items[maxOutstanding : len(items)-maxOutstanding] {
		switch {
		case it.Cycle || it.Row != nil && it.Row.Mark != "":
			flush()
			out = append(out, it)
		case it.Left > 0:
			folded.Left += it.Left
			folded.Hidden = append(folded.Hidden, it.Hidden...)
		default:
			folded.Left += it.Times
			folded.Hidden = append(folded.Hidden, it)
		}
	}
	flush()
	return append(out, items[len(items)-maxOutstanding:]...)
}

// folding turns what a chart shows into what a page has.
type folding struct {
	plan    *chart.Plan
	columns []string
	hidden  int // events that may still be put on the page to be unfolded
}

func (d *folding) row(it chart.Item) SequenceRow {
	switch {
	case it.Cycle:
		return SequenceRow{Lane: -1, From: -1, Cycle: true}
	case it.Left > 0:
		return d.fold(it)
	}
	r := it.Row
	row := SequenceRow{Number: r.Number, Lane: -1, From: -1, Class: r.Class, Title: cut(r.Title), Lost: r.Lost, Within: r.Within, Mark: r.Mark, Times: it.Times}
	if r.Mote >= 0 {
		row.Lane = d.plan.Of[r.Mote]
		if d.plan.Shared && row.Lane == len(d.plan.Lanes)-1 {
			row.Title = cut(d.columns[r.Mote] + ": " + r.Title)
		}
	}
	if r.From >= 0 {
		row.From = d.plan.Of[r.From]
	}
	if len(r.Notes) > 0 {
		row.Notes = bounded(r.Notes, maxNotes)
	}
	if len(r.Changed) > 0 {
		row.Changed = bounded(r.Changed, maxChanged)
	}
	return row
}

// fold is events that are shown only when asked for, the last of them, as far as there is room.
func (d *folding) fold(it chart.Item) SequenceRow {
	row := SequenceRow{Lane: -1, From: -1, Left: it.Left, Absent: it.Left}
	keep := min(d.hidden, len(it.Hidden))
	d.hidden -= keep
	for _, h := range it.Hidden[len(it.Hidden)-keep:] {
		row.Hidden = append(row.Hidden, d.row(h))
		row.Absent -= h.Times
	}
	return row
}
