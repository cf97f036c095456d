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
)

var fateFaults = [...]world.FaultKind{world.Lost: world.Lose, world.Corrupted: world.Corrupt, world.Duplicated: world.Duplicate,
	world.Delayed: world.Delay, world.Reordered: world.Reorder}

// fates are what can become of a frame besides being delivered.
var fates = []uint8{world.Lost, world.Corrupted, world.Duplicated, world.Delayed, world.Reordered}

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
		n.choosePower(q.at, answer)
		answer(n, world.FaultNone)
		return
	}
	for _, fate := range fates {
		if f := n.openFrame(fateFaults[fate], q.from, q.wire, q.at); f >= 0 {
			c := n.branch()
			c.used[f]++
			c.fate, c.span = fate, n.e.cfg.World.Faults[f].Span
			answer(c, uint32(fate))
			if fate == world.Corrupted {
				c.corrupt()
			}
		}
	}
	n.fate = world.Delivered
	answer(n, world.Delivered)
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
	if i < 0 || i >= 1<<corruptBits/8 {
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

// openFrame finds a fault that may happen to a frame at this mote, and whose budget is charged then; -1 if there is none.
func (n *node) openFrame(k world.FaultKind, from, wire int, at uint64) int {
	for f, x := range n.e.cfg.World.Faults {
		if x.Kind == k && x.Wire == wire && (x.Mote == world.Everyone || x.Mote == n.mote) &&
			(x.To == world.None || x.From == from && x.To == n.mote) && n.allows(f, at) {
			return f
		}
	}
	return -1
}

// open is openFrame for what befalls the mote itself.
func (n *node) open(k world.FaultKind, at uint64) int {
	for f, x := range n.e.cfg.World.Faults {
		if x.Kind == k && (x.Mote == world.Everyone || x.Mote == n.mote) && n.allows(f, at) {
			return f
		}
	}
	return -1
}

// allows tells whether a fault may happen once more, at a moment. If it is everyone's, there must be a scenario in which the others have left
// something of it; what they have in the end is known at the end only.
func (n *node) allows(f int, at uint64) bool {
	x := &n.e.cfg.World.Faults[f]
	if n.used[f] >= x.Max || at < x.After || x.Until != 0 && at >= x.Until {
		return false
	}
	if x.Mote == world.Everyone && n.used[f]+n.g.mapping.Least(n.id, func(s mapping.State) uint32 { return n.e.nodes[s].used[f] }) >= x.Max {
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
