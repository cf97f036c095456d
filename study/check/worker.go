package check

import (
	"errors"
	"slices"
)

// worker explores depth first, with a snapshot for each node of the current run that has events left. The last event of a node is
// fired in the node's own snapshot.
type worker struct {
	s      *search
	stack  []node // those beyond top keep their systems for reuse
	top    int
	trace  []Event
	before int // how many events of the trace come before the stack's first node
	keys   []uint64
	count  Stats // that the meter does not have yet
}

type node struct {
	sys    System
	todo   []Event
	next   int
	asleep []sleeper
	shape  diamond // of the events that are fired here
}

// run explores all below a task.
func (w *worker) run(t *task) {
	w.trace = append(w.trace[:0], t.trace...)
	w.before = len(t.trace)
	w.top = 0
	n := w.push()
	if n.sys != nil {
		n.sys.Release()
	}
	n.sys = t.sys
	n.asleep = append(n.asleep[:0], t.asleep...)
	n.next = 0
	if t.todo != nil {
		n.todo = append(n.todo[:0], t.todo...)
		n.shape.begin(n.todo)
	} else {
		w.enter(n)
	}
	for w.top > 0 && !w.exhausted() {
		n := &w.stack[w.top-1]
		if n.next == len(n.todo) {
			w.pop()
			continue
		}
		if w.s.pool.hungry() {
			w.share(t)
		}
		if err := w.advance(); err != nil {
			w.s.fail(err)
			return
		}
	}
}

func (w *worker) push() *node {
	if w.top == len(w.stack) {
		w.stack = append(w.stack, node{})
	}
	w.top++
	return &w.stack[w.top-1]
}

func (w *worker) pop() {
	w.top--
	w.trace = w.trace[:w.before+max(0, w.top-1)]
}

// enter looks at a node: what is to be done there.
func (w *worker) enter(n *node) {
	s := w.s
	depth := len(w.trace)
	w.count.Depth = max(w.count.Depth, depth)
	n.next = 0
	n.todo = n.sys.Enabled(n.todo[:0])
	stuck := len(n.todo) == 0
	left := s.left(depth)
	todo := work{fresh: true}
	var hash [2]uint64
	if s.table != nil || left == 0 && !stuck && s.o.Frontier > 0 {
		hash = n.sys.Hash()
	}
	if s.table != nil {
		w.keys = keysOf(w.keys[:0], n.asleep)
		todo = s.table.visit(hash, left, w.keys, stuck)
	}
	switch {
	case todo.fresh:
		w.count.States++
	case todo.known:
		w.count.Matched++
	}
	switch {
	case stuck:
		s.deadlock(n.sys, w.trace) // not only when it is fresh: this trace may be shorter
	case todo.known:
		n.todo = n.todo[:0]
	case left == 0:
		if err := w.foretell(n); err != nil {
			s.fail(err)
		}
		n.todo = n.todo[:0]
		s.edge(hash, w.trace)
	default:
		w.restrict(n, todo.only)
		n.shape.begin(n.todo)
	}
}

// foretell fires those events behind the bound of which the system knows already that they break something.
func (w *worker) foretell(n *node) error {
	x, ok := n.sys.(Intruder)
	if !ok {
		return nil
	}
	for _, e := range n.todo {
		if !x.Breaks(e) {
			continue
		}
		child := node{sys: n.sys.Clone()}
		w.trace = append(w.trace, e)
		_, err := w.fire(&node{}, &child, e)
		w.trace = w.trace[:len(w.trace)-1]
		child.sys.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// restrict leaves what is not asleep, or only certain events.
func (w *worker) restrict(n *node, only []uint64) {
	all := len(n.todo)
	n.todo = slices.DeleteFunc(n.todo, func(e Event) bool {
		if only != nil {
			_, ok := slices.BinarySearch(only, e.key())
			return !ok
		}
		return sleeps(n.asleep, e)
	})
	w.count.Slept += uint64(all - len(n.todo))
	// What is asleep stays enabled, and equal states have equal events. If not, the search would overlook something.
	if only == nil && all-len(n.todo) != len(n.asleep) || only != nil && len(n.todo) != len(only) {
		w.s.fail(errLying)
	}
}

var errLying = errors.New("an event vanished that no conflicting one was fired before: footprints or hashes of the system are " +
	"not complete (Audit tells more), so search without reduction until they are")

// advance fires the next event of the top node and enters the state behind it.
func (w *worker) advance() error {
	n := &w.stack[w.top-1]
	e := n.todo[n.next]
	n.next++
	child := w.push()
	n = &w.stack[w.top-2]
	if n.next == len(n.todo) {
		n.sys, child.sys = child.sys, n.sys
	} else if child.sys == nil {
		child.sys = n.sys.Clone()
	} else {
		child.sys.CopyFrom(n.sys)
	}
	w.trace = append(w.trace, e)
	over, err := w.fire(n, child, e)
	if err != nil {
		return err
	}
	if over || w.twice(e, child) {
		w.pop()
		return nil
	}
	w.enter(child)
	return nil
}

// twice tells whether the last two events, the second of which led to the child, lead to where they did the other way round.
func (w *worker) twice(e Event, child *node) bool {
	if !w.closing() || w.top < 3 {
		return false
	}
	above := &w.stack[w.top-3]
	return above.shape.closes(above.next-1, e, child.sys)
}

// fire fires an event in a child of the node, and tells whether it ends there.
func (w *worker) fire(n, child *node, e Event) (bool, error) {
	step, err := fire(child.sys, e)
	if err != nil {
		return true, err
	}
	w.count.Events++
	over := false
	for i, v := range step.Violations {
		over = over || !v.Harmless
		w.s.violated(child.sys, v, w.trace, "", i)
	}
	done := sleeper{key: e.key(), mote: e.Mote, foot: step.Footprint}
	child.asleep = w.s.o.Reduce.still(child.asleep[:0], n.asleep, done)
	if w.s.o.Reduce != None {
		n.asleep = append(n.asleep, done)
	}
	return over, nil
}

// closing tells whether to look for pairs of events whose order makes no difference. Where states are kept, these are known anyway.
func (w *worker) closing() bool { return w.s.table == nil && w.s.o.Reduce == Dynamic }

// expand explores one node and gives its children as tasks.
func (w *worker) expand(t *task) []*task {
	w.trace = append(w.trace[:0], t.trace...)
	n := node{sys: t.sys, asleep: slices.Clone(t.asleep)}
	defer func() {
		if n.sys != nil {
			n.sys.Release()
		}
	}()
	w.enter(&n)
	var children []*task
	for i, e := range n.todo {
		if w.exhausted() {
			break
		}
		child := node{}
		if i == len(n.todo)-1 {
			child.sys, n.sys = n.sys, nil
		} else {
			child.sys = n.sys.Clone()
		}
		w.trace = append(w.trace[:len(t.trace)], e)
		over, err := w.fire(&n, &child, e)
		if err != nil {
			w.s.fail(err)
		}
		if over || w.closing() && t.above != nil && t.above.closes(t.via, e, child.sys) {
			child.sys.Release()
			continue
		}
		rest := child.sys.Clone() // a system that nobody has run yet may be much smaller
		child.sys.Release()
		children = append(children, &task{sys: rest, asleep: child.asleep, trace: slices.Clone(w.trace), above: &n.shape, via: i})
	}
	return children
}

// share gives the rest of the shallowest node that has one to whoever is idle. The event that is being explored in it has been
// fired, so what is asleep for the others is known.
func (w *worker) share(t *task) {
	for i := range w.stack[:w.top] {
		n := &w.stack[i]
		if n.next == len(n.todo) || i == w.top-1 {
			continue
		}
		rest := &task{sys: n.sys, asleep: slices.Clone(n.asleep), trace: slices.Clone(w.trace[:w.before+i]),
			todo: slices.Clone(n.todo[n.next:]), item: t.item}
		n.sys, n.todo, n.next = nil, n.todo[:0], 0
		t.item.pending.Add(1)
		w.s.pool.put(rest)
		return
	}
}

// exhausted tells whether to give up: someone did, or the budget is spent.
func (w *worker) exhausted() bool {
	const often, oftener = 64, 8 // events may take long
	o := &w.s.o
	if w.count.Events%oftener == oftener-1 && o.Stop != nil && o.Stop() {
		w.s.pool.halt()
	}
	if w.count.Events >= often {
		o.Meter.add(&w.count)
		if o.Events > 0 && o.Meter.events.Load()-o.began >= o.Events || o.Stop != nil && o.Stop() {
			w.s.pool.halt()
		}
	}
	return w.s.pool.halted()
}

// release gives back what the worker holds: systems, and counts.
func (w *worker) release() {
	w.s.o.Meter.add(&w.count)
	for i := range w.stack {
		if s := w.stack[i].sys; s != nil {
			s.Release()
		}
	}
}

// edge notes a state at the bound.
func (s *search) edge(hash [2]uint64, trace []Event) {
	if s.o.Frontier == 0 && s.cut.Load() {
		return
	}
	s.cut.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frontier.add(hash, trace)
}
