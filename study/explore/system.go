package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote/digest"
	"motehound/study/check"
	"motehound/study/finding"
	"motehound/study/property"
	"motehound/world"
)

// System is a network in one state. It implements check.System, check.Liver, check.Healer and check.Tracker.
type System struct {
	sh    *shared
	seats []seat
	used  []uint32 // by fault: how much of its budget
	// preempted is how many interrupts have come in the middle of something.
	preempted int
	listed    bool // Enabled lists them
	healed    bool
	track     bool
	scouts    bool                // what events show is noted
	early     []finding.Violation // seen while the motes booted, and not yet told
	strained  uint64              // the most that Overdue has told of an event that was fired

	// One of these holds the motes: a body that can run, or what rests of one.
	body  *body
	rest  *world.World
	suite property.State
	own   bool // the body is nobody else's: see Watched
}

// seat is a mote's part of the state, but for the mote itself.
type seat struct {
	phase
	epoch
	version uint64 // of the mote's state: equal versions are equal states
	life    kernel.Tracker
	queues  []flights // by index in moteInfo.from: what is on its way to it
	lines   [][]char  // by index in moteInfo.wires
	wires   []wired   // the same
	begun   bool      // something has happened to it since it booted first
	input   uint32    // how many bytes of its serial input have come
	acts    uint32    // how many of its acts
	stuck   bool      // a transition of it does not end
	dull    []uint32  // instructions of a loop in which its main program waits for what does not come by itself; it never changes
	outage  *outage   // nil if none is under way; it never changes

	since   []stamp   // what waited when that was last worked out
	pressed uint64    // vectors that its last event flagged, if that was one of the scenario; no part of what decides what can happen, either
	ahead   uint64    // how much of idled is only that frames came from motes that were ahead of it
	fed     [4]uint64 // by USART: when a byte of its serial input has come, in picoseconds by its clock; no part of what decides what can happen
	idled   uint64    // for how long it has slept since it booted, in picoseconds; no part of what decides what can happen
	outlook *outlook  // what it can do; nil if that is to be worked out
	sum     [2]uint64
	summed  bool
}

// copySeats makes one list of seats like another. Queues are never changed in place, so they can be shared.
func copySeats(dst, src []seat) []seat {
	if len(dst) != len(src) {
		dst = make([]seat, len(src))
	}
	for i := range src {
		queues, lines, wires := dst[i].queues, dst[i].lines, dst[i].wires
		dst[i] = src[i]
		dst[i].queues = append(queues[:0], src[i].queues...)
		dst[i].lines = append(lines[:0], src[i].lines...)
		dst[i].wires = append(wires[:0], src[i].wires...)
	}
	return dst
}

// world is where the motes are.
func (s *System) world() *world.World {
	if s.body != nil {
		return s.body.w
	}
	return s.rest
}

// wake makes the motes able to run.
func (s *System) wake() (*body, error) {
	if s.body != nil {
		return s.body, nil
	}
	b, err := s.sh.take(s.scouts)
	if err != nil {
		return nil, err
	}
	s.load(b, s.rest)
	if b.suite != nil {
		b.suite.Restore(&s.suite)
	}
	s.body = b
	s.rest.Release()
	s.rest = nil
	return b, nil
}

// load puts the motes of another world, which are in the System's state, into a body.
func (s *System) load(b *body, from *world.World) {
	for i := range s.seats {
		if v := s.seats[i].version; b.versions[i] != v {
			b.w.CopyMote(i, from)
			b.versions[i] = v
		}
	}
}

// Clone implements check.System.
func (s *System) Clone() check.System {
	c := &System{sh: s.sh, seats: copySeats(nil, s.seats), used: slices.Clone(s.used), preempted: s.preempted, listed: s.listed, healed: s.healed, track: s.track, scouts: s.scouts, early: s.early, strained: s.strained}
	c.rest = s.world().Clone()
	s.saveSuite(&c.suite)
	return c
}

func (s *System) saveSuite(to *property.State) {
	switch {
	case s.body == nil:
		*to = s.suite
	case s.body.suite != nil:
		s.body.suite.Save(to)
	}
}

// CopyFrom implements check.System.
func (s *System) CopyFrom(other check.System) {
	from := other.(*System)
	s.seats = copySeats(s.seats, from.seats)
	copy(s.used, from.used)
	s.preempted, s.listed, s.healed, s.track, s.early, s.strained = from.preempted, from.listed, from.healed, from.track, from.early, from.strained
	s.Scout(from.scouts)
	if s.body == nil {
		s.rest.CopyFrom(from.world())
		from.saveSuite(&s.suite)
		return
	}
	s.load(s.body, from.world())
	switch {
	case s.body.suite == nil:
	case from.body != nil:
		s.body.suite.CopyFrom(from.body.suite)
	default:
		s.body.suite.Restore(&from.suite)
	}
}

// Release implements check.System.
func (s *System) Release() {
	if s.body != nil {
		if !s.own {
			s.sh.give(s.body)
		}
	} else if s.rest != nil {
		s.rest.Release()
	}
	s.body, s.rest = nil, nil
}

// Track implements check.Tracker.
func (s *System) Track(on bool) { s.track = on }

// Hash implements check.System.
func (s *System) Hash() [2]uint64 {
	d := digest.New()
	for i := range s.seats {
		sum := s.sumOf(i)
		d.Word(sum[0])
		d.Word(sum[1])
		for _, q := range s.seats[i].queues {
			d.Word(uint64(len(q)))
			for _, p := range q {
				d.Word(p.Sum[0])
			}
		}
		for n, line := range s.seats[i].lines {
			d.Word(uint64(len(line)))
			for _, c := range line {
				d.Word(uint64(c.Data))
			}
			s.seats[i].wires[n].appendTo(&d)
		}
	}
	for i := range s.seats {
		if out := s.seats[i].outage; out != nil {
			for j, began := range out.since {
				if j == i {
					continue
				}
				d.Word(min(out.span, s.mustLook(j).now-began))
			}
		}
	}
	for _, n := range s.used {
		d.Word(uint64(n))
	}
	if s.listed && s.sh.opt.Preempt > 0 {
		d.Word(uint64(min(s.preempted, s.sh.opt.Preempt)))
	}
	if s.healed {
		d.Word(1)
	}
	if len(s.early) > 0 {
		d.Word(2)
	}
	switch {
	case s.sh.opt.Plan == nil:
	case s.body != nil:
		s.body.suite.AppendHash(&d)
	default:
		s.sh.opt.Plan.AppendHash(&s.suite, &d)
	}
	return d.Sum()
}

// sumOf is the hash of a mote's own state.
func (s *System) sumOf(i int) [2]uint64 {
	x := &s.seats[i]
	if x.summed {
		return x.sum
	}
	d := digest.New()
	s.world().AppendMote(i, &d)
	flags := uint64(uint16(x.depth)) | uint64(uint16(x.waiting))<<16 | uint64(x.acts)<<32
	if x.running {
		flags |= 1 << 62
	}
	if x.stuck {
		flags |= 1 << 63
	}
	if x.mid {
		flags |= 1 << 60
	}
	if !x.heard && s.sh.motes[i].kind.profile.Kernel == kernel.None {
		flags |= 1 << 59
	}
	if x.begun && s.sh.motes[i].frail {
		flags |= 1 << 61
	}
	d.Word(flags)
	if x.rest != 0 {
		d.Word(x.rest - min(x.rest, s.world().Motes()[i].Cycles()))
	}
	d.Word(uint64(x.input))
	if o := s.mustLook(i); o.now < s.sh.motes[i].timed {
		d.Word(o.now)
	}
	x.handed.appendTo(&d)
	if s.sh.opt.Skew != 0 {
		now := s.mustLook(i).now
		for _, w := range x.since {
			d.Word(uint64(w.vector) | (now-w.at)<<8)
		}
	}
	x.sum, x.summed = d.Sum(), true
	return x.sum
}

// Goals implements check.Liver.
func (s *System) Goals() []finding.Goal {
	if s.sh.opt.Plan == nil {
		return nil
	}
	return s.sh.opt.Plan.Goals()
}

// Within implements check.Patient.
func (s *System) Within() []uint64 {
	if s.sh.opt.Plan == nil {
		return nil
	}
	return s.sh.opt.Plan.Within()
}

// Live implements check.Liver.
func (s *System) Live(dst []bool) []bool {
	if s.sh.opt.Plan == nil {
		return dst
	}
	if s.body == nil {
		return s.sh.opt.Plan.Live(&s.suite, dst)
	}
	return s.body.suite.Live(dst)
}

// Heal implements check.Healer: nothing fails any more, and motes without power get it back.
func (s *System) Heal() {
	b, err := s.wake()
	if err != nil {
		panic("BUG: a body that was made before cannot be made again: " + err.Error())
	}
	s.healed = true
	for i := range s.seats {
		if b.w.Off(i) {
			s.changed(i)
			s.seats[i].outage = nil
			b.w.PowerOn(i)
			s.leave(i)
			b.life[i].Tracker = s.seats[i].life
			s.start(i)
		}
	}
	s.drain(nil)
	if b.suite != nil {
		if _, err := b.suite.Look(-1); err != nil {
			panic("BUG: a property that was evaluated before cannot be any more: " + err.Error())
		}
	}
}

// changed says that a mote's state is a new one.
func (s *System) changed(i int) {
	x := &s.seats[i]
	x.version = s.sh.version.Add(1)
	s.body.versions[i] = x.version
	x.outlook, x.summed = nil, false
}
