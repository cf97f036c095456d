package check

import (
	"fmt"
	"slices"
)

// Reduction says which orders of events a search leaves out because another one gives the same.
//
// The reductions here are sleep sets (Godefroid): of the runs that differ only in the order of neighbouring independent events,
// one is explored, and every other is left as soon as it is recognised. They differ in what they call independent:
//
//   - None: nothing.
//   - Static: events of different motes, unless they communicate. That is the paper's rule. Whether two transitions communicate
//     is seen in what they did: one wrote what the other one used. (The paper takes only a send and its reception for that.
//     But two sends to one mote fill its queue in one order or the other.)
//   - Dynamic: events whose transitions did not touch anything in common that one of them wrote, of whatever motes. So it also
//     separates the events of one mote. What depends on time says by how much later it would do the same (Footprint.Takes), and
//     is independent of others on its mote until these have used that up.
//
// Independence is not guessed in advance: an event falls asleep only after it was fired in the very state in question, so that
// its footprint is known, and it wakes as soon as a conflicting one is fired.
//
// What is kept, by all of them, with states kept or not, for every bound on depth: each state that some run of at most so many
// events reaches is reached by an explored run of as many events; so are each violation and each state without events. Hence
// verdicts, causes, lengths of shortest traces and sets of reachable states are equal. Runs equivalent to an explored one are
// of equal length: that is why a bound on depth does no harm here. Without states kept, each class of equivalent runs has one
// node. Dynamic then also recognises pairs of events that lead to the same state in either order although they touched something in
// common (see diamond).
//
// Why not persistent or source sets (Flanagan and Godefroid; Abdulla et al.) as well? They postpone events, and so they may spend
// the bound on one mote before another gets its turn: they keep violations only where the bound cuts nothing. They leave out
// states. And they have to know of an event that is not enabled what would enable it, which the enable bits and queues of a
// mote do not tell.
//
// What is not kept: which of two independent events comes first in the trace that is shown; and cycles. Lassos are therefore
// looked for without reduction.
type Reduction uint8

// The reductions.
const (
	Dynamic Reduction = iota
	Static
	None
)

var reductionNames = [...]string{Dynamic: "dynamic", Static: "static", None: "none"}

func (r Reduction) String() string {
	if int(r) < len(reductionNames) {
		return reductionNames[r]
	}
	return fmt.Sprintf("reduction(%d)", uint8(r))
}

// ParseReduction reads the name of a reduction.
func ParseReduction(name string) (Reduction, error) {
	if i := slices.Index(reductionNames[:], name); i >= 0 {
		return Reduction(i), nil
	}
	return 0, fmt.Errorf("unknown reduction %q: use none, static or dynamic", name)
}

// sleeper is an event that need not be fired: what would follow is explored elsewhere.
type sleeper struct {
	key  uint64
	mote int16
	foot *Footprint
	late uint64 // by how much later it would begin now than when it was fired
}

// independent tells whether two events that are enabled in one state, and were fired there or before, can be swapped there.
func (r Reduction) independent(a, b sleeper) bool {
	if r == None || r == Static && a.mote == b.mote || a.foot == nil || b.foot == nil {
		return false
	}
	return !a.foot.touches(b.foot) && !a.foot.delays(b.foot, b.late) && !b.foot.delays(a.foot, a.late)
}

// still appends those that are asleep also after the event was fired.
func (r Reduction) still(dst, asleep []sleeper, fired sleeper) []sleeper {
	for _, s := range asleep {
		if r.independent(s, fired) {
			s.late += fired.foot.lasts(s.foot)
			dst = append(dst, s)
		}
	}
	return dst
}

// keysOf gives the keys of sleepers, in order.
func keysOf(dst []uint64, asleep []sleeper) []uint64 {
	for _, s := range asleep {
		dst = append(dst, s.key)
	}
	slices.Sort(dst)
	return dst
}

func sleeps(asleep []sleeper, e Event) bool {
	k := e.key()
	return slices.ContainsFunc(asleep, func(s sleeper) bool { return s.key == k })
}
