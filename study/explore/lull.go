package explore

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/spin"
	"motehound/study/check"
	"motehound/world"
)

// Lulls. A main program without a kernel may wait in a loop that interrupts come into all the time: Arduino's delay looks what time it is, and
// timer 0 counts that up, a thousand times a second. If each of these interrupts were an event of its own, nobody would get to the end of a delay. So while a main program
// waits like that, its next event is all of the wait: interrupts are served as they come, up to where the main program does something again, or begins its outermost loop. They can still be
// served one by one instead, and then the main program does not get on. What comes from outside may come before the wait, and behind it.
//
// It waits if it goes round in a loop that Mote.Waiting knows, changes nothing but registers and its stack, and reads no variable with interrupts on: what is read there
// may be torn, so interrupts have to be tried in between. The wait is over where it does anything else than that. So there may be loops in the loop, as in
// delay, which counts milliseconds.

const (
	longestLull   = 10 * world.Second
	longestAnswer = world.Second / 10 // of a device that is asked again and again, and is no timer: a character at 300 baud takes a third of it
	longestDetour = 256               // instructions out of the loop, before it counts as left
	longestRound  = 400               // instructions of the loop
)

// waiting works out whether a mote's main program is in a lull: it waits in a loop, and an interrupt comes before that is over. If it is not, the main
// program may wait for devices alone. A loop that calls functions may be in one that goes on to wait when it is left.
func (s *System) waiting(i int, o *outlook) error {
	lull, calls, err := s.lulls(i, o)
	if err != nil || lull && calls {
		o.lull = lull
		return err
	}
	if err := s.polls(i, o); err != nil || !lull || !o.task {
		return err
	}
	if o.lull = o.ready != 0 || o.stays == o.now || o.stays > o.rises[0].at; o.lull {
		o.stays = o.now
	}
	return nil
}

// lulls tells whether a mote's main program waits in a loop into which interrupts may come, and whether that calls functions.
func (s *System) lulls(i int, o *outlook) (lull, calls bool, err error) {
	x, m := &s.seats[i], s.body.w.Motes()[i]
	if !o.task || x.amid() || len(o.rises) == 0 && o.ready == 0 || s.sh.motes[i].kind.profile.Kernel != kernel.None || m.Core().I == 0 || slices.Contains(x.dull, m.Core().PC) {
		return false, false, nil
	}
	t, err := s.onStage(i, o)
	if err != nil {
		return false, false, err
	}
	defer t.leave()
	w := t.b.lull(i)
	return t.b.settledIn(&w), w.low != w.sp, nil
}

// settledIn tells whether a main program waits as in a lull, and comes by where it is. That cannot be told from a moment just before something happens, so
// some others are tried.
func (b *body) settledIn(w *lull) bool {
	const moments = 3
	here := visitOf(w.m)
	for range moments {
		if w.tries = 1; !b.comesTo(w.m, here) {
			return false
		}
		if b.waits(w) {
			return true
		}
		if next := w.m.Upcoming(); next != periph.Never {
			b.run(w.m, next+1)
		}
	}
	return false
}

// comesTo tells whether a main program comes to an instruction soon, without doing anything before. It goes on up to there.
func (b *body) comesTo(m *mote.Mote, to visit) bool {
	for range longestRound {
		if actsAt(m) {
			return false
		}
		if b.run(m, m.Cycles()+1); visitOf(m) == to {
			return true
		}
	}
	return false
}

// waits tells whether a main program goes round in a loop as in a lull. It goes on by a round meanwhile.
func (b *body) waits(w *lull) bool {
	for w.goesOn(periph.Never) && w.m.Stopped() == mcu.Running {
		if w.head != 0 && w.noting == 0 {
			return !slices.Contains(w.loop, w.main) // or it is a round of the outermost loop
		}
		b.run(w.m, w.m.Cycles()+1)
	}
	return false
}

// dozes tells whether a main program waits as in a lull, so that it may as well be left where it is: where the loop begins.
func (b *body) dozes(i int, q *quiet) bool {
	w := b.lull(i)
	return q.due && w.main != 0 && b.halt == 0 && b.waits(&w)
}

// quiet follows a main program while it does nothing that anybody could see.
type quiet struct {
	last  visit
	loops []loopEnd
	deaf  bool // its interrupts were never on
	due   bool // it has gone back in a loop, and it is time to look whether it waits there

	here   round  // where a loop began
	device bool   // it has touched a device since
	before visit  // the instruction before this one
	backs  uint32 // how often it has gone back in a function
	still  bool   // it has come by as it was
}

// round sees the next instruction, of a round of a loop.
func (q *quiet) round(m *mote.Mote) {
	if q == nil {
		return
	}
	if q.still = false; q.device {
		return
	}
	touch, ok := m.Core().Touches()
	q.device = ok && touch.Addr < m.Chip().RAMBase && (touch.Addr < cpuRegisters || touch.Addr > cpuRegisters+2)
}

// repeats sees the next instruction, and tells whether a loop has come by as it was, and has touched no device meanwhile. States are noted where the program goes back for the first, second,
// fourth time and so on: most loops compute something.
func (q *quiet) repeats(m *mote.Mote) bool {
	if q == nil {
		return false
	}
	v, before := visitOf(m), q.before
	if q.before = v; v.sp != before.sp || v.pc > before.pc {
		return false
	}
	if q.still = !q.device && q.here.same(m); q.still {
		return true
	}
	if q.backs++; q.backs&(q.backs-1) == 0 {
		q.here.note(m)
		q.device = false
	}
	return false
}

// stays tells whether a loop has come by as it was, and has touched no device meanwhile: it does the same until an interrupt comes.
func (q *quiet) stays(m *mote.Mote, heads []uint32) bool {
	if q.still || !slices.Contains(heads, m.Core().PC) {
		return q.still
	}
	if !q.device && q.here.same(m) {
		return true
	}
	q.here.note(m)
	q.device = false
	return false
}

// loopEnd is where a program has gone back to, and how often.
type loopEnd struct {
	to visit
	n  int
}

// visit is an instruction, and where the stack is.
type visit struct {
	pc uint32
	sp uint16
}

func visitOf(m *mote.Mote) visit { return visit{m.Core().PC, m.Core().SP} }

// of tells whether an instruction was executed there.
func (v visit) of(e *entry) bool { return e.pc == v.pc && e.sp == v.sp }

// looks sees the next instruction, and tells whether to look if the program waits: where it has gone back once, twice, four times and so on.
func (q *quiet) looks(m *mote.Mote) bool {
	if q == nil {
		return false
	}
	v, last := visitOf(m), q.last
	q.last, q.due = v, false
	if actsAt(m) {
		q.loops = q.loops[:0]
		return false
	}
	if v.sp != last.sp || v.pc > last.pc {
		return false
	}
	n := slices.IndexFunc(q.loops, func(l loopEnd) bool { return l.to == v })
	if n < 0 {
		n, q.loops = len(q.loops), append(q.loops, loopEnd{to: v})
	}
	q.loops[n].n++
	times := q.loops[n].n
	q.due = times&(times-1) == 0 && (m.Core().I == 1 || q.deaf)
	return q.due
}

// outlast has a mote's main program be through with a lull.
func (b *body) outlast(i int, x *seat) {
	w := b.lull(i)
	w.tries = longestRound // what has waited comes first
	b.seat = x
	x.since = nil // what has waited is served now
	w.m.Open(true)
	last, answered := w.m.CycleAt(w.m.Time()+longestLull), w.m.CycleAt(w.m.Time()+longestAnswer)
	for w.m.Cycles() < last && w.m.Stopped() == mcu.Running {
		if x.depth > 0 {
			b.run(w.m, last) // to the end of the handler
		} else if w.goesOn(last) {
			b.run(w.m, w.m.Cycles()+w.stride())
			if w.noting == 0 && w.asks && !w.clocked {
				last = min(last, answered)
			}
		} else {
			break
		}
	}
	if w.m.Cycles() >= last {
		x.dull = w.loop // what it waits for does not come by itself
	}
	w.m.Open(false)
	w.m.Core().Enabled = 0
}

// lull follows a main program that waits.
type lull struct {
	m       *mote.Mote
	main    uint32   // where the outermost loop begins; 0 if that is not known
	head    uint32   // an instruction of the loop, from which it can be skipped; 0 if it is not known
	loop    []uint32 // its instructions
	low, sp uint16   // how deep and how high the stack is in it
	noting  uint64   // how many instructions are still to come by
	asks    bool     // it looks at a device,
	clocked bool     // ... and at a variable or a timer
	detour  int      // instructions out of it
	dead    spin.Dead
	from    visit // where it is looked for
	tries   int   // instructions before that is given up
}

// lull begins to follow a main program that may wait where it is.
func (b *body) lull(i int) lull {
	m := b.w.Motes()[i]
	return lull{m: m, main: b.sh.motes[i].kind.loop.head, from: visitOf(m), tries: 1}
}

// goesOn looks at the next instruction of the main program, and skips rounds of its loop. It tells whether the program waits, as far as is known.
func (w *lull) goesOn(last uint64) bool {
	c := w.m.Core()
	switch {
	case w.head == 0:
		if w.tries--; w.tries < 0 || actsAt(w.m) {
			return false
		}
		if visitOf(w.m) != w.from {
			break
		}
		if loop, ok := w.m.Waiting(); ok {
			w.head, w.noting, w.dead, w.low, w.sp = c.PC, loop.Instructions, loop.Dead, c.SP, c.SP
			w.loop = append(w.loop, c.PC)
			w.looks()
		}
	case w.noting > 0:
		if w.noting--; !slices.Contains(w.loop, c.PC) {
			w.loop = append(w.loop, c.PC)
		}
		w.low, w.sp = min(w.low, c.SP), max(w.sp, c.SP)
		w.looks()
		return !actsAt(w.m)
	case slices.Contains(w.loop, c.PC):
		if w.detour = 0; c.PC == w.head {
			w.m.WaitOn(w.dead, last)
		}
	default:
		w.detour++
		return c.I == 0 || c.PC != w.main && w.detour <= longestDetour && !actsAt(w.m)
	}
	return true
}

// looks notes what the next instruction of the loop looks at.
func (w *lull) looks() {
	touch, ok := w.m.Core().Touches()
	switch {
	case !ok || touch.Addr > w.m.Core().SP || touch.Addr >= cpuRegisters && touch.Addr <= cpuRegisters+2:
	case touch.Addr < w.m.Chip().RAMBase && !w.m.Counts(touch.Addr):
		w.asks = true
	default:
		w.clocked = true
	}
}

// stride is for how many cycles the main program can go on before the next instruction that matters: in the loop, as long as it touches nothing and does not come to the head.
func (w *lull) stride() uint64 {
	c := w.m.Core()
	if w.head == 0 || w.noting > 0 || w.detour > 0 || w.head-c.PC-1 < longestRound {
		return 1
	}
	return max(1, c.Quiet())
}

// actsAt tells whether a mote's next instruction does more than to compute, on its stack if need be, and to look at devices; or with interrupts off, at variables. The CPU's own registers do not
// count.
func actsAt(m *mote.Mote) bool {
	c := m.Core()
	touch, ok := c.Touches()
	switch {
	case !ok || touch.Addr > c.SP:
		return false
	case touch.Addr >= m.Chip().RAMBase:
		return touch.Write && touch.Addr != c.SP || touch.Read && c.I == 1
	case touch.Addr >= cpuRegisters:
		return false
	}
	return touch.Write || !m.LooksOnly(touch.Addr)
}

// cpuRegisters is where SPL, SPH and SREG are.
const cpuRegisters = 0x5D

// news forgets which loop does not end by itself, where something comes that may end it.
func (x *seat) news(o *outlook, e check.Event) {
	if _, rises := o.rise(e.Source); e.Class != check.Task && !(e.Class == check.Interrupt && rises) {
		x.dull = nil
	}
}

// handlersEnd tells whether a handler's end is the end of a transition: the main program is in a lull, or the interrupt has woken it. What it does then is another transition.
func (s *System) handlersEnd(i int, o *outlook) bool { return o.lull || s.sh.motes[i].kind.wakes() }

// wakes tells whether the main program has no kernel, and sleeps until an interrupt comes. It does not go round and round then: once it is awake, it has something to do.
func (k *kind) wakes() bool { return k.profile.Kernel == kernel.None && k.sleeps }

// serves runs a mote to the end of the handler that comes next, if that is where the transition ends. It tells whether it got there.
func (b *body) serves(i int, m *mote.Mote, x *seat) bool {
	start := m.Cycles()
	for until := start + patience; m.Stopped() == mcu.Running; until = start + b.most() {
		if m.Cycles() >= start+b.most() {
			m.Open(false)
			return false
		}
		if b.halt != 0 {
			until = min(until, b.halt)
		}
		b.run(m, until)
		if x.depth == 0 || b.halt != 0 && m.Cycles() >= b.halt {
			break
		}
		m.Open(true) // perhaps it waits for an interrupt
	}
	m.Open(false)
	m.Core().Enabled = 0
	if x.depth == 0 && b.sh.motes[i].kind.wakes() && (b.halt != 0 || b.onlyLooks(i, m)) { // where it is halted in what follows was found with it
		for _, asleep := m.Asleep(); !asleep && m.Stopped() == mcu.Running && (b.halt == 0 || m.Cycles() < b.halt); _, asleep = m.Asleep() {
			b.run(m, m.Cycles()+1)
		}
	}
	return true
}

// longestGlance is how many instructions a main program executes at most that only looks whether there is something to do.
const longestGlance = 200

// onlyLooks tells whether a main program that was woken sleeps again without having written anything, or used a device. That is no transition of its own.
func (b *body) onlyLooks(i int, m *mote.Mote) bool {
	if _, asleep := m.Asleep(); asleep || b.haveGlance() != nil {
		return false
	}
	there := *b.seat
	b.glance.w.Foresee(i, b.w)
	b.glance.seat, b.glance.life[i].Tracker, b.glance.masked[i] = &there, b.life[i].Tracker, b.masked[i]
	g := b.glance.w.Motes()[i]
	c, sp := g.Core(), g.Core().SP
	for range longestGlance {
		touch, ok := c.Touches()
		a := touch.Addr
		switch stack := a <= sp && a >= c.SP; {
		case !ok || a >= cpuRegisters && a <= cpuRegisters+2 || a == g.Chip().Control.SMCR: // registers of the CPU, and whether it may sleep
		case a < g.Chip().RAMBase || touch.Write && !stack:
			return false
		}
		g.StepOn(g.Cycles() + 1)
		if _, asleep := g.Asleep(); asleep {
			return c.I == 1
		}
	}
	return false
}

// haveGlance makes the world in which a main program looks, if there is none.
func (b *body) haveGlance() (err error) {
	if b.glance == nil {
		b.glance, err = b.sh.newBody(false)
	}
	return err
}
