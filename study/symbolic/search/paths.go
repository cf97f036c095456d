package search

import (
	"fmt"
	"math/rand/v2"
)

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
	ready       int // states below it that are
}

func newPaths(seed uint64) *paths {
	return &paths{pool: newPool(), random: rand.NewPCG(seed, 1), leaves: map[State]*junction{}}
}

// count brings the numbers above a junction up to date.
func (j *junction) count(change int) {
	for ; j != nil; j = j.up {
		j.ready += change
	}
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
		fork := &junction{ready: beside.ready}
		p.replace(beside, fork)
		fork.left, fork.right = beside, leaf
		beside.up, leaf.up = fork, fork
	}
	leaf.count(1)
}

// Remove implements Searcher. What was on the other side of the last branch moves up.
func (p *paths) Remove(s State) {
	leaf := p.leaves[s]
	if !p.get(s).blocked {
		leaf.count(-1)
	}
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

// Block implements Searcher.
func (p *paths) Block(s State) {
	if p.block(s, true) {
		p.leaves[s].count(-1)
	}
}

// Unblock implements Searcher.
func (p *paths) Unblock(s State) {
	if p.block(s, false) {
		p.leaves[s].count(1)
	}
}

// Rate implements Searcher.
func (p *paths) Rate(s State, r Rating) { p.get(s).rating = r }

// Next implements Searcher. A coin is tossed only where there is something to decide.
func (p *paths) Next() (State, bool) {
	j := p.root
	if j == nil || j.ready == 0 {
		return 0, false
	}
	for j.left != nil {
		switch {
		case j.left.ready == 0:
			j = j.right
		case j.right.ready == 0:
			j = j.left
		case p.random.Uint64()>>63 == 0:
			j = j.left
		default:
			j = j.right
		}
	}
	return j.state, true
}

// Save implements Searcher.
func (p *paths) Save() *Saved {
	s := p.pool.save("path", p.random)
	var work []*junction
	if p.root != nil {
		work = append(work, p.root)
	}
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if j.left == nil {
			s.Tree = append(s.Tree, int64(j.state))
			continue
		}
		s.Tree = append(s.Tree, branch)
		work = append(work, j.right, j.left)
	}
	return s
}

// branch stands in Saved.Tree for a branch, before its left and right sides.
const branch = -1

func (p *paths) restore(s *Saved) error {
	if err := p.pool.restore(s); err != nil {
		return err
	}
	if err := restoreRandom(p.random, s); err != nil {
		return err
	}
	var open []*junction // branches that wait for their sides
	for i, x := range s.Tree {
		j := &junction{}
		if x != branch {
			j.state = State(x)
			if p.states[j.state] == nil || int64(j.state) != x || p.leaves[j.state] != nil {
				return fmt.Errorf("saved search: the tree has state %d, which is unknown or there twice: the file is damaged", x)
			}
			p.leaves[j.state] = j
		}
		if i == 0 {
			p.root = j
		} else if len(open) == 0 {
			return fmt.Errorf("saved search: the tree has more after its end: the file is damaged")
		} else {
			last := open[len(open)-1]
			j.up = last
			if last.left == nil {
				last.left = j
			} else {
				last.right = j
				open = open[:len(open)-1]
			}
		}
		if x == branch {
			open = append(open, j)
		}
	}
	if len(open) > 0 || len(p.leaves) != len(p.states) {
		return fmt.Errorf("saved search: the tree has %d of %d states, and %d branches without an end: the file is damaged",
			len(p.leaves), len(p.states), len(open))
	}
	for _, x := range s.States {
		if !x.Blocked {
			p.leaves[x.State].count(1)
		}
	}
	return nil
}
