package number

import "math/big"

// counts is how many paths there are, of any number, above and below each block.
type counts struct {
	above, below []*big.Int
}

// count counts the paths of a graph whose cycles are cut.
func count(g Graph, cut []bool) counts {
	p := &Numbering{graph: g, out: make([][]arc, g.Blocks)}
	for e := range cut {
		if cut[e] {
			p.Cut = append(p.Cut, e)
		}
	}
	p.arcs()
	order, err := p.order()
	if err != nil {
		panic("BUG: " + err.Error()) // retreating edges are cut
	}
	c := counts{make([]*big.Int, g.Blocks), make([]*big.Int, g.Blocks)}
	for b := range g.Blocks {
		c.above[b], c.below[b] = new(big.Int), new(big.Int)
	}
	c.above[g.Entry].SetInt64(1)
	c.below[g.Exit].SetInt64(1)
	for i, b := range order {
		for _, a := range p.out[b] {
			c.above[a.to].Add(c.above[a.to], c.above[b])
		}
		last := order[len(order)-1-i]
		for _, a := range p.out[last] {
			c.below[last].Add(c.below[last], c.below[a.to])
		}
	}
	return c
}

// best chooses the next edge to cut: one that leaves few paths, but not in a loop if cutting outside does as well within a
// factor, because every time it is taken costs a record. It is -1 if no edge leaves fewer.
func (c counts) best(g Graph, cut []bool) int {
	const factor = 4 // by which a cut in a loop must be better, for each tenfold weight
	best, gain := -1, new(big.Int)
	for i, e := range g.Edges {
		if cut[i] || e.Fixed || e.From == g.Entry || e.To == g.Exit {
			continue
		}
		through := new(big.Int).Mul(c.above[e.From], c.below[e.To])
		through.Sub(through, c.above[e.From])
		through.Sub(through, c.below[e.To])
		for w := e.Weight; w >= 10; w /= 10 {
			through.Quo(through, big.NewInt(factor))
		}
		if through.Cmp(gain) > 0 {
			best, gain = i, through
		}
	}
	return best
}
