package mining

import (
	"slices"
	"strings"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/observe/intervals"
	"motehound/world"
)

// lostValue is a value in a static variable that nobody used, where the values that the same code writes there are used: it was
// overwritten with another one before anyone read it, or nothing looked at it until the run was over, for much longer than
// that ever took.
type lostValue struct {
	Run, Mote uint32
	Wrote     access
	// Over is the write that destroyed it. Its PC is 0 if there was none; then its Cycle is the end of the run.
	Over access
	// handled is when a task read anything of the same variable, the last time before this was overwritten.
	handled access
	// Values is how many values that code wrote there, and Lost how many of them were read as seldom as this one, or not at all.
	Values, Lost uint32
	// reader is the role of who usually reads such values next.
	reader       actor
	Address      uint16
	Reads, Usual uint8 // how often it was read, and how often such values are at least
	// Mixed says that the value which replaced it was used more often than such values are: once in the place of this one.
	// Whoever read it got old and new data together.
	Mixed bool
	// never says that the mote did not read any value there.
	never bool
	after uint8 // readings of the value that replaced it
}

// access is an instruction at a moment.
type access struct {
	Cycle uint64
	PC    uint32 // byte address
	by    actor
}

// actor is what executes an instruction: the handler or a task of an event-procedure instance.
type actor struct {
	serial uint32 // of the instance, from 1, modulo 1<<32; 0 if none is known
	vector uint16
	task   uint16 // its task, from 1; 0 for the handler
}

// executes is who executes in a life.
func executes(life *intervals.Anatomist) actor {
	iv, task := life.Executes()
	if iv == nil {
		return actor{}
	}
	return actor{serial: uint32(iv.Serial + 1), vector: iv.Vector, task: task}
}

// own is the serial of a role that the writer itself has.
const own = 1

// as is the role of an actor who reads what another one wrote: what is the same the next time.
func (a actor) as(writer actor) actor {
	role := actor{vector: a.vector, task: a.task}
	if a.serial == writer.serial && a.serial != 0 {
		role.serial = own
	}
	return role
}

// LossTracker books what becomes of the values in the static variables of the motes of one firmware, over several runs.
//
// Only variables that the symbol table names are booked: the stack's places change their meaning all the time. Left out are the kernel's
// queue of tasks, since tasks are seen by themselves, and its timers, which are set anew before they fire in the best of programs.
// What an instance itself overwrites was only on the way to what it wrote in the end. Places that hold states, by their few
// values, lose nothing; nor do places that are cleared. A value that is written over itself, or that comes back before anyone has
// looked at what replaced it, was not lost. To read a value in order to update it is no use of it, nor a loss. What was written
// before a mote's first interrupt cannot be lost.
type LossTracker struct {
	field   *Firmware
	record  []int32 // by data address: what variable, or element of an array of structures, it is in; 0 for none
	records int
	places  []place
}

// bookkeeping are the variables in which kernels queue their tasks and keep their timers, by prefix.
var bookkeeping = []string{"SchedulerBasicP__", "TOSH_queue", "TOSH_sched_", "events", "nevents", "fevent", "process_current", "poll_requested",
	"VirtualizeTimerC__", "AlarmToTimerC__", "TransformAlarmC__", "Atm128Alarm", "VirtualizeAlarmC__", "TimerM__", "timerlist", "next_expiration"}

// NewLossTracker makes an empty LossTracker.
func NewLossTracker(f *Firmware) *LossTracker {
	l := &LossTracker{field: f}
	const space = 1 << 16
	size := 0
	l.record = make([]int32, space)
	type record struct {
		name    string
		element string
	}
	seen := map[record]int32{}
	for a := range space {
		o, ok := f.Image.ObjectAt(uint32(a))
		if !ok || isBookkeeping(o.Name) {
			continue
		}
		r := record{name: o.Name}
		if way := f.part(o, uint32(a)-o.Addr); len(way) > 1 && way[0][0] == '[' {
			r.element = way[0]
		}
		if seen[r] == 0 {
			seen[r] = int32(len(seen) + 1)
		}
		l.record[a] = seen[r]
		size = a + 1
	}
	l.places, l.records = make([]place, size), len(seen)+1
	return l
}

// watched is in how many bytes data was seen that is usually read: in others none can be seen to be lost. It is 0 if the file has no
// symbols, and if readings and messages never change.
func (l *LossTracker) watched() int {
	n := 0
	for i := range l.places {
		if p := &l.places[i]; p.isData() && slices.ContainsFunc(p.habits, func(h *habit) bool { usual, _ := h.usual(); return usual > 0 }) {
			n++
		}
	}
	return n
}

func isBookkeeping(name string) bool {
	return slices.ContainsFunc(bookkeeping, func(b string) bool { return strings.HasPrefix(name, b) })
}

// books are the entries of the motes of one run.
type books struct {
	*LossTracker
	w     *world.World
	run   int
	log   *world.Log
	motes []accounts // nil lists for those that are not mined
}

// accounts are the entries of one mote.
type accounts struct {
	life    *intervals.Anatomist // knows who executes
	from    uint64               // the cycle from which on intervals are gathered
	started bool                 // it had an interrupt
	entries []entry              // by address
	doubts  []doubt              // by address
	handled []access             // by record: when a task has read some of it, the last time
	rounds  bool                 // its main loop goes round
	pending []avr.Move           // of the present round: they count unless it does nothing
	booked  uint64               // how often something was
}

// book watches the accesses of those motes of a world whose lives are told; for others they are nil. take must be called with each item of
// these. Intervals are gathered after some picoseconds of a mote's life.
func (l *LossTracker) book(w *world.World, run int, lives []*intervals.Anatomist, skip uint64) *books {
	b := &books{LossTracker: l, w: w, run: run, motes: make([]accounts, len(lives))}
	for i, life := range lives {
		if life != nil {
			from := uint64(float64(skip) / world.Second * float64(w.Motes()[i].Board().Hertz))
			b.motes[i] = accounts{life: life, from: from, entries: make([]entry, len(l.places)), doubts: make([]doubt, len(l.places)), handled: make([]access, l.records)}
		}
	}
	b.log = w.Observe(world.Observer{
		LogOf: func(i int) bool { return lives[i] != nil },
		DataAt: func(k *mote.Kind) []uint32 {
			if !l.field.has(k) {
				return nil
			}
			return l.moves(k)
		},
		CodeAt: func(*mote.Kind) []uint32 { return nil },
		Code: func(i int, cycle uint64, pc uint32) bool {
			b.gather(i)
			b.settle(i)
			b.look(i, cycle, pc)
			return false
		},
		Kept: b.kept,
	})
	return b
}

// take is to be called before the mote's life goes on with an item.
func (b *books) take(i int, it kernel.Item) {
	b.gather(i)
	m := &b.motes[i]
	if it.Kind == kernel.Round && it.Arg == kernel.Idle {
		m.pending = m.pending[:0] // what is only looked at, again and again, is not read
	}
	b.settle(i)
	m.rounds = m.rounds || it.Kind == kernel.Round
	if it.Kind == kernel.Int {
		m.started = true
	}
}

// gather takes over what a mote has done since the last time. It comes before another instance executes.
func (b *books) gather(i int) {
	m := &b.motes[i]
	moved := b.log.Moved(i)
	switch {
	case len(moved) == 0 || !m.started:
	case m.rounds:
		m.pending = append(m.pending, moved...)
	default:
		b.book(i, moved)
	}
}

// settle books what waits to be.
func (b *books) settle(i int) {
	if m := &b.motes[i]; len(m.pending) > 0 {
		b.book(i, m.pending)
		m.pending = m.pending[:0]
	}
}

// kept feeds what will be booked to a digest, except for its cycles.
func (b *books) kept(i int, d *digest.Digest) {
	m := &b.motes[i]
	if m.life == nil {
		return
	}
	b.gather(i)
	d.Word(m.booked)
	for k := range m.pending {
		x := &m.pending[k]
		d.Word(uint64(x.PC)<<32 | uint64(x.Addr)<<16 | uint64(x.Old)<<8 | uint64(x.New))
	}
}

// look books what a mote is about to do, where the log cannot tell of it.
func (b *books) look(i int, cycle uint64, pc uint32) {
	m := b.w.Motes()[i]
	in := m.Kind.Program().At(pc)
	a := in.Access()
	if a.Space != avr.DataMemory || !b.motes[i].started {
		return
	}
	x := avr.Move{PC: pc, Cycle: cycle, Addr: a.Address(&m.Core().State), New: m.Core().R[in.D], Store: a.Writes}
	x.Old = m.Peek(x.Addr)
	b.book(i, []avr.Move{x})
}

// book books loads and stores of whoever executes.
func (b *books) book(i int, moved []avr.Move) {
	m := &b.motes[i]
	m.booked++
	by := executes(m.life)
	for k := range moved {
		x := &moved[k]
		record := b.record[x.Addr]
		if record == 0 {
			continue
		}
		e, d, now := &m.entries[x.Addr], &m.doubts[x.Addr], access{PC: x.PC * 2, Cycle: x.Cycle, by: by}
		if x.Store {
			if e.overwrite(&b.places[x.Addr], d, now, x.Old, x.New, m.from) {
				d.Run, d.Mote, d.Address, d.handled = uint32(b.run), uint32(i), x.Addr, m.handled[record]
			}
			continue
		}
		e.read(d, now)
		if by.task != 0 {
			m.handled[record] = now
		}
	}
}

// close ends the run.
func (b *books) close() {
	for i := range b.motes {
		if b.motes[i].life != nil { // what others have done is for others
			b.gather(i)
			b.settle(i)
		}
	}
	for i := range b.motes {
		m := &b.motes[i]
		for a := range m.entries {
			e, d := &m.entries[a], &m.doubts[a]
			e.settle(d)
			if e.known && e.reads == 0 {
				e.end(d, lostValue{Run: uint32(b.run), Mote: uint32(i), Address: uint16(a), Over: access{Cycle: b.w.Motes()[i].Cycles()}})
			}
		}
	}
}
