package engine

import (
	"fmt"
	"math/bits"

	"motehound/mote/cell"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// choose answers the question that a node waits with: it goes on with what is ordinary, others with what the Config allows.
func (n *node) choose() {
	q := n.question
	number := n.asked[q.kind]
	n.asked[q.kind]++
	answer := func(n *node, a uint32) {
		n.decided, n.failing = q.kind != world.ChoiceFault, false
		n.answers = append(n.answers, world.Answer{Kind: q.kind, Mote: n.mote, Number: number, Answer: a})
	}
	if q.kind == world.ChoiceFault {
		n.choosePower(q.At, answer)
		answer(n, world.FaultNone)
		return
	}
	fates := n.fates(q.Question)
	for fate := reception.Lost; fate < reception.NumFates; fate++ {
		if !fates.Allows(fate) {
			continue
		}
		c, f := n.branch(), fates.Fault(fate)
		c.used[f]++
		c.decision = reception.Decision{Fate: fate, Span: n.e.cfg.World.Faults[f].Span}
		answer(c, uint32(fate))
		if fate == reception.Corrupted {
			c.corrupt()
		}
	}
	n.decision = reception.Decision{}
	answer(n, uint32(reception.Delivered))
}

// corruption is a frame that a node has got with one wrong bit: which one is symbolic, and the answer to a question of package world.
type corruption struct {
	number uint32
	bit    expr.ID
}

// corrupt has a frame arrive with a wrong bit.
func (n *node) corrupt() {
	number := n.asked[world.ChoiceCorruption]
	n.asked[world.ChoiceCorruption]++
	bit := n.s.Input(fmt.Sprintf("mote%d.corruption%d", n.mote, number), corruptBits,
		fmt.Sprintf("the wrong bit of corrupted frame %d at mote %d", number, n.mote), 0)
	n.corruptions = append(n.corruptions, corruption{number, bit})
	n.decision.Wrong = uint32(bit)
}

// corruptBits is how many bits the number of a wrong bit has.
var corruptBits = bits.Len(reception.CorruptBits - 1)

// Flip implements reception.Radio and Port: the wrong bit is symbolic.
func (n *node) Flip(c cell.Cell, wrong, i uint32) cell.Cell {
	p := n.e.pool
	x := expr.ID(c.Expr())
	if x == 0 {
		x = p.Const(8, uint64(c.V()))
	}
	bit := expr.ID(wrong)
	flip := p.Shl(p.Const(8, 1), p.ZExt(p.Extract(bit, 2, 0), 8))
	here := p.Eq(p.Extract(bit, corruptBits-1, 3), p.Const(corruptBits-3, uint64(i)))
	return n.s.Cell(p.Ite(here, p.Xor(x, flip), x))
}

// fates is what may become of a frame that begins to reach this mote.
func (n *node) fates(q reception.Question) world.Fates { return n.e.cfg.World.Faults.Fates(q, n.left) }

// strikes finds a fault that may befall the mote itself; -1 if there is none.
func (n *node) strikes(k world.FaultKind, at uint64) int {
	return n.e.cfg.World.Faults.Strike(k, n.mote, at, n.left)
}

// left reports whether a fault may happen once more. If it is everyone's, there must be an outcome in which the others have left something of
// it; what they have in the end is known at the end only.
func (n *node) left(f int) bool {
	x := &n.e.cfg.World.Faults[f]
	if n.used[f] >= x.Max ||
		x.Mote == world.Everyone && n.used[f]+n.g.mapping.Least(n.id, func(s mapping.State) uint32 { return n.e.nodes[s].used[f] }) >= x.Max {
		return false
	}
	n.e.offered[f] = true
	return true
}

// PowerMayFail implements reception.Radio.
func (n *node) PowerMayFail(at uint64) {
	if !n.off && (n.strikes(world.Reboot, at) >= 0 || n.strikes(world.Outage, at) >= 0 || n.getsBusy(at) >= 0) {
		n.failing, n.failsAt = true, at
	}
}

// getsBusy finds a fault that makes the channel around the mote busy; -1 if there is none, or it is busy already.
func (n *node) getsBusy(at uint64) int {
	if n.e.cfg.World.Motes[n.mote].Kind.Board.Radio == nil || n.air.Disturbed() {
		return -1
	}
	return n.strikes(world.Busy, at)
}

// choosePower makes the nodes whose power fails, and that whose channel becomes busy.
func (n *node) choosePower(at uint64, answer func(*node, uint32)) {
	if f := n.strikes(world.Reboot, at); f >= 0 {
		c := n.branch()
		c.used[f]++
		answer(c, world.FaultReboot)
		c.s.PowerCycle()
		c.air.Deafen()
	}
	if f := n.getsBusy(at); f >= 0 {
		c := n.branch()
		c.used[f]++
		answer(c, world.FaultBusy)
		c.air.Disturb(at+world.BusyNotice, at+world.BusyNotice+n.e.cfg.World.Faults[f].Span)
		c.next = 0
	}
	if f := n.strikes(world.Outage, at); f >= 0 {
		c := n.branch()
		c.used[f]++
		answer(c, world.FaultOutage)
		c.s.PowerOff()
		c.air.Deafen()
		c.off, c.onAt = true, medium.Never
		if span := n.e.cfg.World.Faults[f].Span; span > 0 {
			c.onAt = at + span
		}
	}
}
