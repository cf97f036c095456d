package explore

import (
	"encoding/binary"
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// Tasks that run while a frame arrives. A radio that hands over single bytes interrupts its mote for each of them. These interrupts are no choice, and
// an ordinary frame is one event: no task runs between its first byte and its last. On hardware tasks do run then, and the interrupt for a byte may come into one. So a
// walk also draws this: a frame begins to arrive, a task that waits begins when one of the frame's bytes is there, and the interrupt for that byte comes in the middle of
// the task. These are three events: the frame up to the end of that interrupt, the rest of the task, and the rest of the frame. No other mote does anything meanwhile.
//
// A byte is worth trying if its handler touches a variable that the task touches on both sides of some place. Of several bytes that share the same variables with the task, only
// the first is tried. A byte is named by how many bytes of the frame come after it: how many came before depends on when the mote's radio began to count bits.
//
// The race rule is the usual one. In both orders without interruption the rest of the frame has not arrived. If the task comes first, the byte waits for its end, which
// works only if the task ends before the next byte is there.
//
// Not tried: this in searches, except in those for a repair (Cut tells where one would have had to); tasks that take longer than a byte; programs without a kernel; and tasks that run while a frame arrives without such an interrupt.

// hears tells whether the next frame of a mote can begin to arrive, and a task run meanwhile.
func (s *System) hears(i int, o *outlook, from uint16) (*world.Packet, bool) {
	x, info := &s.seats[i], &s.sh.motes[i]
	n := indexOf(info.from, int(from))
	if info.natural == 0 || n < 0 || len(x.queues[n]) == 0 || x.amid() || x.waiting == 0 || !o.task || o.lull || o.sends {
		return nil, false
	}
	p := x.queues[n][0].Packet
	return p, o.fits(o.turns + p.PlaySpan())
}

// arriving lists the bytes of frames whose interrupts are worth trying in the next task, as points without a place.
func (s *System) arriving(i int, o *outlook) (list []point) {
	info := &s.sh.motes[i]
	for _, from := range info.from {
		if p, ok := s.hears(i, o, uint16(from)); ok {
			list = append(list, s.bytesOf(i, o, p, point{class: check.Task, vector: uint8(lowest(info.natural)), by: arrives, from: uint16(from)})...)
		}
	}
	return list
}

// bytesOf lists those of one frame.
func (s *System) bytesOf(i int, o *outlook, p *world.Packet, v point) (list []point) {
	task, ok := s.taskAlone(i, o, v.vector)
	if !ok {
		return nil
	}
	defer s.body.reuse(task)
	t, err := s.onStage(i, o)
	if err != nil {
		return nil
	}
	defer t.leave()
	var seen []string // what bytes have in common with the task
	t.listen(p, v.vector, func(left int, f *contact) {
		common := s.common(i, task, f)
		if left >= 1<<leftBits || len(common) == 0 || slices.Contains(seen, common) {
			return
		}
		seen = append(seen, common)
		places, _ := s.conflicts(i, task, f)
		if slices.ContainsFunc(places, func(k int) bool { return s.bothSides(i, task, k, f) }) {
			v.left = uint16(left)
			list = append(list, v)
		}
	})
	return list
}

// taskAlone gives the instructions of the next task. An interrupt may come where interrupts are on.
func (s *System) taskAlone(i int, o *outlook, vector uint8) ([]entry, bool) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, false
	}
	defer t.leave()
	t.mote().RequirePermit(^uint64(3)) // what interrupts do is no part of it
	log := s.newSteps(i, vector)
	t.b.steps = log
	ok := t.begin(check.Task, 0) && t.b.settle(i, t.x) && len(log.list) < longestAlone
	for n := range log.list {
		log.list[n].valid = log.list[n].open
	}
	if !ok {
		s.body.reuse(log.list)
	}
	return log.list, ok
}

// common names what an interrupt and the instructions of a task touch that puts them in conflict.
func (s *System) common(i int, task []entry, f *contact) string {
	var at []uint16
	for n := range task {
		if e := &task[n]; e.touches && !slices.Contains(at, e.touch.Addr) && f.conflicts(e, s.sh.motes[i].kind) {
			at = append(at, e.touch.Addr)
		}
	}
	slices.Sort(at)
	var name []byte
	for _, a := range at {
		name = binary.LittleEndian.AppendUint16(name, a)
	}
	return string(name)
}

// shares tells whether a frame waits to arrive, and the next task touches a variable more than once, with interrupts on meanwhile, that the interrupt for a byte may touch.
func (s *System) shares(i int, o *outlook) bool {
	info := &s.sh.motes[i]
	if info.natural == 0 || !slices.ContainsFunc(info.from, func(from int) bool { _, ok := s.hears(i, o, uint16(from)); return ok }) {
		return false
	}
	task, ok := s.taskAlone(i, o, uint8(lowest(info.natural)))
	if !ok {
		return false
	}
	defer s.body.reuse(task)
	k := info.kind
	var begun []uint32 // variables that were touched before a place where interrupts are on
	var since []uint32 // and those since
	for n := range task {
		e := &task[n]
		if e.open {
			begun, since = append(begun, since...), since[:0]
		}
		if x, ok := k.scalars.at(uint32(e.touch.Addr)); ok && e.touches && slices.Contains(k.streamed, x.Whole.Lo) {
			if slices.Contains(begun, x.Whole.Lo) {
				return true
			}
			since = append(since, x.Whole.Lo)
		}
	}
	return false
}

// streamedOf lists where the variables begin that handlers of some interrupts touch by their address.
func streamedOf(k *mote.Kind, vectors uint64, vars *scalars) (list []uint32) {
	const reset = 1
	for ; vectors != 0; vectors &= vectors - 1 {
		reaches(k.Program(), 2*uint32(lowest(vectors)-reset), func(in avr.Inst) bool {
			if x, ok := vars.at(in.K); ok && (in.Op == avr.OpSts || in.Op == avr.OpLds) && !slices.Contains(list, x.Whole.Lo) {
				list = append(list, x.Whole.Lo)
			}
			return false
		})
	}
	return list
}

// listen has a mote hear a frame, and reports of each byte how many come behind it and what its interrupt touches.
func (t *stage) listen(p *world.Packet, vector uint8, each func(left int, f *contact)) {
	m := t.mote()
	begins := m.Time() + t.b.w.Lead(t.i)
	until := t.b.w.Play(t.i, p, reception.Decision{})
	last := -1
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		if m.Requests()>>vector&1 == 0 {
			t.b.await(t.i, until, 1<<vector)
			continue
		}
		left := p.Left(m.Time() - min(m.Time(), begins))
		log, sp := t.s.newSteps(t.i, vector), m.Core().SP
		t.b.steps = log
		ok := t.b.deliver(t.i, t.x, int(vector))
		t.b.steps = nil
		f := contactOf(log.list, sp)
		t.s.body.reuse(log.list)
		if !ok {
			return
		}
		if left != last {
			each(left, &f)
		}
		last = left
	}
}

// arrive has a frame begin to arrive up to where the interrupt of a point is flagged, but not served. The mote is awake, since a task waits.
func (t *stage) arrive(v *point) bool {
	p, ok := t.s.hears(t.i, t.o, v.from)
	if !ok {
		return false
	}
	m := t.mote()
	at, ok := p.Begins(int(v.left))
	from := m.CycleAt(m.Time() + t.b.w.Lead(t.i) + at)
	t.x.rest = t.b.w.Play(t.i, p, reception.Decision{})
	if !ok || !t.b.advance(t.i, t.x, from, 0) {
		return false
	}
	m.RequirePermit(^uint64(3))
	if m.Requests()>>v.vector&1 == 0 {
		t.b.await(t.i, t.x.rest, 1<<v.vector)
	}
	return true
}

// unguard has the interrupts that are no choice served as they come again, if one of them had to wait for its place.
func (b *body) unguard(i int) {
	if info := &b.sh.motes[i]; info.natural != 0 {
		b.w.Motes()[i].RequirePermit(info.guard)
	}
}

// inTime tells whether a task and the interrupt of a point that comes behind it, which take some cycles, are over before another byte is there.
func (t *stage) inTime(v *point, cycles uint64) bool {
	if v.by != arrives {
		return true
	}
	p, ok := t.s.hears(t.i, t.o, v.from)
	if !ok {
		return false
	}
	m := t.mote()
	return m.TimeOf(m.Cycles()+cycles) < m.Time()+p.ByteSpan()
}

// arrival finds the point that an event is about in which an interrupt comes into a task while a frame arrives; nil if there is none.
func (s *System) arrival(i int, o *outlook, e check.Event) *point {
	v := point{class: check.Task, vector: e.Option, by: arrives, from: e.Source, left: uint16(e.Serial & (1<<pcBits - 1) >> againBits)}
	if _, ok := s.hears(i, o, v.from); !ok || s.sh.motes[i].natural>>v.vector&1 == 0 || uint32(v.by) != e.Serial&^check.Place>>byBits {
		return nil
	}
	return s.placed(i, o, v, e)
}
