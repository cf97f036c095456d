package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
	"motehound/world/medium"
)

// network is so many MicaZ motes that hear each other, without anything that fails and without checks: orders alone are counted. So many
// interrupts may come in the middle of code.
func network(name string, n, preempt int) (check.System, error) {
	k, err := motes.Kind(name, &board.MicaZ)
	if err != nil {
		return nil, err
	}
	net, err := medium.New(n, medium.Full(n, medium.DefaultGain, 0))
	if err != nil {
		return nil, err
	}
	s, err := explore.New(&world.Config{Net: net, Motes: motes.Of(k, n)}, explore.Options{Preempt: preempt})
	if err != nil {
		return nil, err
	}
	return s.Clone(), nil
}

// walk fires events at random.
func walk(s check.System, events int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	for range events {
		list := s.Enabled(nil)
		if _, err := s.Fire(list[r.IntN(len(list))]); err != nil {
			return err
		}
	}
	return nil
}

// maxDepth is how deep orders can be counted.
const maxDepth = 16

// counter counts the runs that a search without reduction makes, where there are too many to make them. It searches with package check's
// static reduction, by sleep sets: an event falls asleep when it has been fired, and wakes when one is that it is not independent of. So
// of all runs that differ in the order of independent events only, it makes one. How many there are is counted: they are the linear
// extensions of the partial order in which events follow each other that are not independent.
type counter struct {
	levels []float64               // transitions, by depth
	run    []*event                // that leads to where the search is
	can    [maxDepth][]check.Event // what is enabled after so many events of the run

	// orders[I] is in how many orders the events of I, a set of events of the run, can come, for every I that can come first.
	orders [1 << maxDepth]float64
	ideals [maxDepth + 1][]uint32 // by the last event of the run that is in them
}

// event is an event that was fired, and what it touched.
type event struct {
	check.Event
	foot  *check.Footprint
	needs uint32 // events of the run before it on which it depends
}

// countTransitions counts the transitions of searches without reduction from a state: element d-1 is for depth d.
func countTransitions(base check.System, depth int) ([]float64, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("depth %d: at most %d can be counted", depth, maxDepth)
	}
	c := &counter{levels: make([]float64, depth)}
	c.orders[0] = 1
	c.ideals[0] = []uint32{0}
	root := base.Clone()
	defer root.Release()
	root.(check.Tracker).Track(true)
	if err := c.expand(root, nil); err != nil {
		return nil, err
	}
	for d := 1; d < depth; d++ {
		c.levels[d] += c.levels[d-1]
	}
	return c.levels, nil
}

// expand goes on from a state in which some events are asleep.
func (c *counter) expand(sys check.System, asleep []*event) error {
	d := len(c.run)
	fired := slices.Clone(asleep)
	enabled := sys.Enabled(nil)
	c.can[d] = c.can[d][:0]
	for _, e := range enabled {
		c.can[d] = append(c.can[d], queue(e))
	}
	for _, e := range enabled {
		if slices.ContainsFunc(asleep, func(s *event) bool { return queue(s.Event) == queue(e) }) {
			continue
		}
		work := sys.Clone()
		step, err := work.Fire(e)
		if err != nil {
			return err
		}
		x := &event{Event: e, foot: step.Footprint}
		c.levels[d] += c.append(x)
		if d+1 < len(c.levels) {
			var still []*event
			for _, s := range fired {
				if independent(s, x) {
					still = append(still, s)
				}
			}
			if err := c.expand(work, still); err != nil {
				return err
			}
		}
		c.run = c.run[:d]
		work.Release()
		fired = append(fired, x)
	}
	return nil
}

// append adds an event to the run, and tells in how many orders its events can come.
func (c *counter) append(x *event) float64 {
	d := len(c.run)
	for i, y := range c.run {
		if !independent(x, y) {
			x.needs |= 1 << i
		}
	}
	// What an event needs to be enabled at all is no conflict, as far as a reduction is concerned.
	for i, name := d, queue(x.Event); i > 0; i-- {
		if !slices.Contains(c.can[i-1], name) {
			x.needs |= 1 << (i - 1)
			break
		}
	}
	c.run = append(c.run, x)
	own := uint32(1) << d
	list := c.ideals[d+1][:0]
	for _, before := range c.ideals[:d+1] {
		for _, set := range before {
			if set&x.needs != x.needs {
				continue
			}
			n := c.orders[set]
			for rest := set; rest != 0; rest &= rest - 1 {
				if last := bits.TrailingZeros32(rest); c.canBeLast(set|own, last) {
					n += c.orders[set&^(1<<last)|own]
				}
			}
			c.orders[set|own] = n
			list = append(list, set|own)
		}
	}
	c.ideals[d+1] = list
	return c.orders[own<<1-1]
}

// canBeLast tells whether no event of a set depends on one.
func (c *counter) canBeLast(set uint32, one int) bool {
	for rest := set &^ (2<<one - 1); rest != 0; rest &= rest - 1 {
		if c.run[bits.TrailingZeros32(rest)].needs>>one&1 != 0 {
			return false
		}
	}
	return true
}

func independent(a, b *event) bool { return a.Mote != b.Mote && !a.foot.Conflicts(b.foot) }

// queue is an event without its number.
func queue(e check.Event) check.Event {
	e.Serial = 0
	return e
}
