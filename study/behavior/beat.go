package behavior

import (
	"slices"

	"motehound/observe/calltree"
)

// beat is how regularly an interrupt comes at a mote.
//
// A timer that overflows into a counter, or whose compare match moves an alarm on, interleaves whatever there is, sooner or later: a
// short run sees it in some places and a long one in all, and neither is news. Such an interrupt is told by what it does: it runs its
// handler, and at most functions of the system, and never gets to a task or to the application. And it must be a clock: by its
// times, if it does nothing but its handler, or since the chip has its interrupt from a timer. It is background without being asked.
type beat struct {
	last             uint64
	shortest, widest uint64
	n                int
}

const minBeats = 8 // gaps between two of them, before they say anything

// beat notes an instance.
func (v *minedVector) beat(x *calltree.Instance) {
	for len(v.seen) <= x.Tree.ID {
		v.seen = append(v.seen, false)
	}
	if !v.seen[x.Tree.ID] {
		v.seen[x.Tree.ID] = true
		v.calls = v.calls || len(x.Tree.Calls) != 1 || len(x.Tree.Calls[0].Calls) != 0
		v.works = v.works || len(x.Tree.Calls) != 1 || works(x.Tree.Calls[0])
	}
	if v.calls {
		return
	}
	b := v.beats[x.Mote]
	if b == nil {
		v.beats[x.Mote] = &beat{last: x.Start}
		return
	}
	gap := x.Start - b.last
	if b.n == 0 {
		b.shortest, b.widest = gap, gap
	}
	b.last, b.shortest, b.widest = x.Start, min(b.shortest, gap), max(b.widest, gap)
	b.n++
}

// works tells whether a handler gets to the application, or posts a task.
func works(n *calltree.Node) bool {
	return !n.Func.Library || slices.ContainsFunc(n.Calls, func(c *calltree.Node) bool { return c.Kind == calltree.Post || works(c) })
}

// counts tells whether an interrupt that nobody named is a clock's that only counts.
func (m *Miner) counts(vector uint16) bool {
	v := m.vectors[vector]
	switch {
	case v == nil || slices.Contains(m.watched, vector):
		return false
	case !v.works && slices.Contains(m.scope.Timers, vector):
		return true
	case v.calls || len(v.beats) == 0:
		return false
	}
	for _, b := range v.beats { // each by itself
		if b.n < minBeats || b.widest-b.shortest > b.shortest/64 {
			return false
		}
	}
	return true
}
