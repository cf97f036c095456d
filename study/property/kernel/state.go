package kernel

import (
	life "motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/study/property/builtin"
	"motehound/world"
)

const (
	maxHandlers = 16  // as a kernel's watch has them
	maxVectors  = 64  // more than any chip has
	maxQueue    = 512 // waiting tasks that are remembered
	noPC        = 0xFFFFFFFF
)

// handler is one that is active.
type handler struct {
	start  uint64 // cycle in which its interrupt was taken
	sp     uint16
	vector uint16
	sure   bool // its frame is known to be on the stack still
}

// state is what changes while a mote is watched, but for what its kernel's watch remembers. It is plain data.
type state struct {
	handlers  [maxHandlers]handler
	nHandlers int
	served    bool // a handler has run since the reset

	queue   []uint16 // tasks that wait, as they came
	task    uint16   // that runs
	running bool

	// Since when a task waits or runs that has made no progress otherwise, and how much of it handlers took.
	since uint64
	busy  uint64
	by    []uint64 // by vector; nil until it is needed

	resets  uint32 // of the chip, when it last began
	flags   uint8  // of its reset causes
	booting bool   // it has not come to address 0 since the last reset
	kick    uint64 // cycle of the last WDR, or of the reset
	kickPC  uint32 // where it was; noPC if there was none
	rested  uint64 // cycles in which the CPU did nothing, by then

	site     uint32 // the last jump or call to address 0 or to a failure routine; noPC if something else came since
	failed   bool   // the program has failed by its own account: what follows comes of it, until that routine returns
	failedSP uint16 // the stack pointer in it
}

// copyFrom makes the state that of another tracker of the same table.
func (s *state) copyFrom(from *state) {
	queue, by := s.queue[:0], s.by[:0]
	*s = *from
	s.queue = append(queue, from.queue...)
	s.by = append(by, from.by...)
}

// Mark implements builtin.State: a mote is in a failure routine, and nothing more is found on it until that returns or the mote starts again;
// and it was interrupted since its reset, for only then it is wrong that it sleeps for ever.
func (s *state) Mark() (bits uint64) {
	if s.failed {
		bits |= 1
	}
	if s.served {
		bits |= 2
	}
	return bits
}

// tracker follows one mote.
type tracker struct {
	builtin.Base
	state
	prepared *prepared
	t        *table
	m        *mote.Mote
	life     *life.Watch
	over     bool // it sleeps for ever; told to Learn alone
	woke     int  // the source that was last found to end sleeps; no state, only a guess
}

// frozen is a state that nobody changes any more.
type frozen struct {
	state
	life life.Tracker
}

// Freeze implements builtin.Tracker.
func (m *tracker) Freeze(builtin.State) builtin.State {
	f := &frozen{life: m.life.Tracker}
	f.copyFrom(&m.state)
	return f
}

// Thaw implements builtin.Tracker.
func (m *tracker) Thaw(from builtin.State) {
	f := from.(*frozen)
	m.copyFrom(&f.state)
	m.life.Tracker = f.life
}

// CopyFrom implements builtin.Tracker.
func (m *tracker) CopyFrom(from builtin.Tracker) {
	x := from.(*tracker)
	m.copyFrom(&x.state)
	m.life.Tracker = x.life.Tracker
}

func newTracker(p *prepared, w *world.World, i int, m *mote.Mote, follow *life.Watch) *tracker {
	t := p.tables[i]
	k := &tracker{Base: builtin.NewBase(w, i, p.opt), prepared: p, t: t, m: m, life: follow}
	k.resets, k.booting = m.Resets(), m.Core().Instructions == 0
	k.flags, k.kickPC, k.site = k.resetFlags(), noPC, noPC
	return k
}

// appendKept feeds the state to a digest, except for when the last WDR was.
func (m *tracker) appendKept(d *digest.Digest) {
	s := &m.state
	for i := range s.handlers[:s.nHandlers] {
		h := &s.handlers[i]
		d.Word(h.start)
		d.Word(uint64(h.sp)<<16 | uint64(h.vector))
		d.Word(bit(h.sure))
	}
	for _, task := range s.queue {
		d.Word(uint64(task))
	}
	for _, v := range []uint64{uint64(len(s.queue)), uint64(s.nHandlers), uint64(s.task), s.since, s.busy, uint64(s.resets), uint64(s.flags), uint64(s.kickPC), uint64(s.site),
		uint64(s.failedSP), uint64(m.Found()), bit(s.served), bit(s.running), bit(s.booting), bit(s.failed)} {
		d.Word(v)
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// lives is a moment in the life of the mote's kernel.
func (m *tracker) lives(cycle uint64, pc uint32, items []life.Item) {
	m.Changed = true
	r := roleLife
	if pc < uint32(len(m.t.roles)) {
		r = m.t.roles[pc]
	}
	if r&roleReti != 0 {
		m.odd()
	}
	if pc == 0 { // all that was under way is over
		m.reset(cycle)
	} else {
		for _, it := range items {
			m.item(it)
		}
	}
	if r&^(roleLife|roleReti) != 0 {
		m.special(cycle, pc, r)
	}
}

// special is the rare instructions.
func (m *tracker) special(cycle uint64, pc uint32, r role) {
	m.notice(cycle)
	m.recover()
	if r&roleRoutine != 0 {
		m.routine(cycle, pc)
	}
	m.site = noPC
	switch {
	case r&roleSite != 0:
		m.site = pc
	case r&roleZ != 0:
		if to := m.z(pc); to == 0 || m.t.routineAt(to) != nil {
			m.site = pc
		}
	case r&roleSleep != 0:
		m.sleep(cycle, pc)
	case r&roleHalt != 0:
		m.halt(cycle, pc)
	case r&roleKick != 0:
		m.kick, m.kickPC, m.rested = cycle, pc, m.m.SleepCycles()
	case r&roleFlags != 0:
		m.flags = m.resetFlags() & m.m.Core().R[m.t.kind.Program().At(pc).D&31]
	}
}
