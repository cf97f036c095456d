package world

import (
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// airState is what a world keeps of the air for each mote.
type airState struct {
	reception.Air
	sent []reception.Item // in a guided world: of the transmission under way
}

func (a *airState) copyFrom(from *airState) {
	a.CopyFrom(&from.Air)
	a.sent = from.sent[:len(from.sent):len(from.sent)] // whoever adds to it makes a copy
}

// send passes an item on to everybody who hears the sender.
func (w *World) send(from int, x reception.Item) {
	x.Sender = uint16(from)
	if w.guided {
		w.collect(from, x)
		return
	}
	if w.cfg.Net == nil {
		return
	}
	links := w.cfg.Net.From(from)
	for n := range links {
		if to := links[n].To; w.motes[to].Radio() != nil {
			y := x.Over(&links[n])
			w.deliver(to, &y)
		}
	}
}

// deliver puts an item on its way to one mote.
func (w *World) deliver(to int, x *reception.Item) {
	if w.reaches(to, x.At) {
		w.per[to].air.Insert(x)
		w.planAir(to)
	}
}

// reaches reports whether a mote has been switched on when a signal comes.
func (w *World) reaches(to int, at uint64) bool {
	boot := w.per[to].boot
	if at < boot {
		return false
	}
	if at < boot+w.motes[to].Time() {
		panic("BUG: a signal reaches a mote in its past")
	}
	return true
}

// planAir has a mote hear the next item that it must hear at its moment.
func (w *World) planAir(i int) {
	at := uint64(medium.Never)
	if x := w.urgent(i); x != nil {
		at = max(x.At, w.per[i].boot) - w.per[i].boot
	}
	if w.motes[i].PlanAir(at) {
		w.stale(i)
	}
}

// urgent is the first item that cannot wait for the radio's next event. Where budgets are shared nothing waits, so that motes
// come to their choices in the order of time.
func (w *World) urgent(i int) *reception.Item {
	in := w.per[i].air.Inbox
	for k := range in {
		if in[k].Kind != radio.Byte || w.turns.need || w.sched.prompt || !w.motes[i].Radio().Follows(in[k].Sender, in[k].At-w.per[i].boot, in[k].Bit, k) {
			return &in[k]
		}
	}
	return nil
}

// CatchUp implements mote.Env.
func (e env) CatchUp(m *mote.Mote) {
	w, a := e.w, &e.w.per[e.i].air
	if len(a.Inbox) == 0 || w.turns.need || w.sched.prompt {
		return
	}
	now := w.per[e.i].boot + m.Time()
	for len(a.Inbox) > 0 && a.Inbox[0].At <= now && a.Inbox[0].Kind == radio.Byte {
		w.hear(e.i)
	}
}

// ReplanAir implements mote.Env.
func (e env) ReplanAir(*mote.Mote) {
	if len(e.w.per[e.i].air.Inbox) > 0 {
		e.w.planAir(e.i)
	}
}

// Air implements mote.Env: something reaches a mote's radio now.
func (e env) Air(m *mote.Mote) {
	w, a := e.w, &e.w.per[e.i].air
	now := w.per[e.i].boot + m.Time()
	for len(a.Inbox) > 0 && a.Inbox[0].At <= now {
		if w.turns.mustWait(e.i, a.Inbox[0].At) {
			m.Pause()
			break
		}
		w.hear(e.i)
	}
	w.planAir(e.i)
}

// hear gives the next item to a mote's radio, as its fate wants it.
func (w *World) hear(i int) {
	x := &w.per[i].air.Inbox[0]
	sender, at := int(x.Sender), x.At
	if !w.per[i].air.Take((*receiver)(&w.per[i].env)) {
		return
	}
	w.per[i].received++
	if sender == Stranger {
		sender = -1
	}
	for _, f := range w.observe.heard {
		f(i, at, sender)
	}
}

// SwitchOn, Emit and SwitchOff implement mote.Env: a mote's radio sends.

// SwitchOn starts a transmission.
func (e env) SwitchOn(_ *mote.Mote, at uint64, c radio.Carrier) {
	at += e.w.per[e.i].boot
	e.w.per[e.i].frames.Send()
	e.w.frameOn(e.i, at, c)
	e.w.send(e.i, reception.Item{At: at, Kind: radio.CarrierOn, Carrier: c})
}

// Emit puts a byte on the air.
func (e env) Emit(_ *mote.Mote, at, bit uint64, c cell.Cell) {
	at += e.w.per[e.i].boot
	if e.w.plan.resent {
		p, offset := e.w.per[e.i].frames.Sent(c.V(), e.w.frameLook(e.i))
		c = e.w.editByte(e.i, true, p, offset, c)
	}
	e.w.frameByte(e.i, at, c)
	e.w.send(e.i, reception.Item{At: at, Kind: radio.Byte, Bit: bit, Data: c})
}

// SwitchOff ends a transmission.
func (e env) SwitchOff(_ *mote.Mote, at uint64) {
	at += e.w.per[e.i].boot
	e.w.frameOff(e.i, at)
	e.w.send(e.i, reception.Item{At: at, Kind: radio.CarrierOff})
	if e.w.plan.frail[e.i] && !e.w.per[e.i].off && !e.w.guided {
		e.w.deliver(e.i, &reception.Item{At: at, Kind: reception.OwnEnd, Sender: uint16(e.i)})
	}
}

// Choose implements mote.Env: noise in a radio. In a guided world there is none.
func (e env) Choose(_ *mote.Mote, options uint32) uint32 {
	if e.w.guided {
		return radio.Silence
	}
	return e.w.ask(e.i, ChoiceNoise, options)
}
