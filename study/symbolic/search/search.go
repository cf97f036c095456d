// Package search decides which of many states runs next.
//
// A state is what a symbolic execution has reached along some paths: in package engine, that of a group of outcomes. Each run of a state
// may end it, or make more states. States are numbers here. The caller reports what happens to them, and asks for the next one.
//
// Invariants:
//   - Every state is chosen in the end, if those that are chosen end: no strategy forgets one.
//   - What is chosen depends only on the calls, in their order, and on the seed.
package search

import (
	"fmt"
	"slices"
	"strings"
)

// State is the caller's name of a state.
type State uint32

// Root, as a parent, stands for none.
const Root = ^State(0)

// Rating is what is known of a state's prospects. Only coverage heeds it.
type Rating struct {
	// Distance is how far the state is from code that no state has run: 0 if that comes next, Unreachable if there is none.
	Distance uint32
	// Since is for how many instructions the state has run nothing new.
	Since uint32
}

// Unreachable is the Distance of a state before which all code has been run.
const Unreachable = ^uint32(0)

// Searcher chooses. It is for one goroutine.
type Searcher interface {
	// Add brings in a state, which was made of another one, or of none: Root. It is rated as its parent is.
	Add(parent, s State)
	// Remove takes a state out: it has ended.
	Remove(s State)
	// Rate says what is known of a state now.
	Rate(s State, r Rating)
	// Next is the state to run, false if there is none.
	Next() (State, bool)
	// Len is how many states there are.
	Len() int
}

// Strategy is a way to choose.
type Strategy struct {
	Name, About string

	make func(seed uint64) Searcher
}

// Strategies is all of them.
var Strategies = []Strategy{
	{"dfs", "depth-first: the newest state; one path to its end before the next", func(uint64) Searcher { return newOrdered(newest) }},
	{"bfs", "breadth-first: the state with the fewest branches behind it", func(uint64) Searcher { return newOrdered(shallowest) }},
	{"oldest", "the oldest state: the first path to its end, then those that left it, as they did", func(uint64) Searcher { return newOrdered(oldest) }},
	{"path", "random path: at every branch either side with the same chance, so that short paths come before the many long ones",
		func(seed uint64) Searcher { return newPaths(seed) }},
	{"coverage", "coverage-directed: by chance, and the likelier the nearer a state is to code that no state has run",
		func(seed uint64) Searcher { return newCoverage(seed) }},
}

// New starts a search.
func New(name string, seed uint64) (Searcher, error) {
	i := slices.IndexFunc(Strategies, func(s Strategy) bool { return s.Name == name })
	if i < 0 {
		var known []string
		for _, s := range Strategies {
			known = append(known, s.Name)
		}
		return nil, fmt.Errorf("there is no search strategy %q: choose one of %s", name, strings.Join(known, ", "))
	}
	return Strategies[i].make(seed), nil
}
