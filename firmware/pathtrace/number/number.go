// Package number numbers the paths through a procedure's control-flow graph, by Ball and Larus ("Efficient path profiling", MICRO 29)
// as Lightweight Tracing's Algorithm 1 uses it, and turns numbers back into edges.
//
// Edges that would close a cycle are cut. Other edges are cut where there would be more paths than a register holds. A run through the
// graph is then a sequence of acyclic paths, each from the entry or the target of a cut edge to the exit or the source of a cut edge.
// What a program adds to its path register is placed by a spanning tree, so that few edges carry code, and those that run least.
//
// Invariants: the numbers of a Numbering are exactly 0 to Paths-1, one for each path; the sum of what is added along a path is its number;
// Decode is the inverse; a Numbering depends only on the graph, including its order of edges, and its cuts, so anyone who has these can read
// the numbers; an edge that cannot carry code is neither cut nor added to.
package number

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// An Edge leads from one block to another. There may be several between the same two.
type Edge struct {
	From, To int
	Weight   int  // how often it is expected to be taken, relative to the others
	Fixed    bool // no code can be placed on it
}

// A Graph is the control flow of one procedure. Nothing leads to Entry, and nothing from Exit.
type Graph struct {
	Blocks      int
	Entry, Exit int
	Edges       []Edge
}

// MaxPaths is the most paths a procedure can have: what a register of 16 bits holds.
const MaxPaths = 1 << 16

// patience is how many edges are looked at for cuts before a procedure is given up. Only tables of ten thousands of cases need more.
const patience = 20_000_000

// A Numbering says what to add where, and reads the numbers.
type Numbering struct {
	Paths int
	Cut   []int // the edges that were cut, ascending
	Add   []int // for each edge, what is added to the register when it is taken; cut edges: before the number is recorded
	Start []int // for each cut edge, what the register begins with again after it
	First int   // what the register begins with at the entry

	graph Graph
	out   [][]arc // of each block, in the order of their values
}

// An arc is an edge of the graph without cycles: one of the graph's own, or one of the dummies that stand for cut edges.
type arc struct {
	kind     arcKind
	edge     int // own and leave: the edge of the graph
	from, to int
	value    int // by Ball and Larus
	add      int // by the spanning tree
}

type arcKind uint8

const (
	own   arcKind = iota
	leave         // from the source of a cut edge to the exit
	again         // from the entry to the target of cut edges
)

// Number numbers the paths of a procedure: it cuts what must be cut for at most limit paths.
func Number(g Graph, limit int) (*Numbering, error) {
	if limit < 2 || limit > MaxPaths {
		return nil, fmt.Errorf("limit of %d paths: give 2 to %d", limit, MaxPaths)
	}
	if err := check(g); err != nil {
		return nil, err
	}
	cut := make([]bool, len(g.Edges))
	for _, e := range retreating(g) {
		cut[e] = true
	}
	most := big.NewInt(int64(limit))
	for work := 0; ; work += len(g.Edges) {
		c := count(g, cut)
		if c.below[g.Entry].Cmp(most) <= 0 {
			break
		}
		e := c.best(g, cut)
		if e < 0 || work > patience {
			return nil, fmt.Errorf("more than %d paths, and no few edges to cut", limit)
		}
		cut[e] = true
	}
	var cuts []int
	for e := range cut {
		if cut[e] {
			cuts = append(cuts, e)
		}
	}
	return With(g, cuts)
}

// With numbers the paths of a procedure whose cut edges are known: to read numbers back.
func With(g Graph, cuts []int) (*Numbering, error) {
	if err := check(g); err != nil {
		return nil, err
	}
	p := &Numbering{
		Cut:   slices.Clone(cuts),
		Add:   make([]int, len(g.Edges)),
		Start: make([]int, len(g.Edges)),
		graph: g,
		out:   make([][]arc, g.Blocks),
	}
	slices.Sort(p.Cut)
	for i, e := range p.Cut {
		switch {
		case e < 0 || e >= len(g.Edges):
			return nil, fmt.Errorf("cut edge %d: there are %d edges", e, len(g.Edges))
		case i > 0 && p.Cut[i-1] == e:
			return nil, fmt.Errorf("edge %d is cut twice", e)
		case g.Edges[e].Fixed:
			return nil, fmt.Errorf("edge %d is cut, but can carry no code", e)
		}
	}
	p.arcs()
	if err := p.values(); err != nil {
		return nil, err
	}
	if err := p.place(); err != nil {
		return nil, err
	}
	return p, nil
}

func check(g Graph) error {
	inside := func(b int) bool { return b >= 0 && b < g.Blocks }
	if !inside(g.Entry) || !inside(g.Exit) || g.Entry == g.Exit {
		return fmt.Errorf("entry %d and exit %d are not two of %d blocks", g.Entry, g.Exit, g.Blocks)
	}
	for i, e := range g.Edges {
		if !inside(e.From) || !inside(e.To) {
			return fmt.Errorf("edge %d from %d to %d: there are %d blocks", i, e.From, e.To, g.Blocks)
		}
		if e.To == g.Entry || e.From == g.Exit {
			return fmt.Errorf("edge %d leads to the entry or from the exit", i)
		}
	}
	return nil
}

// retreating lists edges without which there is no cycle: those that a search in depth from the entry sees leading back to a
// block it is still in. Where such an edge can carry no code (jumps into the middle of loops do that), the search is made
// again over sets of blocks that such edges join.
func retreating(g Graph) []int {
	same := make([]int, g.Blocks)
	for b := range same {
		same[b] = b
	}
	back := search(g, same)
	if !slices.ContainsFunc(back, func(e int) bool { return g.Edges[e].Fixed }) {
		return back
	}
	parts := newPartition(g.Blocks)
	for _, e := range g.Edges {
		if e.Fixed {
			parts.join(e.From, e.To)
		}
	}
	for b := range same {
		same[b] = parts.find(b)
	}
	return search(g, same)
}

// search is the search in depth. Blocks with the same representative count as one, and edges between them that can carry no code
// as none.
func search(g Graph, same []int) []int {
	out := make([][]int, g.Blocks)
	for i, e := range g.Edges {
		if from := same[e.From]; !e.Fixed || from != same[e.To] || e.From == e.To {
			out[from] = append(out[from], i)
		}
	}
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, g.Blocks)
	next := make([]int, g.Blocks)
	var back []int
	visit := func(root int) {
		if state[root] != unseen {
			return
		}
		stack := []int{root}
		state[root] = open
		for len(stack) > 0 {
			b := stack[len(stack)-1]
			if next[b] == len(out[b]) {
				state[b] = done
				stack = stack[:len(stack)-1]
				continue
			}
			e := out[b][next[b]]
			next[b]++
			switch to := same[g.Edges[e].To]; state[to] {
			case unseen:
				state[to] = open
				stack = append(stack, to)
			case open:
				back = append(back, e)
			}
		}
	}
	visit(same[g.Entry])
	for b := range g.Blocks {
		visit(same[b]) // what the entry does not reach must not close cycles either
	}
	slices.Sort(back)
	return back
}

// arcs makes the graph without cycles. Cut edges with one target share the dummy from the entry: the record before tells
// which of them was taken.
func (p *Numbering) arcs() {
	g, next := p.graph, 0
	entered := make([]bool, g.Blocks)
	for i, e := range g.Edges {
		if next < len(p.Cut) && p.Cut[next] == i {
			next++
			p.out[e.From] = append(p.out[e.From], arc{kind: leave, edge: i, from: e.From, to: g.Exit})
			if !entered[e.To] {
				entered[e.To] = true
				p.out[g.Entry] = append(p.out[g.Entry], arc{kind: again, edge: -1, from: g.Entry, to: e.To})
			}
			continue
		}
		p.out[e.From] = append(p.out[e.From], arc{kind: own, edge: i, from: e.From, to: e.To})
	}
}

var errCycle = errors.New("a cycle has no cut edge")

// values gives each arc its value: the number of paths through the arcs of its block that come before it.
func (p *Numbering) values() error {
	order, err := p.order()
	if err != nil {
		return err
	}
	paths := make([]int, p.graph.Blocks)
	for _, b := range slices.Backward(order) {
		if b == p.graph.Exit {
			paths[b] = 1
			continue
		}
		if len(p.out[b]) == 0 && p.reached(b) {
			return fmt.Errorf("nothing leads on from block %d, which is not the exit", b)
		}
		for i := range p.out[b] {
			a := &p.out[b][i]
			a.value = paths[b]
			if paths[b] += paths[a.to]; paths[b] > MaxPaths {
				return fmt.Errorf("more than %d paths", MaxPaths)
			}
		}
	}
	p.Paths = paths[p.graph.Entry]
	return nil
}

// reached reports whether something leads to a block.
func (p *Numbering) reached(b int) bool {
	return b == p.graph.Entry || slices.ContainsFunc(p.graph.Edges, func(e Edge) bool { return e.To == b })
}

// order sorts the blocks so that arcs lead forward.
func (p *Numbering) order() ([]int, error) {
	in := make([]int, p.graph.Blocks)
	for _, out := range p.out {
		for _, a := range out {
			in[a.to]++
		}
	}
	var order []int
	for b, n := range in {
		if n == 0 {
			order = append(order, b)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, a := range p.out[order[i]] {
			if in[a.to]--; in[a.to] == 0 {
				order = append(order, a.to)
			}
		}
	}
	if len(order) < p.graph.Blocks {
		return nil, errCycle
	}
	return order, nil
}
