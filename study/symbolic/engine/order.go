package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/mapping"
	"motehound/world"
	"motehound/world/medium"
)

// Reorder has events come in other orders than the natural one too. An interrupt that is requested may be served at once, as usual, or wait:
// until its mote has served another one or has fallen asleep, or for a while in which other motes have sent something. So it changes places
// with what comes next. What happens to nothing but itself then is no other order, and is not followed.
type Reorder struct {
	Max    uint32 // how many interrupts of an outcome may wait; 0 keeps the natural order
	Within uint64 // and for how long at most, in picoseconds
}

func (r *Reorder) check() error {
	if r.Max > 0 && r.Within < 10*linger {
		return fmt.Errorf("interrupts may wait for %d ps: give at least %d, or other orders cannot be", r.Within, 10*linger)
	}
	if r.Max == 0 && r.Within > 0 {
		return errors.New("it is said for how long interrupts may wait, but not how many may")
	}
	return nil
}

// linger is for how long an interrupt waits on when something else was done: a run without anything symbolic may be a few cycles ahead or
// behind (see package core), and has to come to the same order.
const linger = 10 * world.Microsecond

// wait is an interrupt that waits.
type wait struct {
	on    bool
	hold  world.Hold
	since uint64
	awake bool // the CPU was: what it was about has come first
	cross bool // another mote has sent something meanwhile
	late  bool // something else was done, and it waits for a little only
}

// reorder makes nodes in which interrupts wait that were requested just now.
func (n *node) reorder(rose uint64) {
	if n.wait.on || !n.mayWait() {
		return
	}
	for set := rose &^ n.e.prompt[n.mote]; set != 0; set &= set - 1 {
		vector := uint8(bits.TrailingZeros64(set))
		now := n.boot + n.s.Time()
		until := n.latest(vector, now)
		if until < now+10*linger {
			continue
		}
		c := n.branch()
		_, asleep := n.s.Machine().Asleep()
		c.waited++
		c.wait = wait{on: true, since: now, awake: !asleep, hold: world.Hold{Mote: n.mote, Vector: vector, From: n.begin(vector, now), Until: until}}
		c.s.Hold(1 << vector)
		c.next = 0
	}
}

// begin is from when on an interrupt waits that is requested now: a little before, as long as it was not served since. It makes no difference,
// except for a run that is a few cycles ahead.
func (n *node) begin(vector uint8, now uint64) uint64 {
	served := n.boot + n.s.Served(vector)
	return now - min(2*linger, (now-served)/2)
}

// latest is until when an interrupt can wait at most: no tick of a timer and no character is lost for it.
func (n *node) latest(vector uint8, now uint64) uint64 {
	until, m := now+n.e.cfg.Reorder.Within, n.s.Machine()
	if again := m.Again(); again != medium.Never {
		until = min(until, n.boot+m.TimeOf(again)-min(linger, m.TimeOf(again)))
	}
	for u, x := range m.Chip().USARTs {
		if x.RX == vector {
			bit, format := m.SerialRate(uint8(u))
			until = min(until, now+bit*uint64(2*format.Bits()-1))
		}
	}
	return until
}

// mayWait reports whether one more interrupt of the outcome may wait. See node.allows.
func (n *node) mayWait() bool {
	most := n.e.cfg.Reorder.Max
	return n.waited < most && n.waited+n.g.mapping.Least(n.id, func(s mapping.State) uint32 { return n.e.nodes[s].waited }) < most
}

// await looks whether the node's interrupt has waited long enough. It tells whether the node is gone: nothing came before the interrupt.
func (n *node) await() (gone bool) {
	w, now := &n.wait, n.boot+n.s.Time()
	if !w.on {
		return false
	}
	if n.s.Passed() && !w.late {
		w.late, w.hold.Until = true, min(w.hold.Until, now+linger)
	}
	if now < w.hold.Until {
		return false
	}
	n.s.Hold(0)
	n.holds = append(slices.Clip(n.holds), w.hold)
	gone = n.inVain()
	n.wait = wait{}
	return gone
}

// inVain removes a node whose interrupt has waited, and nothing came before it.
func (n *node) inVain() bool {
	w := &n.wait
	if !w.on || w.late || w.awake || w.cross {
		return false
	}
	n.e.stats.Same++
	n.e.remove(n)
	return true
}

// rank is by what outcomes are parted: those in the natural order stay together, so that the searcher can have them first.
func (e *Engine) rank() func(mapping.State) uint32 {
	if e.cfg.Reorder.Max == 0 {
		return nil
	}
	return func(s mapping.State) uint32 { return e.nodes[s].waited }
}

// until is the moment to which a node can be run before its interrupt has waited long enough.
func (w *wait) until(ps uint64) uint64 {
	if w.on {
		return min(ps, w.hold.Until)
	}
	return ps
}

// crosses notes that something is sent while interrupts of others wait.
func (e *Engine) crosses(g *group, x *sending) {
	if e.cfg.Reorder.Max == 0 || x.out.Kind != core.CarrierOn && x.out.Kind != core.CharStart {
		return
	}
	for _, n := range g.nodes {
		if w := &n.wait; e.is(n) && w.on && !w.cross && n.mote != x.mote && x.at >= w.since && x.at < w.hold.Until {
			for _, id := range g.mapping.Met(n.id, x.mote) {
				w.cross = w.cross || slices.Contains(x.senders, id) && n.waited+e.nodes[id].waited <= e.cfg.Reorder.Max
			}
		}
	}
}

// holdsOf is the interrupts that wait in a node.
func (n *node) holdsOf() []world.Hold {
	if n.wait.on {
		return append(slices.Clip(n.holds), n.wait.hold)
	}
	return n.holds
}

func sortHolds(list []world.Hold) {
	slices.SortStableFunc(list, func(a, b world.Hold) int { return cmp.Or(cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.From, b.From)) })
}
