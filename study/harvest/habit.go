package harvest

import (
	"math/bits"
	"slices"
)

// mostReads is how many readings of a value are told apart; more are counted as so many.
const mostReads = 4

// sometimes is which part of the values that code writes to a place may be lost, and using them still be the habit. A bug
// that loses every fifth value is still a bug; where more than that are not used, not to use them is how it works.
const sometimes = 0.25

// seldom is which part of the values may be read less often than usual, but read, and still be exceptions.
const seldom = 0.05

// least is how many values must have been written to have a habit with exceptions, and fewest one without.
const (
	least  = 20
	fewest = 8
)

// long is how many times as long as the slowest reading ever took a value must wait until the end of a run to be forgotten.
const long = 4

// mostDoubts is how many lost values are kept of those that some code wrote to a place.
const mostDoubts = 256

// mostWriters is how many instructions may write to a place and each have a habit.
const mostWriters = 12

// states is how many different values a place has at most if it holds a state (a flag, a mode, an index, a count of buffers)
// and not data. A state that nobody asked for is no loss.
const states = 16

// update is how many cycles after it was read a value is overwritten at most, if it was read for that: four bytes are
// loaded, changed and stored in 20.
const update = 24

// place is what is known of one byte.
type place struct {
	values [4]uint64 // the set of its values
	habits []habit   // by writer, in order of appearance
}

// habit is what becomes of the values that one instruction writes to a place.
type habit struct {
	writer  uint32               // its byte address
	read    [mostReads + 1]int   // how many values were read so often
	slowest uint64               // cycles from a write to the first reading
	readers [mostReads][]readers // who reads first, who second...
	carried int                  // how many were overwritten by the instance that had read them last
	same    int                  // how many were overwritten with themselves
	doubts  [mostReads][]Loss    // overwritten with something else, by how often they had been read
	open    []Loss               // not read until the end of a run, and maybe some before that
	waiting int                  // values that were overwritten among those
	value   uint8                // the last one
	known   bool                 // there is a last one
	varies  bool                 // they are not all the same
}

// readers is how often some handler or task read.
type readers struct {
	who actor
	n   int
}

// habit finds the habit of a writer. Beyond mostWriters they share one, which then hardly is a habit.
func (p *place) habit(writer uint32) *habit {
	for i := range p.habits {
		if p.habits[i].writer == writer {
			return &p.habits[i]
		}
	}
	if len(p.habits) == mostWriters {
		return &p.habits[mostWriters-1]
	}
	p.habits = append(p.habits, habit{writer: writer})
	return &p.habits[len(p.habits)-1]
}

// entry is the value in one place of one mote.
type entry struct {
	wrote  Access
	reads  int
	looked uint64 // when it was read last
	reader uint64 // the instance that did
	known  bool   // it was written since the first interrupt
	// doubt is a value that was overwritten by this one, as long as nobody has looked at this one.
	doubt    Loss
	before   uint8
	doubtful bool
	// settled is where the doubt about the value before this one was entered: of writer settledOf, from 1; 0 if it was not.
	settled   int
	settledOf uint32
	// unread is how many values before this one nobody has read either, and since the first of them.
	unread int
	since  Access
}

func (e *entry) read(p *place, by Access) {
	e.reads++
	e.looked, e.reader, e.unread = by.Cycle, by.by.serial, 0
	if e.known && e.reads <= mostReads {
		p.habit(e.wrote.PC).looked(e.reads, by.by.as(e.wrote.by), by.Cycle-e.wrote.Cycle)
	}
	if by.by.serial != e.wrote.by.serial || by.by.serial == 0 { // who looks at what it wrote itself may still put back what was there
		e.settle(p)
	}
}

// looked notes who was the nth to read a value, and after how long.
func (h *habit) looked(nth int, who actor, after uint64) {
	const most = 8
	if nth == 1 {
		h.slowest = max(h.slowest, after)
	}
	list := &h.readers[nth-1]
	i := slices.IndexFunc(*list, func(r readers) bool { return r.who == who })
	switch {
	case i >= 0:
		(*list)[i].n++
	case len(*list) < most:
		*list = append(*list, readers{who, 1})
	}
}

// settle makes up its mind about the value before: somebody has looked at what replaced it.
func (e *entry) settle(p *place) {
	if !e.doubtful {
		return
	}
	e.doubtful = false
	if e.doubt.Wrote.PC == 0 {
		return
	}
	list := &p.habit(e.doubt.Wrote.PC).doubts[e.doubt.Reads]
	if len(*list) == mostDoubts {
		return
	}
	*list = append(*list, e.doubt)
	if e.doubt.Reads == 0 {
		e.settled, e.settledOf = len(*list), e.doubt.Wrote.PC
	}
}

// overwrite replaces the value old by now. Loss says where, and by whom.
func (e *entry) overwrite(p *place, loss Loss, old, now uint8) {
	updated := e.reads > 0 && loss.Over.Cycle-e.looked <= update
	if updated {
		e.reads--
	}
	loss.Wrote, loss.Reads = e.wrote, e.reads
	p.values[now/64] |= 1 << (now % 64)
	switch own := e.known && e.wrote.by.serial != 0 && e.wrote.by.serial == loss.Over.by.serial; {
	case e.doubtful && now == e.before: // it came back
		e.doubtful = false
	case own:
	default:
		e.settle(p)
		if e.known {
			h := p.habit(e.wrote.PC)
			h.read[min(e.reads, mostReads)]++
			if old == now {
				h.same++
			}
			if e.reads > 0 && e.reader != 0 && e.reader == loss.Over.by.serial {
				h.carried++
			}
			if e.settled > 0 {
				p.habit(e.settledOf).doubts[0][e.settled-1].after = e.reads
			}
		}
		e.settled = 0
		if updated || !e.known {
			break
		}
		if e.reads == 0 {
			if e.unread == 0 {
				e.since = e.wrote
			}
			e.unread++
		}
		if old != now && e.reads < mostReads {
			e.doubt, e.before, e.doubtful = loss, old, true
		}
	}
	p.habit(loss.Over.PC).wrote(now)
	e.wrote, e.reads, e.looked, e.known = loss.Over, 0, 0, true
}

// end ends the run of a mote with a value that nobody has read. Loss says where, and when that was.
func (e *entry) end(p *place, loss Loss) {
	loss.Wrote = e.wrote
	h := p.habit(e.wrote.PC)
	if e.unread > 0 {
		loss.Wrote = e.since
		h.waiting += e.unread
	}
	h.open = append(h.open, loss)
}

// wrote notes a value.
func (h *habit) wrote(value uint8) {
	h.varies = h.varies || h.known && value != h.value
	h.value, h.known = value, true
}

// usual is how often the values are read, nearly always, and how many there were. It is 0 where there is no habit of reading
// them, where they are looked up many times, where most of them are what was there before, and where whoever reads one writes the
// next one: such places hold a state.
func (h *habit) usual() (usual, values int) {
	for _, n := range h.read {
		values += n
	}
	used, lost := values-h.read[0], h.read[0]-h.waiting
	switch {
	case used < fewest, 2*used < values, lost > 0 && values < least, float64(lost) > sometimes*float64(used+lost):
		return 0, values
	case 2*h.same > values, 2*h.carried > values:
		return 0, values
	}
	// The most frequent number of readings: those beyond are repetitions.
	usual = 1
	for n := 2; n <= mostReads; n++ {
		if h.read[n] > h.read[usual] {
			usual = n
		}
	}
	if usual == mostReads {
		return 0, values
	}
	return usual, values
}

// reader is who is most often the next to read a value that has been read so often.
func (h *habit) reader(reads int) actor {
	var most readers
	for _, r := range h.readers[reads] {
		if r.n > most.n {
			most = r
		}
	}
	return most.who
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
		if p := &places[i]; p.isData() {
			for k := range p.habits {
				all = p.habits[k].losses(p, all)
			}
		}
	}
	return all
}

// forgotten says that a value is one of those that nobody read until the run ended: the first of them stands for all.
func (h *habit) forgotten(x Loss) bool {
	return slices.ContainsFunc(h.open, func(o Loss) bool {
		return o.Run == x.Run && o.Mote == x.Mote && x.Wrote.Cycle >= o.Wrote.Cycle
	})
}

// losses appends what was lost.
func (h *habit) losses(p *place, all []Loss) []Loss {
	usual, values := h.usual()
	if usual == 0 {
		return all
	}
	add := func(x Loss) {
		x.Usual, x.Values, x.Lost, x.reader = usual, values, h.read[0], h.reader(x.Reads)
		all = append(all, x)
	}
	fewer := 0 // values that were read less often than usual
	for reads := range usual {
		fewer += h.read[reads]
		if reads > 0 && float64(fewer) > seldom*float64(values) {
			break
		}
		for _, x := range h.doubts[reads] {
			x.Mixed = reads == 0 && x.after > usual
			if cleared := !p.habit(x.Over.PC).varies; !cleared && !h.forgotten(x) {
				add(x)
			}
		}
	}
	for _, x := range h.open {
		// Where others are lost now and then, one that waits at the end of a run may be waiting for that.
		if h.read[0] == h.waiting && x.Over.Cycle-x.Wrote.Cycle > long*h.slowest {
			add(x)
		}
	}
	return all
}
