// Package field prepares a trace from the field for mine and model: intervals with counters, and instances with call trees.
//
// A trace has no instructions. Counters count paths: how often each procedure took each path while an interval lasted. Call trees have
// only the traced procedures, and under each the paths that it took.
//
// Invariants: it adds nothing to the log and the map; where something is missing in the log, intervals that were open there are not
// complete; everything comes in the order of the log, and the same log gives the same result.
package field

import (
	"fmt"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/observe/intervals"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/study/mining"
	"motehound/study/outlier"
)

// Source is a log to learn from.
type Source struct {
	Log    *record.Log
	Teller *narrative.Teller
	Mote   int    // index in the world
	Hertz  uint64 // of the mote
	Vector func(number uint16) string
}

// walk gives items to the anatomist and events to whoever wants them. A gap ends all that is open, as a reset does.
func (s *Source) walk(take func(kernel.Item), event func(record.At, record.Event)) (last uint64) {
	s.Teller.Walk(s.Log, s.Hertz, func(it narrative.Item) {
		last = it.Cycle
		take(it.Item)
	}, func(at record.At, e record.Event) {
		if e.Kind.Gap() {
			take(kernel.Item{Cycle: last, Kind: kernel.Reset})
		}
		event(at, e)
	})
	return last + 1
}

// lived says what is missing in the log if there is nothing to learn from.
func (s *Source) lived(intervals int) error {
	if intervals == 0 {
		return fmt.Errorf("the trace has no complete event procedure: interrupt handlers must be traced (trace cc --kind interrupt), " +
			"and to see what they cause, also tasks and the functions that post them")
	}
	return nil
}

// way is a path of a procedure.
type way struct{ proc, path uint16 }

// gatherer counts paths.
type gatherer struct {
	*Source
	collection *mining.Collection
	id         uint16
	features   map[way]int
	counts     []uint32
	open       [][]uint32 // what the counts were when an interval began, by Tag-1
	free       []int
	skip       uint64
	kept       int
}

// Collect takes the intervals of the log, of the mote with a node id, into a collection, whose field becomes the paths. Those that began within
// skip cycles of a start are left out.
func (s *Source) Collect(collection *mining.Collection, id uint16, skip uint64) error {
	g := &gatherer{Source: s, collection: collection, id: id, features: map[way]int{}, skip: skip}
	collection.Firmware = &mining.Firmware{}
	a := intervals.New(g.ended, intervals.Options{Started: g.started})
	end := s.walk(a.Take, g.event)
	a.Close(end)
	return s.lived(g.kept)
}

func (g *gatherer) event(_ record.At, e record.Event) {
	if e.Kind != record.Path && e.Kind != record.Leave || e.Abandoned {
		return
	}
	w := way{e.Proc, e.Path}
	i, ok := g.features[w]
	if !ok {
		i = len(g.counts)
		g.features[w] = i
		g.counts = append(g.counts, 0)
		g.collection.Firmware.Places = append(g.collection.Firmware.Places, g.place(w))
	}
	g.counts[i]++
}

// place is where a path begins.
func (g *gatherer) place(w way) mining.Place {
	p := mining.Place{Function: fmt.Sprintf("%s, path %d", image.Readable(g.Teller.Name(w.proc)), w.path)}
	if proc := g.Teller.Proc(w.proc); proc != nil {
		p.File, p.Line = proc.File, proc.Line
		if way, err := proc.Decode(int(w.path)); err == nil {
			for _, b := range way.Blocks {
				if lines := proc.Blocks[b].Lines; len(lines) > 0 {
					p.File, p.Line = proc.Files[lines[0][0]], lines[0][1]
					break
				}
			}
		}
	}
	return p
}

func (g *gatherer) started(iv *intervals.Interval) {
	n := len(g.free)
	if n == 0 {
		g.open, g.free, n = append(g.open, nil), append(g.free, len(g.open)), 1
	}
	i := g.free[n-1]
	g.free = g.free[:n-1]
	g.open[i] = append(g.open[i][:0], g.counts...)
	iv.Tag = i + 1
}

func (g *gatherer) ended(iv *intervals.Interval) {
	if iv.Tag == 0 {
		return
	}
	was := g.open[iv.Tag-1]
	g.free = append(g.free, iv.Tag-1)
	if !iv.Complete || iv.Start < g.skip {
		return
	}
	counts := make([]uint32, len(g.counts))
	for i, n := range g.counts {
		counts[i] = n
		if i < len(was) {
			counts[i] -= was[i]
		}
	}
	if iv.Vector != intervals.ResetVector {
		g.kept++
	}
	g.collection.Keep(&mining.Interval{Interval: *iv, ID: g.id, Mote: g.Mote, Counts: outlier.Dense(counts)})
}
