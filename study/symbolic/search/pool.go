package search

import "fmt"

// entry is what is known of a state, whatever the strategy.
type entry struct {
	seq     uint64 // states are numbered as they come
	depth   uint32 // branches behind it
	blocked bool
	rating  Rating
}

// pool is the states of a search.
type pool struct {
	states map[State]*entry // never iterated where the order shows
	next   uint64
	ready  int
}

func newPool() pool { return pool{states: map[State]*entry{}} }

func (p *pool) Len() int   { return len(p.states) }
func (p *pool) Ready() int { return p.ready }

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
	p.ready++
	return e
}

func (p *pool) remove(s State) {
	if !p.get(s).blocked {
		p.ready--
	}
	delete(p.states, s)
}

// block tells whether that changed anything.
func (p *pool) block(s State, blocked bool) bool {
	e := p.get(s)
	if e.blocked == blocked {
		return false
	}
	e.blocked = blocked
	if blocked {
		p.ready--
	} else {
		p.ready++
	}
	return true
}
