// Package counters counts how often each block of a firmware's code is entered while something lasts, as an event-handling interval, for as
// many observers as want to know.
//
// The world counts each block once. A count of a mote that begins takes down what was counted for those that are open, and lets the world
// begin at 0: so one count alone, which is the rule, is what the world has counted, and nothing is added up.
//
// Invariants: observing changes nothing in the world; a count does not depend on what other counts there are.
package counters

import (
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// Counters are those of one world.
type Counters struct{ motes []Mote }

// Mote is the counts of one mote.
type Mote struct {
	w     *world.World
	index int
	open  []count // by number-1
	free  []int
}

// count is what was counted until the last one began that it overlaps with.
type count struct {
	counts   avr.Counts
	open     bool
	overlaps bool // there was one, else counts is 0
}

// Of gives the counters of a world, in which the given blocks of motes of a kind are counted from now on: nil for kinds that are not. Blocks are
// the word addresses of their first instructions. Everybody has the same blocks for a kind.
func Of(w *world.World, blocks func(k *mote.Kind) []uint32) *Counters {
	c := world.Shared(w, func() *Counters {
		c := &Counters{motes: make([]Mote, len(w.Motes()))}
		for i := range c.motes {
			c.motes[i] = Mote{w: w, index: i}
		}
		return c
	})
	w.Observe(world.Observer{BlocksAt: blocks})
	return c
}

// Mote is the counts of a mote.
func (c *Counters) Mote(i int) *Mote { return &c.motes[i] }

// Begin begins a count, and returns its number, from 1. Numbers of counts that have ended are used again.
func (m *Mote) Begin() int {
	counts := m.w.Counts(m.index)
	for i := range m.open { // mostly there are none
		if c := &m.open[i]; c.open {
			c.counts.Add(counts)
			c.overlaps = true
		}
	}
	counts.Clear()
	if n := len(m.free); n > 0 {
		number := m.free[n-1]
		m.free = m.free[:n-1]
		c := &m.open[number-1]
		if c.overlaps {
			c.counts.Clear()
		}
		c.open, c.overlaps = true, false
		return number
	}
	m.open = append(m.open, count{open: true, counts: avr.NewCounts(len(counts.N))})
	return len(m.open)
}

// Restart makes a count begin now.
func (m *Mote) Restart(number int) {
	counts := m.w.Counts(m.index)
	for i := range m.open {
		if c := &m.open[i]; c.open && i != number-1 {
			c.counts.Add(counts)
			c.overlaps = true
		}
	}
	counts.Clear()
	if c := &m.open[number-1]; c.overlaps {
		c.counts.Clear()
		c.overlaps = false
	}
}

// End ends a count. What it gives is good until the mote runs on, or another count begins.
func (m *Mote) End(number int) *avr.Counts {
	c := &m.open[number-1]
	c.open = false
	m.free = append(m.free, number)
	counts := m.w.Counts(m.index)
	if c.overlaps {
		c.counts.Add(counts)
		return &c.counts
	}
	return counts
}
