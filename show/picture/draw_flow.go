package picture

import (
	"fmt"
	"strings"
)

// Flows are drawn as rows of boxes, a model each; two or more of the same model are one box with another behind it.
const (
	boxWidth   = 164
	boxHeight  = 66
	chipHeight = 38
	between    = 24 // two boxes
	perRow     = 5
	gutter     = 76 // for the names of lanes
	lines      = 3  // of a box, under its name
	briefChars = (boxWidth - 14) * 10 / smallWidth
	drop       = 16 // from what interleaves to the bracket, and from there to the flow
)

// step is a box of a flow.
type step struct {
	name string
	many bool // two or more
	from int  // its first position among the names
}

// merged draws two of the same together, unless the second is at a position at which something is to be shown.
func merged(names []string, apart int) []step {
	var list []step
	for i, name := range names {
		if last := len(list) - 1; last >= 0 && list[last].name == name && i != apart && !list[last].many {
			list[last].many = true
			continue
		}
		list = append(list, step{name, false, i})
	}
	return list
}

// grid is where boxes are: the tops of its rows.
type grid []int

// even is a grid with rows that are as far from each other.
func even(y, pitch, columns int) grid {
	var g grid
	for ; columns > 0; columns -= perRow {
		g = append(g, y)
		y += pitch
	}
	return g
}

func (g grid) at(col int) (x, y int) { return gutter + col%perRow*(boxWidth+between), g[col/perRow] }

// drawFlow draws a flow with what interleaves it: over it what comes within a member, under it what comes between two.
func (p *Picture) drawFlow(f *Flow) *canvas {
	c := &canvas{}
	steps := merged(f.Names, -1)
	if len(steps) == 0 {
		return c
	}
	var inside, apart []Interleaving
	for _, x := range f.Interleaved {
		if x.Inside {
			inside = append(inside, x)
		}
		if x.Between {
			apart = append(apart, x)
		}
	}
	top, chips := 10, 0
	if len(inside) > 0 {
		chips = p.chips(c, inside, "within", 6)
		top = chips + 2*drop + 6
	}
	g := even(top, boxHeight+30, len(steps))
	for i, s := range steps {
		x, y := g.at(i)
		if i > 0 {
			c.link(g, i)
		}
		c.box("box", x, y, boxHeight, p.model(s.name), s.many, "")
	}
	if len(inside) > 0 {
		c.hang(g, steps, inside, chips, chips+drop, "within")
	}
	if len(apart) > 0 {
		bracket := g[len(g)-1] + boxHeight + drop
		c.hang(g, steps, apart, bracket+drop, bracket, "between")
		p.chips(c, apart, "between", bracket+drop)
	}
	return c
}

// chips draws the models that interleave a flow.
func (p *Picture) chips(c *canvas, list []Interleaving, lane string, top int) (bottom int) {
	c.text("lane "+lane, 0, top+16, lane)
	c.text("lane "+lane, 0, top+30, "members")
	g := even(top, chipHeight+10, len(list))
	for i, x := range list {
		cx, cy := g.at(i)
		class := "box " + lane
		if x.New {
			class = "box fresh"
		}
		c.box(class, cx, cy, chipHeight, p.model(x.Model), false, "")
		bottom = cy + chipHeight
	}
	return bottom
}

// hang joins what interleaves a flow to it: by a bracket over its first row or under its last, with an end for each place at which
// it may come.
func (c *canvas) hang(g grid, steps []step, list []Interleaving, chips, bracket int, lane string) {
	class := "hang " + lane
	lo, hi := gutter+boxWidth/2, gutter+boxWidth/2
	join := func(x, from, to int, isNew bool) {
		lo, hi = min(lo, x), max(hi, x)
		look := lane
		if isNew {
			look = "fresh"
		}
		c.path("hang "+look, fmt.Sprintf("M%d,%dV%d", x, from, to))
		if from == bracket {
			c.printf(`<circle class="end %s" cx="%d" cy="%d" r="3.5"/>`, look, x, to)
		}
	}
	for i, x := range head(list, perRow) {
		join(gutter+i*(boxWidth+between)+boxWidth/2, chips, bracket, x.New)
	}
	row := 0
	if lane == "between" {
		row = len(g) - 1
	}
	for i := row * perRow; i < min(len(steps), (row+1)*perRow); i++ {
		isNew, comes := comesAt(list, steps[i].name)
		x, y := g.at(i)
		switch {
		case !comes:
		case lane == "between" && len(steps) == 1: // between one time and the next
			join(x+boxWidth/2, bracket, y+boxHeight+3, isNew)
		case lane == "within" && steps[i].many:
			join(x+boxWidth/2, bracket, y-9, isNew)
		case lane == "within":
			join(x+boxWidth/2, bracket, y-4, isNew)
		default:
			if steps[i].many {
				join(x+boxWidth/2, bracket, y+boxHeight+3, isNew)
			}
			if i%perRow > 0 {
				join(x-between/2, bracket, y+boxHeight/2+7, isNew) // up into the gap
			}
		}
	}
	c.path(class, fmt.Sprintf("M%d,%dH%d", lo, bracket, hi))
}

// comesAt reports whether something interleaves a flow at a model, and whether something new does.
func comesAt(list []Interleaving, model string) (isNew, comes bool) {
	for _, x := range list {
		switch {
		case !x.New:
			comes = true
		case x.Member == "" || x.Member == model:
			isNew, comes = true, true
		}
	}
	return isNew, comes
}

// link draws the arrow to a box from the one before it; from row to row it is cut in two.
func (c *canvas) link(g grid, i int) {
	x, y := g.at(i)
	px, py := g.at(i - 1)
	if i%perRow == 0 {
		c.arrow(px+boxWidth, py+boxHeight/2, px+boxWidth+18)
		c.grow(px+boxWidth+18, 0)
		px = x - 18 - boxWidth
	}
	c.arrow(px+boxWidth, y+boxHeight/2, x)
}

func (c *canvas) arrow(from, y, to int) {
	c.path("edge", fmt.Sprintf("M%d,%dH%d", from, y, to-6))
	c.path("tip", fmt.Sprintf("M%d,%dl-8,-4v8z", to-1, y))
}

// box draws a model.
func (c *canvas) box(class string, x, y, h int, m *Model, many bool, badge string) {
	c.printf(`<g class="%s" data-model="%s">`, class, escape(m.Name))
	if many {
		c.rect("behind", x+5, y-5, boxWidth-5, h, 6)
	}
	w := boxWidth
	if many {
		w -= 5
	}
	c.rect("face", x, y, w, h, 6)
	c.text("boxname", x+8, y+16, m.Name)
	right := ""
	if many {
		right = "two or more"
	}
	if badge != "" {
		c.text("badge", x+w-8, y+16, badge)
	} else if right != "" {
		c.text("boxcount", x+w-8, y+16, right)
	}
	for i, text := range brief(m) {
		if at := y + 30 + 13*i; at < y+h-2 {
			c.text("brief", x+8, at, text)
		}
	}
	c.printf("</g>\n")
}

// brief is a model's summary in the lines of a box.
func brief(m *Model) []string {
	var list []string
	runs, rest, both := strings.Cut(m.Summary, "; ")
	if tasks, ok := strings.CutPrefix(runs, "runs "); ok {
		for _, t := range strings.Split(tasks, ", ") {
			list = append(list, "▸ "+cut(t, briefChars-2))
		}
	} else {
		rest, both = m.Summary, true
	}
	if !both {
		return head(list, lines)
	}
	// One line is for what sets it apart from other models, however many tasks there are.
	list = head(list, lines-1)
	for _, f := range strings.Split(rest, ", ") {
		if task, ok := strings.CutPrefix(f, "post("); ok && strings.Contains(runs, strings.TrimSuffix(task, ")")) {
			continue
		}
		if f != "" {
			list = append(list, cut(f, briefChars))
		}
	}
	return head(list, lines)
}

func head[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// caption says what a flow is.
func caption(f *Flow, rival bool) string {
	what := "Other stretch of the approved run"
	switch {
	case rival:
		what = "What the job flow leaves has"
	case f.Main:
		what = "Job flow"
	}
	what += ": " + strings.Join(f.Names, " ")
	if f.Count > 0 {
		what += fmt.Sprintf(", %s, %.1f %%", times(uint64(f.Count)), 100*f.Share)
	}
	return what
}
