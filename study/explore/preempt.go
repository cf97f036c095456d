package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/check"
)

// Preemption. An interrupt may come in the middle of a task, of the main program, or of a handler that allows it, before any instruction
// where interrupts are on. It is tried only where it can matter.
//
// A transition E is run alone, in a scratch world, and what each of its instructions reads and writes is noted. Then an interrupt V is
// moved through it from its end to its beginning. V before instruction k and V before instruction k+1 end in the same state, if
// instruction k and V touch nothing in common that one of them writes: then the two can be swapped, V reads what it read behind k, so it does what
// it did there. So all places between two instructions that are in conflict with V are one place. V is run at each such place, and what it
// touched there counts for the instructions before it. So nothing is assumed of what V may touch: it is seen, at every place that is not
// equal to one where it was seen. Behind the last conflict lies the order in which E comes first, and in a task, before the first conflict, the
// one in which V does: these are explored as other orders. If E is a handler, V before it would be followed by what its mote does behind V, so
// that place is tried, too.
//
// In conflict with V are: bytes of RAM that one of them writes and the other one reads or writes, the stack of V excepted; accesses to a
// device, since V takes time, but those to a port's pins only if V touches a device, too; SLEEP; and everything, if V does not
// restore all registers. A handler that uses what is in a register when it begins, and leaves it alone, is not seen to do so.
//
// Not tried: an interrupt that would have to wait for a task longer than hardware makes it wait, unless any order is wanted; a handler that
// comes into itself; and into the rest of something that was interrupted already, what is not flagged by then.
//
// A transition that is interrupted becomes two events: E up to V's end, and the rest of E. While a mote is in the middle of one, no other
// mote does anything: what they do is in conflict with nothing that the rest of E does, except through frames, which have their own events.

// point is a place in a transition at which an interrupt is worth trying.
type point struct {
	class  check.Class // of the event that is interrupted
	source uint16
	vector uint8
	by     cause
	after  uint64 // cycles since the transition began
	pc     uint32 // of the instruction before which it comes
	nth    uint16 // how often that was executed before, in the transition
	touch  avr.Touch
	race   *race // nil if nothing is lost
}

// cause is how a vector comes to be flagged.
type cause uint8

const (
	flagged cause = iota // it is, or the transition itself does it
	rises                // at its time
	comesIn              // a byte of serial input does it
)

// Bounds of looking for points. Where one is exceeded, some interrupts are not tried: see Crowded.
const (
	mostPoints   = 400    // of an event, in one state
	longestAlone = 20_000 // instructions of a transition
	mostRises    = 8      // vectors that are flagged later
)

// stage is a scratch world in which a mote does something that it may do.
type stage struct {
	s    *System
	b    *body
	i    int
	o    *outlook
	seat seat
}

// onStage puts a mote on the stage as it is now.
func (s *System) onStage(i int, o *outlook) (*stage, error) {
	b := s.body
	if err := b.haveScratch(); err != nil {
		return nil, err
	}
	t := &stage{s: s, b: b.scratch, i: i, o: o, seat: s.seats[i]}
	t.seat.queues, t.seat.lines = nil, nil
	t.b.w.Foresee(i, b.w)
	t.b.life[i].Tracker = t.seat.life
	t.b.seat = &t.seat
	t.b.once = true
	return t, nil
}

func (t *stage) mote() *mote.Mote { return t.b.w.Motes()[t.i] }

// leave cleans the stage up.
func (t *stage) leave() {
	t.b.steps, t.b.halt, t.b.patient, t.b.once = nil, 0, 0, false
	t.b.w.Packets(nil)
	t.b.w.Chars(nil)
}

// points finds where interrupts are worth trying in what a mote can do. Those of an event follow each other.
func (s *System) points(i int, o *outlook) ([]point, error) {
	x := &s.seats[i]
	var list []point
	for _, e := range s.interruptible(i, x, o) {
		first := len(list)
		for _, v := range s.intruders(i, x, o, e) {
			found, err := s.pointsOf(i, o, v)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		if len(list)-first > mostPoints {
			list = list[:first+mostPoints]
			s.sh.crowded.Store(true)
		}
	}
	return list, nil
}

// interruptible lists what a mote can do that an interrupt may come into.
func (s *System) interruptible(i int, x *seat, o *outlook) (list []check.Event) {
	if x.mid {
		return []check.Event{{Mote: int16(i), Class: check.Task, Source: goesOn}}
	}
	can := o.ready
	for _, r := range o.rises {
		can |= 1 << r.vector
	}
	for can &= s.sh.motes[i].kind.nests; can != 0; can &= can - 1 {
		list = append(list, check.Event{Mote: int16(i), Class: check.Interrupt, Source: uint16(lowest(can))})
	}
	if o.task || o.idle {
		list = append(list, check.Event{Mote: int16(i), Class: check.Task})
	}
	return list
}

// intruders lists the vectors that may come into a transition, as points without a place.
func (s *System) intruders(i int, x *seat, o *outlook, e check.Event) (list []point) {
	info := &s.sh.motes[i]
	add := func(vector uint8, by cause) {
		if e.Class != check.Interrupt || e.Source != uint16(vector) {
			list = append(list, point{class: e.Class, source: e.Source, vector: vector, by: by})
		}
	}
	own := s.flaggedBy(i, o, e)
	for set := (o.ready | own) & info.guard; set != 0; set &= set - 1 {
		add(uint8(lowest(set)), flagged)
	}
	if x.mid {
		return list // nothing waits in the middle of a transition
	}
	for n, r := range o.rises {
		soon := r.at <= o.now+slack || x.waiting == 0 || s.sh.opt.AnyOrder
		switch {
		case !soon || own>>r.vector&1 != 0:
		case n < mostRises:
			add(r.vector, rises)
		default:
			s.sh.crowded.Store(true)
		}
	}
	if in, _, ok := s.nextByte(i); ok && o.fits(o.chars[in.USART&3]) && !s.unread(i, in.USART, o) {
		add(uint8(s.rxVector(i, in.USART)), comesIn)
	}
	return list
}

// flaggedBy is the vectors that are flagged while a transition runs which were not before.
func (s *System) flaggedBy(i int, o *outlook, e check.Event) uint64 {
	t, err := s.onStage(i, o)
	if err != nil {
		return 0
	}
	defer t.leave()
	if !t.begin(e.Class, e.Source) || !t.b.settle(i, &t.seat) {
		return 0
	}
	return t.mote().Requests() &^ o.ready
}

// begin has the mote on the stage be about to do what an event wants.
func (t *stage) begin(class check.Class, source uint16) bool {
	t.seat.mid = false
	if class != check.Interrupt {
		t.b.patient = t.o.patience(t.mote())
		return true
	}
	if t.mote().Requests()>>source&1 == 0 {
		r, _ := t.o.rise(source)
		t.pass(r.cycle+1, 1<<source)
	}
	t.mote().Permit(1 << source)
	return t.mote().Requests()>>source&1 != 0
}

// pass is body.pass without an ear.
func (t *stage) pass(until, alert uint64) {
	was := t.b.ear
	t.b.ear = nil
	t.b.pass(t.i, &t.seat, until, alert, false)
	t.b.ear = was
}

// prepare has a point's vector be flagged, but not served.
func (t *stage) prepare(p *point) bool {
	m := t.mote()
	switch p.by {
	case rises:
		r, _ := t.o.rise(uint16(p.vector))
		t.pass(r.cycle+1, 1<<p.vector)
	case comesIn:
		in, c, _ := t.s.nextByte(t.i)
		t.b.await(t.i, t.b.w.FeedByte(t.i, in.USART, c)+2, 1<<p.vector)
	default:
		return true
	}
	return m.Requests()>>p.vector&1 != 0
}

// await lets time pass until a vector is flagged, or to a cycle.
func (b *body) await(i int, until, vector uint64) {
	m := b.w.Motes()[i]
	before := m.Requests()
	for m.Cycles() < until && m.Stopped() == mcu.Running && m.Requests()&^before&vector == 0 {
		m.Alert(vector)
		m.Idle(until)
		m.Alert(0)
	}
}

// pointsOf finds the places of a transition at which a vector is worth trying.
func (s *System) pointsOf(i int, o *outlook, v point) ([]point, error) {
	alone, began, f, ok, err := s.alone(i, o, &v)
	if err != nil || !ok {
		return nil, err
	}
	base := s.sh.motes[i].kind.kind.Board.Chip.RAMBase
	var list []point
	pending, conflict := -1, false // a place in a task is kept once it is not the order in which the vector comes first
	var known *race                // at the pending place
	place := func(k int) {
		e := &alone[k]
		p := v
		p.after, p.pc, p.touch, p.race = e.cycle-began, e.pc, e.touch, known
		for n := range alone[:k] {
			if alone[n].pc == e.pc {
				p.nth++
			}
		}
		list = append(list, p)
	}
	var both orders
	comparable := false
	for k := len(alone) - 1; k >= 0; k-- {
		if f.conflicts(&alone[k], base) || s.sh.everywhere {
			conflict = true
			if pending >= 0 {
				place(pending)
				pending = -1
			}
		}
		if !alone[k].valid || !conflict {
			continue
		}
		var mixed []byte
		if f, mixed, ok, err = s.there(i, o, &v, alone[k].cycle-began); err != nil {
			return nil, err
		}
		if !ok {
			f = contact{spoils: true}
		}
		pending, conflict, known = k, false, nil
		if both.first == nil {
			if both, comparable, err = s.inOrder(i, o, &v, f.takes); err != nil {
				return nil, err
			}
		}
		if ok && comparable && mixed != nil {
			known = s.raceAt(i, mixed, &both, alone, k, &f)
		}
	}
	if pending >= 0 && (v.class == check.Interrupt || s.seats[i].mid) {
		place(pending)
	}
	slices.Reverse(list)
	return list, nil
}

// alone runs a transition, which begins in some cycle, and then the vector, and gives the instructions of the one and what the other one touched.
func (s *System) alone(i int, o *outlook, v *point) (list []entry, began uint64, f contact, ok bool, err error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return nil, 0, f, false, err
	}
	defer t.leave()
	if !t.prepare(v) || !t.begin(v.class, v.source) {
		return nil, 0, f, false, nil
	}
	began = t.mote().Cycles()
	log := s.newSteps(i, v.vector)
	t.b.steps = log
	ended := t.b.settle(i, &t.seat)
	t.mote().Forbid()
	list = log.list
	if len(list) >= longestAlone {
		s.sh.crowded.Store(true)
		return nil, 0, f, false, nil
	}
	if !ended || len(list) == 0 || t.mote().Requests()>>v.vector&1 == 0 {
		return nil, 0, f, false, nil
	}
	f, ok = t.serve(v.vector)
	if !ok {
		f = contact{spoils: true}
	}
	return list, began, f, true, nil
}

func (s *System) newSteps(i int, vector uint8) *steps {
	k := s.sh.motes[i].kind
	return &steps{vector: vector, ports: k.ports, base: k.kind.Board.Chip.RAMBase, most: longestAlone}
}

// serve has the mote on the stage serve a vector, now, and gives what that touched. Ok is false if the handler does not return.
func (t *stage) serve(vector uint8) (contact, bool) {
	c := t.mote().Core()
	c.Canon()
	was, sp, began := c.State, c.SP, c.Cycles
	log := t.s.newSteps(t.i, vector)
	t.b.steps = log
	if !t.b.handle(t.i, &t.seat, vector) || len(log.list) >= longestAlone {
		return contact{}, false
	}
	t.b.steps = nil
	f := contactOf(log.list, sp, log.base)
	f.takes = c.Cycles - began
	c.Canon()
	f.spoils = was.R != c.R || was.SREG() != c.SREG() || was.SP != c.SP || was.RAMPZ != c.RAMPZ
	return f, true
}

// there runs a vector at a place of a transition, and gives what it touched, and the RAM when the transition has ended.
func (s *System) there(i int, o *outlook, v *point, after uint64) (contact, []byte, bool, error) {
	t, err := s.onStage(i, o)
	if err != nil {
		return contact{}, nil, false, err
	}
	defer t.leave()
	if !t.prepare(v) || !t.begin(v.class, v.source) {
		return contact{}, nil, false, nil
	}
	t.b.halt = t.mote().Cycles() + after
	t.b.settle(i, &t.seat)
	t.mote().Forbid()
	t.b.halt = 0
	f, ok := t.serve(v.vector)
	var ram []byte
	if ok && t.b.settle(i, &t.seat) {
		ram = slices.Clone(t.mote().RAM())
	}
	return f, ram, ok, nil
}

// handle has a mote serve a flagged interrupt now, up to its end. It tells whether it got there.
func (b *body) handle(i int, x *seat, vector uint8) bool {
	m := b.w.Motes()[i]
	b.seat = x
	back := handling{depth: x.depth}
	b.handling = &back
	m.Permit(1 << vector)
	start := m.Cycles()
	for !back.over && m.Stopped() == mcu.Running && m.Cycles() < start+forever {
		until := start + patience
		if m.Cycles() >= until {
			m.Open(true)
			until = start + forever
		}
		b.run(m, until)
		if _, asleep := m.Asleep(); asleep && back.begun {
			m.Open(true) // a handler that sleeps waits for an interrupt
		}
	}
	m.Open(false)
	b.handling = nil
	return back.over
}

// handling is a handler whose end somebody waits for.
type handling struct {
	depth       int16 // of the mote before it
	begun, over bool
}

// follow notes how deep a mote is in handlers, and tells whether the handler is over.
func (h *handling) follow(depth int16) bool {
	h.begun = h.begun || depth > h.depth
	h.over = h.over || h.begun && depth == h.depth
	return h.over
}

// preempt has a mote do what an event wants up to a point, and serve an interrupt there. The rest is another event.
func (s *System) preempt(i int, x *seat, o *outlook, e check.Event) bool {
	p := o.point(e)
	b, m := s.body, s.body.w.Motes()[i]
	s.preempted++
	switch p.by {
	case rises:
		r, _ := o.rise(uint16(p.vector))
		b.pass(i, x, r.cycle+1, 1<<p.vector, false)
	case comesIn:
		in, c, _ := s.nextByte(i)
		x.input++
		b.await(i, b.w.FeedByte(i, in.USART, c)+2, 1<<p.vector)
	}
	x.mid = false
	if p.class == check.Interrupt {
		if m.Requests()>>p.source&1 == 0 {
			r, _ := o.rise(p.source)
			b.pass(i, x, r.cycle+1, 1<<p.source, false)
		}
		m.Permit(1 << p.source)
	} else {
		b.patient = o.patience(m)
	}
	b.halt, b.once = m.Cycles()+p.after, true
	b.settle(i, x)
	m.Forbid()
	b.halt, b.once = 0, false
	ended := b.handle(i, x, p.vector)
	x.mid = true
	return ended
}

// point is the point that an event is about; nil if there is none.
func (o *outlook) point(e check.Event) *point {
	for i := range o.points {
		if p := &o.points[i]; p.of(e) && p.vector == e.Option && p.serial() == e.Serial {
			return p
		}
	}
	return nil
}

// of tells whether an interrupt at the point comes into what an event does.
func (p *point) of(e check.Event) bool { return p.class == e.Class && p.source == e.Source }

// serial names the place: the same in another state, if the program gets there.
func (p *point) serial() uint32 { return check.Place | p.pc<<12 | uint32(p.nth) }

// preemptions appends the ways in which interrupts may come into an event.
func (s *System) preemptions(o *outlook, e check.Event, dst []check.Event) []check.Event {
	if s.preempted >= s.sh.opt.Preempt {
		return dst
	}
	for i := range o.points {
		if p := &o.points[i]; p.of(e) {
			e.Option, e.Serial = p.vector, p.serial()
			dst = append(dst, e)
			e.Option, e.Serial = 0, 0
		}
	}
	return dst
}

// nesting is the vectors whose handlers may allow interrupts: SEI can be reached, or what they call is not known. Where there is no kernel
// it is all of them, since the main program goes on behind the handler, in the same transition. The loop of a kernel does as well, but
// it is not interrupted there: whether it falls asleep with a task in its queue would be its own bug.
func nesting(k *mote.Kind, p *kernel.Profile) (set uint64) {
	if p.Kernel == kernel.None {
		return ^uint64(0)
	}
	const reset = 1
	for v := reset + 1; v < min(len(k.Board.Chip.Vectors), 64); v++ {
		if reachesSEI(k.Program(), 2*uint32(v-reset)) {
			set |= 1 << v
		}
	}
	return set
}

func reachesSEI(code *avr.Program, from uint32) bool {
	seen, todo := map[uint32]bool{}, []uint32{from}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		in := code.At(pc)
		next := pc + uint32(in.N)
		switch flow, target := in.Flow(); {
		case in.Op == avr.OpSei, flow == avr.IndirectCall, flow == avr.IndirectJump:
			return true
		case flow == avr.Branch, flow == avr.Call:
			todo = append(todo, next, target)
		case flow == avr.Jump:
			todo = append(todo, target)
		case flow == avr.Skip:
			todo = append(todo, next, next+uint32(code.At(next).N))
		case flow == avr.Next:
			todo = append(todo, next)
		}
	}
	return false
}

// portsOf marks the registers of a chip's ports.
func portsOf(k *mote.Kind) []bool {
	list := make([]bool, k.Board.Chip.RAMBase)
	for _, p := range k.Board.Chip.Ports {
		list[p.PORT], list[p.DDR], list[p.PIN] = true, true, true
	}
	return list
}
