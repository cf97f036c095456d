package engine

import (
	"cmp"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/world"
	"motehound/world/medium"
)

// What somebody outside does at given times: drives a pin, or sends a frame that no mote has sent. It is the same in all states.

// fromOutside lists that for a mote, in the order of time.
func (c *Config) fromOutside(mote int) (list []world.Event) {
	for _, e := range c.World.Events {
		if e.Mote == mote {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b world.Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// due is when somebody outside does something to the node next.
func (n *node) due() uint64 {
	if len(n.acts) == 0 {
		return medium.Never
	}
	return n.acts[0].At
}

// act does to the node what is due. That is at the end of the instruction during which its time comes, as in package world.
func (n *node) act() {
	a := n.acts[0]
	n.acts, n.next = n.acts[1:], 0
	m := n.s.Machine()
	if !n.off { // a mote that is off takes no time
		m.SkipTo(max(a.At, n.boot) - n.boot)
	}
	switch {
	case a.Kind == world.SetPin:
		m.SetInput(a.Pin, a.Drive)
	case !n.off && n.s.Ended() == core.Going:
		items, ok := world.Strange(m, a.Frame)
		if !ok {
			return // it does not listen
		}
		for _, x := range items {
			x.At += n.boot
			n.air.Insert(&x)
		}
	}
}
