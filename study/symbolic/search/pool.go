package search

import "fmt"

// entry is what is known of a state, whatever the strategy.
type entry struct {
	seq    uint64 // states are numbered as they come
	depth  uint32 // branches behind it
	rating Rating
}

// pool is the states of a search.
type pool struct {
	states map[State]*entry // never iterated
	next   uint64
}

func newPool() pool { return pool{states: map[State]*entry{}} }

func (p *pool) Len() int { return len(p.states) }

func (p *pool) get(s State) *entry {
	e := p.states[s]
	if e == nil {
		panic(fmt.Sprintf("BUG: state %d is not in the search", s))
	}
	return e
}

// add numbers a new state. Its parent has one more branch behind it, too.
func (p *pool) add(parent, s State) *entry {
	if p.states[s] != nil || s == Root {
		panic(fmt.Sprintf("BUG: state %d is in the search already, or has the name that stands for none", s))
	}
	e := &entry{seq: p.next}
	p.next++
	if parent != Root {
		q := p.get(parent)
		q.depth++
		e.depth, e.rating = q.depth, q.rating
	}
	p.states[s] = e
	return e
}

func (p *pool) remove(s State) {
	p.get(s)
	delete(p.states, s)
}
