package harvest

import (
	"slices"
	"strings"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// Loss is a value in a static variable that nobody used, where the values that the same code writes there are used: it was
// overwritten with another one before anyone read it, or nothing looked at it until the run was over, for much longer than
// that ever took.
type Loss struct {
	Run, Mote int
	Address   uint16
	Wrote     Access
	// Over is the write that destroyed it. Its PC is 0 if there was none; then its Cycle is the end of the run.
	Over         Access
	Reads, Usual int // how often it was read, and how often such values are at least
	// Mixed says that the value which replaced it was used more often than such values are: once in the place of this one.
	// Whoever read it got old and new data together.
	Mixed bool
	// Values is how many values that code wrote there, and Lost how many of them were lost.
	Values, Lost int
	// reader is the role of who usually reads such values next.
	reader actor
	// handled is when a task read anything of the same variable, the last time before this was overwritten.
	handled Access
	after   int // readings of the value that replaced it
}

// Access is an instruction at a moment.
type Access struct {
	PC    uint32 // byte address
	Cycle uint64
	by    actor
}

// actor is what executes an instruction: the handler or a task of an event-procedure instance.
type actor struct {
	serial uint64 // of the instance, from 1; 0 if none is known
	vector uint16
	task   uint16 // its task, from 1; 0 for the handler
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

// Ledger books what becomes of the values in the static variables of the motes of one firmware, over several runs.
//
// Only variables that the symbol table names are booked: the stack's places change their meaning all the time. Left out are the kernel's
// queue of tasks, since tasks are seen by themselves, and its timers, which are set anew before they fire in the best of programs.
// What an instance itself overwrites was only on the way to what it wrote in the end. Places that hold states, by their few
// values, lose nothing; nor do places that are cleared. A value that is written over itself, or that comes back before anyone has
// looked at what replaced it, was not lost. To read a value in order to update it is no use of it, nor a loss. What was written
// before a mote's first interrupt cannot be lost.
type Ledger struct {
	field   *Field
	record  []int32 // by data address: what variable, or element of an array of structures, it is in; 0 for none
	records int
	places  []place
}

// bookkeeping are the variables in which kernels queue their tasks and keep their timers, by prefix.
var bookkeeping = []string{"SchedulerBasicP__", "TOSH_queue", "TOSH_sched_", "events", "nevents", "fevent", "process_current", "poll_requested",
	"VirtualizeTimerC__", "AlarmToTimerC__", "TransformAlarmC__", "Atm128Alarm", "VirtualizeAlarmC__", "TimerM__", "timerlist", "next_expiration"}

// NewLedger makes an empty ledger.
func NewLedger(f *Field) *Ledger {
	l := &Ledger{field: f}
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

// Watched is in how many bytes data was seen that is usually read: in others none can be seen to be lost. It is 0 if the file has no
// symbols, and if readings and messages never change.
func (l *Ledger) Watched() int {
	n := 0
	for i := range l.places {
		if p := &l.places[i]; p.isData() && slices.ContainsFunc(p.habits, func(h habit) bool { usual, _ := h.usual(); return usual > 0 }) {
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
	*Ledger
	w       *world.World
	run     int
	entries [][]entry  // by mote, nil for those that are not mined
	handled [][]Access // by mote and record: when a task has read some of it, the last time
	started []bool     // by mote: it had an interrupt
	active  func(mote int) actor
}

// book watches the accesses of some motes of a world.
func (l *Ledger) book(w *world.World, run int, motes []bool, active func(mote int) actor) *books {
	b := &books{Ledger: l, w: w, run: run, entries: make([][]entry, len(motes)),
		handled: make([][]Access, len(motes)), started: make([]bool, len(motes)), active: active}
	for i, wanted := range motes {
		if wanted {
			b.entries[i], b.handled[i] = make([]entry, len(l.places)), make([]Access, l.records)
		}
	}
	w.Observe(world.Observer{
		Interrupt: func(i int, _ uint64, _ uint8) {
			b.gather(i)
			b.started[i] = true
		},
		DataAt: func(k *mote.Kind) []uint32 {
			if k.Image.Hash != l.field.Image.Hash {
				return nil
			}
			return l.moves(k)
		},
		CodeAt: func(*mote.Kind) []uint32 { return nil },
		Code: func(i int, cycle uint64, pc uint32) bool {
			b.gather(i)
			b.look(i, cycle, pc)
			return false
		},
	})
	return b
}

// gather books what a mote has done since the last time. It comes before another instance executes.
func (b *books) gather(i int) {
	moved := b.w.Moved(i)
	if len(moved) == 0 || !b.started[i] || b.entries[i] == nil {
		return
	}
	by := b.active(i)
	for k := range moved {
		b.book(i, &moved[k], by)
	}
}

// look books what a mote is about to do, where the log cannot tell of it.
func (b *books) look(i int, cycle uint64, pc uint32) {
	m := b.w.Motes()[i]
	o, ok := m.Kind.Program().At(pc).Operand()
	if !ok || !b.started[i] || b.entries[i] == nil {
		return
	}
	x := avr.Move{PC: pc, Cycle: cycle, Addr: o.Address(&m.Core().State), New: m.Core().R[o.Register], Store: o.Store}
	x.Old = m.Peek(x.Addr)
	b.book(i, &x, b.active(i))
}

// book books a load or store.
func (b *books) book(i int, x *avr.Move, by actor) {
	if int(x.Addr) >= len(b.places) || b.record[x.Addr] == 0 {
		return
	}
	handled := &b.handled[i][b.record[x.Addr]]
	e, p := &b.entries[i][x.Addr], &b.places[x.Addr]
	now := Access{PC: x.PC * 2, Cycle: x.Cycle, by: by}
	if x.Store {
		e.overwrite(p, Loss{Run: b.run, Mote: i, Address: x.Addr, Over: now, handled: *handled}, x.Old, x.New)
		return
	}
	e.read(p, now)
	if by.task != 0 {
		*handled = now
	}
}

// close ends the run.
func (b *books) close() {
	for i := range b.entries {
		b.gather(i)
	}
	for i, entries := range b.entries {
		for a := range entries {
			e, p := &entries[a], &b.places[a]
			e.settle(p)
			if e.known && e.reads == 0 {
				e.end(p, Loss{Run: b.run, Mote: i, Address: uint16(a), Over: Access{Cycle: b.w.Motes()[i].Cycles()}})
			}
		}
	}
}
