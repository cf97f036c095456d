package chart

import (
	"fmt"
	"strings"
)

// strokes is what charts are drawn with. Each is one cell wide, except for the ellipsis.
type strokes struct {
	life, gap, dash, cross, double, doubleCross string
	fromLeft, fromRight                         string // where an arrow leaves a life line: to the right, to the left
	toRight, toLeft, lost                       string // where it ends
	loopStart, loop, loopEnd                    string
	point, mark                                 string // in the margin, in the lane
	ellipsis                                    string
	events                                      map[string]string // by class, on the life line
}

var unicodeStrokes = strokes{
	life: "│", gap: "┊", dash: "─", cross: "┼", double: "═", doubleCross: "╪",
	fromLeft: "├", fromRight: "┤", toRight: "►", toLeft: "◄", lost: "✕",
	loopStart: "╭", loop: "│", loopEnd: "╰",
	point: "►", mark: "◄", ellipsis: "…",
	events: map[string]string{classInterrupt: "●", classTask: "■", classFrame: "◇", classFault: "█", classInput: "◆", classHeal: "✚"},
}

var asciiStrokes = strokes{
	life: "|", gap: ":", dash: "-", cross: "+", double: "=", doubleCross: "#",
	fromLeft: "+", fromRight: "+", toRight: ">", toLeft: "<", lost: "X",
	loopStart: "+", loop: "|", loopEnd: "+",
	point: ">", mark: "<", ellipsis: "...",
	events: map[string]string{classInterrupt: "o", classTask: "*", classFrame: "@", classFault: "!", classInput: "$", classHeal: "%"},
}

const (
	indent    = 2 // of notes and changes below a title
	arrowRoom = 6 // what an arrow needs beside a title that is written on it
	maxTitle  = 4 // lines; a title is cut that needs more
)

// line is a line of text by cells; a wide glyph has the empty string in its second one.
type line []string

func (l line) put(x int, text string) {
	for _, g := range glyphs(text) {
		if x+g.cells > len(l) {
			return
		}
		l[x] = g.text
		if g.cells == 2 {
			l[x+1] = ""
		}
		x += g.cells
	}
}

// fill puts a stroke on some cells.
func (l line) fill(from, to int, stroke string) {
	for x := from; x < to; x++ {
		l[x] = stroke
	}
}

// blank is a line on which nothing happens.
func (d *drawing) blank(life string) line {
	l := make(line, d.width)
	l.fill(0, d.width, " ")
	if d.bracket != "" {
		l[0] = d.bracket
	}
	for _, lane := range d.lanes {
		l[lane.x] = life
	}
	return l
}

func (d *drawing) emit(l line) {
	d.out.WriteString(strings.TrimRight(strings.Join(l, ""), " "))
	d.out.WriteByte('\n')
}

// header writes the names of the columns, each above its life line.
func (d *drawing) header() {
	l := d.blank(" ")
	for _, lane := range d.lanes {
		l.put(lane.x, d.cut(lane.name, lane.room+textAt))
	}
	if d.rest > 0 {
		l.put(d.rest, restName)
	}
	d.emit(l)
}

// wide is how many cells text has that goes across all lanes.
func (d *drawing) wide() int { return d.width - d.left - textAt }

// span writes text across all lanes.
func (d *drawing) span(life, text string) {
	for _, t := range d.wrap(text, d.wide(), 0) {
		l := d.blank(life)
		l.put(d.left+textAt, t+" ") // not to touch a life line
		d.emit(l)
	}
}

// ruled is a line through all life lines, with text on it.
func (d *drawing) ruled(dash, cross, text string) line {
	l := d.blank(cross)
	last := d.lanes[len(d.lanes)-1].x
	for x := d.left + 1; x < last; x++ {
		if l[x] == " " {
			l[x] = dash
		}
	}
	l[d.left+1] = dash
	l.put(d.left+textAt, " "+text+" ")
	return l
}

// rule writes a line through all life lines.
func (d *drawing) rule(dash, cross, text string) {
	lines := d.wrap(text, d.wide()-1, 0)
	d.emit(d.ruled(dash, cross, lines[0]))
	for _, t := range lines[1:] {
		d.span(d.life, t)
	}
}

// times says how many equal things there are.
func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" x %d", n)
}
