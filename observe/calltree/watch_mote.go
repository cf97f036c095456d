package calltree

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/observe/intervals"
)

// tracker follows one mote.
type tracker struct {
	h         *Watcher
	number    int
	m         *mote.Mote
	l         *layout
	profile   *kernel.Profile
	anatomist *intervals.Anatomist
	stats     Stats

	stack []*context // what has begun and not ended, innermost last
	ctx   *context   // the innermost
	now   *context   // the one that is being followed
	spare []*context
	posts []uint16 // at this instruction
	anew  bool     // a round has begun in the place of the one before
	work  uint64   // how often something was followed or told
	desk  desk
	heads heads
	ways  wayList

	variables *variables // nil if they are not followed
	visits    []visit    // by variable

	free []*builder
	list []*Node
	down []int32
}

// context is a handler, a task, or main: its calls have a stack of their own, and wait while another one executes.
type context struct {
	head   head
	kind   CallKind
	middle uint32   // 1 + the word address where it began, if that may be in the middle of a function
	way    []step   // that has not been followed yet
	root   *builder // nil as long as nothing has been
	record *record  // of its instance, nil if that is not wanted
	main   bool
	visits []int32 // variables that it has touched
	frames []frame
	deep   bool // calls are not followed as long as the stack pointer is not above deepSP
	deepSP uint16
}

func newTracker(h *Watcher, number int, l *layout) *tracker {
	t := &tracker{h: h, number: number, m: h.w.Motes()[number], l: l}
	t.heads = newHeads(l, t.m.Board().Chip.Vectors)
	t.anatomist = intervals.New(t.ended, intervals.Options{
		MaxList: 1,
		Started: t.started,
		Dropped: t.dropped,

		Restarted: t.restarted,
		Switched: func(_ uint64, now intervals.Active) {
			if now.Instance != 0 {
				t.desk.executes(now.Serial)
			}
		},
	})
	return t
}

// item takes the next lifecycle item.
func (t *tracker) item(it kernel.Item) {
	t.gather()
	t.moved()
	switch it.Kind {
	case kernel.Post:
		t.posts = append(t.posts, it.Arg)
	case kernel.Reset:
		t.unwind(0)
	}
	t.anew = false
	t.anatomist.Take(it)
	if t.anew {
		return
	}
	if it.Kind != kernel.Fail {
		t.sync(it)
	}
	if len(t.desk.ended) > 0 {
		t.tell()
	}
}

func (t *tracker) close(cycle uint64) {
	t.gather()
	t.moved()
	t.unwind(0)
	t.anatomist.Close(cycle)
	t.tell()
}

// sync makes the stack what the anatomist says.
func (t *tracker) sync(it kernel.Item) {
	depth := t.anatomist.Depth()
	want := depth
	begins := it.Kind == kernel.Int || it.Kind == kernel.Run || it.Kind == kernel.Round
	if begins {
		want--
	}
	if it.Kind == kernel.Int && want < len(t.stack) { // the outermost was given up
		t.leave(t.stack[0])
		t.stack = slices.Delete(t.stack, 0, 1)
	}
	t.unwind(want)
	switch {
	case it.Kind == kernel.Round:
		t.push(t.heads.vector(intervals.LoopVector), Interrupt, true)
	case begins && it.Kind == kernel.Run:
		t.push(t.heads.task(t.profile, it.Arg), Task, true)
	case begins:
		t.push(t.heads.vector(it.Arg), Interrupt, false)
	case len(t.stack) < depth:
		t.push(t.heads.vector(intervals.ResetVector), Interrupt, true)
		t.ctx.main = true
	}
}

// push begins what the anatomist has on top: a handler, a task, or main. All but a handler may begin in the middle of a function.
func (t *tracker) push(h head, kind CallKind, middle bool) {
	c := reused(&t.spare)
	*c = context{head: h, kind: kind, frames: c.frames[:0], way: c.way[:0], visits: c.visits[:0]}
	if iv, _ := t.anatomist.Executes(); iv != nil {
		c.record = t.desk.find(iv.Serial)
	}
	if middle {
		c.middle = t.m.Core().PC + 1
	}
	t.stack = append(t.stack, c)
	t.ctx = c
}

// standIn makes the function a frame in whose middle a context begins, as where a kernel has its tasks inlined. The
// bodies around are not the context's calls.
func (t *tracker) standIn(c *context, pc uint32) {
	if pc >= uint32(len(t.l.at)) || t.l.at[pc] == 0 || t.l.entry[pc] != 0 {
		return
	}
	f := t.newFrame(c, t.l.bodies[t.l.at[pc]-1].fn, noEnd)
	for b := t.l.at[pc] - 1; b >= 0; b = t.l.bodies[b].parent {
		f.path = append(f.path, activation{b, c.root})
	}
	slices.Reverse(f.path)
	f.last = 0
}

// noEnd is the stack pointer of a frame that lasts as long as its context.
const noEnd = 0xFFFF

func (t *tracker) newFrame(c *context, fn int32, sp uint16) *frame {
	if len(c.frames) < cap(c.frames) {
		c.frames = c.frames[:len(c.frames)+1]
	} else {
		c.frames = append(c.frames, frame{})
	}
	f := &c.frames[len(c.frames)-1]
	*f = frame{fn: fn, sp: sp, path: f.path[:0]}
	return f
}

// unwind ends contexts until n are left.
func (t *tracker) unwind(n int) {
	for len(t.stack) > n {
		top := len(t.stack) - 1
		t.leave(t.stack[top])
		t.stack = t.stack[:top]
	}
	t.ctx = nil
	if n := len(t.stack); n > 0 {
		t.ctx = t.stack[n-1]
	}
}

// leave ends a context.
func (t *tracker) leave(c *context) {
	t.work++
	t.leaveData(c)
	if c.record != nil {
		c.record.add(t.tree(c))
	}
	t.spare = append(t.spare, c)
}

// pop ends the innermost function.
func (t *tracker) pop(c *context) {
	n := len(c.frames) - 1
	b := c.frames[n].path[0].b
	c.frames = c.frames[:n]
	if b != c.root {
		t.settleSlot(b)
	}
}
