package mining

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
	values  [4]uint64           // the set of its values
	writers [mostWriters]uint32 // byte addresses, in order of appearance
	habits  []*habit            // by writer
}

// habit is what becomes of the values that one instruction writes to a place. What is needed at each access comes first.
type habit struct {
	slowest uint64                 // cycles from a write to the first reading
	readers [mostReads]readers     // who reads first, who second..., the first of them that was seen
	read    [mostReads + 1]uint32  // how many values were read so often
	carried uint32                 // how many were overwritten by the instance that had read them last
	same    uint32                 // how many were overwritten with themselves
	value   uint8                  // the last one
	known   bool                   // there is a last one
	varies  bool                   // they are not all the same
	others  [mostReads][]readers   // the other readers
	doubts  [mostReads][]lostValue // overwritten with something else, by how often they had been read
	open    []unread               // not read until the end of a run, and maybe some before that
	waiting uint32                 // values that were overwritten among those
}

// unread is values that nobody read until the end of a run: when the first of them was written, and how many there are.
type unread struct {
	lostValue
	first uint64
	n     uint32
}

// readers is how often some handler or task read.
type readers struct {
	who actor
	n   uint32
}

// habit finds the habit of a writer. Beyond mostWriters they share one, which then hardly is a habit.
func (p *place) habit(writer uint32) *habit {
	for i, h := range p.habits {
		if p.writers[i] == writer {
			return h
		}
	}
	n := len(p.habits)
	if n == mostWriters {
		return p.habits[n-1]
	}
	p.writers[n] = writer
	p.habits = append(p.habits, new(habit))
	return p.habits[n]
}

// entry is the value in one place of one mote. There are many and they are looked at all the time, so they are small.
type entry struct {
	wrote  access
	looked uint64 // when it was read last
	reader uint32 // the instance that did
	unread uint32 // how many values before this one nobody has read either
	habit  *habit // of who wrote it
	reads  uint8  // at most mostReads + 1
	known  bool   // it was written since the first interrupt
	used   bool   // a value there was read since then
	before uint8  // the value before
	// doubtful says that there is a doubt about the value before: it was overwritten by this one, and nobody has looked at this one.
	doubtful bool
	// settled is where the doubt about the value before was entered: of habit settledOf, from 1; 0 if it was not.
	settled   uint16
	settledOf *habit
}

// doubt is the value before the one in an entry.
type doubt struct {
	lostValue
	of    *habit // of who wrote it
	first uint64 // when the first of the unread values was written
	since access // the first of them since intervals are gathered, or else the last one
}

func (e *entry) read(d *doubt, by access) {
	if !e.known {
		return
	}
	e.looked, e.reader, e.unread, e.used = by.Cycle, by.by.serial, 0, true
	if e.reads < mostReads {
		e.habit.looked(e.reads, by.by.as(e.wrote.by), by.Cycle-e.wrote.Cycle)
	}
	e.reads = min(e.reads+1, mostReads+1)
	if e.doubtful && (by.by.serial != e.wrote.by.serial || by.by.serial == 0) { // who looks at what it wrote itself may still put back what was there
		e.settle(d)
	}
}

// looked notes who reads a value that has been read so often, and after how long.
func (h *habit) looked(reads uint8, who actor, after uint64) {
	if reads == 0 && after > h.slowest {
		h.slowest = after
	}
	h.count(reads, who, 1)
}

// count notes how often somebody reads a value that has been read so often.
func (h *habit) count(reads uint8, who actor, n uint32) {
	first := &h.readers[reads]
	if first.n == 0 {
		first.who = who
	}
	if first.who == who {
		first.n += n
		return
	}
	const most = 7
	list := h.others[reads]
	for i := range list {
		if list[i].who == who {
			list[i].n += n
			return
		}
	}
	if len(list) < most {
		h.others[reads] = append(list, readers{who, n})
	}
}

// settle makes up its mind about the value before: somebody has looked at what replaced it.
func (e *entry) settle(d *doubt) {
	if !e.doubtful {
		return
	}
	e.doubtful = false
	list := &d.of.doubts[d.Reads]
	if len(*list) == mostDoubts {
		return
	}
	*list = append(*list, d.lostValue)
	if d.Reads == 0 {
		e.settled, e.settledOf = uint16(len(*list)), d.of
	}
}

// overwrite replaces the value old by now, and says whether there is a doubt about it now. Intervals are gathered from a cycle on.
func (e *entry) overwrite(p *place, d *doubt, over access, old, now uint8, from uint64) (doubtful bool) {
	updated := e.reads > 0 && over.Cycle-e.looked <= update
	if updated {
		e.reads--
	}
	p.values[now/64] |= 1 << (now % 64)
	switch {
	case !e.known:
	case e.doubtful && now == e.before: // it came back
		e.doubtful = false
	case e.wrote.by.serial != 0 && e.wrote.by.serial == over.by.serial: // it was on the way
	default:
		doubtful = e.part(d, over, old, now, updated, from)
	}
	if !e.known || e.wrote.PC != over.PC { // mostly it is the one that wrote there before
		e.habit = p.habit(over.PC)
	}
	e.habit.wrote(now)
	e.wrote, e.reads, e.looked, e.known = over, 0, 0, true
	return doubtful
}

// part books that a value is overwritten by somebody else, and says whether there is a doubt about it. Updated says that it was read to
// be changed.
func (e *entry) part(d *doubt, over access, old, now uint8, updated bool, from uint64) (doubtful bool) {
	e.settle(d)
	h := e.habit
	h.read[min(e.reads, mostReads)]++
	if old == now {
		h.same++
	}
	if e.reads > 0 && e.reader != 0 && e.reader == over.by.serial {
		h.carried++
	}
	if e.settled > 0 {
		e.settledOf.doubts[0][e.settled-1].after = e.reads
	}
	e.settled = 0
	if updated {
		return false
	}
	if e.reads == 0 {
		if e.unread == 0 {
			d.first, d.since = e.wrote.Cycle, e.wrote
		} else if d.since.Cycle < from {
			d.since = e.wrote
		}
		e.unread++
	}
	if old == now || e.reads >= mostReads {
		return false
	}
	d.Wrote, d.Over, d.Reads, d.of, e.before, e.doubtful = e.wrote, over, e.reads, e.habit, old, true
	return true
}

// end ends the run of a mote with a value that nobody has read. Loss says where, and when that was.
func (e *entry) end(d *doubt, loss lostValue) {
	loss.Wrote, loss.never = e.wrote, !e.used
	h := e.habit
	first := e.wrote.Cycle
	if e.unread > 0 {
		loss.Wrote, first = d.since, d.first
		h.waiting += e.unread
	}
	h.open = append(h.open, unread{loss, first, e.unread + 1})
}

// wrote notes a value.
func (h *habit) wrote(value uint8) {
	if !h.varies {
		h.varies = h.known && value != h.value
		h.value, h.known = value, true
	}
}

// usual is how often the values are read, nearly always, and how many there were. It is 0 where there is no habit of reading
// them, where they are looked up many times, where most of them are what was there before, and where whoever reads one writes the
// next one: such places hold a state.
func (h *habit) usual() (usual, values int) {
	for _, n := range h.read {
		values += int(n)
	}
	used, lost := values-int(h.read[0]), int(h.read[0])-int(h.waiting)
	switch {
	case used < fewest, 2*used < values, lost > 0 && values < least, float64(lost) > sometimes*float64(used+lost):
		return 0, values
	case 2*int(h.same) > values, 2*int(h.carried) > values:
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
func (h *habit) reader(reads uint8) actor {
	most := h.readers[reads]
	for _, r := range h.others[reads] {
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
func (l *LossTracker) Losses() []lostValue { return losses(l.places) }

func losses(places []place) []lostValue {
	var all []lostValue
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
func (h *habit) forgotten(x lostValue) bool {
	return slices.ContainsFunc(h.open, func(o unread) bool {
		return o.Run == x.Run && o.Mote == x.Mote && x.Wrote.Cycle >= o.first
	})
}

// losses appends what was lost.
func (h *habit) losses(p *place, all []lostValue) []lostValue {
	usual, values := h.usual()
	if usual == 0 {
		return all
	}
	add := func(x lostValue, lost uint32) {
		x.Usual, x.Values, x.Lost, x.reader = uint8(usual), uint32(values), lost, h.reader(x.Reads)
		all = append(all, x)
	}
	fewer := 0 // values that were read less often than usual
	for reads := range usual {
		fewer += int(h.read[reads])
		if reads > 0 && float64(fewer) > seldom*float64(values) {
			break
		}
		for _, x := range h.doubts[reads] {
			x.Mixed = reads == 0 && int(x.after) > usual
			if cleared := !p.habit(x.Over.PC).varies; !cleared && !h.forgotten(x) {
				add(x, uint32(fewer))
			}
		}
	}
	for _, x := range h.open {
		// Where others are lost now and then, one that waits at the end of a run may be waiting for that; but not all of a mote's.
		waits := h.read[0] == h.waiting || x.never && x.n >= fewest
		if waits && x.Over.Cycle-x.first > long*h.slowest {
			add(x.lostValue, h.read[0])
		}
	}
	return all
}
