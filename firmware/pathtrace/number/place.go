package number

import (
	"fmt"
	"slices"
)

// place chooses what the arcs add, so that their sums along paths are those of the values, and most add nothing: those of a
// spanning tree, heaviest first. Each block gets a height; an arc adds its value and the height of its source less that
// of its target, and heights are chosen so that this is nothing for arcs of the tree. Entry and exit have the same
// height, so heights cancel out along every path.
func (p *Numbering) place() error {
	g := p.graph
	var all []*arc
	for b := range p.out {
		for i := range p.out[b] {
			all = append(all, &p.out[b][i])
		}
	}
	slices.SortStableFunc(all, func(a, b *arc) int { return p.reluctance(b) - p.reluctance(a) })

	parts := newPartition(g.Blocks)
	tree := make([][]*arc, g.Blocks)
	parts.join(g.Entry, g.Exit)
	for _, a := range all {
		switch {
		case parts.join(a.from, a.to):
			tree[a.from] = append(tree[a.from], a)
			tree[a.to] = append(tree[a.to], a)
		case a.kind == own && g.Edges[a.edge].Fixed:
			return fmt.Errorf("edge %d can carry no code, but closes a cycle of such edges", a.edge)
		}
	}
	height := p.heights(tree)
	for _, a := range all {
		a.add = a.value + height[a.from] - height[a.to]
		if a.kind != again {
			p.Add[a.edge] = a.add
		}
	}
	for _, e := range p.Cut {
		for _, a := range p.out[g.Entry] {
			if a.kind == again && a.to == g.Edges[e].To {
				p.Start[e] = a.add
			}
		}
	}
	p.first()
	return nil
}

// first lets the register begin with what the only edge from the entry would add.
func (p *Numbering) first() {
	var only []int
	for i, e := range p.graph.Edges {
		if e.From == p.graph.Entry {
			only = append(only, i)
		}
	}
	if len(only) == 1 && !slices.Contains(p.Cut, only[0]) {
		p.First, p.Add[only[0]] = p.Add[only[0]], 0
	}
}

// reluctance orders arcs by what it costs to let them add something: first those which cannot, then by weight, last those
// where it is free, since there the register is set or read anyway.
func (p *Numbering) reluctance(a *arc) int {
	const most = 1 << 40
	switch e := a.edge; {
	case a.kind != own:
		return 0
	case p.graph.Edges[e].Fixed:
		return most
	case a.from == p.graph.Entry:
		return 1
	case a.to == p.graph.Exit:
		return 2
	default:
		return 3 + max(0, min(p.graph.Edges[e].Weight, most-4))
	}
}

// heights walks the trees, from the entry and the exit first. Blocks apart from these are in no path.
func (p *Numbering) heights(tree [][]*arc) []int {
	height := make([]int, p.graph.Blocks)
	known := make([]bool, p.graph.Blocks)
	walk := func(roots ...int) {
		for _, b := range roots {
			known[b] = true
		}
		for i := 0; i < len(roots); i++ {
			b := roots[i]
			for _, a := range tree[b] {
				other, h := a.to, height[b]+a.value
				if b == a.to {
					other, h = a.from, height[b]-a.value
				}
				if !known[other] {
					known[other], height[other] = true, h
					roots = append(roots, other)
				}
			}
		}
	}
	walk(p.graph.Entry, p.graph.Exit)
	for b := range known {
		if !known[b] {
			walk(b)
		}
	}
	return height
}

// A partition is a union-find over blocks.
type partition []int

func newPartition(n int) partition {
	p := make(partition, n)
	for i := range p {
		p[i] = i
	}
	return p
}

func (p partition) find(b int) int {
	for p[b] != b {
		p[b] = p[p[b]]
		b = p[b]
	}
	return b
}

// join reports whether the two were apart.
func (p partition) join(a, b int) bool {
	a, b = p.find(a), p.find(b)
	p[a] = b
	return a != b
}
