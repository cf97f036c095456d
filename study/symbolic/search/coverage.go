package search

import "math/rand/v2"

// coverage chooses by chance, with weights. Slots are in the order in which the states came; those of states that are gone
// weigh nothing. A Fenwick tree has the sums.
type coverage struct {
	pool
	random *rand.PCG
	slots  []State
	slot   map[State]int // never iterated
	tree   []uint64      // of slot i at i+1
	total  uint64
}

func newCoverage(seed uint64) *coverage {
	return &coverage{pool: newPool(), random: rand.NewPCG(seed, 2), slot: map[State]int{}, tree: make([]uint64, 1)}
}

// weight falls with the square of the distance to new code, and with that of the time since there was some: as KLEE does it, in whole
// numbers. Nobody weighs nothing.
func (r Rating) weight() uint64 {
	const most, far = 1 << 32, 1 << 15
	square := func(n uint32) uint64 {
		x := uint64(min(n, far)) + 1
		return most / (x * x)
	}
	w := 1 + square(r.Since/1000)
	if r.Distance != Unreachable {
		w += square(r.Distance)
	}
	return w
}

// change adds to the weight of a slot, modulo 2^64.
func (c *coverage) change(slot int, by uint64) {
	c.total += by
	for i := slot + 1; i < len(c.tree); i += i & -i {
		c.tree[i] += by
	}
}

func (c *coverage) weigh(s State) uint64 { return c.get(s).rating.weight() }

// grow makes room for twice as many slots as there are states, and closes up those that are empty.
func (c *coverage) grow() {
	kept := c.slots[:0]
	for i, s := range c.slots {
		if at, ok := c.slot[s]; ok && at == i {
			c.slot[s] = len(kept)
			kept = append(kept, s)
		}
	}
	c.slots, c.total = kept, 0
	c.tree = make([]uint64, max(64, 2*len(kept))+1)
	for i, s := range kept {
		c.change(i, c.weigh(s))
	}
}

func (c *coverage) enter(s State) {
	if len(c.slots)+1 >= len(c.tree) {
		c.grow()
	}
	c.slot[s] = len(c.slots)
	c.slots = append(c.slots, s)
	c.change(c.slot[s], c.weigh(s))
}

// Add implements Searcher.
func (c *coverage) Add(parent, s State) {
	c.add(parent, s)
	c.enter(s)
}

// Remove implements Searcher.
func (c *coverage) Remove(s State) {
	c.change(c.slot[s], -c.weigh(s))
	delete(c.slot, s)
	c.remove(s)
}

// Rate implements Searcher.
func (c *coverage) Rate(s State, r Rating) {
	before := c.weigh(s)
	c.get(s).rating = r
	c.change(c.slot[s], c.weigh(s)-before)
}

// Next implements Searcher.
func (c *coverage) Next() (State, bool) {
	if c.total == 0 {
		return 0, false
	}
	left := rand.New(c.random).Uint64N(c.total)
	at, step := 0, 1
	for 2*step < len(c.tree) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if next := at + step; next < len(c.tree) && c.tree[next] <= left {
			at = next
			left -= c.tree[next]
		}
	}
	return c.slots[at], true
}
