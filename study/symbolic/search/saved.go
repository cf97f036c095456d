package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Saved is a search that stopped, for JSON.
type Saved struct {
	Strategy string       `json:"strategy"`
	Next     uint64       `json:"next"` // how many states there have been
	States   []SavedState `json:"states"`
	Tree     []int64      `json:"tree,omitempty"`   // of path: -1 for a branch, before its left and its right side; else a state
	Random   []byte       `json:"random,omitempty"` // the generator
}

// SavedState is a state in it. They are in the order in which they came, which is Seq.
type SavedState struct {
	State   State  `json:"state"`
	Seq     uint64 `json:"seq"`
	Depth   uint32 `json:"depth"`
	Blocked bool   `json:"blocked,omitempty"`
	Rating
}

// Restore makes the search that was saved.
func Restore(s *Saved) (Searcher, error) {
	strategy, err := find(s.Strategy)
	if err != nil {
		return nil, fmt.Errorf("saved search: %w", err)
	}
	r := strategy.make(0)
	if err := r.restore(s); err != nil {
		return nil, err
	}
	return r, nil
}

func (p *pool) save(strategy string, random *rand.PCG) *Saved {
	s := &Saved{Strategy: strategy, Next: p.next}
	for state, e := range p.states {
		s.States = append(s.States, SavedState{State: state, Seq: e.seq, Depth: e.depth, Blocked: e.blocked, Rating: e.rating})
	}
	slices.SortFunc(s.States, func(a, b SavedState) int { return compare(a.Seq, b.Seq) })
	if random == nil {
		return s
	}
	var err error
	if s.Random, err = random.MarshalBinary(); err != nil {
		panic(fmt.Sprintf("BUG: a generator that cannot be saved: %v", err))
	}
	return s
}

func (p *pool) restore(s *Saved) error {
	p.next = s.Next
	last := uint64(0)
	for i, x := range s.States {
		switch {
		case x.State == Root || p.states[x.State] != nil:
			return fmt.Errorf("saved search: state %d is there twice, or has no name: the file is damaged", x.State)
		case x.Seq >= s.Next || i > 0 && x.Seq <= last:
			return fmt.Errorf("saved search: state %d is out of order: the file is damaged", x.State)
		}
		last = x.Seq
		p.states[x.State] = &entry{seq: x.Seq, depth: x.Depth, blocked: x.Blocked, rating: x.Rating}
		if !x.Blocked {
			p.ready++
		}
	}
	return nil
}

func restoreRandom(r *rand.PCG, s *Saved) error {
	if err := r.UnmarshalBinary(s.Random); err != nil {
		return fmt.Errorf("saved search: the state of the generator cannot be read (%v): the file is damaged", err)
	}
	return nil
}
