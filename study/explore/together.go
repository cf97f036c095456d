package explore

import (
	"slices"

	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// Motes have no common clock, and who was switched on first is anybody's guess. But a mote that has heard another one knows what time it was
// for that one then. From then on they have a common time, and with everyone that either of them shared one with before: they are a party. It is
// used only to tell which orders hardware can make; what can happen, and what it does, does not depend on it.
//
// A mote that sleeps does not get on until it does something. If it hears a frame meanwhile, that is later than its clock says: it has a
// lead over its clock, which is gone when its clock has caught up.

// epoch is what a mote knows of the common time.
type epoch struct {
	party  int16
	offset int64  // the common time minus the mote's own, which is its clock's plus its lead
	lead   uint64 // how much later it is than its clock says
}

// passed notes that a mote's clock has got on while it slept.
func (x *epoch) passed(span uint64) { x.lead -= min(x.lead, span) }

// common is the common time at a moment of a mote's own.
func (x *epoch) common(own uint64) int64 { return int64(own) + x.offset }

// trip is how something gets to a mote.
type trip struct {
	from int
	sent uint64 // when its sender was done with it, in its own time
	free bool   // it failed to come in its time, so it comes whenever it likes
}

// flight is a frame that is on its way to a mote.
type flight struct {
	*world.Packet
	trip
}

// char is a character that is on its way to a mote, over a wire.
type char struct {
	world.Char
	trip
}

// freed is the same characters, which come whenever they like.
func freed(line []char) []char {
	line = slices.Clone(line)
	for n := range line {
		line[n].free = true
	}
	return line
}

// flights are the frames from one mote to another, in order.
type flights []flight

// next is the frame that an event is about.
func (q flights) next(e check.Event) flight {
	if !e.Intrudes() && reception.Fate(e.Option) == reception.Reordered {
		return q[1]
	}
	return q[0]
}

// span is how long they take, one behind the other.
func (q flights) span() (sum uint64) {
	for _, p := range q {
		sum += p.PlaySpan()
	}
	return sum
}

// freed is the same frames, of which the first so many come whenever they like.
func (q flights) freed(first int) flights {
	q = slices.Clone(q)
	for n := range first {
		q[n].free = true
	}
	return q
}

// until is how long a mote has to wait until it can hear something whose sender it knows: not much before it was sent.
func (s *System) until(i int, own uint64, p trip) uint64 {
	x, from := &s.seats[i], &s.seats[p.from]
	if p.free || from.party != x.party {
		return 0
	}
	return uint64(max(0, from.common(p.sent)-x.common(own)-int64(s.sh.motes[i].tardy())))
}

// meet notes that a mote hears a frame or a character, which is over at a moment by its clock. Those that did not know each other become one party. If a
// mote's time was up, then hearing the frame takes time that it did not have: its clock is ahead from now on.
func (s *System) meet(i int, now, clock uint64, p trip) {
	x, from := &s.seats[i], &s.seats[p.from]
	own := now + x.lead
	switch {
	case p.free:
		x.passed(clock - now)
	case from.party != x.party:
		x.passed(clock - now)
		s.join(x.party, from.party, from.common(p.sent)-x.common(clock+x.lead))
	default:
		then := max(x.common(own), from.common(p.sent))
		if behind := then - x.common(clock); behind >= 0 {
			x.lead = uint64(behind)
		} else {
			x.lead, x.offset = 0, x.offset+behind
		}
	}
}

// join makes one party of two, whose times differ.
func (s *System) join(who, with int16, differ int64) {
	for j := range s.seats {
		if x := &s.seats[j]; x.party == who {
			x.party, x.offset = with, x.offset+differ
		}
	}
}

// leave makes a mote a party of its own: its clock stood still while it had no power. Of what is on its way from or to it nobody knows when it
// should have come.
func (s *System) leave(i int) {
	used := make([]bool, len(s.seats))
	for j := range s.seats {
		if j != i {
			used[s.seats[j].party] = true
		}
	}
	s.seats[i].epoch = epoch{party: int16(slices.Index(used, false))}
	for j := range s.seats {
		for n, q := range s.seats[j].queues {
			if len(q) > 0 && (j == i || s.sh.motes[j].from[n] == i) {
				s.seats[j].queues[n] = q.freed(len(q))
			}
		}
		for n, line := range s.seats[j].lines {
			if len(line) > 0 && (j == i || line[0].from == i) {
				s.seats[j].lines[n] = freed(line)
			}
		}
	}
}

// apart reports what is late in the party of a mote that sleeps until a moment of the common time before an event: frames and characters that nobody has
// heard, and motes that have not done what they do next. At says that a character comes over a wire that was there by then: it may come at the same time as others, so those are not
// late for it.
func (s *System) apart(i int, e check.Event, then int64, begun uint64, at bool, tell func(Wait)) {
	party := s.seats[i].party
	for j := range s.seats {
		x, info, o := &s.seats[j], &s.sh.motes[j], s.mustLook(j)
		if o.off || o.halted {
			continue
		}
		unheard := func(source int, p trip, before uint64) { // it cannot come before others, which take so long
			from := &s.seats[p.from]
			w := check.Event{Mote: int16(j), Class: check.Frame, Source: uint16(source)}
			if from.party != party || w.Mote == e.Mote && w.Class == e.Class && w.Source == e.Source {
				return
			}
			if late, bound := then-from.common(p.sent), info.tardy()+begun+before; late > int64(bound) {
				tell(Wait{Event: w, Idle: uint64(late), Bound: bound})
			}
		}
		for n, q := range x.queues {
			if k := slices.IndexFunc(q, func(p flight) bool { return !p.free }); k >= 0 {
				unheard(info.from[n], q[k].trip, q[:k].span())
			}
		}
		for n, line := range x.lines {
			if k := slices.IndexFunc(line, func(c char) bool { return !c.free }); k >= 0 && !at && !s.unread(j, line[0].USART, o) {
				unheard(wireSource+info.wires[n], line[k].trip, uint64(k)*o.chars[line[0].USART&3])
			}
		}
		if j == i || x.party != party {
			continue
		}
		w, at := o.next(int16(j))
		if at == periph.Never {
			continue
		}
		at = max(at, o.now+x.lead)
		if late, bound := then-x.common(at), 2*info.tardy()+begun; late > int64(bound) {
			tell(Wait{Event: w, Idle: uint64(late), Bound: bound})
		}
	}
}

// next is what a mote does by itself next, and when; Never if there is nothing.
func (o *outlook) next(mote int16) (check.Event, uint64) {
	switch {
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

// tardy is by how much a frame, or a mote of a party, can be late.
func (m *moteInfo) tardy() uint64 {
	if m.natural != 0 {
		return m.busyAir()
	}
	return slack
}
