package check

import (
	"fmt"
	"slices"
)

// LassoResult is what the states of a system say about its goals.
type LassoResult struct {
	Findings []*Finding
	// Whole says that all states were seen, so that goals without a finding hold: every fair run in which faults end
	// reaches them again and again.
	Whole  bool
	States int
}

// findLassos looks in the graph of all states for fair cycles without a goal, and for states without the goal that no event has to
// leave. What it finds is proven even if not all states were seen. Of each goal it gives the nearest.
func findLassos(base System, o GraphOptions) (*LassoResult, error) {
	g, err := buildGraph(base, o)
	if err != nil {
		return nil, err
	}
	r := &LassoResult{Whole: g.whole, States: len(g.nodes)}
	var l catalog
	for i := range g.goals {
		f := g.lasso(i)
		if f == nil {
			continue
		}
		if err := confirmed(base, f, nil); err != nil {
			return nil, fmt.Errorf("the lasso of %v does not hold when it is replayed: %w", f, err)
		}
		l.add(f)
	}
	r.Findings = l.list()
	return r, nil
}

// lasso gives a run that violates the goal, or nil.
func (g *graph) lasso(goal int) *Finding {
	without := make(map[int32]bool)
	for i := range g.nodes {
		if n := &g.nodes[i]; n.expanded && !n.live[goal] {
			without[int32(i)] = true
		}
	}
	f := &Finding{Violation: g.goals[goal].Missed("")}
	if v := g.rest(without); v >= 0 {
		f.Evidence, f.Trace = Stuck, g.trace(v)
		f.Detail = "nothing has to happen any more"
		if len(g.nodes[v].out) == 0 {
			f.Detail = stuck(g.goals[goal]).Detail
		}
	} else if c := g.fair(without); c != nil {
		// Vertices are numbered in the order of their distance.
		cycle := g.tour(c)
		f.Evidence, f.Cycle = Lasso, len(cycle)
		f.Trace = append(g.trace(c[0]), cycle...)
	} else {
		return nil
	}
	f.Before = len(f.Trace)
	f.Since = len(f.Trace) - f.Cycle
	return f
}

// rest gives the nearest vertex that no event has to leave, or -1: a run may stay there for ever.
func (g *graph) rest(within map[int32]bool) int32 {
	best := int32(-1)
	for v := range within {
		if len(g.nodes[v].obliged) == 0 && (best < 0 || v < best) {
			best = v
		}
	}
	return best
}

// fair gives the nearest strongly connected set of vertices that fires all events which its states oblige to; nil if there is none.
// A component that lacks an event keeps no vertex that has it enabled on any fair cycle, so these are taken out, and the rest
// falls into components of its own.
func (g *graph) fair(within map[int32]bool) []int32 {
	var best []int32
	for _, c := range g.components(within) {
		in := make(map[int32]bool, len(c))
		for _, v := range c {
			in[v] = true
		}
		fired := g.firedIn(in)
		if len(fired) == 0 {
			continue // a single vertex without an edge to itself
		}
		kept := make(map[int32]bool)
		for _, v := range c {
			if !slices.ContainsFunc(g.nodes[v].obliged, func(k uint64) bool { return !fired[k] }) {
				kept[v] = true
			}
		}
		if len(kept) < len(c) {
			c = g.fair(kept)
		}
		if c != nil && (best == nil || c[0] < best[0]) {
			best = c
		}
	}
	return best
}

// firedIn gives the events, by key, of the edges between vertices of a set on which nothing fails.
func (g *graph) firedIn(in map[int32]bool) map[uint64]bool {
	fired := make(map[uint64]bool)
	for v := range in {
		for _, e := range g.nodes[v].out {
			if in[e.to] && e.event.natural() {
				fired[e.event.key()] = true
			}
		}
	}
	return fired
}

// tour gives a closed walk from the first vertex of a fair component that fires every event which a state of the component obliges to.
func (g *graph) tour(c []int32) []Event {
	in := make(map[int32]bool, len(c))
	due := make(map[uint64]bool)
	for _, v := range c {
		in[v] = true
		for _, k := range g.nodes[v].obliged {
			due[k] = true
		}
	}
	var walk []Event
	at := c[0]
	for len(due) > 0 || at != c[0] || len(walk) == 0 {
		leg, to := g.leg(at, in, func(e edge) bool {
			if len(due) > 0 {
				return due[e.event.key()]
			}
			return e.to == c[0]
		})
		for _, e := range leg {
			delete(due, e.key())
		}
		walk, at = append(walk, leg...), to
	}
	return walk
}

// leg gives the shortest walk inside the component that ends with a wanted edge.
func (g *graph) leg(from int32, in map[int32]bool, wanted func(edge) bool) ([]Event, int32) {
	type came struct {
		from int32
		by   Event
	}
	seen := map[int32]came{from: {from: -1}}
	queue := []int32{from}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, e := range g.nodes[v].out {
			if !in[e.to] || !e.event.natural() {
				continue
			}
			if wanted(e) {
				walk := []Event{e.event}
				for u := v; seen[u].from >= 0; u = seen[u].from {
					walk = append(walk, seen[u].by)
				}
				slices.Reverse(walk)
				return walk, e.to
			}
			if _, ok := seen[e.to]; !ok {
				seen[e.to] = came{from: v, by: e.event}
				queue = append(queue, e.to)
			}
		}
	}
	panic("BUG: a strongly connected component is not connected")
}
