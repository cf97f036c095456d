package engine

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// node is a state of a mote, with what is between it and the others.
type node struct {
	e    *Engine
	g    *group
	id   mapping.State
	mote int
	s    *core.State
	boot uint64 // when it was switched on

	air    reception.Air
	lines  reception.Lines
	acts   []world.Event    // from outside, that are still to come
	frames reception.Frames // if some of their bytes are symbolic
	checks []checked
	sent   []core.Output // not delivered yet
	airing fcs           // what is sent
	met    met           // those whom it last heard of

	asked       [world.NumChoiceKinds]uint32 // questions, by kind
	answers     []world.Answer
	used        []uint32 // of each of the Config's faults
	question    question // that the node waits with
	decided     bool     // ... or has the answer to, which is
	decision    reception.Decision
	failing     bool // it waits with the question whether its power fails
	failsAt     uint64
	corruptions []corruption
	off         bool
	onAt        uint64 // when it is switched on again
	wait        wait
	waited      uint32       // interrupts
	parted      int          // see Check.Part
	holds       []world.Hold // those that have waited

	next, promise uint64   // see outlook; 0 if out of date
	ranIn         int      // the window in which it last ran, counted from 1
	violated      []string // checks, by name
	found         int      // how many of the state's findings were told
	ran           uint64   // instructions that were counted
}

// copy is the same for another state.
func (n *node) copy(s *core.State) *node {
	c := *n
	c.s = s
	c.air, c.lines, c.frames = reception.Air{}, reception.Lines{}, reception.Frames{}
	c.air.CopyFrom(&n.air)
	c.lines.CopyFrom(&n.lines)
	c.frames.CopyFrom(&n.frames)
	c.checks = slices.Clone(n.checks)
	c.sent, c.corruptions = slices.Clone(n.sent), slices.Clone(n.corruptions)
	c.answers, c.used = slices.Clone(n.answers), slices.Clone(n.used)
	c.found = len(s.Findings())
	s.Listen(&c)
	return &c
}

// Fork implements mapping.Forker.
func (e *Engine) Fork(id mapping.State) mapping.State {
	n := e.nodes[id]
	c := n.copy(n.s.Fork())
	e.enter(c)
	for i := range e.sendings { // what it has sent its copy has sent too
		if x := &e.sendings[i]; slices.Contains(x.senders, id) {
			x.senders = append(x.senders, c.id)
		}
	}
	return c.id
}

// branch makes a second node of a choice.
func (n *node) branch() *node {
	c := n.copy(n.s.Fork())
	n.e.enter(c)
	n.g.mapping.Branch(n.id, c.id)
	n.e.todo = append(n.e.todo, c)
	n.e.stats.Choices++
	return c
}

// outlook works out when the mote acts next, and when others can notice at the earliest.
func (n *node) outlook() {
	if n.next != 0 {
		return
	}
	n.next, n.promise = medium.Never, medium.Never
	first, _ := n.first()
	first = n.wait.until(min(first, n.due()))
	switch {
	case n.s.Ended() != core.Going:
		return
	case n.off:
		n.next = min(first, n.onAt)
		if n.onAt != medium.Never {
			n.promise = n.onAt + radio.MinLookahead
		}
	default:
		local := first
		if first != medium.Never {
			local = max(first, n.boot) - n.boot
		}
		next, air := n.s.Outlook(local)
		if air != periph.Never {
			n.promise = n.boot + air
		}
		if next != periph.Never {
			n.next = n.boot + next
			if net := n.e.cfg.World.Net; net != nil && net.Wired(n.mote) {
				n.promise = min(n.promise, n.next+reception.WireLatency)
			}
		}
	}
	n.next = max(n.next, 1) // 0 is out of date
}

// feed gives a state its input from outside.
func (e *Engine) feed(n *node, in Serial, index int) {
	list := make([]cell.Cell, len(in.Bytes))
	for i, b := range in.Bytes {
		list[i] = cell.Of(b)
		if slices.Contains(in.Symbolic, i) {
			list[i] = n.s.Var(fmt.Sprintf("mote%d.%s[%d]", n.mote, in.Name, i),
				fmt.Sprintf("byte %d of %s to mote %d", i, in.Name, n.mote), b)
			if x := expr.ID(list[i].Expr()); x != 0 {
				e.inputs[inputKey{serialInput, index, i}], _ = e.pool.VarOf(x)
				n.assume(in.Assumed, i, x)
			}
		}
	}
	n.s.SerialIn(in.USART, mote.Input{At: max(in.At, n.boot) - n.boot, BitTime: in.BitTime(), Bytes: list})
}
