package explore

import (
	"fmt"
	"slices"

	"motehound/mote/mcu"
	"motehound/study/check"
	"motehound/study/finding"
	checks "motehound/study/property/kernel"
	"motehound/study/property/wait"
	"motehound/world"
	"motehound/world/reception"
)

// Fire implements check.System.
func (s *System) Fire(e check.Event) (check.Step, error) {
	i := int(e.Mote)
	if i < 0 || i >= len(s.seats) {
		return check.Step{}, fmt.Errorf("there is no mote %d", i)
	}
	b, err := s.wake()
	if err != nil {
		return check.Step{}, err
	}
	if len(s.early) > 0 {
		if e != s.firstOf() {
			return check.Step{}, s.errNotEnabled(e)
		}
		step := check.Step{Violations: s.early}
		s.early = nil
		if s.scouts {
			o, err := s.look(i)
			if err != nil {
				return step, err
			}
			s.note(i, o, e) // nothing changes
		}
		return step, nil
	}
	if s.seats[i].outlook == nil {
		if _, err := s.look(i); err != nil {
			return check.Step{}, err
		}
	}
	if !s.possible(i, e) {
		return check.Step{}, s.errNotEnabled(e)
	}
	s.strain(e)
	x := &s.seats[i]
	o := x.outlook
	f := s.begin(i, x, o, e)
	if s.scouts {
		s.note(i, o, e)
	}
	s.changed(i)
	x.begun = true
	x.news(o, e)
	s.idle(i, x, o, e)
	b.life[i].Tracker, b.masked[i] = x.life, masked{}
	s.overtakes(i, x)
	b.lulled = (e.Class != check.Task || x.depth > 0) && s.handlersEnd(i, o)
	waited := b.w.Motes()[i].Requests()
	ended, err := s.do(i, x, o, e)
	b.lulled, x.pressed = false, 0
	if e.Class == check.Input && e.Source == scriptSource || e.Made() {
		x.pressed = b.w.Motes()[i].Requests() &^ waited
	}
	overtaken := s.overtook(i, x)
	if err != nil {
		return check.Step{}, err
	}
	b.w.Motes()[i].CatchUp()
	x.life = b.life[i].Tracker
	step := check.Step{}
	s.drain(f)
	if b.suite != nil {
		broken, err := b.suite.Look(i)
		if err != nil {
			return step, err
		}
		step.Violations = append(step.Violations, s.timely(broken)...)
	}
	if !ended { // what went wrong before is the cause
		x.stuck = true
		if !slices.ContainsFunc(step.Violations, wait.Explains) {
			step.Violations = append(step.Violations, s.endless(i, e))
		}
	}
	if v, ok := s.crashed(i); ok && len(step.Violations) == 0 {
		step.Violations = append(step.Violations, v)
	}
	if e.Intrudes() {
		if p := o.point(e); p.race != nil {
			step.Violations = append(step.Violations, s.violation(i, p))
		}
	}
	step.Violations = append(step.Violations, overtaken...)
	if f != nil {
		step.Footprint = f.finish(b, b.w.Motes()[i])
		b.track = nil
	}
	return step, nil
}

// timely leaves out what means nothing once something has waited for longer than it can: whether a handler's interrupt comes again before it ends is a
// matter of time alone.
func (s *System) timely(broken []finding.Violation) []finding.Violation {
	if s.strained == 0 {
		return broken
	}
	return slices.DeleteFunc(broken, func(v finding.Violation) bool { return v.Property == string(checks.Reentry) })
}

// possible tells whether an event can be fired.
func (s *System) possible(i int, e check.Event) bool {
	switch {
	case e.Intrudes():
		return s.Intrudes(e)
	case e.Made():
		return s.Fits(e)
	case e.Pauses():
		return s.Pauses(e)
	}
	return slices.Contains(s.enabledOf(i, nil), e)
}

// without forgets since when something waited that happens now.
func without(list []stamp, e check.Event) []stamp {
	vector := uint8(noVector)
	switch e.Class {
	case check.Interrupt:
		vector = uint8(e.Source)
	case check.Task:
	default:
		return list
	}
	for n, w := range list {
		if w.vector == vector {
			return slices.Delete(slices.Clone(list), n, n+1)
		}
	}
	return list
}

// do brings an event about. It tells whether the mote came to rest.
func (s *System) do(i int, x *seat, o *outlook, e check.Event) (bool, error) {
	b := s.body
	if e.Intrudes() {
		return s.preempt(i, x, o, e), nil
	}
	if e.Made() {
		return s.takeMade(i, x, o, e), nil
	}
	switch e.Class {
	case check.Interrupt:
		return s.interrupt(i, x, o, int(e.Source)), nil
	case check.Task:
		if e.Source == timePasses {
			return s.wait(i, x, o, o.waitsUntil()), nil
		}
		if e.Pauses() {
			return s.wait(i, x, o, o.now+pauseOf(e)), nil
		}
		if x.rest != 0 && !x.mid {
			until := x.rest
			x.rest = 0
			return s.hear(i, x, until), nil
		}
		if o.lull {
			b.outlast(i, x)
			return true, nil
		}
		b.once = x.mid
		x.mid = false
		b.patient = o.patience(b.w.Motes()[i])
		if b.patient != 0 && b.track != nil {
			b.track.timely = true
		}
		ok := b.settle(i, x)
		b.once = false
		return ok, nil
	case check.Frame:
		if e.Source >= wireSource {
			return s.character(i, x, o, e), nil
		}
		return s.frame(i, x, o, e), nil
	case check.Fault:
		return s.fault(i, e)
	case check.Input:
		switch e.Source {
		case scriptSource:
			return s.scripted(i, x)
		case powerSource:
			x.outage = nil
			b.w.PowerOn(i)
			s.leave(i)
			return s.start(i), nil
		}
		return s.serial(i, x, o), nil
	}
	return false, s.errNotEnabled(e)
}

// interrupt has a mote serve a vector, when it is flagged.
func (s *System) interrupt(i int, x *seat, o *outlook, vector int) bool {
	if o.ready>>vector&1 == 0 {
		r, _ := o.rise(uint16(vector))
		if s.body.pass(i, x, r.cycle+1, 1<<vector, false) {
			panic("BUG: what was seen ahead does not happen: " + s.Title(check.Event{Mote: int16(i), Source: uint16(vector)}))
		}
	}
	return s.body.deliver(i, x, vector)
}

// wait lets time pass for a mote, until something waits that did not, or to some time.
func (s *System) wait(i int, x *seat, o *outlook, until uint64) bool {
	m := s.body.w.Motes()[i]
	s.body.pass(i, x, m.CycleAt(until), s.sh.motes[i].guard, true)
	span := m.Time() - o.now
	x.idled += span - min(span, x.lead)
	x.passed(span)
	return true
}

// frame has a mote hear the next frame of another one, or not.
func (s *System) frame(i int, x *seat, o *outlook, e check.Event) bool {
	b, info := s.body, &s.sh.motes[i]
	n := slices.Index(info.from, int(e.Source))
	p := x.queues[n][0]
	fate, fates := reception.Fate(e.Option), s.fates(s.onAir(p.From, i, o.now))
	s.charge(fates.Fault(fate))
	switch {
	case fate == reception.Reordered: // the next one comes
		p = x.queues[n][1]
		x.queues[n] = slices.Concat(x.queues[n][:1].freed(1), x.queues[n][2:])
	case fate.Returns():
		x.queues[n] = x.queues[n].freed(1)
	default:
		x.queues[n] = x.queues[n][1:]
	}
	var d reception.Decision
	switch fate {
	case reception.Lost:
		return true
	case reception.Corrupted:
		d = reception.Decision{Fate: fate, Wrong: corruptBit}
	}
	return s.hear(i, x, b.w.Play(i, p.Packet, d))
}

// hear lets a mote hear what is on the air until a cycle.
func (s *System) hear(i int, x *seat, until uint64) bool {
	b, info := s.body, &s.sh.motes[i]
	m := b.w.Motes()[i]
	if !b.advance(i, x, until, info.pins&^m.Requests()) {
		return false
	}
	// A radio that acknowledges by itself does so at once.
	if b.w.Sending(i) || s.answers(i) {
		return b.advance(i, x, m.CycleAt(m.Time()+acknowledging), info.pins)
	}
	return true
}

// corruptBit is the bit of a corrupted frame that is wrong: one of its first byte behind the length.
const corruptBit = 3

// acknowledging is how long an acknowledgement takes, turnaround included.
const acknowledging = 700 * world.Microsecond

// answers tells whether a mote's radio will send something by itself soon.
func (s *System) answers(i int) bool {
	m := s.body.w.Motes()[i]
	r := m.Radio()
	if r == nil || !m.Kind.Board.Radio.Answers {
		return false
	}
	now := m.Time()
	return r.Promise(now, now+10*acknowledging) < now+acknowledging
}

// serial has the next byte of serial input reach a mote.
func (s *System) serial(i int, x *seat, o *outlook) bool {
	in, c, _ := s.nextByte(i)
	x.input++
	return s.feed(i, x, o, in.USART, func() uint64 { return s.body.w.FeedByte(i, in.USART, c, o.chars[in.USART&3]) })
}

// feed puts a character on a line and has the mote serve the interrupt for it. A main program that waits in a loop goes on to do so meanwhile.
func (s *System) feed(i int, x *seat, o *outlook, usart uint8, put func() uint64) bool {
	m := s.body.w.Motes()[i]
	rx := uint64(1) << s.rxVector(i, usart)
	until := put() + 2
	x.fed[usart&3] = m.TimeOf(until)
	if o.stays >= m.TimeOf(until) {
		s.body.seat = x
		m.RunTo(until)
		s.body.emerge(m)
	}
	s.body.pass(i, x, until, rx, false)
	if m.Requests()&rx&m.Wakes() != 0 && m.Core().I == 1 {
		return s.body.deliver(i, x, lowest(rx))
	}
	return true
}

// fault has something befall a mote.
func (s *System) fault(i int, e check.Event) (bool, error) {
	b := s.body
	f := &s.sh.faults[e.Source]
	s.charge(int(e.Source))
	if f.Kind == world.Busy {
		b.w.Disturb(i, f.Span)
		return true, nil
	}
	s.seats[i].stuck = false
	if f.Kind != world.Reboot {
		span := f.Span
		if f.Kind == world.LateBoot {
			span = 1 // as soon as another one has done something
		}
		s.seats[i].outage = &outage{span: span, since: s.clocks(i)}
		b.w.PowerOff(i)
		s.seats[i].phase = phase{}
		return true, nil
	}
	b.w.PowerCycle(i)
	return s.start(i), nil
}

// pinSpan is how long a pin stays as it is at least: a chip looks at its pins once in a cycle.
const pinSpan = world.Microsecond

// scripted does the next thing that the scenario has happen to a mote.
func (s *System) scripted(i int, x *seat) (bool, error) {
	b := s.body
	a := &s.sh.motes[i].acts[x.acts]
	x.acts++
	m := b.w.Motes()[i]
	switch {
	case a.reset:
		if b.w.Off(i) {
			return true, nil
		}
		m.Reset(mcu.External)
		return s.start(i), nil
	case a.kind == world.PowerOn:
		if !b.w.Off(i) {
			return true, nil
		}
		b.w.PowerOn(i)
		s.leave(i)
		return s.start(i), nil
	case a.kind == world.SetPin:
		m.SetInput(a.pin, a.drive)
		if !b.w.Off(i) {
			b.pass(i, x, m.CycleAt(m.Time()+pinSpan), s.sh.motes[i].guard, false)
		}
		return true, nil
	case b.w.Off(i):
		return true, nil
	case a.kind == world.HearFrame:
		p, ok := b.w.Compose(i, a.frame)
		return !ok || s.hear(i, x, b.w.Play(i, p, reception.Decision{})), nil
	case a.kind == world.PowerOff:
		b.w.PowerOff(i)
		x.phase = phase{}
		return true, nil
	case a.kind == world.PowerCycle:
		b.w.PowerCycle(i)
		return s.start(i), nil
	}
	return true, b.w.Set(i, a.set)
}

// start runs a mote from its reset to where it rests. Its interrupts are served as they come.
func (s *System) start(i int) bool {
	b, x := s.body, &s.seats[i]
	m := b.w.Motes()[i]
	b.seat = x
	x.phase = phase{}
	x.stuck = false
	m.Open(true)
	rests := false
	until := m.Cycles() + longestBoot
	for m.Cycles() < until && m.Stopped() == mcu.Running && !s.sh.motes[i].kind.waits.Forever(m.Core()) {
		if head := s.sh.motes[i].kind.loop.head; head == 0 {
			b.run(m, until)
		} else if b.findsHead(m, head) && x.depth == 0 {
			rests = b.mayRest(i, x) // so that the first round is a transition, too
			break
		}
		if _, asleep := m.Asleep(); asleep && x.depth == 0 && !x.running {
			break
		}
	}
	m.Open(false)
	x.life = b.life[i].Tracker
	if rests {
		m.Core().Enabled = 0
		return true
	}
	return m.Stopped() != mcu.Running || b.settle(i, x)
}

// boot starts a mote for the first time.
func (s *System) boot(i int) error {
	s.changed(i)
	if s.seats[i].stuck = !s.start(i); s.seats[i].stuck {
		why := "it is busy all the time, or an interrupt comes over and over; motehound run shows what it does"
		if m := s.body.w.Motes()[i]; s.sh.motes[i].kind.waits.Forever(m.Core()) {
			why = "it waits for something that cannot happen here"
		}
		return fmt.Errorf("mote %d does not come to rest after its reset: %s", s.Number(int16(i)), why)
	}
	return nil
}

// drain brings what was sent on its way.
func (s *System) drain(f *tracking) {
	w := s.body.w
	for _, p := range w.Packets(nil) {
		s.body.sends(p)
		sent := w.Motes()[p.From].Time() + s.seats[p.From].lead
		for _, to := range w.Linked(p.From, nil) {
			x := &s.seats[to]
			n := slices.Index(s.sh.motes[to].from, p.From)
			q := x.queues[n]
			x.queues[n] = append(q[:len(q):len(q)], flight{p, trip{from: p.From, sent: sent}})
			if f != nil {
				f.foot.Write(tailResource(to, n), tailResource(to, n)+1)
			}
		}
	}
	for _, c := range w.Chars(nil) {
		x := &s.seats[c.To]
		n := slices.Index(s.sh.motes[c.To].wires, c.Wire)
		s.queue(x, n, char{c, trip{from: c.From, sent: w.Motes()[c.From].Time() + s.seats[c.From].lead + charBits*c.BitTime}})
		if f != nil {
			f.foot.Write(lineResource(c.To, n), lineResource(c.To, n)+1)
		}
	}
}

// charBits is how many bits a character has on a wire.
const charBits = 10

// crashed says that a mote executed what is no instruction. It matters only if nothing says what led to that.
func (s *System) crashed(i int) (finding.Violation, bool) {
	m := s.body.w.Motes()[i]
	v := finding.Violation{Property: "kernel: crashed", Kind: finding.Safety, Mote: int16(i)}
	switch m.Stopped() {
	case mcu.StopBadOpcode:
		v.Detail = fmt.Sprintf("it executes what is no instruction, at 0x%04x", 2*m.Core().PC)
	case mcu.StopOffCode:
		v.Detail = fmt.Sprintf("it executes erased flash, at 0x%04x", 2*m.Core().PC)
	default:
		return v, false
	}
	if f, file, line, ok := place(m); ok {
		v.Function, v.File, v.Line = f, file, line
	}
	return v, true
}

// endless says that a transition does not end.
func (s *System) endless(i int, e check.Event) finding.Violation {
	m := s.body.w.Motes()[i]
	v := finding.Violation{Property: "kernel: endless", Kind: finding.Safety, Mote: int16(i),
		Detail: fmt.Sprintf("%s runs for more than %d cycles and does not end", s.Describe(e), forever)}
	if f, file, line, ok := place(m); ok {
		v.Function, v.File, v.Line = f, file, line
	}
	return v
}
