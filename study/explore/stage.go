package explore

import (
	"slices"

	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/study/check"
)

// stage is a world in which a mote does something that it may do: a scratch world, or the System's own.
type stage struct {
	s     *System
	b     *body
	i     int
	o     *outlook
	x     *seat
	seat  seat   // of a scratch world
	other *steps // for V; nil if nobody wants to know what it does
}

// onStage puts a mote on the stage as it is now.
func (s *System) onStage(i int, o *outlook) (*stage, error) {
	b, err := s.wake()
	if err != nil {
		return nil, err
	}
	if err := b.haveScratch(); err != nil {
		return nil, err
	}
	t := &stage{s: s, b: b.scratch, i: i, o: o, seat: s.seats[i]}
	t.seat.queues, t.seat.lines = nil, nil
	t.x = &t.seat
	t.b.w.Foresee(i, b.w)
	t.b.masked[i] = masked{}
	t.b.life[i].Tracker = t.seat.life
	t.b.seat = &t.seat
	t.b.once, t.b.staged = true, true
	if o.supposed != nil {
		o.supposed.put(t.b.w, i)
	}
	return t, nil
}

func (t *stage) mote() *mote.Mote { return t.b.w.Motes()[t.i] }

// leave cleans the stage up.
func (t *stage) leave() {
	t.b.unguard(t.i)
	t.b.steps, t.b.halt, t.b.patient, t.b.once, t.b.staged, t.b.lulled, t.b.upTo = nil, 0, 0, false, false, false, nil
	t.b.w.Packets(nil)
	t.b.w.Chars(nil)
}

// begin has the mote on the stage be about to do what an event wants.
func (t *stage) begin(class check.Class, source uint16) bool {
	t.x.mid = false
	t.b.lulled = (class != check.Task || t.x.depth > 0) && t.s.handlersEnd(t.i, t.o)
	switch class {
	case check.Input:
		rx := t.takeByte()
		t.mote().Permit(rx)
		return t.mote().Requests()&rx != 0
	case check.Task:
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
	t.b.pass(t.i, t.x, until, alert, false)
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
		t.takeByte()
	case arrives:
		if !t.arrive(p) {
			return false
		}
	default:
		return true
	}
	return m.Requests()>>p.vector&1 != 0
}

// takeByte has the next byte of serial input come in, and gives the vector that this flags, as a set.
func (t *stage) takeByte() uint64 {
	in, c, _ := t.s.nextByte(t.i)
	rx := uint64(1) << t.s.rxVector(t.i, in.USART)
	t.x.input++
	until := t.b.w.FeedByte(t.i, in.USART, c, t.o.chars[in.USART&3]) + 2
	t.x.fed[in.USART&3] = t.mote().TimeOf(until)
	t.pass(until, rx)
	return rx
}

// await lets time pass until a vector is flagged, or to a cycle. The mote is awake, so that nothing is served meanwhile.
func (b *body) await(i int, until, vector uint64) {
	m := b.w.Motes()[i]
	before := m.Requests()
	for m.Cycles() < until && m.Stopped() == mcu.Running && m.Requests()&^before&vector == 0 {
		m.Alert(vector)
		m.Idle(until)
		m.Alert(0)
	}
}

// runTo runs the transition that has begun for some cycles.
func (t *stage) runTo(after uint64) {
	m := t.mote()
	once := t.b.once
	t.b.halt, t.b.once = m.Cycles()+after, true
	t.b.settle(t.i, t.x)
	m.Forbid()
	t.b.halt, t.b.once = 0, once
}

// serve has the mote on the stage serve a vector, now, and gives what that touched. Ok is false if the handler does not return.
func (t *stage) serve(vector uint8) (contact, bool) {
	c := t.mote().Core()
	c.Canon()
	was, sp, began := c.State, c.SP, c.Cycles
	ram, k := slices.Clone(t.mote().RAM()), t.s.sh.motes[t.i].kind
	found := k.held(t.mote())
	log := t.s.newSteps(t.i, vector)
	t.b.steps = log
	if !t.handle(vector) || len(log.list) >= longestAlone {
		return contact{}, false
	}
	t.b.steps = nil
	f := contactOf(log.list, sp)
	base := t.mote().Chip().RAMBase
	for _, a := range f.writes {
		if a >= base && ram[a-base] == t.mote().RAM()[a-base] {
			f.kept = append(f.kept, a)
		}
	}
	t.s.body.reuse(log.list)
	f.takes, f.left = c.Cycles-began, k.set(t.mote())
	f.found, f.held = found, k.held(t.mote())
	c.Canon()
	f.spoils = was.R != c.R || was.SREG() != c.SREG() || was.SP != c.SP || was.RAMPZ != c.RAMPZ
	return f, true
}

// handle is body.handle, and leaves no rubbish behind: what is below the stack afterwards is what was there before. Where it comes depends on when the handler
// came, and who copies a local variable that nobody has written yet copies rubbish; that is no value, and so it is never wrong.
func (t *stage) handle(vector uint8) bool {
	const deepest = 256
	m := t.mote()
	sp := m.Core().SP
	free := m.RAM()
	free = free[:min(len(free), max(0, int(sp)+1-int(m.Chip().RAMBase)))]
	free = free[max(0, len(free)-deepest):]
	was := slices.Clone(free)
	over := t.b.handle(t.i, t.x, vector)
	t.b.unguard(t.i)
	if m.Core().SP == sp {
		copy(free, was)
	}
	return over
}

// handle has a mote serve a flagged interrupt now, up to its end. It tells whether it got there.
func (b *body) handle(i int, x *seat, vector uint8) bool {
	m := b.w.Motes()[i]
	b.seat = x
	back := handling{depth: x.depth}
	b.handling = &back
	m.Permit(1 << vector)
	start := m.Cycles()
	for !back.over && m.Stopped() == mcu.Running && m.Cycles() < start+b.most() {
		until := start + patience
		if m.Cycles() >= until {
			m.Open(true)
			until = start + b.most()
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
