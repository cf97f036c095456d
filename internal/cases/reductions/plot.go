package main

import (
	"fmt"
	"math"
	"strings"
)

// curve is transitions by depth, from 1 on.
type curve struct {
	name   string
	points []float64
}

// The plot's measures.
const (
	width, height = 720, 440
	left, right   = 70, 190
	top, bottom   = 20, 40
)

var colours = []string{"#1b6ca8", "#6aa9d8", "#9ad0f5", "#b3430f", "#e07b39", "#f5b58a"}

// draw gives an SVG with one line for each curve, transitions on a logarithmic scale.
func draw(curves []curve, depth int) string {
	highest := 1.0
	for _, c := range curves {
		for _, p := range c.points {
			highest = max(highest, p)
		}
	}
	decades := math.Ceil(math.Log10(highest))
	x := func(d int) float64 { return left + float64(d-1)/float64(max(1, depth-1))*(width-left-right) }
	y := func(n float64) float64 { return height - bottom - math.Log10(max(1, n))/decades*(height-top-bottom) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for k := range int(decades) + 1 {
		at := y(math.Pow(10, float64(k)))
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">1e%d</text>`+"\n",
			left, width-right, at, at, left-6, at+4, k)
	}
	for d := 1; d <= depth; d++ {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(d), height-bottom+18, d)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">depth</text>`+"\n", (left+width-right)/2, height-4)
	for i, c := range curves {
		colour := colours[i%len(colours)]
		var points []string
		for d, p := range c.points {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(d+1), y(p)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), colour)
		end := c.points[len(c.points)-1]
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", width-right+8, y(end)+4, colour, c.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
