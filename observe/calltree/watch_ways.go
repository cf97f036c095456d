package calltree

import (
	"motehound/mote/digest"
	"slices"
)

// What a handler or a task calls depends on its way alone: on the points that control came to, and on the stack there. Most ways were
// taken before. So a way is written down first, and followed when it is over, if it is a new one.

// step is a point that control came to, or a post.
type step struct {
	pc   uint32 // word address
	ret  uint32 // what is on top of the stack, as a return address
	sp   uint16 // of a post: the task
	post bool
}

// maxWay is how many steps are written down. A longer way is followed piece by piece.
const maxWay = 128

// at is called before instructions that the kernel's profile watches, and of points that the log has no room for.
func (t *tracker) at(pc uint32) {
	t.gather()
	c := t.ctx
	if c == nil || c.record == nil {
		t.posts = t.posts[:0]
		return
	}
	if t.l.marks[pc] != 0 {
		sp, ret := t.m.Core().SP, uint32(0)
		for i := range t.l.returnSize {
			ret = ret<<8 | uint32(t.m.Peek(sp+1+i))
		}
		t.walk(c, step{pc: pc, sp: sp, ret: ret})
	}
	for _, id := range t.posts {
		t.walk(c, step{pc: pc, sp: id, post: true})
	}
	t.posts = t.posts[:0]
}

// gather takes over what the mote has logged. It comes before anything begins or ends.
func (t *tracker) gather() {
	passed := t.h.calls.Passed(t.number)
	if c := t.ctx; c != nil && c.record != nil {
		for i := range passed {
			p := &passed[i]
			t.walk(c, step{pc: p.PC, sp: p.SP, ret: uint32(p.Return)})
		}
	}
}

func (t *tracker) walk(c *context, s step) {
	if len(c.way) == maxWay {
		t.follow(c)
	}
	c.way = append(c.way, s)
}

// follow finds out what was called on a context's way so far.
func (t *tracker) follow(c *context) {
	t.now = c
	t.work++
	if c.root == nil {
		c.root = t.take()
		c.root.source, c.root.kind = c.head.source, c.kind
		if c.middle != 0 {
			t.standIn(c, c.middle-1)
		}
	}
	for i := range c.way {
		if s := &c.way[i]; s.post {
			t.post(c, s.pc, s.sp)
		} else {
			t.reach(c, &t.l.points[t.l.marks[s.pc]-1], s)
		}
	}
	c.way = c.way[:0]
}

// appendKept feeds what is known of what has not ended to a digest. It is the same after a round that did nothing as after the one before.
func (t *tracker) appendKept(d *digest.Digest) {
	t.gather()
	t.moved()
	for _, v := range []int{len(t.stack), len(t.posts), len(t.desk.open), len(t.desk.ended), len(t.desk.log), int(t.desk.first), int(t.work)} {
		d.Word(uint64(v))
	}
	for _, c := range t.stack {
		d.Word(uint64(len(c.way)))
		for _, s := range c.way {
			d.Word(uint64(s.pc) | uint64(s.ret)<<32)
			d.Word(uint64(s.sp))
		}
		for _, k := range c.visits {
			if v := &t.visits[k]; v.by == c && v.write {
				d.Word(uint64(k)<<1 | 1)
			} else {
				d.Word(uint64(k) << 1)
			}
		}
	}
}

// tree is what a context that ends has called.
func (t *tracker) tree(c *context) *Node {
	anew := c.root != nil // a piece of it has been followed
	w := way{source: c.head.source, middle: c.middle, steps: c.way}
	if !anew {
		if n := t.ways.find(&w); n != nil {
			return n
		}
		w.steps = slices.Clone(c.way)
	}
	before := t.stats
	t.follow(c)
	for len(c.frames) > 0 {
		t.pop(c)
	}
	w.tree = t.finish(c.root)
	if !anew && t.stats == before {
		t.ways.add(w)
	}
	return w.tree
}

// wayList is the ways that a mote's handlers and tasks have taken, as far as they are kept.
type wayList struct {
	list  []way
	last  [256]int32 // by hash: 1 + the last one with it
	steps int        // of all
}

// maxSteps is how many steps are kept: a firmware that takes more different ways begins anew.
const maxSteps = 1 << 13

// way is one of them, with what was called on it.
type way struct {
	source int32  // of the handler or task
	middle uint32 // see context
	steps  []step
	tree   *Node
	before int32 // 1 + the one before with the same hash
}

func (w *way) hash() uint8 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(w.source)*prime + uint64(w.middle)
	for i := range w.steps {
		s := &w.steps[i]
		h = (h ^ uint64(s.pc)<<32 ^ uint64(s.ret)<<16 ^ uint64(s.sp)) * prime
	}
	return uint8(h >> 56)
}

func (l *wayList) find(w *way) *Node {
	for i := l.last[w.hash()]; i != 0; i = l.list[i-1].before {
		if x := &l.list[i-1]; x.source == w.source && x.middle == w.middle && slices.Equal(x.steps, w.steps) {
			return x.tree
		}
	}
	return nil
}

func (l *wayList) add(w way) {
	if l.steps += len(w.steps) + 1; l.steps > maxSteps {
		*l = wayList{steps: len(w.steps) + 1}
	}
	h := w.hash()
	w.before = l.last[h]
	l.list = append(l.list, w)
	l.last[h] = int32(len(l.list))
}
