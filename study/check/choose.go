package check

import "math/rand/v2"

// generator gives the random numbers of one piece of work. They depend on the seed and on which piece it is, never on who does
// it when.
func generator(seed, piece uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(seed), mix(piece^0x5851f42d4c957f2d)))
}

// mix spreads every bit of x over the result (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// chooser picks the next event of a walk: first a mote among those that can do something, then one of its events. That is the
// paper's default; weights change the second step.
type chooser struct {
	rng    *rand.Rand
	weight func(Event) uint32
	// favour is the mote that comes first in every second choice, if favoured.
	favour   int16
	favoured bool
	motes    []int16
	allowed  []Event
}

// pick chooses one of the events, and tells whether any has a weight.
func (c *chooser) pick(enabled []Event) (Event, bool) {
	c.motes = c.motes[:0]
	total := make([]uint64, 0, 16)
	for _, e := range enabled {
		w := c.weigh(e)
		if w == 0 {
			continue
		}
		i := 0
		for i < len(c.motes) && c.motes[i] != e.Mote {
			i++
		}
		if i == len(c.motes) {
			c.motes = append(c.motes, e.Mote)
			total = append(total, 0)
		}
		total[i] += w
	}
	if len(c.motes) == 0 {
		return Event{}, false
	}
	i := c.mote()
	left := c.rng.Uint64N(total[i])
	for _, e := range enabled {
		if e.Mote != c.motes[i] {
			continue
		}
		w := c.weigh(e)
		if left < w {
			return e, true
		}
		left -= w
	}
	panic("BUG: weights changed while an event was chosen")
}

// natural chooses among what happens when nothing fails, or if that is nothing, among all.
func (c *chooser) natural(enabled []Event) (Event, bool) {
	c.allowed = c.allowed[:0]
	for _, e := range enabled {
		if e.natural() {
			c.allowed = append(c.allowed, e)
		}
	}
	if e, ok := c.pick(c.allowed); ok {
		return e, true
	}
	return c.pick(enabled)
}

func (c *chooser) weigh(e Event) uint64 {
	if c.weight == nil {
		return 1
	}
	return uint64(c.weight(e))
}

func (c *chooser) mote() int {
	if c.favoured && c.rng.Uint64N(2) == 0 {
		for i, m := range c.motes {
			if m == c.favour {
				return i
			}
		}
	}
	return c.rng.IntN(len(c.motes))
}
