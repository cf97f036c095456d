package picture

import (
	"fmt"
	"io"
	"strings"
)

// pageWidth is how wide trees may stand beside each other.
const pageWidth = 1500

// WriteSVG writes all of a picture as one SVG file.
func (p *Picture) WriteSVG(to io.Writer) error {
	c := &canvas{}
	y := 24
	c.label("title", 0, y, p.Title+of(p.Firmware), sansWidth+20)
	if p.Checked != "" {
		y += 22
		c.label("says", 0, y, p.Checked, sansWidth)
	}
	y = p.legend(c, y+24)
	for i := range p.Violations {
		v := &p.Violations[i]
		y = c.section(y, v.Title, v.Says, p.drawViolation(v))
	}
	for i := range p.Vectors {
		y = p.drawVector(c, &p.Vectors[i], y)
	}
	return c.write(to)
}

func of(firmware string) string {
	if firmware == "" {
		return ""
	}
	return " of " + firmware
}

// section puts a drawing under its heading.
func (c *canvas) section(y int, heading string, says []string, d *canvas) (bottom int) {
	y += 34
	c.label("heading", 0, y, heading, sansWidth+12)
	for _, s := range says {
		y += 19
		c.label("says", 0, y, s, sansWidth)
	}
	c.paste(d, 0, y+12)
	return y + 12 + d.h
}

// drawVector draws an interrupt: its flows, and the trees of its models.
func (p *Picture) drawVector(c *canvas, v *Vector, y int) int {
	y += 40
	c.label("title", 0, y, vectorTitle(v), sansWidth+20)
	for _, list := range [][]Flow{v.Flows, v.Rivals} {
		for i := range list {
			y = c.section(y, caption(&list[i], len(v.Rivals) > 0 && &list[0] == &v.Rivals[0]), nil, p.drawFlow(&list[i]))
		}
	}
	if v.Loose {
		y += 26
		c.label("note", 0, y, loose, sansWidth)
	}
	x, tall := 0, 0
	y += 26
	for _, m := range v.Models {
		d := drawModel(m)
		if x > 0 && x+d.w > pageWidth {
			x, y, tall = 0, y+tall+24, 0
		}
		c.paste(d, x, y)
		x, tall = x+d.w+48, max(tall, d.h)
	}
	return y + tall
}

const loose = "Its order is too irregular to be checked."

// vectorTitle says what an interrupt is.
func vectorTitle(v *Vector) string {
	text := fmt.Sprintf("Interrupt %d", v.Number)
	if v.Name != "" {
		text = fmt.Sprintf("%s (vector %d)", v.Name, v.Number)
	}
	text += ", depth " + v.Depth
	switch {
	case v.Background:
		text += ", background"
	case !v.Watched:
		text += ", only as what interleaves others"
	}
	return text
}

// modelTitle says how often a model was seen.
func modelTitle(m *Model) string {
	text := m.Name
	if m.Count > 0 {
		text += ", " + times(m.Count)
	}
	if m.Dropped {
		text += ", dropped"
	}
	return text
}

// drawModel draws a model's tree under its name.
func drawModel(m *Model) *canvas {
	c := &canvas{}
	c.label("heading", 0, 16, modelTitle(m), sansWidth+12)
	c.label("note", 0, 33, m.Summary, sansWidth-6)
	c.paste(drawTree(m.Tree), 0, 42)
	return c
}

// kinds are the ways in which a function comes to run, in the order of the legend.
var kinds = []struct{ kind, says string }{
	{"interrupt", "interrupt"}, {"task", "task"}, {"call", "call"}, {"inlined", "inlined call"}, {"jump", "call by a jump"}, {"post", "post of a task"},
}

// legend explains the boxes of trees.
func (p *Picture) legend(c *canvas, y int) int {
	x := 0
	for _, k := range kinds {
		w := 16 + width(k.says, monoWidth)
		c.printf(`<g class="node %s">`, k.kind)
		c.rect("", x, y, w, nodeHeight, 5)
		c.text("name", x+8, y+14, k.says)
		c.printf("</g>\n")
		x += w + 12
	}
	c.label("note", x+6, y+14, "A number is a function's place in the layered function sequence.", sansWidth-8)
	return y + nodeHeight
}

// margin is around the whole.
const margin = 20

// write writes a drawing as an SVG file.
func (c *canvas) write(to io.Writer) error {
	w, h := c.w+2*margin, c.h+2*margin
	css := strings.TrimSpace(plainCSS())
	_, err := fmt.Fprintf(to, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%d %d %d %d">
<style>
%s
</style>
<rect x="%d" y="%d" width="%d" height="%d" fill="#ffffff"/>
%s</svg>
`, w, h, -margin, -margin, w, h, css, -margin, -margin, w, h, c.b.String())
	return err
}
