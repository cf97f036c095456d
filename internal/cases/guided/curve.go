package main

import (
	"fmt"
	"os"
	"strings"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/guide"
)

// samples is how often a curve is looked at.
const samples = 30

// curve is how much was seen after each part of the events.
type curve struct {
	blocks, features [samples]float64
}

// watcher is a network whose events are looked at, whether walks are guided or not.
type watcher struct {
	*explore.System
	seen *sightings
}

// sightings are what all clones of a watcher have seen. One thread walks.
type sightings struct {
	every    uint64
	events   uint64
	blocks   map[uint32]bool
	features map[guide.Feature]bool
	ran      []uint32
	shown    []guide.Feature
	curve    curve
}

func (w *watcher) Clone() check.System { return &watcher{w.System.Clone().(*explore.System), w.seen} }

func (w *watcher) CopyFrom(other check.System) { w.System.CopyFrom(other.(*watcher).System) }

// Scout is always on.
func (w *watcher) Scout(bool) {}

func (w *watcher) Fire(e check.Event) (check.Step, error) {
	step, err := w.System.Fire(e)
	s := w.seen
	s.ran, s.shown = w.Ran(s.ran[:0]), w.Seen(s.shown[:0])
	for _, b := range s.ran {
		s.blocks[b] = true
	}
	for _, f := range s.shown {
		s.features[f] = true
	}
	if s.events++; s.events%s.every == 0 && s.events/s.every <= samples {
		n := s.events/s.every - 1
		s.curve.blocks[n], s.curve.features[n] = float64(len(s.blocks)), float64(len(s.features))
	}
	return step, err
}

// follow walks, and returns what was seen when.
func follow(base check.System, guided bool, seed, total uint64) (curve, error) {
	s := &sightings{every: total / samples, blocks: make(map[uint32]bool), features: make(map[guide.Feature]bool)}
	sys := base.Clone().(*explore.System)
	sys.Scout(true)
	o := cases.Defaults().Walk
	o.First, o.Total, o.Unguided, o.Seed, o.Threads = false, total+1, !guided, seed, 1
	o.Stop = func() bool { return s.events > total }
	_, err := check.Walks(&watcher{sys, s}, o)
	return s.curve, err
}

// average is that of curves with several seeds.
func average(base check.System, guided bool, seeds, total uint64) (all curve, err error) {
	for seed := range seeds {
		c, err := follow(base, guided, seed+1, total)
		if err != nil {
			return all, err
		}
		for i := range samples {
			all.blocks[i] += c.blocks[i] / float64(seeds)
			all.features[i] += c.features[i] / float64(seeds)
		}
	}
	return all, nil
}

// curves prints what is seen when, as a table, and draws it if a file is given.
func curves(names []string, motes int, seeds, total uint64, file string) error {
	fmt.Println("| example | events | blocks, guided | unguided | features, guided | unguided |\n|---|---|---|---|---|---|")
	var svg strings.Builder
	for row, name := range names {
		base, err := system(name, motes)
		if err != nil {
			return err
		}
		var both [2]curve
		for i, guided := range []bool{true, false} {
			if both[i], err = average(base, guided, seeds, total); err != nil {
				return err
			}
		}
		for n := range samples {
			if (n+1)%(samples/3) == 0 || n == samples/15-1 {
				fmt.Printf("| %s | %d | %.0f | %.0f | %.0f | %.0f |\n", label(name), total/samples*uint64(n+1), both[0].blocks[n], both[1].blocks[n],
					both[0].features[n], both[1].features[n])
			}
		}
		draw(&svg, row, label(name), both)
	}
	if file == "" {
		return nil
	}
	return os.WriteFile(file, []byte(picture(svg.String(), len(names), total)), 0o644)
}

// The size of a diagram, and the space around it.
const (
	wide, high = 560, 150
	left, gap  = 60, 40
)

// draw draws the features of one example.
func draw(svg *strings.Builder, row int, name string, both [2]curve) {
	top := gap + row*(high+gap)
	most := max(both[0].features[samples-1], both[1].features[samples-1], 1)
	fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
		left, top-8, name, left, top, wide, high)
	fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f</text>\n", left-6, top+10, most)
	for i, c := range both {
		colour := []string{"#1f6fb4", "#c8553d"}[i]
		fmt.Fprintf(svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%d,%d", colour, left, top+high)
		for n, y := range c.features {
			fmt.Fprintf(svg, " %d,%.0f", left+wide*(n+1)/samples, float64(top+high)-y/most*high)
		}
		svg.WriteString("\"/>\n")
	}
}

// picture is an SVG file.
func picture(body string, rows int, total uint64) string {
	width, height := left+wide+gap, gap+rows*(high+gap)
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n"+
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s<text x=\"%d\" y=\"%d\">features seen in %d events: guided "+
		"<tspan fill=\"#1f6fb4\">blue</tspan>, unguided <tspan fill=\"#c8553d\">red</tspan></text>\n</svg>\n", width, height, body, left, height-12, total)
}
