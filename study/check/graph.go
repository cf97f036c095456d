package check

import (
	"slices"

	"motehound/study/finding"
)

// graph is the states that are reachable, with all their transitions: what cycles are looked for in.
type graph struct {
	index map[[2]uint64]int32
	nodes []vertex
	goals []finding.Goal
	whole bool // no state is missing
}

type vertex struct {
	parent   int32 // from which it was reached first
	by       Event // and by which event
	expanded bool
	live     []bool
	obliged  []uint64 // events that a fair run has to take, in order
	out      []edge
}

type edge struct {
	to    int32
	event Event
}

// GraphOptions bound the graph in which lassos are looked for.
type GraphOptions struct {
	States int // 0 for 20,000
	Stop   func() bool
	Meter  *Meter
}

// buildGraph explores breadth first, without any reduction: a reduction keeps states, not cycles.
func buildGraph(base System, o GraphOptions) (*graph, error) {
	if o.States == 0 {
		o.States = 20_000
	}
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
	b := &builder{o: o, graph: graph{index: make(map[[2]uint64]int32), goals: goalsOf(base), whole: true}}
	root := base.Clone()
	track(root, false)
	list(root, true)
	b.add(root, -1, Event{})
	for i := 0; i < len(b.waiting); i++ {
		sys := b.waiting[i]
		b.waiting[i] = nil
		// Once there is no more room, states wait only to be given back.
		if b.full() {
			b.whole = false
		} else if err := b.expand(int32(i), sys); err != nil {
			return nil, err
		}
		sys.Release()
	}
	return &b.graph, nil
}

type builder struct {
	graph
	o       GraphOptions
	waiting []System // by vertex; nil if it was expanded
	enabled []Event
}

func (b *builder) full() bool {
	return len(b.nodes) >= b.o.States || b.o.Stop != nil && b.o.Stop()
}

// add gives the vertex of a state, and keeps the system if the state is new.
func (b *builder) add(sys System, parent int32, by Event) int32 {
	h := sys.Hash()
	if i, ok := b.index[h]; ok {
		sys.Release()
		return i
	}
	i := int32(len(b.nodes))
	b.index[h] = i
	b.nodes = append(b.nodes, vertex{parent: parent, by: by, live: liveOf(sys, nil)})
	b.waiting = append(b.waiting, sys)
	return i
}

func (b *builder) expand(i int32, sys System) error {
	b.enabled = sys.Enabled(b.enabled[:0])
	n := vertex{expanded: true}
	for _, e := range b.enabled {
		if e.obliged() {
			n.obliged = append(n.obliged, e.key())
		}
		child := sys.Clone()
		step, err := fire(child, e)
		if err != nil {
			child.Release()
			return err
		}
		b.o.Meter.events.Add(1)
		if finding.Harmful(step.Violations) {
			child.Release()
			continue
		}
		n.out = append(n.out, edge{to: b.add(child, i, e), event: e})
	}
	slices.Sort(n.obliged)
	p := &b.nodes[i]
	p.expanded, p.obliged, p.out = true, n.obliged, n.out
	return nil
}

// trace gives the shortest trace to a vertex.
func (g *graph) trace(i int32) []Event {
	var t []Event
	for ; g.nodes[i].parent >= 0; i = g.nodes[i].parent {
		t = append(t, g.nodes[i].by)
	}
	slices.Reverse(t)
	return t
}

// components gives the strongly connected components of the vertices within, over edges on which nothing fails (Tarjan, without
// recursion). Components that are a single vertex come too.
func (g *graph) components(within map[int32]bool) [][]int32 {
	t := &tarjan{g: g, within: within, number: make(map[int32]int32), low: make(map[int32]int32), on: make(map[int32]bool)}
	order := make([]int32, 0, len(within))
	for v := range within {
		order = append(order, v)
	}
	slices.Sort(order)
	for _, v := range order {
		if t.number[v] == 0 {
			t.visit(v)
		}
	}
	return t.found
}

type tarjan struct {
	g      *graph
	within map[int32]bool
	number map[int32]int32 // from 1
	low    map[int32]int32
	on     map[int32]bool
	path   []int32
	found  [][]int32
}

func (t *tarjan) visit(root int32) {
	type frame struct {
		v    int32
		next int
	}
	stack := []frame{{v: root}}
	t.open(root)
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		out := t.g.nodes[f.v].out
		if f.next == len(out) {
			v := f.v
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				u := stack[len(stack)-1].v
				t.low[u] = min(t.low[u], t.low[v])
			}
			t.close(v)
			continue
		}
		e := out[f.next]
		f.next++
		if !e.event.natural() || !t.within[e.to] {
			continue
		}
		if t.number[e.to] == 0 {
			t.open(e.to)
			stack = append(stack, frame{v: e.to})
		} else if t.on[e.to] {
			t.low[f.v] = min(t.low[f.v], t.number[e.to])
		}
	}
}

func (t *tarjan) open(v int32) {
	n := int32(len(t.number) + 1)
	t.number[v], t.low[v], t.on[v] = n, n, true
	t.path = append(t.path, v)
}

func (t *tarjan) close(v int32) {
	if t.low[v] != t.number[v] {
		return
	}
	i := slices.Index(t.path, v)
	c := slices.Clone(t.path[i:])
	t.path = t.path[:i]
	for _, u := range c {
		t.on[u] = false
	}
	slices.Sort(c)
	t.found = append(t.found, c)
}
