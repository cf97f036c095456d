package outlier

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// isolationForest is Liu, Ting and Zhou's (Isolation forest, 2008): random cuts set an unusual interval apart sooner than a usual
// one. The score is 1/2 less the paper's s = 2^(-E(h)/c), so that intervals that are as hard to isolate as in a random tree get 0.
type isolationForest struct {
	Trees  int
	Sample int // intervals that each tree is grown from
	Seed   uint64
}

// defaultIsolationForest has the paper's 256 intervals per tree, and more than its 100 trees since they are cheap here.
func defaultIsolationForest() isolationForest {
	return isolationForest{Trees: 300, Sample: 256, Seed: 1}
}

func (isolationForest) Name() string { return "iforest" }

func (isolationForest) About() string {
	return "isolation forest: how few random cuts set an interval apart"
}

func (d isolationForest) Scores(m *Matrix) ([]float64, error) {
	if d.Trees < 1 || d.Sample < 2 {
		return nil, fmt.Errorf("iforest: %d trees of %d intervals: it needs at least 1 tree of 2", d.Trees, d.Sample)
	}
	scores := make([]float64, len(m.rows))
	if len(m.columns) == 0 {
		return scores, nil
	}
	size := min(d.Sample, m.weight)
	g := &grower{m: m, random: rand.New(rand.NewPCG(d.Seed, 0)), limit: int(math.Ceil(math.Log2(float64(size)))),
		span: make([]span, len(m.columns))}
	starts := make([]int, len(m.rows)) // of each sample among all intervals
	for i := 1; i < len(starts); i++ {
		starts[i] = starts[i-1] + m.Samples[i-1].Weight
	}
	trees := make([]tree, d.Trees)
	for t := range trees {
		g.tree = tree{}
		g.grow(g.draw(size, starts), 0)
		trees[t] = g.tree
	}
	usual := pathLength(size)
	share(len(scores), func(from, to int) {
		scratch := make([]float64, len(m.columns))
		for i := from; i < to; i++ {
			m.spread(i, scratch)
			sum := 0.0
			for _, t := range trees {
				sum += t.depth(scratch)
			}
			m.unspread(i, scratch)
			scores[i] = 0.5 - math.Exp2(-sum/float64(d.Trees)/usual)
		}
	})
	return scores, nil
}

// pathLength is the average depth at which a search in a binary tree of n ends without success: c(n) of the paper.
func pathLength(n int) float64 {
	switch {
	case n < 2:
		return 0
	case n == 2:
		return 1
	}
	const euler = 0.57721566490153286
	return 2*(math.Log(float64(n-1))+euler) - 2*float64(n-1)/float64(n)
}

// tree is nodes of which the first is the root.
type tree []node

// node is a cut, or a leaf: its column is -1 and its value the depth of what is in it.
type node struct {
	column      int
	value       float64
	below, from int // where to go for less than value, and for at least value
}

func (t tree) depth(row []float64) float64 {
	n := t[0]
	for n.column >= 0 {
		if row[n.column] < n.value {
			n = t[n.below]
		} else {
			n = t[n.from]
		}
	}
	return n.value
}

// part is some of the intervals of one sample.
type part struct{ sample, intervals int }

// span is the values of one column in a node.
type span struct {
	low, high float64
	rows      int // that have a cell for the column; the others are 0 there
}

type grower struct {
	m      *Matrix
	random *rand.Rand
	limit  int // of the depth
	tree   tree
	span   []span // by column, zero between uses
}

// draw takes intervals without replacement (Floyd's way), as parts by ascending sample.
func (g *grower) draw(size int, starts []int) []part {
	taken := make(map[int]bool, size)
	drawn := make([]int, 0, size)
	for n := g.m.weight - size; n < g.m.weight; n++ {
		i := g.random.IntN(n + 1)
		if taken[i] {
			i = n
		}
		taken[i] = true
		drawn = append(drawn, i)
	}
	slices.Sort(drawn)
	var parts []part
	for _, i := range drawn {
		s, exact := slices.BinarySearch(starts, i)
		if !exact {
			s--
		}
		if n := len(parts); n > 0 && parts[n-1].sample == s {
			parts[n-1].intervals++
		} else {
			parts = append(parts, part{s, 1})
		}
	}
	return parts
}

// grow adds a node and all below it.
func (g *grower) grow(parts []part, depth int) (at int) {
	at = len(g.tree)
	total := 0
	for _, p := range parts {
		total += p.intervals
	}
	g.tree = append(g.tree, node{column: -1, value: float64(depth) + pathLength(total)})
	if depth == g.limit || len(parts) == 1 {
		return at
	}
	column, low, high := g.choose(parts)
	if column < 0 {
		return at
	}
	// In (low, high]: both sides get something.
	value := high - g.random.Float64()*(high-low)
	if value <= low {
		value = high
	}
	var below, from []part
	for _, p := range parts {
		if g.m.at(p.sample, column) < value {
			below = append(below, p)
		} else {
			from = append(from, p)
		}
	}
	b := g.grow(below, depth+1)
	f := g.grow(from, depth+1)
	g.tree[at] = node{column, value, b, f}
	return at
}

// choose draws one of the columns that vary among the parts, each as likely as it is wide.
func (g *grower) choose(parts []part) (column int, low, high float64) {
	var touched []int
	for _, p := range parts {
		for _, c := range g.m.rows[p.sample] {
			s := &g.span[c.column]
			if s.rows == 0 {
				touched = append(touched, c.column)
				s.low, s.high = c.value, c.value
			}
			s.low, s.high = min(s.low, c.value), max(s.high, c.value)
			s.rows++
		}
	}
	slices.Sort(touched)
	sum, column := 0.0, -1
	for _, c := range touched {
		s := &g.span[c]
		if s.rows < len(parts) {
			s.low, s.high = min(s.low, 0), max(s.high, 0)
		}
		if s.low < s.high {
			sum += g.m.columns[c].width
		}
	}
	if sum > 0 {
		left := g.random.Float64() * sum
		for _, c := range touched {
			if s := g.span[c]; s.low < s.high {
				column, low, high = c, s.low, s.high
				if left -= g.m.columns[c].width; left < 0 {
					break
				}
			}
		}
	}
	for _, c := range touched {
		g.span[c] = span{}
	}
	return column, low, high
}

func (m *Matrix) at(i, column int) float64 {
	row := m.rows[i]
	if at, ok := slices.BinarySearchFunc(row, column, func(c cell, column int) int { return c.column - column }); ok {
		return row[at].value
	}
	return 0
}
