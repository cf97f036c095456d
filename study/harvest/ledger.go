package harvest

import (
	"math/bits"
	"slices"
	"strings"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// Loss is a value in a static variable that was used less than the values in that place are: it was overwritten with
// another one before that, or nothing looked at it until the run was over, for much longer than that ever took.
type Loss struct {
	Run, Mote int
	Address   uint16
	Wrote     Access
	// Over is the write that destroyed it. Its PC is 0 if there was none; then its Cycle is the end of the run.
	Over         Access
	Reads, Usual int // how often it was read, and how often such values are at least
}

// Access is an instruction at a moment.
type Access struct {
	PC    uint32 // byte address
	Cycle uint64
	// by is the event-procedure instance that ran, from 1; 0 if none is known.
	by uint64
}

// Ledger books what becomes of the values in the static variables of the motes of one firmware, over several runs.
//
// Only variables that the symbol table names are booked: the stack's places change their meaning all the time. The kernel's
// queue of tasks is left out, since tasks are seen by themselves. What an instance itself overwrites was only on the way to
// what it wrote in the end. Places that hold states, by their few values, lose nothing. A value that is written over itself, or that comes back
// before anyone has looked at what replaced it, was not lost. To read a value in order to update it is no use of it, nor a
// loss: a counter carries on what it was. What was written before a mote's first interrupt cannot be lost.
type Ledger struct {
	field  *Field
	named  []bool // by data address
	places []place
}

// mostReads is how many readings of a value are told apart; more are counted as so many.
const mostReads = 4

// rare is which part of a place's values may have fewer readings, and the others still be its habit.
const rare = 0.05

// least is how many values a place must have had to have a habit: with fewer, one exception is not rare.
const least = 1 / rare

// mostDoubts is how many values are kept of those in a place that were read equally seldom: with more it is no exception.
const mostDoubts = 128

// states is how many different values a place has at most if it holds a state (a flag, a mode, an index, a count of buffers)
// and not data. A state that nobody asked for is no loss.
const states = 16

// update is how many cycles after it was read a value is overwritten at most, if it was read for that: four bytes are
// loaded, changed and stored in 20.
const update = 24

// queues are the variables in which kernels queue their tasks, by prefix.
var queues = []string{"SchedulerBasicP__", "TOSH_queue", "TOSH_sched_", "events", "nevents", "fevent", "process_current", "poll_requested"}

// place is the habits of one byte.
type place struct {
	read    [mostReads + 1]int // how many values were read so often
	values  [4]uint64          // the set of its values
	slowest uint64             // cycles from a write to a reading
	doubts  [mostReads][]Loss  // by Reads; those overwritten with something else
	open    []Loss             // at the ends of runs
}

// entry is the value in one place of one mote.
type entry struct {
	wrote  Access
	reads  int
	looked uint64 // when it was read last
	known  bool   // it was written since the first interrupt
	// doubt is a value that was overwritten by this one, as long as nobody has looked at this one.
	doubt    Loss
	before   uint8
	doubtful bool
}

// NewLedger makes an empty ledger.
func NewLedger(f *Field) *Ledger {
	l := &Ledger{field: f}
	const space = 1 << 16
	size := 0
	l.named = make([]bool, space)
	for a := range space {
		if o, ok := f.Image.ObjectAt(uint32(a)); ok && !isQueue(o.Name) {
			l.named[a] = true
			size = a + 1
		}
	}
	l.places = make([]place, size)
	return l
}

// Empty says that there is no variable to watch: the file has no symbols.
func (l *Ledger) Empty() bool { return len(l.places) == 0 }

func isQueue(name string) bool {
	return slices.ContainsFunc(queues, func(q string) bool { return strings.HasPrefix(name, q) })
}

// books are the entries of the motes of one run.
type books struct {
	*Ledger
	w       *world.World
	run     int
	entries [][]entry // by mote, nil for those that are not mined
	started []bool    // by mote: it had an interrupt
	active  func(mote int) (serial uint64, ok bool)
}

// book watches the accesses of some motes of a world.
func (l *Ledger) book(w *world.World, run int, motes []bool, active func(mote int) (uint64, bool)) *books {
	b := &books{Ledger: l, w: w, run: run, entries: make([][]entry, len(motes)), started: make([]bool, len(motes)), active: active}
	for i, wanted := range motes {
		if wanted {
			b.entries[i] = make([]entry, len(l.places))
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
	by := uint64(0)
	if serial, ok := b.active(i); ok {
		by = serial + 1
	}
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
	by := uint64(0)
	if serial, ok := b.active(i); ok {
		by = serial + 1
	}
	b.book(i, &x, by)
}

// book books a load or store by an instance.
func (b *books) book(i int, x *avr.Move, instance uint64) {
	if int(x.Addr) >= len(b.places) || !b.named[x.Addr] {
		return
	}
	e, p := &b.entries[i][x.Addr], &b.places[x.Addr]
	by := Access{PC: x.PC * 2, Cycle: x.Cycle, by: instance}
	if x.Store {
		e.overwrite(p, Loss{Run: b.run, Mote: i, Address: x.Addr, Over: by}, x.Old, x.New)
	} else {
		e.read(p, by)
	}
}

func (e *entry) read(p *place, by Access) {
	e.reads++
	e.looked = by.Cycle
	if e.known {
		p.slowest = max(p.slowest, by.Cycle-e.wrote.Cycle)
	}
	if by.by != e.wrote.by || by.by == 0 { // who looks at what it wrote itself may still put back what was there
		e.settle(p)
	}
}

// settle makes up its mind about the value before: somebody has looked at what replaced it.
func (e *entry) settle(p *place) {
	if e.doubtful && e.doubt.Wrote.PC != 0 && len(p.doubts[e.doubt.Reads]) <= mostDoubts {
		p.doubts[e.doubt.Reads] = append(p.doubts[e.doubt.Reads], e.doubt)
	}
	e.doubtful = false
}

// overwrite replaces the value old by now. Loss says where, and by whom.
func (e *entry) overwrite(p *place, loss Loss, old, now uint8) {
	updated := e.reads > 0 && loss.Over.Cycle-e.looked <= update
	if updated {
		e.reads--
	}
	loss.Wrote, loss.Reads = e.wrote, e.reads
	p.values[now/64] |= 1 << (now % 64)
	switch own := e.known && e.wrote.by != 0 && e.wrote.by == loss.Over.by; {
	case e.doubtful && now == e.before: // it came back
		e.doubtful = false
	case own:
	default:
		e.settle(p)
		if e.known {
			p.read[min(e.reads, mostReads)]++
		}
		if old != now && e.reads < mostReads && !updated {
			e.doubt, e.before, e.doubtful = loss, old, true
		}
	}
	e.wrote, e.reads, e.looked, e.known = loss.Over, 0, 0, true
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
			if e.known && e.reads < mostReads {
				p.open = append(p.open, Loss{Run: b.run, Mote: i, Address: uint16(a), Wrote: e.wrote, Over: Access{Cycle: b.w.Motes()[i].Cycles()}, Reads: e.reads})
			}
		}
	}
}

// habit is how often, at least, the values in a place are read, but for rare exceptions.
func (p *place) habit() int {
	all := 0
	for _, n := range p.read {
		all += n
	}
	if all < least || !p.isData() {
		return 0
	}
	few := 0
	for n, count := range p.read {
		if few += count; float64(few) > rare*float64(all) {
			return n
		}
	}
	return 0
}

// always says that the values were read so often without exception: else one that waits at the end of a run may be waiting to
// be thrown away, as others were.
func (p *place) always(usual int) bool {
	for _, n := range p.read[:usual] {
		if n > 0 {
			return false
		}
	}
	return true
}

func (p *place) isData() bool {
	n := 0
	for _, set := range p.values {
		n += bits.OnesCount64(set)
	}
	return n > states
}

// Losses are the exceptions, by address.
func (l *Ledger) Losses() []Loss { return losses(l.places) }

func losses(places []place) []Loss {
	var all []Loss
	for i := range places {
		p := &places[i]
		usual := p.habit()
		for reads := range usual {
			if len(p.doubts[reads]) > mostDoubts {
				continue
			}
			for _, x := range p.doubts[reads] {
				x.Usual = usual
				all = append(all, x)
			}
		}
		for _, x := range p.open {
			if x.Reads < usual && p.always(usual) && x.Over.Cycle-x.Wrote.Cycle > 2*p.slowest {
				x.Usual = usual
				all = append(all, x)
			}
		}
	}
	return all
}
