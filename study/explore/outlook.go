package explore

import (
	"slices"

	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
)

// outlook is what a mote can do by itself from where it rests. It never changes.
type outlook struct {
	now    uint64 // picoseconds by its clock
	ready  uint64 // vectors that can be served now
	rises  []rise // and those that can later, the earliest first
	since  []stamp
	stirs  uint64    // when an interrupt that is served as it comes does something; Never if none does
	limit  uint64    // by when a timer's tick would be lost, in picoseconds; Never for no limit
	turns  uint64    // for how long its radio does not hear what begins, since it is turning to receive
	sends  bool      // its radio is sending
	quiet  bool      // its channel can become busy
	chars  [4]uint64 // how long a character takes on each of its USARTs
	task   bool      // its kernel, or its main loop, can go on
	off    bool      // it has no power
	halted bool      // it does nothing any more
	idle   bool      // its main loop goes round, and nothing comes of it
	stays  uint64    // until when its main program waits in a loop, in picoseconds; now if it does not
	lull   bool      // its main program may be in a lull
	placed bool      // points are known
	points []point   // where interrupts may come in the middle of something
	drawn  []point   // other such places, which somebody has asked for

	supposed *supposed // on a stage; nil if everything is as it is
}

// stamp is when a vector that can be served, or the kernel's queue (noVector), was first seen to wait.
type stamp struct {
	vector uint8
	at     uint64
	idled  uint64 // the seat's idled then
	ahead  uint64 // and its ahead
}

const noVector = 0xFF

// waits gives when something was first seen to wait.
func waits(list []stamp, vector uint8) (uint64, bool) {
	for _, s := range list {
		if s.vector == vector {
			return s.at, true
		}
	}
	return 0, false
}

// stamps notes since when things wait.
func (o *outlook) stamps(x *seat) {
	note := func(vector uint8) {
		n := slices.IndexFunc(x.since, func(w stamp) bool { return w.vector == vector })
		if n >= 0 {
			o.since = append(o.since, x.since[n])
			return
		}
		o.since = append(o.since, stamp{vector, o.now, x.idled, x.ahead})
	}
	for set := o.ready; set != 0; set &= set - 1 {
		note(uint8(lowest(set)))
	}
	if o.task && o.stays == o.now && !o.lull {
		note(noVector)
	}
}

// rise is a vector that is flagged later.
type rise struct {
	vector uint8
	cycle  uint64
	at     uint64 // the same in picoseconds
}

// How far to look ahead.
const (
	maxRises = 24
	horizon  = 30 * world.Second
	// How long time passes, at a time, for a mote with interrupts that are served as they come, once one of them has done something.
	stretch = 20 * world.Millisecond
)

// look works out what a mote can do.
func (s *System) look(i int) (*outlook, error) {
	x := &s.seats[i]
	if x.outlook != nil && (x.outlook.placed || !s.lists()) {
		return x.outlook, nil
	}
	b, err := s.wake()
	if err != nil {
		return nil, err
	}
	if x.outlook != nil {
		return s.place(i, x)
	}
	m := b.w.Motes()[i]
	o := &outlook{now: m.Time(), off: b.w.Off(i), halted: x.stuck || m.Stopped() != mcu.Running, limit: periph.Never, stirs: periph.Never}
	x.outlook = o
	if o.off || o.halted {
		o.placed = true
		return o, nil
	}
	_, asleep := m.Asleep()
	o.task = x.waiting > 0 || !asleep
	if m.Core().I == 1 {
		o.ready = m.Requests() & m.Wakes() & s.sh.motes[i].guard
	}
	for n := range min(m.USARTs(), len(o.chars)) {
		o.chars[n] = b.w.FeedSpan(i, uint8(n))
	}
	if r := m.Radio(); r != nil {
		o.turns, o.sends, o.quiet = r.Turning(o.now), b.w.Sending(i), !b.w.Disturbed(i)
	}
	o.stays = o.now
	if asleep || m.Core().I == 1 {
		if err := b.ahead(i, x, o); err != nil {
			return o, err
		}
	}
	o.begun(m)
	if err := s.waiting(i, o); err != nil {
		return o, err
	}
	o.stamps(x)
	x.since = o.since
	if !s.lists() {
		return o, nil
	}
	return s.place(i, x)
}

// begun has characters that take longer than from one tick of a fast timer to the next be over at once: they have begun before, as soon as the line was free.
func (o *outlook) begun(m *mote.Mote) {
	for n := range min(m.USARTs(), len(o.chars)) {
		if span := o.chars[n]; !o.fits(span) {
			least := m.TimeOf(m.Cycles()+response) - o.now
			free := m.SerialFree(uint8(n)) + span
			if within := max(least, free-min(free, o.now)); o.fits(within) {
				o.chars[n] = within
			}
		}
	}
}

// place finds where interrupts may come in the middle of something. Others may know the outlook, so it is another one that knows them.
func (s *System) place(i int, x *seat) (*outlook, error) {
	o := *x.outlook
	points, err := s.points(i, &o)
	o.points, o.placed = points, true
	x.outlook = &o
	return &o, err
}

// lists tells whether Enabled lists interrupts in the middle of something.
func (s *System) lists() bool { return s.listed && s.preempted < s.sh.opt.Preempt }

// mustLook is look where a body has been made before.
func (s *System) mustLook(i int) *outlook {
	o, err := s.look(i)
	if err != nil {
		panic("BUG: a body that was made before cannot be made again: " + err.Error())
	}
	return o
}

// ahead lets time pass in the scratch world, in which no interrupt is served, to see what is flagged when.
func (b *body) ahead(i int, x *seat, o *outlook) error {
	if err := b.haveScratch(); err != nil {
		return err
	}
	sc := b.scratch
	sc.w.Foresee(i, b.w)
	there := *x
	there.queues, there.lines = nil, nil
	sc.life[i].Tracker = x.life
	m := sc.w.Motes()[i]
	guard := b.sh.motes[i].guard
	last := m.CycleAt(o.now + horizon)
	*sc.ear = ear{stirs: periph.Never, before: sc.ear.before}
	seen := m.Requests() & guard
	for m.Stopped() == mcu.Running && len(o.rises) < maxRises && sc.ear.work < enough {
		end := m.Again()
		if end != periph.Never {
			o.limit = min(o.limit, m.TimeOf(end))
		}
		until := last
		if end != periph.Never && end-1 < until {
			until = end - 1
		}
		if m.Cycles() >= until {
			break
		}
		reached := sc.pass(i, &there, until, guard&^seen, false)
		news := m.Requests() & guard &^ seen
		seen |= news
		for set := news & m.Wakes(); set != 0; set &= set - 1 {
			o.rises = append(o.rises, rise{vector: uint8(lowest(set)), cycle: m.Cycles(), at: m.Time()})
		}
		if reached {
			break
		}
	}
	o.stirs = sc.ear.stirs
	sc.w.Packets(nil)
	sc.w.Chars(nil)
	return nil
}

// haveScratch makes the scratch world, if there is none.
func (b *body) haveScratch() (err error) {
	if b.scratch != nil {
		return nil
	}
	if b.scratch, err = b.sh.newBody(false); err == nil {
		b.scratch.ear = new(ear)
	}
	return err
}

// pass lets time pass until a vector is flagged, or if so asked until a task is posted. It tells whether it got to the cycle.
func (b *body) pass(i int, x *seat, until, alert uint64, posts bool) bool {
	m := b.w.Motes()[i]
	natural := b.sh.motes[i].natural
	b.seat = x
	before, waiting := m.Requests(), x.waiting
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		now := m.Requests() & natural & m.Wakes()
		switch {
		case now == 0 || m.Core().I == 0:
			to := until
			if natural != 0 {
				to = b.hush(i, x, until)
			}
			m.Alert(alert | natural)
			m.Idle(to)
			m.Alert(0)
		case b.ear != nil:
			b.listen(i, x, lowest(now))
		default:
			b.deliver(i, x, lowest(now))
		}
		if m.Requests()&^before&alert != 0 || posts && x.waiting != waiting || b.ear != nil && b.ear.work >= enough {
			return false
		}
	}
	return true
}

// Enabled implements check.System.
func (s *System) Enabled(dst []check.Event) []check.Event {
	if len(s.early) > 0 {
		return append(dst, s.firstOf())
	}
	first := len(dst)
	for i := range s.seats {
		if s.seats[i].amid() {
			return s.enabledOf(i, dst)
		}
	}
	for i := range s.seats {
		dst = s.enabledOf(i, dst)
	}
	if s.sh.opt.Skew != 0 {
		dst = s.within(dst, first)
	}
	return dst
}

// firstOf is the event that comes before all others if something went wrong while the motes booted. A mote that has stopped then has
// no other.
func (s *System) firstOf() check.Event {
	return check.Event{Mote: max(0, s.early[0].Mote), Class: check.Task, Source: booted}
}

// enabledOf appends what a mote can do, in the order of classes and sources.
func (s *System) enabledOf(i int, dst []check.Event) []check.Event {
	o := s.mustLook(i)
	mote := int16(i)
	if o.off {
		return s.comesBack(i, o, dst)
	}
	if o.halted {
		return s.failures(i, o, dst)
	}
	add := func(class check.Class, source uint16) {
		e := check.Event{Mote: mote, Class: class, Source: source}
		dst = s.preemptions(o, e, append(dst, e))
	}
	if s.seats[i].amid() {
		add(check.Task, goesOn)
		return dst
	}
	can := o.ready
	for _, r := range o.rises {
		can |= 1 << r.vector
	}
	for ; can != 0; can &= can - 1 {
		add(check.Interrupt, uint16(lowest(can)))
	}
	if o.task {
		add(check.Task, 0)
	}
	if o.idle {
		dst = s.preemptions(o, check.Event{Mote: mote, Class: check.Task}, dst)
	}
	if o.stirs != periph.Never {
		dst = append(dst, check.Event{Mote: mote, Class: check.Task, Source: timePasses})
	}
	dst = s.arrivals(i, o, dst)
	dst = s.failures(i, o, dst)
	return s.inputs(i, o, dst)
}

// rise finds when a vector is flagged that is not yet.
func (o *outlook) rise(vector uint16) (rise, bool) {
	for _, r := range o.rises {
		if uint16(r.vector) == vector {
			return r, true
		}
	}
	return rise{}, false
}

// waitsUntil is until when time passes, unless something happens before.
func (o *outlook) waitsUntil() uint64 { return max(o.now, min(o.stirs+stretch, o.limit-1)) }

// fits tells whether so much time may pass.
func (o *outlook) fits(span uint64) bool { return o.limit == periph.Never || o.now+span < o.limit }

// within leaves the events that are not too late.
func (s *System) within(list []check.Event, first int) []check.Event {
	kept := list[:first]
	for _, e := range list[first:] {
		if s.Late(e) <= s.sh.opt.Skew {
			kept = append(kept, e)
		}
	}
	return kept
}

// Late implements check.Pacer.
func (s *System) Late(e check.Event) uint64 {
	o := s.seats[e.Mote].outlook
	if o == nil || o.off || o.halted || e.Class == check.Task && e.Source == booted {
		return 0
	}
	earliest := uint64(periph.Never)
	for _, w := range o.since {
		earliest = min(earliest, w.at)
	}
	if len(o.rises) > 0 {
		earliest = min(earliest, o.rises[0].at)
	}
	earliest = min(earliest, o.stirs)
	if o.task {
		earliest = min(earliest, o.stays)
	}
	if at := o.when(e); at > earliest {
		return at - earliest
	}
	return 0
}

// when is the natural time of an event.
func (o *outlook) when(e check.Event) uint64 {
	vector := uint8(noVector)
	switch e.Class {
	case check.Interrupt:
		vector = uint8(e.Source)
	case check.Task:
		switch e.Source {
		case timePasses:
			return o.stirs
		case goesOn:
			return o.now
		}
		if o.stays > o.now {
			return o.stays
		}
	default:
		return 0 // whenever it is chosen
	}
	if at, ok := waits(o.since, vector); ok {
		return at
	}
	r, _ := o.rise(e.Source)
	return r.at
}

// Due implements check.Pacer. A frame is due when its receiver can hear it.
func (s *System) Due(e check.Event) uint64 {
	const longest = 5 * world.Millisecond // frame
	o := s.mustLook(int(e.Mote))
	switch {
	case e.Class != check.Frame:
		return o.when(e)
	case o.sends:
		return o.now + longest
	}
	return o.now + o.turns
}

// Clock implements check.Pacer.
func (s *System) Clock(mote int16) uint64 { return s.mustLook(int(mote)).now }
