package chart

import (
	"fmt"
	"slices"
	"strconv"
)

// lane is a life line and the room for text beside it.
type lane struct {
	x      int // of the life line
	room   int // cells for text, from x + textAt
	name   string
	shared bool // several motes have it together, so that events have to say whose they are
}

const (
	textAt = 2 // from a life line to its text
	// minLane is the least width at which a lane is of use: the life line, a space, nine cells of text, a space.
	minLane = 12
	// restWidth is what the column takes that stands for motes without a lane.
	restWidth = 4
	restName  = "..."
)

// layout says where things are.
type layout struct {
	number int // cells of an event's number
	left   int // cells left of the first life line
	lanes  []lane
	of     []int // by column of the chart: its lane, -1 if it has none
	rest   int   // where restName is written for motes without a lane; 0 if all have one
	cycle  bool  // there is a bracket beside the end of the chart
}

// layout finds a place for each column. With more columns than fit, only the motes that take part get a lane; if there are too
// many of these, the ones with the fewest events share one.
func (c *Chart) layout(opt Options) (*layout, error) {
	l := &layout{number: 1, cycle: c.Cycle > 0, of: make([]int, len(c.Columns))}
	for i := range c.Rows {
		l.number = max(l.number, len(strconv.Itoa(c.Rows[i].Number)))
	}
	l.left = 1 + l.number + 2
	if l.cycle {
		l.left += 2
	}
	room := opt.Width - l.left
	if room < minLane {
		return nil, fmt.Errorf("%d columns are too narrow for this chart: it needs at least %d", opt.Width, l.left+minLane)
	}
	if !l.assign(c, room) {
		l.rest = opt.Width - restWidth + 1
		room -= restWidth
	}
	l.place(c, room)
	return l, nil
}

// assign gives lanes to columns. It tells whether every column is in some lane.
func (l *layout) assign(c *Chart, room int) bool {
	fits := room / minLane
	// One less than fits beside a shared lane: titles there begin with names and need more room.
	own, rest := c.owners(fits, (room-restWidth)/minLane, max(fits-2, 0))
	for i := range l.of {
		l.of[i] = -1
	}
	for _, i := range own {
		l.of[i] = len(l.lanes)
		l.lanes = append(l.lanes, lane{name: c.Columns[i]})
	}
	if rest == restShares {
		l.lanes = append(l.lanes, lane{name: restName, shared: true})
		for i := range l.of {
			if l.of[i] < 0 {
				l.of[i] = len(l.lanes) - 1
			}
		}
	}
	return rest != restAbsent
}

// What becomes of columns without a lane of their own.
const (
	restNone   = iota // there is no such column
	restAbsent        // nothing happens there
	restShares        // they have one lane together
)

// owners are the columns that get a lane of their own: all if so many fit, or else those that take part if these fit, or else those where most happens,
// as many as fit beside a shared lane.
func (c *Chart) owners(all, part, beside int) (own []int, rest int) {
	weight := c.weights()
	var columns, busy []int
	for i := range c.Columns {
		columns = append(columns, i)
		if weight[i] > 0 {
			busy = append(busy, i)
		}
	}
	switch {
	case len(columns) <= all:
		return columns, restNone
	case len(busy) > 0 && len(busy) <= part:
		return busy, restAbsent
	}
	slices.SortStableFunc(columns, func(a, b int) int { return weight[b] - weight[a] })
	own = columns[:beside]
	slices.Sort(own)
	return own, restShares
}

// weights tells how much each column matters: 0 if nothing happens there, most where something outstanding does.
func (c *Chart) weights() []int {
	weight := make([]int, len(c.Columns))
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.From >= 0 {
			weight[r.From]++
		}
		if r.Mote >= 0 {
			weight[r.Mote]++
			if r.outstanding() {
				weight[r.Mote] += 2 * len(c.Rows)
			}
		}
	}
	return weight
}

// place says where the lanes are: each is as wide as its text, as far as there is room for all; if not, the widest give way.
func (l *layout) place(c *Chart, room int) {
	need := l.needs(c)
	limit := widest(need, room)
	x := l.left
	for i := range l.lanes {
		width := min(need[i], limit)
		if i == len(l.lanes)-1 {
			width = l.left + room - x + 1 // no space before a next lane
			if l.rest > 0 {
				width--
			}
		}
		l.lanes[i].x, l.lanes[i].room = x, width-textAt-1
		x += width
	}
}

// needs tells how wide each lane would have to be for its text. Those without text can do with less than minLane.
func (l *layout) needs(c *Chart) []int {
	need := make([]int, len(l.lanes))
	for i := range l.lanes {
		need[i] = max(measure(l.lanes[i].name)+2, textAt+2)
	}
	for _, e := range c.runs() {
		if e.Mote < 0 || l.of[e.Mote] < 0 {
			continue
		}
		at := l.of[e.Mote]
		most := measure(l.title(c.Columns, &e))
		for _, t := range fold(e.Notes) {
			most = max(most, measure(t)+indent)
		}
		for _, t := range e.Changed {
			most = max(most, measure(t)+indent)
		}
		if e.From >= 0 && l.of[e.From] > at { // the title is on the arrow
			most += arrowRoom
		}
		need[at] = max(need[at], most+textAt+1, minLane)
	}
	return need
}

// widest is the greatest width to which lanes can be limited so that they fit all together.
func widest(need []int, room int) int {
	sorted := slices.Sorted(slices.Values(need))
	for i, n := range sorted {
		if share := room / (len(sorted) - i); n > share {
			return share
		}
		room -= n
	}
	return sorted[len(sorted)-1]
}
