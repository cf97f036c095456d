package world

import (
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/world/medium"
	"motehound/world/reception"
)

// wirePromise is the earliest moment at which others can notice what a mote sends on its wires from next on.
func (w *World) wirePromise(i int, next uint64) uint64 {
	if w.cfg.Net.Wired(i) {
		return next + reception.WireLatency
	}
	return medium.Never
}

// Starting implements mote.Env: a mote's USART begins to send a character.
func (e env) Starting(m *mote.Mote, usart uint8, c periph.SerialChar) {
	w := e.w
	if w.cfg.Net == nil {
		return
	}
	boot := w.per[e.i].boot
	for n, to := range w.cfg.Net.WiresFrom(medium.End{Mote: e.i, USART: usart}) {
		if w.guided {
			w.chars = append(w.chars, Char{From: e.i, To: to.Mote, USART: to.USART, Wire: n, Data: c.Data, Format: c.Format, BitTime: c.BitTime})
			continue
		}
		if x := reception.NewChar(c, n, to, boot+c.Start, boot+m.Time()); x.At >= w.per[to.Mote].boot {
			w.per[to.Mote].lines.Insert(x)
			w.planLines(to.Mote)
		}
	}
}

func (w *World) planLines(i int) {
	at := uint64(medium.Never)
	if in := w.per[i].lines.Inbox; len(in) > 0 {
		at = max(in[0].At, w.per[i].boot) - w.per[i].boot
	}
	if len(w.plan.sensors[i]) > 0 {
		at = min(at, w.nextReading(i))
	}
	w.motes[i].PlanLines(at)
	w.stale(i)
}

// nextReading is when the sensor changes at which a mote's comparator looks, by the mote's clock.
func (w *World) nextReading(i int) uint64 {
	channel, ok := w.motes[i].Compares()
	if !ok {
		return medium.Never
	}
	boot := w.per[i].boot
	at := w.plan.changes(i, channel, boot+w.motes[i].Time())
	if at == medium.Never {
		return at
	}
	return at - boot
}

// Lines implements mote.Env: a character reaches one of a mote's USARTs over a wire.
func (e env) Lines(m *mote.Mote) {
	w, l := e.w, &e.w.per[e.i].lines
	now := w.per[e.i].boot + m.Time()
	for len(l.Inbox) > 0 && l.Inbox[0].At <= now {
		if w.turns.mustWait(e.i, l.Inbox[0].At) {
			m.Pause()
			break
		}
		l.Take((*receiver)(&w.per[e.i].env))
	}
	if _, ok := m.Compares(); ok {
		m.Sensed()
	}
	w.planLines(e.i)
}
