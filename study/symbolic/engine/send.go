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
	"motehound/world"
	"motehound/world/medium"
)

// sending is one byte, or one carrier's beginning or end, that some states of a mote send at the same moment, all the same.
type sending struct {
	mote    int
	told    uint64
	at      uint64
	out     core.Output
	senders []mapping.State
	// about is the conditions of the senders that concern the byte. States that differ in them do not send the same.
	about string
}

// deliver sends on its way what was sent in a window. States of a mote that send the same do so together: then those that receive it
// are not told apart by whom they have it from.
func (e *Engine) deliver() {
	var list []sending
	for id, n := range e.nodes {
		if n == nil {
			continue
		}
		for _, o := range n.sent {
			if o.Kind == core.CharSent || o.Kind == core.Light {
				continue
			}
			x := sending{mote: n.mote, told: n.boot + o.Told, at: n.boot + o.At, out: o, about: e.about(n, o)}
			i := slices.IndexFunc(list, func(y sending) bool { return same(&x, &y) && !slices.Contains(y.senders, mapping.State(id)) })
			if i < 0 {
				i = len(list)
				list = append(list, x)
			}
			list[i].senders = append(list[i].senders, mapping.State(id))
		}
		n.sent = nil
	}
	slices.SortStableFunc(list, func(a, b sending) int { return cmp.Compare(a.told, b.told) })
	for i := range list {
		e.send(&list[i])
	}
}

// same tells whether two states send the same.
func same(a, b *sending) bool {
	x, y := a.out, b.out
	if a.mote != b.mote || a.at != b.at || a.about != b.about || !sameCell(x.Data, y.Data) || !sameCell(x.Char.Data, y.Char.Data) {
		return false
	}
	x.Data, y.Data, x.Char.Data, y.Char.Data = 0, 0, 0, 0
	return x == y
}

func sameCell(a, b cell.Cell) bool { return a.Expr() == b.Expr() && (a.Expr() != 0 || a.V() == b.V()) }

// about is the conditions that a byte depends on, as a string to compare.
func (e *Engine) about(n *node, o core.Output) string {
	x := expr.ID((o.Data | o.Char.Data).Expr())
	if x == 0 {
		return ""
	}
	var key []byte
	for _, c := range related(e.pool, n.s.Path(), e.pool.Vars(x)) {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}

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
func (e *Engine) send(x *sending) {
	x.senders = slices.DeleteFunc(x.senders, func(id mapping.State) bool { return e.nodes[id] == nil })
	net := e.cfg.World.Net
	if len(x.senders) == 0 || net == nil {
		return
	}
	e.stats.Frames++
	if x.out.Kind == core.CharStart {
		e.sendChar(x)
		return
	}
	kind := [...]radio.HeardKind{core.CarrierOn: radio.CarrierOn, core.AirByte: radio.Byte, core.CarrierOff: radio.CarrierOff}[x.out.Kind]
	it := item{at: x.at, from: uint16(x.mote), air: true,
		heard: radio.Heard{Kind: kind, Sender: uint16(x.mote), Carrier: x.out.Carrier, Bit: x.out.Bit, Data: x.out.Data}}
	for _, l := range net.From(x.mote) {
		y := it
		y.at += l.Delay
		y.heard.Carrier.DBm += int16(l.GainDB)
		if b := e.cfg.World.Motes[l.To].Kind.Board; b.CC2420 != nil || b.CC1000 != nil {
			e.reach(x, l.To, y)
		}
	}
	if kind == radio.CarrierOff && e.frail(x.mote) {
		for _, id := range x.senders {
			if n := e.nodes[id]; !n.off {
				y := it
				y.heard.Kind = ownEnd
				n.insert(y)
			}
		}
	}
}

// sendChar sends a character over the wires of a USART.
func (e *Engine) sendChar(x *sending) {
	c := x.out.Char
	for i, w := range e.cfg.World.Net.Wires {
		to := w.B
		if w.A != (medium.End{Mote: x.mote, USART: x.out.USART}) {
			if w.B != (medium.End{Mote: x.mote, USART: x.out.USART}) {
				continue
			}
			to = w.A
		}
		it := item{from: uint16(i), usart: to.USART, start: x.at, char: c}
		it.at = max(it.start+8*c.BitTime, x.told+wireLatency)
		e.reach(x, to.Mote, it)
	}
}

// reach puts an item on its way to those states of a mote that meet the senders.
func (e *Engine) reach(x *sending, to int, it item) {
	if it.at < e.cfg.World.Motes[to].BootFrom {
		return
	}
	for _, id := range e.mapping.Send(x.senders, []int{to}) {
		if n := e.nodes[id]; n != nil && e.meet(x.senders, n, it) {
			n.insert(it)
		}
	}
}

// frail tells whether a mote's power may fail.
func (e *Engine) frail(mote int) bool {
	for _, f := range e.cfg.World.Faults {
		if (f.Mote == mote || f.Mote == world.Everyone) && (f.Kind == world.Reboot || f.Kind == world.Outage) {
			return true
		}
	}
	return false
}

// met is that a node has the conditions of some senders, as far as their paths were then.
type met struct {
	first   mapping.State
	senders int
	theirs  *solver.Set
	own     *solver.Set
}

// meet gives a receiver the conditions of its senders that concern what it knows or gets, as far as all of them have them. It is
// removed if they contradict its own: it is in no other scenarios.
func (e *Engine) meet(senders []mapping.State, to *node, it item) bool {
	first := e.nodes[senders[0]].s
	now := met{senders[0], len(senders), first.Path(), to.s.Path()}
	data := cellExpr(it.char.Data | it.heard.Data)
	if data == 0 && to.met == now {
		return true
	}
	have := map[expr.ID]bool{}
	var vars []expr.VarIndex
	for _, x := range to.s.Path().Conditions() {
		have[x] = true
		vars = append(vars, e.pool.Vars(x)...)
	}
	if data != 0 {
		vars = append(vars, e.pool.Vars(data)...)
	}
	vars = slices.Compact(slices.Sorted(slices.Values(vars)))
	if len(vars) == 0 {
		return true
	}
	to.s.Know(first.Model())
	for _, c := range related(e.pool, first.Path(), vars) {
		if have[c] || !e.all(senders[1:], c) || to.s.Assume(c) != solver.Unsat {
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

// all tells whether a condition is in the paths of all states.
func (e *Engine) all(list []mapping.State, c expr.ID) bool {
	return !slices.ContainsFunc(list, func(id mapping.State) bool { return !slices.Contains(e.nodes[id].s.Path().Conditions(), c) })
}

func cellExpr(c cell.Cell) expr.ID { return expr.ID(c.Expr()) }
