package intervals

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"motehound/firmware/kernel"
)

// refInterval is what the reference finds for one instance.
type refInterval struct {
	vector     uint16
	number     uint32
	start, end int // indices; end of the last task, or of the handler
	paper      int // what figure 4 outputs
	complete   bool
	runs       []int
	spans      []Span
}

// reference is figure 4 of the paper, on whole sequences, for every int item; with End items, and boot, if there are any. It
// shares nothing with the Anatomist: no stack, no queue, each question is answered by searching the sequence.
type reference []kernel.Item

// closing is the index of the reti of the int-reti string that begins at i, -1 if the sequence ends before.
func (s reference) closing(i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i].Kind {
		case kernel.Int:
			depth++
		case kernel.Reti:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// posts are the post items from lo to before hi, outside of int-reti strings.
func (s reference) posts(lo, hi int) []int {
	var p []int
	for i := lo; i < hi; i++ {
		switch s[i].Kind {
		case kernel.Post:
			p = append(p, i)
		case kernel.Int:
			r := s.closing(i)
			if r < 0 {
				return p
			}
			i = r
		}
	}
	return p
}

// runOf is the run of the task posted at p (Criterion 1), -1 if it is not in the sequence.
func (s reference) runOf(p int) int {
	rank := 0
	for _, it := range s[:p] {
		if it.Kind == kernel.Post {
			rank++
		}
	}
	for i, it := range s {
		if it.Kind == kernel.Run {
			if rank == 0 {
				return i
			}
			rank--
		}
	}
	return -1
}

// after is where the task ends, or the boot, that is at item r: at its End, or at the next Run; -1 if the sequence ends before.
func (s reference) after(r int) int {
	for i := r + 1; i < len(s); i++ {
		if s[i].Kind == kernel.Run || s[i].Kind == kernel.End {
			return i
		}
	}
	return -1
}

func (s reference) interval(start int) refInterval {
	v := refInterval{vector: s[start].Arg, start: start, complete: true}
	var loc int
	if s[start].Kind == kernel.Reset {
		v.vector = ResetVector
		loc = s.after(start)
	} else {
		loc = s.closing(start)
	}
	stop := loc
	if loc < 0 {
		v.complete = false
		stop = len(s)
	}
	v.end, v.paper = stop, stop
	p := s.posts(start+1, stop)
	for len(p) > 0 {
		var t []int
		for _, post := range p {
			r := s.runOf(post)
			if r < 0 {
				v.complete = false
				continue
			}
			v.runs = append(v.runs, r)
			next := s.after(r)
			if next < 0 {
				v.complete = false
				next = len(s)
			}
			v.paper, v.end = r, next
			t = append(t, s.posts(r+1, next)...)
		}
		p = t
	}
	if !v.complete {
		v.end, v.paper = len(s)-1, len(s)-1
	}
	return v
}

// executing is which instance, by its first item, executes after item k; -1: none.
func (s reference) executing(k int, owner []int) int {
	depth := 0
	for j := k; j >= 0; j-- {
		switch s[j].Kind {
		case kernel.Reti:
			depth++
		case kernel.Int:
			if depth == 0 {
				return j
			}
			depth--
		case kernel.Run, kernel.End:
			if s[j].Kind == kernel.End {
				return -1
			}
			return owner[j]
		case kernel.Reset:
			return j
		}
	}
	return -1
}

func (s reference) intervals() []refInterval {
	var all []refInterval
	place, owner := make([]int, len(s)), make([]int, len(s)) // of int and reset items in all; of runs
	for i, it := range s {
		if it.Kind == kernel.Int || it.Kind == kernel.Reset {
			v := s.interval(i)
			v.number = 1
			for _, earlier := range all {
				if earlier.vector == v.vector {
					v.number++
				}
			}
			for _, r := range v.runs {
				owner[r] = i
			}
			place[i] = len(all)
			all = append(all, v)
		}
	}
	for k := 0; k+1 < len(s); k++ {
		from, to := s[k].Cycle, s[k+1].Cycle
		who := s.executing(k, owner)
		if who < 0 || from == to {
			continue
		}
		sp := &all[place[who]].spans
		if n := len(*sp); n > 0 && (*sp)[n-1].To == from {
			(*sp)[n-1].To = to
		} else {
			*sp = append(*sp, Span{from, to})
		}
	}
	return all
}

// life makes random sequences that obey Rules 1 to 3.
type life struct {
	rnd     *rand.Rand
	ends    bool
	cycle   uint64
	depth   int
	running bool
	boot    bool
	waits   []uint16
}

func (l *life) next() kernel.Item {
	l.cycle += l.rnd.Uint64N(6)
	it := kernel.Item{Cycle: l.cycle}
	for {
		switch n := l.rnd.IntN(20); {
		case n < 3 && l.depth < 4:
			it.Kind, it.Arg = kernel.Int, uint16(20+l.rnd.IntN(3))
			l.depth++
		case n < 8 && l.depth > 0:
			it.Kind = kernel.Reti
			l.depth--
		case n < 12 && (l.depth > 0 || l.running || l.boot) && len(l.waits) < 100:
			it.Kind, it.Arg = kernel.Post, uint16(l.rnd.IntN(5))
			l.waits = append(l.waits, it.Arg)
		case n < 13 && (l.depth > 0 || l.running || l.boot):
			it.Kind, it.Arg = kernel.Fail, uint16(l.rnd.IntN(5))
		case n < 17 && l.depth == 0 && len(l.waits) > 0 && !(l.running && l.ends):
			it.Kind, it.Arg = kernel.Run, l.waits[0]
			l.waits = append(l.waits[:0], l.waits[1:]...)
			l.running, l.boot = true, false
		case n < 20 && l.depth == 0 && l.running && l.ends:
			it.Kind = kernel.End
			l.running = false
		default:
			continue
		}
		return it
	}
}

// lifecycle makes one sequence: half of them have End items, half begin with a boot.
func lifecycle(rnd *rand.Rand, items []kernel.Item) []kernel.Item {
	l := life{rnd: rnd, ends: rnd.IntN(2) == 0, cycle: rnd.Uint64N(100), boot: rnd.IntN(2) == 0}
	items = items[:0]
	if l.boot {
		items = append(items, kernel.Item{Kind: kernel.Reset, Cycle: l.cycle})
	}
	for range 5 + rnd.IntN(56) {
		items = append(items, l.next())
	}
	return items
}

// comparison holds the intervals of one sequence against the reference's, as they are reported.
type comparison struct {
	want     []refInterval
	opt      Options
	seen     int
	previous uint64 // what the reports are in the order of
	failed   string
}

func (c *comparison) sink(g *Interval) {
	c.seen++
	if g.Serial >= uint64(len(c.want)) {
		c.failed = fmt.Sprintf("%s is one too many", describe(g))
		return
	}
	w := c.want[g.Serial]
	end := w.end
	if c.opt.PaperEnd {
		end = w.paper
	}
	if g.Vector != w.vector || g.Instance != w.number || g.StartItem != uint64(w.start) || g.EndItem != uint64(end) ||
		g.Complete != w.complete || !sameRuns(g.Tasks, w.runs) || c.opt.Spans && !slices.Equal(g.Spans, w.spans) {
		c.failed = fmt.Sprintf("got %s, want %+v", describe(g), w)
	}
	order, ordered := g.EndItem, !c.opt.PaperEnd
	if c.opt.ByStart {
		order, ordered = g.Serial, g.Vector != ResetVector
	}
	if !ordered {
		return
	}
	if order < c.previous {
		c.failed = fmt.Sprintf("%s is out of order", describe(g))
	}
	c.previous = order
}

func sameRuns(tasks []Task, runs []int) bool {
	n := 0
	for _, t := range tasks {
		if t.State == Waiting {
			continue
		}
		if n == len(runs) || t.RunItem != uint64(runs[n]) {
			return false
		}
		n++
	}
	return n == len(runs)
}

// TestReference: the Anatomist agrees with the paper's algorithm on a million random sequences, on items, tasks and spans.
func TestReference(t *testing.T) {
	sequences := 1_000_000
	if testing.Short() {
		sequences = 50_000
	}
	rnd := rand.New(rand.NewPCG(3, 22))
	var items []kernel.Item
	var intervals, complete, spans int
	for n := range sequences {
		items = lifecycle(rnd, items)
		c := comparison{
			want: reference(items).intervals(),
			opt:  Options{PaperEnd: n%4 == 0, Spans: true, ByStart: n%8 == 1},
		}
		a := New(c.sink, c.opt)
		for _, it := range items {
			a.Take(it)
		}
		a.Close(0)
		if c.failed == "" && c.seen != len(c.want) {
			c.failed = fmt.Sprintf("%d intervals, want %d", c.seen, len(c.want))
		}
		if s := anomalies(a.Stats()); c.failed == "" && s != "" {
			c.failed = "it is legal, but stats are" + s
		}
		if c.failed != "" {
			t.Fatalf("sequence %d, %s: %s", n, render(items), c.failed)
		}
		intervals += len(c.want)
		for _, w := range c.want {
			spans += len(w.spans)
			if w.complete {
				complete++
			}
		}
	}
	t.Logf("%d sequences, %d intervals, %d of them complete, %d spans", sequences, intervals, complete, spans)
	if complete < sequences || spans < sequences {
		t.Error("the sequences are too poor to show anything")
	}
}

// anomalies are the counts that are 0 when items obey the rules.
func anomalies(s Stats) string {
	s.Items, s.Kinds, s.Complete, s.Incomplete = 0, [kernel.NumKinds]uint64{}, 0, 0
	s.MaxDepth, s.MaxWaiting, s.MaxOpen = 0, 0, 0
	if s == (Stats{}) {
		return ""
	}
	out := ""
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		if n, ok := v.Field(i).Interface().(uint64); ok && n > 0 {
			out += fmt.Sprintf(" %s=%d", v.Type().Field(i).Name, n)
		}
	}
	return out
}
