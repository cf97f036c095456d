package mining

import (
	"iter"
	"maps"
	"slices"
)

// Collection is the intervals of one or several runs. It keeps them in little memory, some bytes each: see pile.
type Collection struct {
	Firmware *Firmware
	// Losses is what became of data, nil if nobody looked.
	Losses *LossTracker

	n     int
	piles map[uint16]*pile // by vector
	ids   map[uint16]bool
	pack  *packer
	err   error // of the first interval that could not be kept
}

// Keep takes an interval in, with copies of its lists: give it to Watch. Intervals with equal counters share one.
func (c *Collection) Keep(iv *Interval) {
	if c.piles == nil {
		c.piles, c.ids, c.pack = map[uint16]*pile{}, map[uint16]bool{}, new(packer)
	}
	p := c.piles[iv.Vector]
	if p == nil {
		p = &pile{vector: iv.Vector, last: newBefore()}
		c.piles[iv.Vector] = p
	}
	if err := p.add(iv, c.n, c.pack); err != nil {
		if c.err == nil {
			c.err = err
		}
		return
	}
	c.n++
	c.ids[iv.ID] = true
}

// Len is how many intervals there are.
func (c *Collection) Len() int { return c.n }

// All gives the intervals in the order in which they were kept. Each is good until the next one is asked for.
func (c *Collection) All() iter.Seq[*Interval] {
	return func(yield func(*Interval) bool) {
		var readers []*reader
		for _, v := range c.Vectors() {
			if r := c.piles[v].read(); r.more() {
				readers = append(readers, r)
			}
		}
		for len(readers) > 0 {
			first := 0
			for i, r := range readers {
				if r.seq < readers[first].seq {
					first = i
				}
			}
			if !yield(&readers[first].iv) {
				return
			}
			if !readers[first].more() {
				readers = slices.Delete(readers, first, first+1)
			}
		}
	}
}

// Only is the intervals that are wanted, of the same firmware and with the same Losses.
func (c *Collection) Only(wanted func(*Interval) bool) *Collection {
	some := &Collection{Firmware: c.Firmware, Losses: c.Losses}
	for iv := range c.All() {
		if wanted(iv) {
			some.Keep(iv)
		}
	}
	return some
}

// IDs lists the node ids of the motes that have intervals, ascending.
func (c *Collection) IDs() []uint16 { return slices.Sorted(maps.Keys(c.ids)) }

// Vectors lists the interrupts that have intervals, ascending.
func (c *Collection) Vectors() []uint16 { return slices.Sorted(maps.Keys(c.piles)) }
