package picture

import (
	"fmt"

	"motehound/study/behavior"
)

// drawViolation draws what happened beside what was approved.
func (p *Picture) drawViolation(v *Violation) *canvas {
	switch {
	case v.Kind == behavior.JobflowViolation:
		return over(p.drawDeparture(v), v, ", which came instead:")
	case v.Kind == behavior.InterleavingViolation:
		return over(p.drawFlow(&v.Flow), v, ", which came there:")
	case v.Rows == nil:
		return drawTree(v.tree)
	}
	return p.drawBeside(v)
}

// over puts what the model of a violation does under a drawing.
func over(c *canvas, v *Violation, says string) *canvas {
	y := c.h + 26
	c.label("head", 0, y, v.Model+says, sansWidth)
	c.paste(drawTree(v.tree), 0, y+6)
	return c
}

// drawBeside draws two trees, what they have in common in the same rows.
func (p *Picture) drawBeside(v *Violation) *canvas {
	l, r := sideWidth(v.Rows, left), sideWidth(v.Rows, right)
	near := "approved: " + v.Nearest
	if m := p.model(v.Nearest); m.Count > 0 {
		near += ", " + times(m.Count)
	}
	here := "this run: " + v.Model
	l, r = max(l, width(near, sansWidth)+20), max(r, width(here, sansWidth)+20)
	c, trees := &canvas{}, &canvas{}
	c.label("head", firstLayer, 14, near, sansWidth)
	c.label("head", l+gap+firstLayer, 14, here, sansWidth)
	trees.layers(v.Rows, 0)
	trees.layers(v.Rows, l+gap)
	trees.rows(v.Rows, v.First, v.leaving, l, r)
	trees.more(v.hidden)
	c.paste(trees, 0, 20)
	c.path("divider", fmt.Sprintf("M%d,4V%d", l+gap/2, c.h))
	return c
}

// maxColumns is how much of a long stretch is drawn before and after the position at which it departs.
const maxColumns = 30

// departure is a stretch lined up with its flow.
type departure struct {
	steps, flow []step
	odd, wanted int // columns among steps and flow of the same place; wanted is -1 if no flow was left
	shift       int // column of the flow's first step
	late        int // where the expected model comes at last, -1 for nowhere
	before, end int // the steps that are drawn
}

// lineUp puts the model that the flow goes on with over the one that came.
func lineUp(v *Violation) departure {
	d := departure{steps: merged(v.Sequence, v.Odd), wanted: -1, late: -1}
	for i, s := range d.steps {
		if s.from <= v.Odd {
			d.odd = i
		}
	}
	best := -1
	for e, name := range v.Flow.Names {
		n := 0 // how much of the flow before e the stretch has before odd
		for n < min(e, v.Odd, len(v.Sequence)) && v.Flow.Names[e-1-n] == v.Sequence[v.Odd-1-n] {
			n++
		}
		if name == v.Expected && n > best {
			best = n
			d.flow = merged(v.Flow.Names, e)
			for i, s := range d.flow {
				if s.from <= e {
					d.wanted = i
				}
			}
		}
	}
	if d.wanted >= 0 {
		d.shift = d.odd - d.wanted
	}
	for i := len(d.steps) - 1; i > d.odd; i-- {
		if d.steps[i].name == v.Expected {
			d.late = i
		}
	}
	d.before, d.end = max(0, d.odd-maxColumns), min(len(d.steps), d.odd+maxColumns)
	return d
}

// drawDeparture draws the flow above, and below it the stretch, with the position where it departs (Figure 9).
func (p *Picture) drawDeparture(v *Violation) *canvas {
	d := lineUp(v)
	from := d.before
	if d.wanted >= 0 {
		from = max(min(d.before, d.shift), d.odd-maxColumns)
	}
	c := &canvas{}
	upper, lower := d.lanes(from)
	for row := range upper {
		if d.hasFlow(row, from) {
			c.text("lane", 0, upper[row]+boxHeight/2+4, "approved")
		}
		if row*perRow < d.end-from {
			c.text("lane", 0, lower[row]+boxHeight/2+4, "this run")
		}
	}
	p.drawApproved(c, upper, &d, from)
	p.drawObserved(c, lower, v, &d, from)
	if hidden := len(d.steps) - d.end + v.More; hidden > 0 {
		c.label("note", gutter, c.h+22, fmt.Sprintf("… and %d more", hidden), sansWidth)
	}
	c.grow(0, c.h+8)
	return c
}

// laneGap is between the flow and the stretch under it.
const laneGap = 40

// hasFlow reports whether the flow reaches into a row of boxes.
func (d *departure) hasFlow(row, from int) bool {
	first := d.shift - from
	return first < (row+1)*perRow && first+len(d.flow) > row*perRow
}

// lanes are the rows of the flow and those of the stretch. Where the flow has ended, the stretch needs no room above it.
func (d *departure) lanes(from int) (upper, lower grid) {
	last := d.end
	if d.wanted >= 0 {
		last = max(last, min(d.shift+len(d.flow), d.odd+maxColumns+1))
	}
	y := 10
	for row := 0; row*perRow < last-from; row++ {
		upper = append(upper, y)
		if d.hasFlow(row, from) {
			y += boxHeight + laneGap
		}
		lower = append(lower, y)
		if row*perRow < d.end-from {
			y += boxHeight + 46
		}
	}
	return upper, lower
}

// drawObserved draws the stretch.
func (p *Picture) drawObserved(c *canvas, lower grid, v *Violation, d *departure, from int) {
	for i := max(d.before, from); i < d.end; i++ {
		col := i - from
		x, y := lower.at(col)
		if i > max(d.before, from) {
			c.link(lower, col)
		}
		class := "box"
		switch i {
		case d.odd:
			class = "box odd"
			c.label("odd-note", x, y+boxHeight+15, "▲ here it departs", sansWidth)
			if d.wanted >= 0 {
				c.path("hang fresh", fmt.Sprintf("M%d,%dV%d", x+boxWidth/2, y-laneGap+2, y-9))
				c.label("odd-note", x+boxWidth/2+7, y-laneGap/2, "instead", sansWidth)
			}
		case d.late:
			class = "box late"
			c.label("late-note", x, y+boxHeight+15, "▲ only here comes "+v.Expected, sansWidth)
		}
		c.box(class, x, y, boxHeight, p.model(d.steps[i].name), d.steps[i].many, ordinal(v, d.steps, i))
	}
}

// drawApproved draws the flow over the stretch.
func (p *Picture) drawApproved(c *canvas, g grid, d *departure, from int) {
	for i, s := range d.flow {
		col := d.shift + i - from
		if col < 0 || col > d.odd-from+maxColumns {
			continue
		}
		x, y := g.at(col)
		if col > 0 && i > 0 {
			c.link(g, col)
		}
		class := "box"
		switch {
		case i == d.wanted:
			class = "box wanted"
		case i > d.wanted:
			class = "box ghost"
		}
		c.box(class, x, y, boxHeight, p.model(s.name), s.many, "")
	}
}

// ordinal numbers the occurrences of a model that came more often than in the flow.
func ordinal(v *Violation, steps []step, at int) string {
	name := steps[at].name
	if usual := count(v.Flow.Names, name); usual == 0 || count(v.Sequence, name) <= usual {
		return ""
	}
	n := 0
	for _, s := range steps[:at+1] {
		if s.name == name {
			n++
		}
	}
	switch n {
	case 1:
		return "1st"
	case 2:
		return "2nd"
	case 3:
		return "3rd"
	}
	return fmt.Sprintf("%dth", n)
}
