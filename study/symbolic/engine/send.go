package engine

import (
	"cmp"
	"encoding/binary"
	"slices"

	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world/medium"
	"motehound/world/reception"
)

// sending is one byte, or one carrier's beginning or end, that some states of a mote send at the same moment, all the same.
type sending struct {
	mote    int
	told    uint64
	at      uint64
	out     core.Output
	right   bool // see fcs
	senders []mapping.State
}

// deliver sends on its way what was sent in a window. States of a mote that send the same do so together: then those that receive it
// are not told apart by whom they have it from, and know of the inputs only that one of these could send it.
func (e *Engine) deliver(g *group) {
	var list []sending
	for _, n := range g.nodes {
		if !e.is(n) {
			continue
		}
		for _, o := range n.sent {
			if o.Kind == core.CharSent || o.Kind == core.Light {
				continue
			}
			plain := o.Data.V()
			if len(e.cfg.Frames) > 0 {
				n.frameSent(&o)
			}
			x := sending{mote: n.mote, told: n.boot + o.Told, at: n.boot + o.At, out: o, right: n.follows(&o, plain)}
			i := slices.IndexFunc(list, func(y sending) bool { return same(&x, &y) && !slices.Contains(y.senders, n.id) })
			if i < 0 {
				i = len(list)
				list = append(list, x)
			}
			list[i].senders = append(list[i].senders, n.id)
		}
		n.sent = nil
	}
	slices.SortStableFunc(list, func(a, b sending) int { return cmp.Compare(a.told, b.told) })
	for e.sendings = list; len(e.sendings) > 0; {
		x := e.sendings[0]
		e.sendings = e.sendings[1:]
		e.send(g, &x)
	}
}

// same reports whether two states send the same.
func same(a, b *sending) bool {
	x, y := a.out, b.out
	if a.mote != b.mote || a.at != b.at || a.right != b.right || !a.right && !sameCell(x.Data, y.Data) || !sameCell(x.Char.Data, y.Char.Data) {
		return false
	}
	x.Data, y.Data, x.Char.Data, y.Char.Data = 0, 0, 0, 0
	return x == y
}

func sameCell(a, b cell.Cell) bool { return a.Expr() == b.Expr() && (a.Expr() != 0 || a.V() == b.V()) }

// related is the conditions of a path that concern some inputs, directly or by way of others, in their order.
func related(p *expr.Pool, path *solver.Set, vars []expr.VarIndex) (out []expr.ID) {
	conds := path.Conditions()
	taken := make([]bool, len(conds))
	for changed := true; changed; {
		changed = false
		for i, c := range conds {
			if !taken[i] && expr.Intersect(p.Vars(c), vars) {
				taken[i], changed = true, true
				vars = slices.Compact(slices.Sorted(slices.Values(slices.Concat(vars, p.Vars(c)))))
			}
		}
	}
	for i, c := range conds {
		if taken[i] {
			out = append(out, c)
		}
	}
	return out
}

// send delivers to the states that the senders meet.
func (e *Engine) send(g *group, x *sending) {
	x.senders = slices.DeleteFunc(x.senders, func(id mapping.State) bool { return e.nodes[id] == nil })
	net := e.cfg.World.Net
	if len(x.senders) == 0 || net == nil {
		return
	}
	e.stats.Frames++
	e.crosses(g, x)
	if x.out.Kind == core.CharStart {
		e.sendChar(g, x)
		return
	}
	kind := [...]radio.HeardKind{core.CarrierOn: radio.CarrierOn, core.AirByte: radio.Byte, core.CarrierOff: radio.CarrierOff}[x.out.Kind]
	it := reception.Item{At: x.at, Sender: uint16(x.mote), Kind: kind, Carrier: x.out.Carrier, Bit: x.out.Bit, Data: x.out.Data}
	if x.right {
		it.Flags |= reception.Right
	}
	for _, l := range net.From(x.mote) {
		if e.cfg.World.Motes[l.To].Kind.Board.Radio != nil {
			y := it.Over(&l)
			e.reach(g, x, l.To, y.At, y.Data, func(n *node) { n.air.Insert(&y) })
		}
	}
	if kind == radio.CarrierOff && e.cfg.World.Faults.Frail(x.mote) {
		it.Kind = reception.OwnEnd
		for _, id := range x.senders {
			if n := e.nodes[id]; n != nil && !n.off {
				n.air.Insert(&it)
				n.next = 0
			}
		}
	}
}

// sendChar sends a character over the wires of a USART.
func (e *Engine) sendChar(g *group, x *sending) {
	for i, to := range e.cfg.World.Net.WiresFrom(medium.End{Mote: x.mote, USART: x.out.USART}) {
		y := reception.NewChar(x.out.Char, i, to, x.at, x.told)
		e.reach(g, x, to.Mote, y.At, y.Data, func(n *node) { n.lines.Insert(y) })
	}
}

// reach puts something, with its data, on its way to those states of a mote that meet the senders.
func (e *Engine) reach(g *group, x *sending, to int, at uint64, data cell.Cell, put func(n *node)) {
	// One that contradicted its sender may have taken senders along.
	x.senders = slices.DeleteFunc(x.senders, func(id mapping.State) bool { return e.nodes[id] == nil })
	if at < e.cfg.World.Motes[to].BootFrom || len(x.senders) == 0 {
		return
	}
	for _, id := range g.mapping.Send(x.senders, []int{to}) {
		if n := e.nodes[id]; n != nil && e.meet(x.mote, n, cellExpr(data)) {
			put(n)
			n.next = 0
		}
	}
}

// met is that a node has the conditions of some senders, as far as their paths were then.
type met struct {
	senders string // and their paths
	own     *solver.Set
}

// meet gives a receiver the conditions of those senders that it meets, as far as they concern what it knows or gets: that those of one of
// them hold. It is removed if that contradicts its own: it is in no other outcomes.
func (e *Engine) meet(from int, to *node, data expr.ID) bool {
	if data == 0 && len(to.s.Path().Conditions()) == 0 {
		return true
	}
	senders := to.g.mapping.Met(to.id, from) // those that did not send it have been parted from it
	now := met{e.paths(senders), to.s.Path()}
	if data == 0 && to.met == now {
		return true
	}
	var vars []expr.VarIndex
	for _, x := range to.s.Path().Conditions() {
		vars = append(vars, e.pool.Vars(x)...)
	}
	if data != 0 {
		vars = append(vars, e.pool.Vars(data)...)
	}
	vars = slices.Compact(slices.Sorted(slices.Values(vars)))
	to.s.Know(e.nodes[senders[0]].s.Model())
	for _, c := range e.oneOf(senders, vars) {
		if slices.Contains(to.s.Path().Conditions(), c) || to.s.Assume(c) != solver.Unsat {
			continue
		}
		e.stats.Infeasible++
		e.remove(to)
		return false
	}
	now.own = to.s.Path()
	to.met = now
	return true
}

// paths tells senders and what they know apart from others.
func (e *Engine) paths(senders []mapping.State) string {
	var key []byte
	for _, id := range senders {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
		key = binary.LittleEndian.AppendUint32(key, uint32(len(e.nodes[id].s.Path().Conditions())))
	}
	return string(key)
}

// oneOf is the conditions about some inputs under which one of the senders sends: what all have in common, and that the rest of one of them
// holds.
func (e *Engine) oneOf(senders []mapping.State, vars []expr.VarIndex) []expr.ID {
	first := related(e.pool, e.nodes[senders[0]].s.Path(), vars)
	if len(senders) == 1 {
		return first
	}
	lists := [][]expr.ID{first}
	common := slices.Clone(first)
	for _, id := range senders[1:] {
		list := related(e.pool, e.nodes[id].s.Path(), vars)
		common = slices.DeleteFunc(common, func(c expr.ID) bool { return !slices.Contains(list, c) })
		lists = append(lists, list)
	}
	rest := e.pool.Bool(false)
	for _, list := range lists {
		all := e.pool.Bool(true)
		for _, c := range list {
			if !slices.Contains(common, c) {
				all = e.pool.And(all, c)
			}
		}
		rest = e.pool.Or(rest, all)
	}
	if e.pool.IsTrue(rest) {
		return common
	}
	return append(common, rest)
}

func cellExpr(c cell.Cell) expr.ID { return expr.ID(c.Expr()) }
