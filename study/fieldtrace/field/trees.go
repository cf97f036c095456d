package field

import (
	"fmt"
	"slices"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/observe/calltree"
	"motehound/observe/intervals"
	"motehound/study/fieldtrace/record"
)

// frame is a procedure that is open.
type frame struct {
	proc   uint16
	serial uint64 // of the instance whose handler or task it is
	root   bool   // it is one
	lost   bool   // it is one, of no instance that is known
	kind   calltree.CallKind
	fn     *calltree.Func
	calls  []*calltree.Node
}

// call adds what was called, each once, in order of the first: how often a loop went round is no other behaviour.
func (f *frame) call(n *calltree.Node) {
	if !slices.Contains(f.calls, n) {
		f.calls = append(f.calls, n)
	}
}

// life is an instance that is open.
type life struct {
	roots  []*calltree.Node
	within []turn
}

// turn is an instance that executed, from a cycle on.
type turn struct{ serial, cycle uint64 }

// maxWithin is how many others are remembered of one that is open for long.
const maxWithin = 1024

// grower grows trees.
type grower struct {
	*Source
	book      *calltree.Book
	anatomist *intervals.Anatomist
	frames    []frame
	lives     map[uint64]*life // that are open, or wait for one before them
	open      []uint64
	take      func(calltree.Instance)
	given     int
}

// Instances gives the log's instances, in order of their start.
func (s *Source) Instances(book *calltree.Book, take func(calltree.Instance)) error {
	g := &grower{Source: s, book: book, take: take, lives: map[uint64]*life{}}
	g.anatomist = intervals.New(g.ended, intervals.Options{ByStart: true, MaxList: 1, Started: g.started, Switched: g.switched})
	end := s.walk(g.item, g.event)
	g.frames = nil
	g.anatomist.Close(end)
	return s.lived(g.given)
}

func (g *grower) started(iv *intervals.Interval) {
	g.lives[iv.Serial] = &life{}
	g.open = append(g.open, iv.Serial)
}

// switched notes who executes while others are open.
func (g *grower) switched(cycle uint64, now intervals.Active) {
	if now.Instance == 0 {
		return
	}
	for _, serial := range g.open {
		l := g.lives[serial]
		if serial != now.Serial && len(l.within) < maxWithin && (len(l.within) == 0 || l.within[len(l.within)-1].serial != now.Serial) {
			l.within = append(l.within, turn{now.Serial, cycle})
		}
	}
}

func (g *grower) ended(iv *intervals.Interval) {
	l := g.lives[iv.Serial]
	delete(g.lives, iv.Serial)
	if i := slices.Index(g.open, iv.Serial); i >= 0 {
		g.open = slices.Delete(g.open, i, i+1)
	}
	if l == nil {
		return
	}
	var within []uint64
	for _, t := range l.within {
		if t.cycle <= iv.End { // later ones came when it only waited to be given away
			within = append(within, t.serial)
		}
	}
	slices.Sort(within)
	if iv.Vector != intervals.ResetVector {
		g.given++
	}
	g.take(calltree.Instance{Mote: g.Mote, Vector: iv.Vector, Number: iv.Instance, Serial: iv.Serial, Start: iv.Start, End: iv.End, Complete: iv.Complete,
		Tree:   g.book.Node(calltree.Root, g.book.Func("instance", "", 0), calltree.Site{}, l.roots),
		Within: slices.Compact(within)})
}

// item takes a lifecycle item.
func (g *grower) item(it kernel.Item) {
	g.anatomist.Take(it)
	if it.Kind == kernel.Reset {
		g.frames = g.frames[:0]
	}
}

func (g *grower) event(_ record.At, e record.Event) {
	switch {
	case e.Kind == record.Enter:
		g.enter(e.Proc)
	case e.Kind != record.Path && e.Kind != record.Leave || len(g.frames) == 0:
	default:
		top := &g.frames[len(g.frames)-1]
		if top.proc != e.Proc {
			return // it was entered before the log begins
		}
		if !e.Abandoned {
			top.call(g.book.Node(calltree.Call, g.book.Func(fmt.Sprintf("%s path %d", top.fn.Name, e.Path), top.fn.File, top.fn.Line), calltree.Site{}, nil))
		}
		if e.Kind == record.Leave {
			g.leave()
		}
	}
}

func (g *grower) enter(proc uint16) {
	f := frame{proc: proc, kind: calltree.Call}
	kind, task, special := g.Teller.Role(proc)
	name, file, line := image.Readable(g.Teller.Name(proc)), "", 0
	if p := g.Teller.Proc(proc); p != nil {
		file, line = p.File, p.Line
	}
	switch {
	case special && kind == kernel.Post:
		f.kind, name = calltree.Post, "post("+image.Readable(task)+")"
	case special:
		now := g.anatomist.Active()
		f.root, f.serial, f.lost = true, now.Serial, now.Instance == 0
		f.kind, name = calltree.Task, image.Readable(task)
		if kind == kernel.Int {
			f.kind, name = calltree.Interrupt, g.Vector(now.Vector)
		}
	}
	f.fn = g.book.Func(name, file, line)
	g.frames = append(g.frames, f)
}

// leave ends the innermost procedure: its tree belongs to its caller, or to its instance.
func (g *grower) leave() {
	f := &g.frames[len(g.frames)-1]
	g.frames = g.frames[:len(g.frames)-1]
	if f.kind == calltree.Post {
		f.calls = nil
	}
	n := g.book.Node(f.kind, f.fn, calltree.Site{}, f.calls)
	switch {
	case f.root && !f.lost:
		if l := g.lives[f.serial]; l != nil {
			l.roots = append(l.roots, n)
		}
	case !f.root && len(g.frames) > 0:
		g.frames[len(g.frames)-1].call(n)
	}
}
