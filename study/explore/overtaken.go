package explore

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote/digest"
	"motehound/study/finding"
)

// Buffers that are overwritten before they are read. A handler stores one element of an array after the other. When they are complete it posts a
// task, which reads them. If the handler comes again before the task has read them, and stores the next value over one of them, then
// the task reads elements that do not belong together, and a value is lost. Neither order of the handler and the task is wrong by itself, so this is no race as in race.go.
//
// The rule: a run of a handler stores in elements of an array and posts a task, or tries to. What its earlier runs have stored there, and nobody has
// read, is thereby handed over. A later run of the same handler stores in one of these elements (the lost one). Then the task reads both the
// lost one and another that was handed over and is as it was. The reader is the task itself, or where that does not read the array but
// stores its address in a pointer, whoever reads it next: a radio's driver, say. If that is the handler itself, it was given the array to fill it again.
//
// A task may fill an array as well. What tasks have stored is handed over when some task stores the address of the variable in a pointer, as who sends it does; see passed.go.
//
// What is none of this: a single variable that always has the latest value; an array of which each run stores all elements; one where each run posts the task again, so
// that all that is there is handed over anew; a ring, of which the handler stores only what was read before; elements that the handler reads before it
// stores them, such as sums. Of interrupts, only those that are served by choice are followed, and all of this only with a kernel. A search takes states for equal that differ in what
// was handed over, unless something is lost.

// BufferPrefix is how the names of all buffers begin that are overwritten before they are read.
const BufferPrefix = "buffer: "

// handovers is what handlers and tasks of a mote have stored for others. It never changes once it is part of a seat.
type handovers struct {
	fills []fill
	task  int32  // that runs, or was interrupted; noTask for none
	turn  uint32 // transitions, while something is passed on
}

const noTask = -1

// producer is who stores something: a handler, by its vector, or a task.
type producer uint32

const aTask producer = 1 << 16

// fill is what a handler or a task has stored in an array.
type fill struct {
	by    producer
	array uint16 // in arrays
	whole image.Range
	runs  uint32 // of who stored something here
	cells []filled
	posts []posting
	own   [2]bool // cells and posts are the transition's own, and may be changed
}

// change has the elements be changed. Those of a state never are.
func (f *fill) change() {
	if !f.own[0] {
		f.cells, f.own[0] = slices.Clone(f.cells), true
	}
}

// repost has what was posted be changed, likewise.
func (f *fill) repost() {
	if !f.own[1] {
		f.posts, f.own[1] = slices.Clone(f.posts), true
	}
}

// unpost takes some of what was posted away.
func (f *fill) unpost(which func(posting) bool) {
	if slices.ContainsFunc(f.posts, which) {
		f.repost()
		f.posts = slices.DeleteFunc(f.posts, which)
	}
}

// filled is an element that was stored.
type filled struct {
	addr  uint32
	first uint32 // the run that stored it first since it was read
	last  uint32 // and last
	pc    uint32 // of the last store
	value uint64 // that a task has stored
	again bool   // the task has stored the same once more
	read  bool   // somebody has read it since
}

// unread tells whether something is there that nobody has read.
func (f *fill) unread() bool {
	return slices.ContainsFunc(f.cells, func(c filled) bool { return !c.read })
}

// posting is a task that a handler has posted, or one that has passed on what tasks have stored.
type posting struct {
	task   uint16
	at     uint32      // the last run that did; when it was passed on, the last before
	part   image.Range // of the variable, that is handed over
	read   bool        // the task has read something
	passed bool        // the task has not read the array, but stored its address
	since  uint32      // the turn then
	told   bool
	via    []uint32 // variables in which the task has stored the address
	lost   filled   // an element that was read, and had been overwritten
	kept   bool     // an element was read that had not
}

// Bounds of what is followed.
const (
	mostFills  = 12
	mostFilled = 256
	mostPassed = 64 // transitions for which an address that was stored is believed to be in use
)

// overwrites tells whether an element was handed over by a posting, and stored once more.
func (p *posting) overwrites(c *filled) bool {
	return !c.read && c.first <= p.at && p.at < c.last && p.part.Contains(c.addr)
}

// appendTo adds the elements that were overwritten to what a state is.
func (h *handovers) appendTo(d *digest.Digest) {
	if h == nil {
		return
	}
	for n := range h.fills {
		f := &h.fills[n]
		for k := range f.posts {
			for c := range f.cells {
				if p, c := &f.posts[k], &f.cells[c]; p.overwrites(c) {
					d.Word(uint64(c.addr)<<32 | uint64(p.task)<<16 ^ uint64(f.by))
				}
			}
		}
	}
}

// arraysOf gives each byte of the variables the number of the array that it is an element of, 0 for none, and the names of the arrays. An
// array within elements of another one is one array: packets.readings. The kernel's queue is none: its elements belong to different tasks.
func arraysOf(l *scalars, queue image.Range) (numbers []uint16, names []string) {
	numbers, names = make([]uint16, len(l.list)), []string{""}
	known := map[string]uint16{}
	for at := range l.list {
		x := &l.list[at]
		name, ok := arrayOf(x.Name)
		if !x.known || !ok || x.Size > largest || queue.Contains(l.base+uint32(at)) {
			continue
		}
		if known[name] == 0 {
			known[name] = uint16(len(names))
			names = append(names, name)
		}
		numbers[at] = known[name]
	}
	return numbers, names
}

// arrayOf is the name of an element without what says which one it is.
func arrayOf(element string) (name string, ok bool) {
	if n := strings.IndexByte(element, '+'); n >= 0 { // without debug information
		return element[:n], true
	}
	var b strings.Builder
	in := false
	for _, c := range element {
		switch c {
		case '[':
			in, ok = true, true
		case ']':
			in = false
		default:
			if !in {
				b.WriteRune(c)
			}
		}
	}
	return b.String(), ok
}

// fillersOf is the vectors whose handlers may store in an array, besides the kernel's functions: by a pointer, or in an element; and those whose
// handlers may read one.
func (k *kind) fillersOf() (fillers, readers uint64) {
	const reset = 1
	for v := reset + 1; v < min(len(k.kind.Board.Chip.Vectors), 64); v++ {
		may := func(how func(avr.Access) bool) uint64 {
			if reachesAround(k.kind.Program(), 2*uint32(v-reset), k.profile.Hooks(), func(in avr.Inst) bool { return k.inArrays(in, how) }) {
				return 1 << v
			}
			return 0
		}
		fillers |= may(func(a avr.Access) bool { return a.Writes })
		readers |= may(func(a avr.Access) bool { return a.Reads })
	}
	return fillers, readers
}

// inArrays tells whether an instruction may access an array in some way, or lead to one that does.
func (k *kind) inArrays(in avr.Inst, how func(avr.Access) bool) bool {
	flow, _ := in.Flow()
	a := in.Access()
	at := uint32(a.Offset) - k.scalars.base
	element := a.Base != 0 || at < uint32(len(k.arrays)) && k.arrays[at] != 0
	return flow == avr.IndirectCall || flow == avr.IndirectJump || a.Space == avr.DataMemory && how(a) && element
}

// overtaking follows what a mote stores and reads in a transition.
type overtaking struct {
	k       *kind
	was     *handovers // before the transition
	now     handovers
	space   [mostFills]fill // of now: pointers into it stay
	vector  uint8           // of the handler that runs; 0 for none
	handler deeds
	task    deeds // that runs, or was interrupted
	posted  []uint16
	wrote   []uint32 // variables of the size of a pointer that the task has written
	found   []overtaken
	ram     func() []uint8
	fillers uint64 // vectors whose handlers are followed: not those that are served as they come
	readers uint64 // vectors whose handlers may read what tasks have stored
	keen    bool   // accesses matter now
	paused  bool   // the mote pauses, since that has changed
	watched bool   // it goes on when it has paused
}

// deeds is what a run of a handler or a task does.
type deeds struct {
	stores []filled
	reads  []uint32 // elements that it has read, or stored before
}

func (d *deeds) begin() { d.stores, d.reads = d.stores[:0], d.reads[:0] }

// overtaken is an element that was overwritten before it was read.
type overtaken struct {
	array  string
	lost   filled
	by     producer
	task   uint16
	passed bool
	reader uint32 // pc
	whole  image.Range
}

// overtakes begins to follow a transition.
func (s *System) overtakes(i int, x *seat) {
	k := s.sh.motes[i].kind
	if k.profile.Kernel == kernel.None || len(k.arrayNames) < 2 {
		return
	}
	t := &s.body.ready
	t.k, t.ram, t.vector, t.keen, t.paused, t.found = k, s.body.w.Motes()[i].RAM, 0, false, false, nil
	t.fillers, t.readers = k.fillers&^s.sh.motes[i].natural, k.readers
	t.was, t.now = x.handed, handovers{task: noTask}
	t.task.begin()
	t.wrote = t.wrote[:0]
	if t.was != nil {
		t.now = handovers{append(t.space[:0], t.was.fills...), t.was.task, t.was.turn}
	}
	t.look()
	s.body.over = t
}

// overtook ends it, and gives what it has found.
func (s *System) overtook(i int, x *seat) (list []finding.Violation) {
	t := s.body.over
	if t == nil {
		return nil
	}
	s.body.over = nil
	t.rest()
	passed := false
	for n := range t.now.fills {
		f := &t.now.fills[n]
		f.unpost(func(p posting) bool { return p.passed && t.now.turn-p.since >= mostPassed })
		passed = passed || slices.ContainsFunc(f.posts, func(p posting) bool { return p.passed })
	}
	if passed {
		t.now.turn++
	}
	x.handed = t.handed()
	for n := range t.found {
		if v := &t.found[n]; !s.isBenign(i, v.whole) {
			list = append(list, s.bufferViolation(i, v))
		}
	}
	return list
}

// handed is what there is behind the transition: if nothing has changed, what there was.
func (t *overtaking) handed() *handovers {
	t.now.fills = slices.DeleteFunc(t.now.fills, func(f fill) bool { return !f.unread() && len(f.posts) == 0 })
	if len(t.now.fills) == 0 && t.now.task == noTask {
		return nil
	}
	now := t.now
	if t.was != nil && len(t.was.fills) == len(now.fills) && !slices.ContainsFunc(now.fills, func(f fill) bool { return f.own != [2]bool{} }) {
		if now.fills = t.was.fills; now.task == t.was.task && now.turn == t.was.turn {
			return t.was
		}
		return &now
	}
	now.fills = slices.Clone(now.fills)
	for k := range now.fills {
		now.fills[k].own = [2]bool{}
	}
	return &now
}

// wants tells whether accesses have to be followed now: a handler's, or a task's that something is stored for.
func (t *overtaking) wants() bool { return t != nil && t.keen }

// leaves tells whether they need not be followed any more. Then the mote runs on.
func (t *overtaking) leaves() bool {
	if t.keen {
		return false
	}
	t.paused = true
	return true
}

// goesOn tells whether the mote paused only so that its accesses are followed from then on, or not any more.
func (t *overtaking) goesOn() bool {
	if t == nil || !t.paused {
		return false
	}
	t.paused = false
	return true
}

// watch says whether the mote runs on when it has paused. Where time passes for it while it rests, it may start anew, and must not pause in the middle of that.
func (t *overtaking) watch(on bool) {
	if t != nil {
		t.watched = on
	}
}

// item follows whose instructions are executed, as body.items does. It tells whether the mote has to pause, since its accesses matter from now on.
func (t *overtaking) item(it kernel.Item, depth int16) (pause bool) {
	t.follow(it, depth)
	was := t.keen
	t.look()
	pause = t.watched && t.keen && !was && (it.Kind == kernel.Int || it.Kind == kernel.Run) // behind others it pauses anyway, or is at rest soon
	t.paused = t.paused || pause
	return pause
}

// look works out whether accesses matter: what the handler stores, or may read of what tasks have stored; what a task does; and whoever reads what was passed on.
func (t *overtaking) look() {
	t.keen = t.vector != 0 && t.fillers>>t.vector&1 != 0 || t.vector == 0 && t.now.task != noTask || slices.ContainsFunc(t.now.fills, func(f fill) bool {
		return t.vector != 0 && t.readers>>t.vector&1 != 0 && f.by >= aTask && f.unread() ||
			slices.ContainsFunc(f.posts, func(p posting) bool { return p.passed || t.now.task == int32(p.task) })
	})
}

func (t *overtaking) follow(it kernel.Item, depth int16) {
	switch {
	case it.Kind == kernel.Int && depth == 1:
		t.vector = uint8(it.Arg)
		t.handler.begin()
		t.posted = t.posted[:0]
	case it.Kind == kernel.Reti && depth == 0 && t.vector != 0:
		if t.fillers>>t.vector&1 != 0 {
			t.handled()
		}
		t.vector = 0
	case (it.Kind == kernel.Post || it.Kind == kernel.Fail) && depth > 0:
		t.posted = append(t.posted, it.Arg)
	case it.Kind == kernel.Run:
		t.now.task = int32(it.Arg)
		t.task.begin()
		t.wrote = t.wrote[:0]
	case it.Kind == kernel.End:
		t.ended(it.Arg)
		t.rest()
		t.now.task = noTask
	case it.Kind == kernel.Reset:
		t.now = handovers{task: noTask}
	}
}

// touch follows an access to RAM.
func (t *overtaking) touch(pc uint32, a avr.Touch) {
	at := uint32(a.Addr) - t.k.scalars.base
	if uint32(a.Addr) < t.k.scalars.base || at >= uint32(len(t.k.arrays)) {
		return
	}
	if a.Read && t.vector != 0 {
		t.returned(uint32(a.Addr))
	}
	if x := &t.k.scalars.list[at]; a.Write && t.vector == 0 && x.known && x.Addr == uint32(a.Addr) && x.Pointer && x.Size == pointerSize {
		t.wrote = append(t.wrote, x.Addr)
	}
	array := t.k.arrays[at]
	if array == 0 {
		return
	}
	addr := t.k.scalars.list[at].Addr
	if a.Read {
		t.read(pc, addr, array)
	}
	who, does, ok := t.runs()
	if a.Write && t.vector == 0 {
		t.forget(addr, array, func(by producer) bool { return !ok || by != who })
	}
	switch {
	case !ok || slices.Contains(does.reads, addr):
	case a.Write && !a.Read:
		does.stores = append(does.stores, filled{addr: addr, pc: pc})
		does.reads = append(does.reads, addr)
	default:
		does.reads = append(does.reads, addr)
		t.forget(addr, array, func(by producer) bool { return by == who })
	}
}

// runs is who runs now, and what it does; ok is false for the main program.
func (t *overtaking) runs() (who producer, does *deeds, ok bool) {
	if t.vector != 0 {
		return producer(t.vector), &t.handler, true
	}
	return aTask | producer(t.now.task), &t.task, t.now.task != noTask
}

// forget has an element be nothing that some have handed over.
func (t *overtaking) forget(addr uint32, array uint16, by func(producer) bool) {
	for n := range t.now.fills {
		if f := &t.now.fills[n]; f.array == array && by(f.by) {
			if k := f.index(addr); k >= 0 {
				f.change()
				f.cells = slices.Delete(f.cells, k, k+1)
			}
		}
	}
}

// index is where an element is among those that were stored, -1 if it is not.
func (f *fill) index(addr uint32) int {
	for k := range f.cells {
		if f.cells[k].addr == addr {
			return k
		}
	}
	return -1
}

// read has somebody read an element. Who reads what it stores itself does not count.
func (t *overtaking) read(pc, addr uint32, array uint16) {
	who, _, some := t.runs()
	for n := range t.now.fills {
		f := &t.now.fills[n]
		if f.array != array || some && f.by == who {
			continue
		}
		k := f.index(addr)
		if k < 0 || f.cells[k].read {
			continue
		}
		f.change()
		f.repost()
		for m := range f.posts {
			if p := &f.posts[m]; p.passed || t.vector == 0 && t.now.task == int32(p.task) {
				t.judge(pc, f, p, &f.cells[k])
			}
		}
		if f.cells[k].read = true; f.by < aTask {
			f.cells = slices.Delete(f.cells, k, k+1)
		}
	}
}

// judge notes what somebody reads for whom it was stored.
func (t *overtaking) judge(pc uint32, f *fill, p *posting, c *filled) {
	p.read = true
	switch {
	case p.overwrites(c):
		p.lost = *c
	case c.last <= p.at && p.part.Contains(c.addr):
		p.kept = true
	}
	if p.kept && p.lost.last > 0 && !p.told {
		p.told = true
		t.found = append(t.found, overtaken{array: t.k.arrayNames[f.array], lost: p.lost, by: f.by, task: p.task, passed: p.passed, reader: pc, whole: f.whole})
	}
}

// handled is the end of a handler: what it has stored is there from now on, and what was handed over by it.
func (t *overtaking) handled() {
	for _, f := range t.stored(producer(t.vector), &t.handler) {
		for _, task := range t.posted {
			f.repost()
			f.posts = slices.DeleteFunc(f.posts, func(p posting) bool { return p.task == task })
			f.posts = append(f.posts, posting{task: task, at: f.runs, part: f.whole})
		}
	}
}

// stored has what a run has stored be there from now on. It gives where that is.
func (t *overtaking) stored(by producer, does *deeds) (some []*fill) {
	for _, c := range does.stores {
		x := &t.k.scalars.list[c.addr-t.k.scalars.base]
		f := t.fill(by, t.k.arrays[c.addr-t.k.scalars.base], x.Whole)
		if f == nil {
			continue
		}
		f.change()
		if !slices.Contains(some, f) {
			some = append(some, f)
			f.runs++
		}
		c.first, c.last = f.runs, f.runs
		if by >= aTask {
			c.value = t.valueOf(x.Scalar)
		}
		switch k := f.index(c.addr); {
		case k >= 0 && by >= aTask && t.k.repeats(f, &f.cells[k], &c):
			f.cells[k].again, f.cells[k].read = true, false
		case k >= 0 && f.cells[k].read:
			f.cells[k] = c
		case k >= 0:
			f.cells[k].last, f.cells[k].pc, f.cells[k].value = c.last, c.pc, c.value
		case len(f.cells) < mostFilled:
			f.cells = append(f.cells, c)
		}
	}
	return some
}

// fill is what somebody has stored in an array; nil if there are too many.
func (t *overtaking) fill(by producer, array uint16, whole image.Range) *fill {
	k := slices.IndexFunc(t.now.fills, func(f fill) bool { return f.by == by && f.array == array })
	if k < 0 {
		if len(t.now.fills) >= mostFills {
			return nil
		}
		if t.now.fills == nil {
			t.now.fills = t.space[:0]
		}
		t.now.fills = append(t.now.fills, fill{by: by, array: array, whole: whole})
		k = len(t.now.fills) - 1
	}
	return &t.now.fills[k]
}

// bufferViolation reports a buffer that was overwritten before it was read, at the store.
func (s *System) bufferViolation(i int, o *overtaken) finding.Violation {
	k := s.sh.motes[i].kind
	im := k.kind.Image
	v := finding.Violation{Property: BufferPrefix + plainly(o.array) + " overwritten before it is read", Kind: finding.Safety, Mote: int16(i), Harmless: true}
	v.Function, v.File, v.Line = storeAt(im, 2*o.lost.pc)
	x, _ := k.scalars.at(o.lost.addr)
	who, task := s.vectorName(i, uint16(o.by)), k.profile.TaskName(o.task)
	since := fmt.Sprintf("before task %s, which was posted when the last was complete, has read it", task)
	switch {
	case o.by >= aTask:
		who, since = "task "+k.profile.TaskName(uint16(o.by&^aTask)), fmt.Sprintf("before those to whom task %s has passed it on have read it", task)
	case o.passed:
		since = strings.Replace(since, " has read it", " and those to whom it passes it on have read it", 1)
	}
	v.Detail = fmt.Sprintf("%s stores the next value in %s %s: what is read at %s is partly old, partly new", who, plainly(x.Name), since, lineOf(im, o.reader))
	return v
}

// plainly is the name of an element of a nesC network type, without the bytes that it is made of.
func plainly(name string) string {
	name, _, _ = strings.Cut(name, ".nxdata")
	return name
}

// storeAt is where a program stores something: not in a header's function, but where that is inlined.
func storeAt(im *image.Image, addr uint32) (function, file string, line int) {
	for _, f := range im.InlineStack(addr) {
		if !strings.HasSuffix(f.Line.File, ".h") {
			return f.Name, f.Line.File, f.Line.Line
		}
	}
	function, file, line, _ = placeAt(im, addr)
	return function, file, line
}
