package calltree

import (
	"slices"
)

// Where one activation of an inlined function ends and the next begins is nowhere in the binary, so it takes a rule. GCC
// mixes an inlined body's instructions with its caller's, so one call can be left and entered again many times. The rule:
//
//   - A body that is entered for the first time in the life of the body around it has been called.
//   - One that is entered again goes on, unless a loop around it has begun again since: then it has been called again.
//   - A way back that begins and ends in the body belongs to a loop of its own, and calls nothing.
//   - Code that GCC shares between bodies has one body's name: who comes from one copy of a function straight into the
//     middle of another, in the same caller, goes on; and who gets into the middle of a body whose beginning must have
//     done something (flow.findLate) stays in the call that control was in.
//
//   - Where GCC has made copies of a body, by unrolling a loop or by testing a loop's condition in two places, entering a
//     copy's beginning is a call (flow.findCopies).
//
// Loops are those of the machine code: a step back in the order of flow.number. What cannot be told is told so: copies
// with nothing of the caller between them are one call, and so is a loop of the caller of which nothing but the inlined body
// is left; and where GCC shares the code of two equal calls, the caller is the one whose line the code has. An inlined body
// of which no instruction is left is not seen at all.

// builder is a node in the making.
type builder struct {
	source int32
	kind   CallKind
	site   Site
	hidden bool // its calls count as its caller's
	passes bool // hidden, and its calls have its site
	folded bool // hidden, since it is a task's own function
	lost   bool // nobody will see it
	more   bool // there were more calls than are kept
	up     *builder
	slot   int // in up.calls
	calls  []slot
	open   []activation
}

// slot is a call: a node when it is over.
type slot struct {
	node *Node
	b    *builder
}

// activation is a call of an inlined body that may go on.
type activation struct {
	body int32
	b    *builder
}

// frame is an active function.
type frame struct {
	fn   int32
	sp   uint16 // at its entry: it is over when the stack pointer is above
	last int32  // order of the last point
	tail uint32 // 1 + word address of the last jump that could leave it
	path []activation
}

// top is the body that executes.
func (f *frame) top() *builder { return f.path[len(f.path)-1].b }

// step follows control to a point of the same function.
func (t *tracker) step(f *frame, p *point) {
	was := f.path[len(f.path)-1].body
	if p.body < 0 || p.body == was && p.what&atHeader == 0 {
		return
	}
	stay := t.common(f, p.body)
	if p.what&atHeader != 0 && p.order <= f.last {
		t.again(f, stay, p.loop)
	}
	f.last = p.order
	f.path = f.path[:stay+1]
	t.descend(f, p, was)
}

// common is the index in the path of the innermost body that is around both where control was and where it is.
func (t *tracker) common(f *frame, to int32) int {
	bodies := t.l.bodies
	for int(bodies[to].depth) > len(f.path)-1 {
		to = bodies[to].parent
	}
	i := int(bodies[to].depth)
	for ; i > 0 && f.path[i].body != to; i-- {
		to = bodies[to].parent
	}
	return i
}

// again ends the calls of bodies in a loop that begins again, except for those that control is still in: the first stay
// below the function's own.
func (t *tracker) again(f *frame, stay int, loop []int32) {
	t.againIn(f.path[0].b, f.path[1:stay+1], loop)
}

func (t *tracker) againIn(b *builder, inside []activation, loop []int32) {
	for len(inside) > 0 && inside[0].b == b { // a body that counts as its caller's
		inside = inside[1:]
	}
	for k := 0; k < len(b.open); k++ {
		a := b.open[k]
		on := len(inside) > 0 && inside[0].b == a.b
		if _, in := slices.BinarySearch(loop, a.body); in && !on {
			b.open = slices.Delete(b.open, k, k+1)
			k--
			t.settleSlot(a.b)
			continue
		}
		if on {
			t.againIn(a.b, inside[1:], loop)
		} else {
			t.againIn(a.b, nil, loop)
		}
	}
}

// descend enters the bodies around a point that control is not in yet.
func (t *tracker) descend(f *frame, p *point, was int32) {
	bodies := t.l.bodies
	t.down = t.down[:0]
	for b := p.body; int(bodies[b].depth) > len(f.path)-1; b = bodies[b].parent {
		t.down = append(t.down, b)
	}
	for i := len(t.down) - 1; i >= 0; i-- {
		f.path = append(f.path, activation{t.down[i], t.activation(f.top(), t.down[i], p, was)})
	}
}

// activation finds the call of a body that goes on, or begins one.
func (t *tracker) activation(up *builder, id int32, p *point, was int32) *builder {
	for i := range up.open {
		if up.open[i].body != id {
			continue
		}
		b := up.open[i].b
		if !slices.Contains(p.anew, id) {
			return b
		}
		up.open = slices.Delete(up.open, i, i+1)
		t.settleSlot(b)
		break
	}
	bd := &t.l.bodies[id]
	_, late := slices.BinarySearch(p.late, id)
	if a := t.beside(up, bd, was); a != nil && (late || p.pc != bd.entry && t.l.bodies[a.body].source == bd.source) {
		a.body = id
		return a.b
	}
	if late {
		return up
	}
	b := t.begin(up, bd.source, Inlined, bd.site)
	up.open = append(up.open, activation{id, b})
	return b
}

// beside finds the call that control was in, if it is as deep as a body that control is in now.
func (t *tracker) beside(up *builder, bd *body, was int32) *activation {
	for was >= 0 && t.l.bodies[was].depth > bd.depth {
		was = t.l.bodies[was].parent
	}
	for i := range up.open {
		if up.open[i].body == was && t.l.bodies[was].depth == bd.depth {
			return &up.open[i]
		}
	}
	return nil
}

// begin makes a builder for a call.
func (t *tracker) begin(up *builder, src int32, kind CallKind, site Site) *builder {
	b := t.take()
	b.source, b.kind, b.site, b.up, b.lost = src, kind, site, up, up.lost
	if up.passes {
		b.site = up.site
		if kind == Tail {
			b.kind = up.kind // it returns to where the hidden one was called
		}
	}
	b.folded = src == t.now.head.body
	b.hidden = b.folded || t.l.sources[src].hidden
	// Between a task and its function there are only the kernel's.
	scheduling := up.kind == Task || up.hidden && !up.passes && !up.folded
	b.passes = b.hidden && !b.folded && !scheduling
	if !b.lost && len(up.calls) >= maxCalls {
		up.more, b.lost = true, true
		t.stats.Cut++
	}
	if !b.lost {
		b.slot = len(up.calls)
		up.calls = append(up.calls, slot{b: b})
	}
	return b
}

// leaf adds a call that calls nothing.
func (t *tracker) leaf(up *builder, n *Node) {
	switch {
	case up.lost:
	case len(up.calls) >= maxCalls:
		up.more = true
		t.stats.Cut++
	default:
		up.calls = append(up.calls, slot{node: n})
	}
}

// settleSlot ends a call, and puts its node in its place with its caller. A hidden one that is not the last gives its
// calls to its caller when that ends.
func (t *tracker) settleSlot(b *builder) {
	switch {
	case b.lost:
		t.drop(b)
	case !b.hidden:
		place := &b.up.calls[b.slot]
		*place = slot{node: t.finish(b)}
	case b.slot == len(b.up.calls)-1:
		up := b.up
		up.calls = up.calls[:b.slot]
		from := len(t.list)
		t.flatten(b)
		for _, n := range t.list[from:] {
			t.leaf(up, n)
		}
		t.list = t.list[:from]
		up.more = up.more || b.more
		t.give(b)
	}
}

// finish makes a builder's node. The builder is gone then.
func (t *tracker) finish(b *builder) *Node {
	from := len(t.list)
	t.flatten(b)
	calls := t.list[from:]
	if b.more || len(calls) > maxCalls {
		calls = append(calls[:min(len(calls), maxCalls)], t.ellipsis())
	}
	n := t.l.book.Node(b.kind, t.l.fn(b.source), b.site, calls)
	t.list = t.list[:from]
	t.give(b)
	return n
}

// flatten appends the nodes of a builder's calls to the list, those of hidden ones in their places.
func (t *tracker) flatten(b *builder) {
	for i := range b.calls {
		c := &b.calls[i]
		switch {
		case c.node != nil:
			t.list = append(t.list, c.node)
		case c.b.hidden:
			b.more = b.more || c.b.more
			t.flatten(c.b)
			t.give(c.b)
		default:
			n := t.finish(c.b)
			t.list = append(t.list, n)
		}
	}
	for _, a := range b.open {
		if a.b.lost {
			t.drop(a.b)
		}
	}
}

// drop throws a builder away that nobody will see.
func (t *tracker) drop(b *builder) {
	for _, a := range b.open {
		t.drop(a.b)
	}
	t.give(b)
}

func (t *tracker) ellipsis() *Node {
	return t.l.book.Node(Call, t.l.book.Func("…", "", 0), Site{}, nil)
}

func (t *tracker) take() *builder {
	if n := len(t.free); n > 0 {
		b := t.free[n-1]
		t.free = t.free[:n-1]
		return b
	}
	return new(builder)
}

func (t *tracker) give(b *builder) {
	*b = builder{calls: b.calls[:0], open: b.open[:0]}
	t.free = append(t.free, b)
}
