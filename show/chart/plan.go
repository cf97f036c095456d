package chart

// Plan is what a chart shows, for who draws it otherwise than as text. The rules are the same: which rows are put together, which are left out, and
// which columns have a lane.
type Plan struct {
	Lanes  []string // names of the life lines, from the left
	Of     []int    // by column: its lane, or -1 if nothing happens there
	Shared bool     // the last lane is that of several columns
	Items  []Item
}

// Item is what is drawn next: the start of the cycle, rows that are left out, or a row.
type Item struct {
	Cycle  bool
	Left   int    // how many rows
	Hidden []Item // and what would be shown of them
	Row    *Row
	Times  int // how many equal rows it stands for
}

// Plan says what to draw, with at most so many lanes. Its text is clean.
func (c *Chart) Plan(opt Options, lanes int) (*Plan, error) {
	if err := c.validate(opt); err != nil {
		return nil, err
	}
	c = c.clean(opt.ASCII)
	own, rest := c.owners(lanes, lanes, lanes-1)
	p := &Plan{Of: make([]int, len(c.Columns)), Shared: rest == restShares}
	for i := range p.Of {
		p.Of[i] = -1
		if p.Shared {
			p.Of[i] = len(own)
		}
	}
	for lane, i := range own {
		p.Of[i] = lane
		p.Lanes = append(p.Lanes, c.Columns[i])
	}
	if p.Shared {
		p.Lanes = append(p.Lanes, restName)
	}
	at := 0 // in the rows
	for _, it := range c.items(opt) {
		switch {
		case it.cycle:
			p.Items = append(p.Items, Item{Cycle: true})
		case it.left > 0:
			part := &Chart{Rows: c.Rows[at : at+it.left]}
			hidden := Item{Left: it.left}
			for _, e := range part.runs() {
				hidden.Hidden = append(hidden.Hidden, e.item())
			}
			p.Items = append(p.Items, hidden)
			at += it.left
		default:
			p.Items = append(p.Items, it.entry.item())
			at += it.entry.times
		}
	}
	return p, nil
}

func (e entry) item() Item {
	row := *e.Row
	row.Notes = fold(row.Notes)
	return Item{Row: &row, Times: e.times}
}

// Clean makes text from outside fit to be shown: one line, and nothing that steers a terminal or changes the direction of writing.
func Clean(text string) string { return clean(text, false) }
