package explore

import (
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// How long things can wait in nature while their mote does nothing. An interrupt waits as long as interrupts are off and other handlers
// run, a task until those before it are done: that time the mote is busy, and it does not count here. What counts is time in which the
// mote could have done what waits, and sleeps. There is none, but devices take a little more or less time than the emulator says. A frame
// waits as long as the channel can be busy (radio.Model). Motes that have heard each other stay together: none is ahead of another by more
// than twice that. What a host sends, what the scenario does and what fails comes whenever it likes.
const slack = 200 * world.Microsecond

// flight is a frame that is on its way to a mote.
type flight struct {
	*world.Packet
	sent uint64 // by the sender's clock
	due  uint64 // by the receiver's, as far as its sender can know that; Never if it cannot
}

// heard is when a mote last heard another one. Motes have no common clock, and who was switched on first is anybody's guess. But a mote
// that has heard another one knows what time it was for that one then.
type heard struct {
	sent uint64 // by the sender's clock
	at   uint64 // by its own, plus 1; 0 if it never did. A mote that has nothing to do does not get on, and hears later than its clock says
}

// next is when something that was sent later is heard, by the hearer's clock, at the earliest; 0 if nobody knows.
func (h heard) next(sent uint64) uint64 {
	if h.at == 0 {
		return 0
	}
	since := sent - min(sent, h.sent)
	return h.at - 1 + since - since/drift
}

// due tells when a frame that a mote sends reaches another one, by that one's clock, if the sender has heard it before.
func (s *System) due(from, to int, sent uint64) uint64 {
	n := indexOf(s.sh.motes[from].from, to)
	if n < 0 {
		return periph.Never
	}
	h := s.seats[from].heard[n]
	if h.at == 0 {
		return periph.Never
	}
	since := sent - min(sent, h.at-1)
	return h.sent + since + since/drift
}

// drift is how many picoseconds pass until clocks may differ by one.
const drift = 10_000

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
	if e.Class != check.Frame || e.Source >= wireSource {
		return 0
	}
	return span - begun
}

// idles is for how long a mote does nothing before it does what an event wants, or while it comes about. Of that, what comes over the air or
// a line takes a part (begun) that may be over before.
func (s *System) idles(i int, o *outlook, e check.Event) (span, begun uint64) {
	x, info := &s.seats[i], &s.sh.motes[i]
	switch {
	case e.Class == check.Interrupt && o.ready>>e.Source&1 == 0:
		r, _ := o.rise(e.Source)
		return r.at - min(r.at, o.now), 0
	case e.Class == check.Task && e.Source == timePasses:
		return o.waitsUntil() - o.now, 0 // or until something else can happen
	case e.Class == check.Frame && reception.Fate(e.Option) != reception.Lost && e.Source < wireSource:
		q := x.queues[indexOf(info.from, int(e.Source))]
		p := q[0]
		if reception.Fate(e.Option) == reception.Reordered {
			p = q[1]
		}
		air := o.turns + p.PlaySpan()
		// Frames do not come faster one after the other than they were sent, except that the first of them may have been late, and not
		// later than their sender knows that they are due.
		then := min(x.heard[indexOf(info.from, int(e.Source))].next(p.sent), p.due)
		return max(air, then-min(then, o.now+info.kind.busyAir())), air
	case e.Class == check.Frame && reception.Fate(e.Option) != reception.Lost:
		c := x.lines[indexOf(info.wires, int(e.Source-wireSource))][0]
		return o.chars[c.USART&3], o.chars[c.USART&3]
	case e.Class == check.Input && e.Source == serialSource:
		in, _, _ := s.nextByte(i)
		return o.chars[in.USART&3], o.chars[in.USART&3]
	}
	return 0, 0
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
	if span == 0 {
		return
	}
	x := &s.seats[i]
	ahead, early := leads(e, span, begun), false
	waits := func(w check.Event, idle, bound, ahead uint64) {
		if idle > bound && (w.Class != e.Class || w.Source != e.Source) {
			tell(Wait{Event: w, Idle: idle, Bound: bound, Ahead: ahead})
			early = true
		}
	}
	info := &s.sh.motes[i]
	for _, w := range o.since {
		waits(w.event(e.Mote), x.idled-w.idled+span, info.patience(w.vector)+begun, x.ahead-w.ahead+ahead)
	}
	for _, r := range o.rises {
		if r.at < o.now+span && !(e.Class == check.Task && e.Source == timePasses) {
			waits(check.Event{Mote: e.Mote, Class: check.Interrupt, Source: uint16(r.vector)}, o.now+span-r.at, info.patience(r.vector)+begun, min(ahead, o.now+span-r.at))
		}
	}
	for n, q := range x.queues {
		if len(q) > 0 {
			then := o.now + span
			if e.Class == check.Frame {
				then = o.now + begun // what is sent meanwhile waits as well
			}
			waits(check.Event{Mote: e.Mote, Class: check.Frame, Source: uint16(info.from[n])}, then-min(then, q[0].due), info.kind.busyAir()+begun, 0)
		}
	}
	if early && ahead > 0 {
		tell(Wait{Event: e, Ahead: ahead})
	}
	s.lagging(i, o.now+span, 2*info.kind.busyAir()+begun, tell)
}

// lagging reports the motes that stand still although they have something to do while another one sleeps until then. It knows of those that this
// one has heard: what time it is for them now, except that what it heard may have waited for the channel, and what they heard as well.
func (s *System) lagging(i int, then, bound uint64, tell func(Wait)) {
	for n, j := range s.sh.motes[i].from {
		h := s.seats[i].heard[n]
		if h.at == 0 || then < h.at {
			continue
		}
		since := then - (h.at - 1)
		there := h.sent + since - since/drift
		if e, at := s.mustLook(j).next(int16(j)); at < there-min(there, bound) {
			tell(Wait{Event: e, Idle: there - at, Bound: bound})
		}
	}
}

// next is what a mote does by itself next, and when; Never if there is nothing.
func (o *outlook) next(mote int16) (check.Event, uint64) {
	switch {
	case o.off || o.halted:
	case o.ready != 0:
		return check.Event{Mote: mote, Class: check.Interrupt, Source: uint16(lowest(o.ready))}, o.now
	case o.task:
		return check.Event{Mote: mote, Class: check.Task}, o.now
	case len(o.rises) > 0 && o.rises[0].at <= o.stirs:
		return check.Event{Mote: mote, Class: check.Interrupt, Source: uint16(o.rises[0].vector)}, o.rises[0].at
	case o.stirs != periph.Never:
		return check.Event{Mote: mote, Class: check.Task, Source: timePasses}, o.stirs
	}
	return check.Event{}, periph.Never
}

// forget has a mote and those that it hears, or that hear it, know nothing of each other's time: its clock stood still while it had no power.
func (s *System) forget(i int) {
	clear(s.seats[i].heard)
	for j := range s.seats {
		if n := indexOf(s.sh.motes[j].from, i); n >= 0 {
			s.seats[j].heard[n] = heard{}
		}
	}
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
		return m.kind.busyAir()
	}
	return slack
}

// busyAir is for how long the channel of a mote's radio can be busy. A mote without a radio is given the same time as most that have one.
func (k *kind) busyAir() uint64 {
	if k.kind.Board.Radio == nil {
		return 150 * world.Millisecond
	}
	return k.kind.Board.Radio.Busy
}

// idle books the time that passes before an event, and notes what is flagged meanwhile and waits from then on.
func (s *System) idle(i int, x *seat, o *outlook, e check.Event) {
	x.since = without(o.since, e)
	if e.Class == check.Task && e.Source == timePasses {
		return // until something can happen: it is booked when that is known
	}
	span, begun := s.idles(i, o, e)
	ahead := leads(e, span, begun)
	for _, r := range o.rises {
		if _, waiting := waits(x.since, r.vector); r.at < o.now+span && !waiting && (e.Class != check.Interrupt || e.Source != uint16(r.vector)) {
			x.since = append(x.since[:len(x.since):len(x.since)], stamp{r.vector, r.at, x.idled + r.at - min(r.at, o.now), x.ahead + ahead - min(ahead, o.now+span-r.at)})
		}
	}
	x.idled += span
	x.ahead += ahead
}
