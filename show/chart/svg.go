package chart

import (
	"bufio"
	"fmt"
	"html"
	"io"
)

// Measures of a picture, in pixels.
const (
	svgLane  = 220 // between two life lines
	svgRow   = 18
	svgLeft  = 60 // of the first life line; numbers are before it
	svgTop   = 40
	svgLanes = 40 // life lines at most; others share the last one
	svgText  = 34 // characters beside a life line
)

// WriteSVG writes the chart as a picture: a life line for each mote, time going down, frames as arrows.
func (c *Chart) WriteSVG(to io.Writer, opt Options) error {
	p, err := c.Plan(opt, svgLanes)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to)
	width, height := svgLeft+svgLane*max(len(p.Lanes), 1), svgTop+svgRow*(len(p.Items)+2)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for i, name := range p.Lanes {
		x := svgLeft + i*svgLane
		fmt.Fprintf(w, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999"/>`+"\n", x, svgTop-8, x, height-svgRow/2)
		fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="middle" font-weight="bold">%s</text>`+"\n", x, svgTop-16, html.EscapeString(name))
	}
	for n, it := range p.Items {
		p.svgItem(w, it, svgTop+svgRow*(n+1), width)
	}
	w.WriteString("</svg>\n")
	return w.Flush()
}

// svgItem draws what comes next.
func (p *Plan) svgItem(w *bufio.Writer, it Item, y, width int) {
	note := func(text string) {
		fmt.Fprintf(w, `<text x="%d" y="%d" fill="#666" font-style="italic">%s</text>`+"\n", svgLeft+8, y, html.EscapeString(text))
	}
	switch {
	case it.Cycle:
		note("from here on for ever")
		return
	case it.Left > 0:
		note(events(it.Left) + " left out")
		return
	}
	r := it.Row
	fmt.Fprintf(w, `<text x="4" y="%d" fill="#666">%d</text>`+"\n", y, r.Number)
	colour := map[bool]string{false: "#06c", true: "#c00"}[r.Lost || r.Class == classFault]
	title := unicodeStrokes.cut(r.Title, svgText)
	if r.Mark != "" {
		title, colour = title+" ("+r.Mark+")", "#c00"
	}
	if r.Mote == allMotes {
		fmt.Fprintf(w, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-dasharray="4"/>`+"\n", svgLeft, y+3, width-8, y+3, colour)
		note(title)
		return
	}
	to := svgLeft + svgLane*p.Of[r.Mote]
	if r.From >= 0 && p.Of[r.From] != p.Of[r.Mote] {
		p.svgArrow(w, svgLeft+svgLane*p.Of[r.From], to, y-4, r.Lost, colour)
	} else {
		fmt.Fprintf(w, `<circle cx="%d" cy="%d" r="3" fill="%s"/>`+"\n", to, y-4, colour)
	}
	fmt.Fprintf(w, `<text x="%d" y="%d">%s<title>%s</title></text>`+"\n", to+8, y, html.EscapeString(title+times(it.Times)), html.EscapeString(r.Title))
}

// svgArrow draws a frame. A lost one ends short of its receiver, in a cross.
func (p *Plan) svgArrow(w *bufio.Writer, from, to, y int, lost bool, colour string) {
	side := 1
	if from > to {
		side = -1
	}
	end := to - side*2
	if lost {
		end = to - side*14
		fmt.Fprintf(w, `<path d="M%d %d l8 8 m0 -8 l-8 8" stroke="%s"/>`+"\n", end-4, y-4, colour)
	} else {
		fmt.Fprintf(w, `<path d="M%d %d l%d -4 l0 8 z" fill="%s"/>`+"\n", end, y, -side*7, colour)
	}
	fmt.Fprintf(w, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s"/>`+"\n", from, y, end, y, colour)
}
