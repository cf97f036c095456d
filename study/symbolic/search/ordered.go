package search

import "slices"

// ordered chooses the first by some order that does not depend on chance.
type ordered struct {
	pool
	less  func(a, b *entry) int
	queue []ranked // the first is the last
}

type ranked struct {
	state State
	*entry
}

func newOrdered(less func(a, b *entry) int) *ordered { return &ordered{pool: newPool(), less: less} }

// newest is the order of depth-first search.
func newest(a, b *entry) int { return compare(a.seq, b.seq) }

// oldest is the other way round.
func oldest(a, b *entry) int { return compare(b.seq, a.seq) }

// shallowest is that of breadth-first search, by age among those of the same depth.
func shallowest(a, b *entry) int {
	if a.depth != b.depth {
		return compare(uint64(b.depth), uint64(a.depth))
	}
	return compare(b.seq, a.seq)
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (o *ordered) place(e *entry) (int, bool) {
	return slices.BinarySearchFunc(o.queue, e, func(r ranked, e *entry) int { return o.less(r.entry, e) })
}

func (o *ordered) enter(s State, e *entry) {
	at, _ := o.place(e)
	o.queue = slices.Insert(o.queue, at, ranked{s, e})
}

func (o *ordered) leave(e *entry) {
	at, _ := o.place(e)
	o.queue = slices.Delete(o.queue, at, at+1)
}

// Add implements Searcher. The parent's place may change.
func (o *ordered) Add(parent, s State) {
	if parent != Root {
		o.leave(o.get(parent))
	}
	e := o.add(parent, s)
	if parent != Root {
		o.enter(parent, o.get(parent))
	}
	o.enter(s, e)
}

// Remove implements Searcher.
func (o *ordered) Remove(s State) {
	o.leave(o.get(s))
	o.remove(s)
}

// Rate implements Searcher.
func (o *ordered) Rate(s State, r Rating) { o.get(s).rating = r }

// Next implements Searcher.
func (o *ordered) Next() (State, bool) {
	if len(o.queue) == 0 {
		return 0, false
	}
	return o.queue[len(o.queue)-1].state, true
}
