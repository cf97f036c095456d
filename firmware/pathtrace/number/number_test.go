package number

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// random makes a graph in which the entry reaches all blocks and all reach the exit: a chain with more edges in it, forward and
// back, some twice.
func random(r *rand.Rand) Graph {
	n := 3 + r.IntN(9)
	g := Graph{Blocks: n, Entry: 0, Exit: n - 1}
	add := func(from, to int) {
		g.Edges = append(g.Edges, Edge{From: from, To: to, Weight: 1 + r.IntN(1000)})
	}
	for b := range n - 1 {
		add(b, b+1)
	}
	for range r.IntN(20) {
		from, to := 1+r.IntN(n-2), 1+r.IntN(n-1)
		if from == n-1 {
			continue
		}
		add(from, to)
	}
	r.Shuffle(len(g.Edges), func(i, j int) { g.Edges[i], g.Edges[j] = g.Edges[j], g.Edges[i] })
	// An edge that is its source's only one can do without code.
	outs := map[int]int{}
	for _, e := range g.Edges {
		outs[e.From]++
	}
	cut := map[int]bool{}
	for _, e := range retreating(g) {
		cut[e] = true
	}
	for i, e := range g.Edges {
		if outs[e.From] == 1 && e.To != g.Exit && !cut[i] && r.IntN(2) == 0 {
			g.Edges[i].Fixed = true
		}
	}
	return g
}

// all lists the acyclic paths by brute force: the sequences of edges from the entry, or the target of a cut edge, to the
// exit or a cut edge.
func all(g Graph, cuts []int) []Run {
	var runs []Run
	var walk func(r Run, b int)
	walk = func(r Run, b int) {
		if b == g.Exit {
			r.Edges = slices.Clone(r.Edges)
			runs = append(runs, r)
			return
		}
		for i, e := range g.Edges {
			if e.From != b {
				continue
			}
			next := r
			next.Edges = append(slices.Clone(r.Edges), i)
			if slices.Contains(cuts, i) {
				next.Cut = i
				runs = append(runs, next)
				continue
			}
			walk(next, e.To)
		}
	}
	starts := []int{g.Entry}
	for _, c := range cuts {
		if to := g.Edges[c].To; !slices.Contains(starts, to) {
			starts = append(starts, to)
		}
	}
	for _, s := range starts {
		walk(Run{From: s, Cut: -1}, s)
	}
	return runs
}

// sum is what a program's register holds at the end of a run.
func sum(p *Plan, r Run) int {
	n := p.First
	if r.From != p.graph.Entry {
		for _, c := range p.Cut {
			if p.graph.Edges[c].To == r.From {
				n = p.Start[c]
			}
		}
	}
	for _, e := range r.Edges {
		n += p.Add[e]
	}
	return n
}

func TestEveryPathHasItsNumber(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	tight := 0
	for n := range 3000 {
		g := random(r)
		limit := []int{MaxPaths, 30, 60}[n%3]
		p, err := Number(g, limit)
		if err != nil {
			if limit == MaxPaths {
				t.Fatalf("graph %d: %v\n%+v", n, err, g)
			}
			continue // too few numbers even when everything is cut
		}
		if limit < MaxPaths && len(p.Cut) > len(retreating(g)) {
			tight++
		}
		runs := all(g, p.Cut)
		if len(runs) != p.Paths || p.Paths > limit {
			t.Fatalf("graph %d: %d paths, brute force finds %d, limit %d\n%+v\ncut %v", n, p.Paths, len(runs), limit, g, p.Cut)
		}
		seen := make([]bool, p.Paths)
		for _, run := range runs {
			number := sum(p, run)
			if number < 0 || number >= p.Paths || seen[number] {
				t.Fatalf("graph %d: run %v gives %d of %d, or again\n%+v", n, run, number, p.Paths, g)
			}
			seen[number] = true
			back, err := p.Decode(number)
			if err != nil || fmt.Sprint(back) != fmt.Sprint(run) {
				t.Fatalf("graph %d: path %d is %v, decoded %v, %v", n, number, run, back, err)
			}
		}
		for i, e := range g.Edges {
			if e.Fixed && (p.Add[i] != 0 || slices.Contains(p.Cut, i)) {
				t.Fatalf("graph %d: edge %d cannot carry code: %+v", n, i, p)
			}
		}
		again, err := With(g, p.Cut)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(p) {
			t.Fatalf("graph %d: with known cuts the plan is %v, %v; it was %v", n, again, err, p)
		}
	}
	if tight < 200 {
		t.Errorf("only %d graphs had edges cut for the limit: the test does not try that", tight)
	}
}

// TestFigure is the paper's example: two decisions in a row, four paths, code on two edges.
func TestFigure(t *testing.T) {
	t.Parallel()
	g := Graph{Blocks: 8, Entry: 0, Exit: 7, Edges: []Edge{
		{From: 0, To: 1, Weight: 2}, {From: 1, To: 2, Weight: 1}, {From: 1, To: 3, Weight: 1}, {From: 2, To: 4, Weight: 1}, {From: 3, To: 4, Weight: 1},
		{From: 4, To: 5, Weight: 1}, {From: 4, To: 6, Weight: 1}, {From: 5, To: 6, Weight: 1}, {From: 6, To: 7, Weight: 2},
	}}
	p, err := Number(g, 256)
	if err != nil {
		t.Fatal(err)
	}
	carry := 0
	for _, n := range p.Add {
		if n != 0 {
			carry++
		}
	}
	if p.Paths != 4 || carry != 2 || len(p.Cut) != 0 || p.Bits() != 8 {
		t.Errorf("%d paths, %d edges carry code, cut %v: want 4, 2, none", p.Paths, carry, p.Cut)
	}
}

// diamonds is n decisions in a row, with an edge of their own between them.
func diamonds(n int) Graph {
	g := Graph{Entry: 0}
	at := 0
	block := func() int { g.Blocks++; return g.Blocks - 1 }
	block()
	for range n {
		head, left, right, join := block(), block(), block(), block()
		g.Edges = append(g.Edges, Edge{From: at, To: head, Weight: 2}, Edge{From: head, To: left, Weight: 1},
			Edge{From: head, To: right, Weight: 1}, Edge{From: left, To: join, Weight: 1}, Edge{From: right, To: join, Weight: 1})
		at = join
	}
	g.Exit = block()
	g.Edges = append(g.Edges, Edge{From: at, To: g.Exit, Weight: 2})
	return g
}

// TestTooManyPaths: 2^n paths are cut in the middle, where few cuts do.
func TestTooManyPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, limit, paths, cuts int }{
		{8, 256, 256, 0},
		{9, 256, 16 + 32, 1},
		{16, MaxPaths, MaxPaths, 0},
		{30, MaxPaths, 1<<15 + 1<<15, 1},
		{2000, MaxPaths, 0, 260},
	} {
		p, err := Number(diamonds(c.n), c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if c.paths != 0 && p.Paths != c.paths || p.Paths > c.limit {
			t.Errorf("%d decisions: %d paths, want %d", c.n, p.Paths, c.paths)
		}
		if len(p.Cut) > c.cuts {
			t.Errorf("%d decisions: %d cuts, want at most %d", c.n, len(p.Cut), c.cuts)
		}
	}
}

// TestCutsAvoidLoops: of two places to cut, the one outside the loop is taken.
func TestCutsAvoidLoops(t *testing.T) {
	t.Parallel()
	g := diamonds(12)
	for i := range g.Edges {
		if i < len(g.Edges)/2 {
			g.Edges[i].Weight *= 1000
		}
	}
	p, err := Number(g, 1024)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Cut {
		if g.Edges[e].Weight >= 1000 {
			t.Errorf("edge %d, in the loop, was cut", e)
		}
	}
}

// TestJumpIntoLoop: two loops, one in the other, entered in the middle; the way into the inner one can carry no code.
func TestJumpIntoLoop(t *testing.T) {
	t.Parallel()
	g := Graph{Blocks: 8, Entry: 0, Exit: 7, Edges: []Edge{
		{From: 0, To: 1}, {From: 1, To: 5}, {From: 1, To: 2}, // entry, switch to the inner body or the outer head
		{From: 2, To: 3}, {From: 2, To: 7}, {From: 3, To: 4, Fixed: true}, // outer head, before the inner loop
		{From: 4, To: 5}, {From: 4, To: 6}, {From: 5, To: 4}, {From: 6, To: 2}, // inner head, inner body, outer end
	}}
	p, err := Number(g, 256)
	if err != nil {
		t.Fatal(err)
	}
	runs := all(g, p.Cut)
	seen := map[int]bool{}
	for _, r := range runs {
		seen[sum(p, r)] = true
	}
	if len(runs) != p.Paths || len(seen) != p.Paths {
		t.Errorf("%d paths, %d numbers, %d by brute force; cut %v", p.Paths, len(seen), len(runs), p.Cut)
	}
}

func TestBadGraphs(t *testing.T) {
	t.Parallel()
	chain := []Edge{{From: 0, To: 1}, {From: 1, To: 2}}
	for name, g := range map[string]Graph{
		"no block":          {},
		"entry is exit":     {Blocks: 2, Entry: 1, Exit: 1},
		"edge out of range": {Blocks: 2, Entry: 0, Exit: 1, Edges: []Edge{{From: 0, To: 7}}},
		"to the entry":      {Blocks: 3, Entry: 0, Exit: 2, Edges: append(slices.Clone(chain), Edge{From: 1, To: 0})},
		"dead end":          {Blocks: 4, Entry: 0, Exit: 2, Edges: append(slices.Clone(chain), Edge{From: 1, To: 3})},
		"fixed cycle":       {Blocks: 3, Entry: 0, Exit: 2, Edges: append(slices.Clone(chain), Edge{From: 1, To: 1, Fixed: true})},
	} {
		if _, err := Number(g, 256); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	wide := Graph{Blocks: 100_003, Entry: 0, Exit: 100_002, Edges: []Edge{{From: 0, To: 1}}}
	for b := 2; b < wide.Blocks-1; b++ {
		wide.Edges = append(wide.Edges, Edge{From: 1, To: b}, Edge{From: b, To: wide.Exit})
	}
	if _, err := Number(wide, MaxPaths); err == nil {
		t.Error("100,000 cases: no error")
	}
	good := Graph{Blocks: 3, Entry: 0, Exit: 2, Edges: chain}
	for _, cuts := range [][]int{{-1}, {2}, {1, 1}} {
		if _, err := With(good, cuts); err == nil {
			t.Errorf("cuts %v: no error", cuts)
		}
	}
	loop := Graph{Blocks: 3, Entry: 0, Exit: 2, Edges: append(slices.Clone(chain), Edge{From: 1, To: 1})}
	if _, err := With(loop, nil); err == nil {
		t.Error("a cycle without a cut: no error")
	}
	p, err := With(loop, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []int{-1, p.Paths} {
		if _, err := p.Decode(path); err == nil {
			t.Errorf("path %d of %d: no error", path, p.Paths)
		}
	}
}
