package engine

import (
	"fmt"
	"slices"

	"motehound/mote/cell"
	"motehound/mote/radio"
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
		n.decided = true
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
		c.fate, c.span = fate, n.e.cfg.World.Faults[f].Span
		answer(c, uint32(fate))
		if fate == reception.Corrupted {
			c.corrupt()
		}
	}
	n.fate = reception.Delivered
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
	n.bit = n.s.Input(fmt.Sprintf("mote%d.corruption%d", n.mote, number), corruptBits,
		fmt.Sprintf("the wrong bit of corrupted frame %d at mote %d", number, n.mote), 0)
	n.corruptions = append(n.corruptions, corruption{number, n.bit})
}

// corrupted is byte i of a corrupted frame.
func (n *node) corrupted(c cell.Cell, bit expr.ID, i int) cell.Cell {
	if i < 0 || i >= reception.CorruptBits/8 {
		return c
	}
	p := n.e.pool
	x := expr.ID(c.Expr())
	if x == 0 {
		x = p.Const(8, uint64(c.V()))
	}
	flip := p.Shl(p.Const(8, 1), p.ZExt(p.Extract(bit, 2, 0), 8))
	here := p.Eq(p.Extract(bit, corruptBits-1, 3), p.Const(corruptBits-3, uint64(i)))
	return n.s.Cell(p.Ite(here, p.Xor(x, flip), x))
}

// fates is what may become of a frame that begins to reach this mote.
func (n *node) fates(q reception.Question) world.Fates { return n.e.cfg.World.Faults.Fates(q, n.left) }

// open finds a fault that may befall the mote itself; -1 if there is none.
func (n *node) open(k world.FaultKind, at uint64) int {
	return n.e.cfg.World.Faults.Strike(k, n.mote, at, n.left)
}

// left tells whether a fault may happen once more. If it is everyone's, there must be a scenario in which the others have left something of
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

// powerMayFail is a point at which a mote's power may fail: a frame has ended there.
func (n *node) powerMayFail(at uint64) {
	if !n.off && (n.open(world.Reboot, at) >= 0 || n.open(world.Outage, at) >= 0) {
		n.inbox = slices.Insert(n.inbox, 0, item{at: at, air: true, heard: radio.Heard{Kind: powerQuestion}})
	}
}

// choosePower makes the nodes whose power fails.
func (n *node) choosePower(at uint64, answer func(*node, uint32)) {
	if f := n.open(world.Reboot, at); f >= 0 {
		c := n.branch()
		c.used[f]++
		answer(c, world.FaultReboot)
		c.s.PowerCycle()
	}
	if f := n.open(world.Outage, at); f >= 0 {
		c := n.branch()
		c.used[f]++
		answer(c, world.FaultOutage)
		c.s.PowerOff()
		c.off, c.onAt, c.decided = true, medium.Never, false
		c.inbox = slices.Delete(c.inbox, 0, 1)
		if span := n.e.cfg.World.Faults[f].Span; span > 0 {
			c.onAt = at + span
		}
	}
}
