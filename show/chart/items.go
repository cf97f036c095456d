package chart

import "slices"

// entry is a row, or several equal ones in a row.
type entry struct {
	*Row
	times int
}

// item is what is drawn next: the start of the cycle, a number of rows that are left out, or an entry.
type item struct {
	cycle bool
	left  int
	entry entry
}

// items lists what is drawn, in order.
func (c *Chart) items(opt Options) []item {
	runs := c.runs()
	show := choose(runs, opt)
	var list []item
	for i, at := 0, 0; i < len(runs); at, i = at+runs[i].times, i+1 {
		if c.Cycle > 0 && at == len(c.Rows)-c.Cycle {
			list = append(list, item{cycle: true})
		}
		switch {
		case show[i]:
			list = append(list, item{entry: runs[i]})
		case len(list) > 0 && list[len(list)-1].left > 0:
			list[len(list)-1].left += runs[i].times
		default:
			list = append(list, item{left: runs[i].times})
		}
	}
	return list
}

// runs puts equal rows that follow each other together. No run goes across the start of the cycle, which is drawn there.
func (c *Chart) runs() []entry {
	var list []entry
	for i := range c.Rows {
		r := &c.Rows[i]
		if n := len(list); n > 0 && r.equal(list[n-1].Row) && (c.Cycle == 0 || i != len(c.Rows)-c.Cycle) {
			list[n-1].times++
			continue
		}
		list = append(list, entry{r, 1})
	}
	return list
}

// equal reports whether two rows say the same. A marked row is like no other: its number matters.
func (r *Row) equal(o *Row) bool {
	return r.Mark == "" && o.Mark == "" && r.Mote == o.Mote && r.Class == o.Class && r.Title == o.Title && r.From == o.From &&
		r.Lost == o.Lost && slices.Equal(r.Notes, o.Notes) && slices.Equal(r.Changed, o.Changed)
}

// choose says which entries are shown. One alone between two that are shown is shown too: to say that it is left out would take as
// much room.
func choose(runs []entry, opt Options) []bool {
	must := make([]bool, len(runs))
	for i := range runs {
		r := &runs[i]
		must[i] = opt.Head == 0 && opt.Tail == 0 || i < opt.Head || i >= len(runs)-opt.Tail || r.outstanding()
	}
	show := slices.Clone(must)
	for i := 1; i+1 < len(runs); i++ {
		show[i] = must[i] || must[i-1] && must[i+1]
	}
	return show
}

// outstanding reports whether the row is always shown.
func (r *Row) outstanding() bool {
	return r.Mark != "" || r.Class == classFault || r.Class == classHeal
}
