package export

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"motehound/job/phrase"
	"motehound/observe/signals"
	"motehound/show/chart"
	"motehound/world"
)

// conversation is the frames of a run on their way into a message sequence chart.
type conversation struct {
	w     *world.World
	sent  []chartFrame
	heard []hearing
}

// chartFrame is a transmission.
type chartFrame struct {
	from       int
	start, end uint64
	bytes      int
}

// hearing is a frame at one of its receivers.
type hearing struct {
	to, from int
	at       uint64
}

// chartEnds is how many rows of a long chart are shown at its start, and at its end.
const chartEnds = 2000

// Chart writes a chart in the form that a file's name asks for: a picture if it ends in .svg, else text.
func Chart(to io.Writer, name string, c *chart.Chart) error {
	opt := chart.Options{Head: chartEnds, Tail: chartEnds}
	if strings.EqualFold(filepath.Ext(name), ".svg") {
		return c.WriteSVG(to, opt)
	}
	return c.Write(to, opt)
}

// recordChart has the frames of a world drawn: who sent them, and who heard them to their end.
func recordChart(w *world.World, to io.Writer, name string) (done func() error, err error) {
	x := &conversation{w: w}
	w.Observe(world.Observer{
		Frame: func(f world.Frame) {
			if p, ok := packetOf(f); ok {
				x.sent = append(x.sent, chartFrame{f.Sender, f.Start, f.End, len(p.data)})
			}
		},
		Heard: func(to int, ps uint64, sender int) { x.heard = append(x.heard, hearing{to, sender, ps}) },
	})
	return func() error { return Chart(to, name, x.chart()) }, nil
}

// chart orders what was seen by time: a row for each receiver of a frame, and one for a frame that nobody heard.
func (x *conversation) chart() *chart.Chart {
	c := &chart.Chart{}
	for i := range x.w.Motes() {
		c.Columns = append(c.Columns, signals.MoteName(x.w, i))
	}
	slices.SortStableFunc(x.sent, func(a, b chartFrame) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.from, b.from)) })
	slices.SortStableFunc(x.heard, func(a, b hearing) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.to, b.to)) })
	used := make([]bool, len(x.heard))
	for _, f := range x.sent {
		title := fmt.Sprintf("%d bytes, %s", f.bytes, phrase.Seconds(f.start))
		found := false
		first, _ := slices.BinarySearchFunc(x.heard, f.start, func(h hearing, at uint64) int { return cmp.Compare(h.at, at) })
		for k := first; k < len(x.heard) && x.heard[k].at <= f.end+world.Millisecond; k++ {
			if h := x.heard[k]; !used[k] && h.from == f.from {
				used[k], found = true, true
				c.Rows = append(c.Rows, chart.Row{Mote: h.to, From: f.from, Class: "frame", Title: title})
			}
		}
		if !found {
			c.Rows = append(c.Rows, chart.Row{Mote: f.from, From: -1, Class: "frame", Lost: true, Title: title + ", heard by nobody"})
		}
	}
	for k, h := range x.heard {
		if !used[k] {
			c.Rows = append(c.Rows, chart.Row{Mote: h.to, From: -1, Class: "frame", Title: "from outside, " + phrase.Seconds(h.at)})
		}
	}
	for i := range c.Rows {
		c.Rows[i].Number = i + 1
	}
	return c
}
