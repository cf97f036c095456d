package explore

import (
	"motehound/firmware/kernel"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// How long things can wait in nature while their mote does nothing. An interrupt waits as long as interrupts are off and other handlers
// run, a task until those before it are done: that time the mote is busy, and it does not count here. What counts is time in which the
// mote could have done what waits, and sleeps. There is none, but devices take a little more or less time than the emulator says. What a radio
// reports on its pins waits as long as the channel can be busy (radio.Model). A frame is heard while it is sent, so by its sender's clock it
// is not late either; nor is an acknowledgement. Motes that have heard each other stay together (together.go). Where a
// radio's bytes are served as they come, in stretches of time, frames and motes are late by as long as the channel can be busy. What a host
// sends, what the scenario does and what fails comes whenever it likes.
const slack = 200 * world.Microsecond

// Wait is something that waits, as an event; or a frame that comes too early.
type Wait struct {
	Event check.Event
	Idle  uint64 // for how long it could have happened and did not, in picoseconds
	Bound uint64 // for how long that can be
	// Ahead is how much of Idle did not pass: a frame comes from a mote whose clock is ahead, and what should have happened until then has
	// not. Of such a frame itself it is all there is.
	Ahead uint64
}

// Over is by how much it waits longer than it can.
func (w Wait) Over() uint64 { return w.Idle - min(w.Idle, w.Bound) }

// leads is by how much a frame comes from a mote whose clock is ahead of the receiver's.
func leads(e check.Event, span, begun uint64) uint64 {
	if e.Class != check.Frame {
		return 0
	}
	return span - begun
}

// idles is for how long a mote does nothing before it does what an event wants, or while it comes about. Of that, what comes over the air or
// a line takes a part (begun) that may be over before.
func (s *System) idles(i int, o *outlook, e check.Event) (span, begun uint64) {
	x, info := &s.seats[i], &s.sh.motes[i]
	now := o.now + x.lead
	if e.Intrudes() {
		p := o.point(e)
		if p == nil {
			p = s.point(i, e)
		}
		if p == nil {
			return 0, 0 // it cannot happen
		}
		if p.by != arrives { // else it takes as long as the frame
			return s.idlesInto(i, o, now, p)
		}
	}
	switch {
	case e.Class == check.Interrupt && o.ready>>e.Source&1 == 0:
		r, _ := o.rise(e.Source)
		return r.at - min(r.at, now), 0
	case e.Class == check.Task && e.Source == 0:
		return o.stays - min(o.stays, now), 0
	case e.Class == check.Task && e.Source == timePasses:
		until := o.waitsUntil() // or until something else can happen
		return until - min(until, now), 0
	case e.Pauses():
		until := o.now + pauseOf(e)
		return until - min(until, now), 0
	case e.Class == check.Frame && reception.Fate(e.Option) != reception.Lost && e.Source < wireSource:
		p := x.queues[indexOf(info.from, int(e.Source))].next(e)
		air := o.turns + p.PlaySpan()
		return max(air, s.until(i, now, p.trip)), air
	case e.Class == check.Frame && reception.Fate(e.Option) != reception.Lost:
		c := x.lines[indexOf(info.wires, int(e.Source-wireSource))][0]
		begun = o.chars[c.USART&3]
		return max(begun, s.until(i, now, c.trip)), begun
	case e.Made():
		span = s.madeSpan(i, o, e)
		return span, span
	case e.Class == check.Input && e.Source == scriptSource && s.nextAct(i).kind == world.HearFrame:
		span = o.turns + s.world().ComposeSpan(i, len(s.nextAct(i).frame))
		return span, span
	case e.Class == check.Input && e.Source == serialSource:
		in, _, _ := s.nextByte(i)
		return o.chars[in.USART&3], s.onTheWay(i, o, now, in.USART)
	}
	return 0, 0
}

// idlesInto is idles for an interrupt in the middle of something: that waits until the interrupt is flagged.
func (s *System) idlesInto(i int, o *outlook, now uint64, p *point) (span, begun uint64) {
	until := now
	if p.by == rises {
		r, _ := o.rise(uint16(p.vector))
		until = max(until, r.at)
	}
	if p.class == check.Interrupt && o.ready>>p.source&1 == 0 {
		r, _ := o.rise(p.source)
		until = max(until, r.at)
	}
	if p.class == check.Task && p.source == 0 {
		until = max(until, o.stays)
	}
	if p.by == comesIn || p.class == check.Input {
		in, _, _ := s.nextByte(i)
		span, begun = o.chars[in.USART&3], s.onTheWay(i, o, now, in.USART)
	}
	return until - now + span, begun
}

// onTheWay is for how long the next character of a line may have been on its way: for all that it takes, unless the one before has just come. That matters to a main program that was woken by that one.
func (s *System) onTheWay(i int, o *outlook, now uint64, usart uint8) uint64 {
	takes := o.chars[usart&3]
	if !s.sh.motes[i].kind.wakes() {
		return takes
	}
	return min(takes, now-min(now, s.seats[i].fed[usart&3]))
}

// Finite implements check.Pacer.
func (s *System) Finite(e check.Event) bool {
	return e.Class == check.Input && (e.Source == serialSource || e.Source == scriptSource)
}

// Strained implements check.Pacer.
func (s *System) Strained() uint64 { return s.strained }

// Overdue implements check.Pacer.
func (s *System) Overdue(e check.Event, tell func(what check.Event, by uint64)) {
	if !s.sh.opt.AnyOrder {
		s.overdue(e, func(w Wait) {
			if w.Over() > 0 {
				tell(w.Event, w.Over())
			}
		})
	}
}

// strain books what an event keeps waiting for too long.
func (s *System) strain(e check.Event) {
	s.Overdue(e, func(_ check.Event, by uint64) { s.strained = max(s.strained, by) })
}

// overdue tells what waits for too long if an event is fired now.
func (s *System) overdue(e check.Event, tell func(Wait)) {
	if e.Mote < 0 || len(s.early) > 0 {
		return
	}
	i := int(e.Mote)
	o := s.mustLook(i)
	if o.off || o.halted {
		return
	}
	span, begun := s.idles(i, o, e)
	if e.Intrudes() {
		s.lingers(i, o, e, span-begun, tell)
	}
	if span == 0 {
		return
	}
	x := &s.seats[i]
	ahead, early := leads(e, span, begun), false
	waits := func(w check.Event, idle, bound, ahead uint64) {
		if idle > bound && !s.ends(i, o, e, w) {
			tell(Wait{Event: w, Idle: idle, Bound: bound, Ahead: ahead})
			early = true
		}
	}
	info, now := &s.sh.motes[i], o.now+x.lead
	for _, w := range o.since {
		if e.Intrudes() && e.Class == check.Interrupt && e.Source == uint16(w.vector) && x.pressed>>w.vector&1 != 0 {
			continue // as in lingers
		}
		waits(w.event(e.Mote), x.idled-w.idled+span, info.patience(w.vector)+begun+s.gone(i, o, e, w), x.ahead-w.ahead+ahead)
	}
	for _, r := range o.rises {
		if r.at < now+span && !(e.Class == check.Task && e.Source == timePasses) {
			waits(check.Event{Mote: e.Mote, Class: check.Interrupt, Source: uint16(r.vector)}, now+span-r.at, info.patience(r.vector)+begun, min(ahead, now+span-r.at))
		}
	}
	if o.task && o.now < o.stays && o.stays < now+span {
		waits(check.Event{Mote: e.Mote, Class: check.Task}, now+span-o.stays, slack+begun, 0)
	}
	if early && ahead > 0 {
		tell(Wait{Event: e, Ahead: ahead})
	}
	s.apart(i, e, x.common(now+span), begun, e.Class == check.Frame && e.Source >= wireSource && span == begun, tell)
}

// lingers tells whether an interrupt that comes in the middle of something has waited before: its flag rises there in nature. A radio's pin is no
// exception, since what it reports is what the mote has just asked for. But what the scenario did just now, before the mote could do anything, can as well be done there.
func (s *System) lingers(i int, o *outlook, e check.Event, span uint64, tell func(Wait)) {
	x := &s.seats[i]
	for _, w := range o.since {
		if idle := x.idled - w.idled + span; w.vector == e.Option && idle > slack && x.pressed>>w.vector&1 == 0 {
			tell(Wait{Event: w.event(e.Mote), Idle: idle, Bound: slack, Ahead: x.ahead - w.ahead})
		}
	}
}

// gone is for how long a main program that was woken has been at work when an interrupt comes into that: it did not wait then.
func (s *System) gone(i int, o *outlook, e check.Event, w stamp) uint64 {
	if w.vector != noVector || !e.Intrudes() || e.Class != check.Task || !s.sh.motes[i].kind.wakes() {
		return 0
	}
	p := o.point(e)
	if p == nil {
		p = s.point(i, e)
	}
	if p == nil {
		return 0
	}
	m := s.world().Motes()[i]
	return m.TimeOf(m.Cycles()+p.after) - m.Time()
}

// ends tells whether an event is what something else waits for. A main loop without a kernel does not wait, unless it was woken: it goes round and round.
func (s *System) ends(i int, o *outlook, e, w check.Event) bool {
	if e.Intrudes() {
		k := s.sh.motes[i].kind
		main := w.Class == check.Task && k.profile.Kernel == kernel.None && !k.wakes()
		return main || w.Class == check.Interrupt && w.Source == uint16(e.Option)
	}
	return w.Class == e.Class && w.Source == e.Source
}

// event is what waits.
func (w stamp) event(mote int16) check.Event {
	if w.vector == noVector {
		return check.Event{Mote: mote, Class: check.Task}
	}
	return check.Event{Mote: mote, Class: check.Interrupt, Source: uint16(w.vector)}
}

// patience is how long something of a mote can wait.
func (m *moteInfo) patience(vector uint8) uint64 {
	if vector != noVector && m.pins>>vector&1 != 0 {
		return m.busyAir()
	}
	return slack
}

// busyAir is for how long the channel of a mote's radio can be busy.
func (m *moteInfo) busyAir() uint64 { return m.kind.kind.Board.Radio.Busy }

// idle books the time that passes before an event, and notes what is flagged meanwhile and waits from then on.
func (s *System) idle(i int, x *seat, o *outlook, e check.Event) {
	x.since = without(o.since, e)
	if e.Intrudes() && e.Class == check.Frame { // a task begins meanwhile
		x.since = without(o.since, check.Event{Class: check.Task})
	}
	if e.Class == check.Task && e.Source == timePasses || e.Pauses() {
		return // until something can happen: it is booked when that is known
	}
	span, begun := s.idles(i, o, e)
	ahead, then := leads(e, span, begun), o.now+x.lead+span
	for _, r := range o.rises {
		if _, waiting := waits(x.since, r.vector); r.at < then && !waiting && (e.Class != check.Interrupt || e.Source != uint16(r.vector)) {
			x.since = append(x.since[:len(x.since):len(x.since)], stamp{r.vector, r.at, x.idled + r.at - min(r.at, o.now+x.lead), x.ahead + ahead - min(ahead, then-r.at)})
		}
	}
	x.idled += span
	x.ahead += ahead
	switch {
	case e.Intrudes() && e.Class != check.Frame:
		x.passed(span)
	case e.Class == check.Interrupt && o.ready>>e.Source&1 == 0:
		r, _ := o.rise(e.Source)
		x.passed(r.at - o.now)
	case e.Class == check.Task && e.Source == 0:
		x.passed(o.stays - o.now)
	case begun > 0 && e.Class == check.Frame && e.Source < wireSource:
		s.meet(i, o.now, o.now+begun, x.queues[indexOf(s.sh.motes[i].from, int(e.Source))].next(e).trip)
	case begun > 0 && e.Class == check.Frame:
		s.meet(i, o.now, o.now+begun, x.lines[indexOf(s.sh.motes[i].wires, int(e.Source-wireSource))][0].trip)
	}
}
