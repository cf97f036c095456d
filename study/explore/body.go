package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/observe/lifecycle"
	"motehound/study/property"
	"motehound/world"
)

// body is a world whose motes can run, with all that watches them. It holds the state of one System at a time.
type body struct {
	sh       *shared
	w        *world.World
	life     []*kernel.Watch
	suite    *property.Suite // nil if nothing is checked
	versions []uint64        // by mote: which state it is in
	scratch  *body           // to look into the future of a mote in
	glance   *body           // the same, for as long as a main program looks whether there is something to do
	seat     *seat           // of the mote that runs
	track    *tracking       // nil if nobody needs footprints
	ear      *ear            // of a body that looks ahead
	notes    *[]Note         // nil if nobody wants a narration
	steps    *steps          // nil if nobody wants to know the instructions
	lists    [][]entry       // for steps
	halt     uint64          // the cycle at which settle ends, wherever the mote is; 0 for none
	patient  uint64          // the cycle up to which settle first lets a main program wait in a loop; 0 if it does not wait
	staged   bool            // it is a stage
	was      round           // where the main loop that settle runs began; no RAM if it has not
	lulled   bool            // settle ends behind the handler, since the main program is in a lull
	upTo     *passing        // settle ends there, too; nil for nowhere
	once     bool            // settle ends where a main loop begins again, whether anything has changed or not
	masked   []masked        // by mote: the section that it is in
	scout    *scout          // nil if nobody wants to know what transitions show
	compares *compares       // nil if nobody wants to know what is compared
	handling *handling       // the handler whose end is waited for; nil if none is
	over     *overtaking     // nil if nobody needs to know what is stored in buffers
	ready    overtaking      // for that
}

// phase is where a mote is in its kernel's life.
type phase struct {
	depth   int16  // handlers that are active
	running bool   // a task is
	waiting int16  // tasks that wait
	mid     bool   // it was interrupted in the middle of something, and that has not gone on
	rest    uint64 // the cycle at which the frame is over that arrives while a task runs; 0 if none does
	heard   bool   // its interrupts have been on
	handed  *handovers
}

// amid tells whether it is in the middle of something, so that nobody else does anything.
func (p *phase) amid() bool { return p.mid || p.rest != 0 }

// newBody makes a body.
func (sh *shared) newBody(checked bool) (*body, error) {
	w, err := world.New(sh.cfg, world.Natural{})
	if err != nil {
		return nil, err
	}
	b := &body{sh: sh, w: w, versions: make([]uint64, len(sh.motes))}
	profiles := make([]*kernel.Profile, len(sh.motes))
	for i := range sh.motes {
		profiles[i] = sh.motes[i].kind.profile
	}
	b.life = lifecycle.Follow(w, profiles, func(i int, _ uint64, _ uint32, list []kernel.Item) { b.items(i, list) }).Watches
	if checked && sh.opt.Plan != nil {
		if b.suite, err = sh.opt.Plan.Attach(w); err != nil {
			return nil, err
		}
	}
	b.mask()
	w.Guide(func(i int, _ *mote.Mote) uint64 { return sh.motes[i].guard })
	return b, nil
}

// items follows what the running mote does. It pauses where the mote may rest: behind a handler or a task that has ended.
func (b *body) items(i int, list []kernel.Item) {
	for _, it := range list {
		p := &b.seat.phase
		switch it.Kind {
		case kernel.Int:
			p.depth++
			p.heard = true
			if b.handling != nil {
				b.handling.follow(p.depth)
			}
		case kernel.Reti:
			p.depth = max(0, p.depth-1)
			over := b.handling != nil && b.handling.follow(p.depth)
			if over || p.depth == 0 && !p.running {
				b.w.Motes()[i].Pause()
			}
		case kernel.Post:
			p.waiting++
		case kernel.Run:
			p.waiting = max(0, p.waiting-1)
			p.running = true
		case kernel.End:
			p.running = false
			if p.depth == 0 {
				b.w.Motes()[i].Pause()
			}
		case kernel.Reset:
			*p = phase{}
		}
		if b.over != nil && b.over.item(it, p.depth) {
			b.w.Motes()[i].Pause()
		}
		if b.notes != nil {
			b.note(i, it)
		}
	}
}

// How long, in cycles, a mote is given.
const (
	// A main loop that neither sleeps nor runs a task.
	idleLoop = 4_000
	// The same with interrupts off, at a time.
	aLittle = 16
	// A transition, before its interrupts are served as they come: perhaps it waits for one.
	patience = 1 << 19
	// The same of a kernel's task or handler. Where interrupts are on for so long, they do not wait for its end on a chip.
	longTask = 1 << 15
	// A transition, before it is said to be endless.
	forever = 1 << 26
	// The same on a stage. Nobody looks for places in what takes longer.
	brief = 1 << 20
	// The start of a program up to its first rest.
	longestBoot = 1 << 25
)

// most is how many cycles a transition is given.
func (b *body) most() uint64 {
	if b.staged {
		return brief
	}
	return forever
}

// patient is for how many cycles interrupts do not come into a transition by themselves.
func (m *moteInfo) patient() uint64 {
	if m.kind.profile.Kernel == kernel.None {
		return patience
	}
	return longTask
}

// settle runs a mote to where it rests. It tells whether it got there.
func (b *body) settle(i int, x *seat) bool {
	m := b.w.Motes()[i]
	b.seat = x
	if b.lulled {
		return b.serves(i, m, x)
	}
	if b.patient != 0 {
		b.outwait(m, b.patient)
		b.patient = 0
	}
	start, closed := m.Cycles(), b.sh.motes[i].patient()
	looped := uint64(0) // since when it is in its main loop
	loop := &b.sh.motes[i].kind.loop
	b.was.ram = b.was.ram[:0]
	still := quiet{deaf: !x.heard && b.sh.motes[i].kind.profile.Kernel == kernel.None}
	doubt := uint64(aLittle) // when to ask whether it ever gets there
	for m.Stopped() == mcu.Running {
		until := start + closed
		spent := m.Cycles() - start
		hopeless := spent >= doubt && b.sh.motes[i].kind.waits.Forever(m.Core())
		if spent >= doubt {
			doubt *= 2
		}
		switch {
		case spent >= b.most() || hopeless:
			m.Open(false)
			return false
		case spent >= closed:
			m.Open(true)
			until = start + b.most()
			if b.track != nil {
				b.track.timely = true
			}
		}
		inMain := x.depth == 0 && !x.running
		if inMain {
			if looped == 0 {
				looped = m.Cycles()
			}
			until = max(min(until, looped+loop.longest()), m.Cycles()+aLittle)
		} else {
			looped = 0
		}
		if b.halt != 0 {
			until = min(until, b.halt)
		}
		if inMain && loop.head != 0 {
			if pc := m.Core().PC; pc == loop.head || b.once && slices.Contains(loop.heads, pc) {
				b.was.note(m)
			}
			b.goRound(m, loop.heads, until, &still)
		} else {
			b.run(m, until)
		}
		if b.halt != 0 && m.Cycles() >= b.halt {
			break
		}
		if _, asleep := m.Asleep(); asleep {
			if x.depth == 0 && !x.running {
				break
			}
			m.Open(true) // a handler or a task that sleeps waits for an interrupt
		}
		inMain = x.depth == 0 && !x.running && b.mayRest(i, x)
		if inMain && (x.waiting > 0 || loop.ends(m, b.once, &b.was) || looped != 0 && loop.enough(m, m.Cycles()-looped) || b.dozes(i, &still) || b.halt == 0 && still.stays(m, loop.heads) || b.upTo.comes(m)) {
			// Behind RETI one instruction comes before the next interrupt. If it did here, a mote would get on in its
			// main program by being interrupted again and again, and be interrupted in the middle of a task.
			m.Core().Enabled = 0
			break
		}
	}
	m.Open(false)
	return true
}

// run runs a mote to a cycle, or to where it pauses.
func (b *body) run(m *mote.Mote, until uint64) {
	defer b.emerge(m)
	if b.compares != nil {
		b.compares.run(m, until, b.emerge)
		return
	}
	if b.steps != nil {
		b.steps.run(m, until, b.emerge)
		return
	}
	track := b.track
	if track != nil && (track.before != nil || track.whole) {
		track = nil
	}
	b.over.watch(true)
	defer b.over.watch(false)
	for again := true; again; {
		if track == nil && !b.over.wants() {
			m.RunTo(until)
		} else {
			follow(m, until, track, b.over)
		}
		if again = b.over.goesOn(); again {
			b.emerge(m) // a register gets back what it had just now, not what it had long before
		}
	}
}

// deliver has a mote serve an interrupt that is flagged.
func (b *body) deliver(i int, x *seat, vector int) bool {
	m := b.w.Motes()[i]
	m.Permit(1 << vector)
	ok := b.settle(i, x)
	m.Forbid()
	return ok
}

// advance lets time pass for a mote, to a cycle. Interrupts that are allowed are served as they come.
func (b *body) advance(i int, x *seat, until, allow uint64) bool {
	m := b.w.Motes()[i]
	allow |= b.sh.motes[i].natural
	b.seat = x
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		if now := m.Requests() & allow & m.Wakes(); now != 0 && m.Core().I == 1 {
			if !b.deliver(i, x, lowest(now)) {
				return false
			}
			continue
		}
		m.Alert(allow)
		m.Idle(until)
		m.Alert(0)
	}
	return true
}

func lowest(set uint64) int {
	n := 0
	for set&1 == 0 {
		set >>= 1
		n++
	}
	return n
}

// take gives a body from the pool, or a new one: one that scouts, or one that does not.
func (sh *shared) take(scouts bool) (*body, error) {
	sh.mu.Lock()
	n := slices.IndexFunc(sh.free, func(b *body) bool { return (b.scout != nil) == scouts })
	if n >= 0 {
		b := sh.free[n]
		sh.free = slices.Delete(sh.free, n, n+1)
		sh.mu.Unlock()
		return b, nil
	}
	sh.mu.Unlock()
	b, err := sh.newBody(true)
	if err == nil && scouts {
		b.count()
	}
	return b, err
}

func (sh *shared) give(b *body) {
	sh.mu.Lock()
	sh.free = append(sh.free, b)
	sh.mu.Unlock()
}
