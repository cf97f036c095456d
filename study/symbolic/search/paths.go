package search

import "math/rand/v2"

// paths keeps the tree of all branches, and walks it from its root by the toss of a coin. A state behind few branches is thus
// chosen more often than one of the many behind a loop; as KLEE does it.
type paths struct {
	pool
	random *rand.PCG
	root   *junction
	leaves map[State]*junction // never iterated
}

// junction is a branch, or at the ends a state.
type junction struct {
	up          *junction
	left, right *junction
	state       State
}

func newPaths(seed uint64) *paths {
	return &paths{pool: newPool(), random: rand.NewPCG(seed, 1), leaves: map[State]*junction{}}
}

// replace puts a junction where another one is.
func (p *paths) replace(old, by *junction) {
	by.up = old.up
	switch {
	case old.up == nil:
		p.root = by
	case old.up.left == old:
		old.up.left = by
	default:
		old.up.right = by
	}
}

// Add implements Searcher. States that come of none are the sides of branches above all others.
func (p *paths) Add(parent, s State) {
	p.add(parent, s)
	leaf := &junction{state: s}
	p.leaves[s] = leaf
	beside := p.root
	if parent != Root {
		beside = p.leaves[parent]
	}
	if beside == nil {
		p.root = leaf
	} else {
		fork := &junction{}
		p.replace(beside, fork)
		fork.left, fork.right = beside, leaf
		beside.up, leaf.up = fork, fork
	}
}

// Remove implements Searcher. What was on the other side of the last branch moves up.
func (p *paths) Remove(s State) {
	leaf := p.leaves[s]
	p.remove(s)
	delete(p.leaves, s)
	if leaf.up == nil {
		p.root = nil
		return
	}
	other := leaf.up.left
	if other == leaf {
		other = leaf.up.right
	}
	p.replace(leaf.up, other)
}

// Rate implements Searcher.
func (p *paths) Rate(s State, r Rating) { p.get(s).rating = r }

// Next implements Searcher.
func (p *paths) Next() (State, bool) {
	j := p.root
	if j == nil {
		return 0, false
	}
	for j.left != nil {
		if p.random.Uint64()>>63 == 0 {
			j = j.left
		} else {
			j = j.right
		}
	}
	return j.state, true
}
