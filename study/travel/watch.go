package travel

import (
	"slices"

	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/observe/lifecycle"
	"motehound/world"
)

// Everyone stands for all motes.
const Everyone = world.Everyone

// Code is an instruction of a mote, by its word address.
type Code struct {
	Mote int // an index, or Everyone
	PC   uint32
}

// Range is some bytes of a mote's data space.
type Range struct {
	Mote  int
	Addr  uint16
	Bytes uint16
}

// holds reports whether a byte of a mote is in the range.
func (r Range) holds(mote int, addr uint16) bool {
	return (r.Mote == mote || r.Mote == Everyone) && addr-r.Addr < r.Bytes
}

// Watch is what is looked for. It is plain data but for If.
type Watch struct {
	Code       []Code
	Writes     []Range // before each store there
	Changes    []Range // before each store of another value than there is
	Reads      []Range // before each load from there
	Interrupts []int   // motes: at the first instruction of each handler
	Each       []int   // motes: before every instruction
	Tasks      []int   // motes: where a task of the kernel begins to run
	Frames     []int   // motes: at the end of each of their transmissions
	Choices    bool    // where something was decided
	// Origins: before each load from a register of a device, if what is read was written by a program; with where that was.
	Origins bool
	// If, if not nil, is asked when something that is watched happens, except for Frames and Choices, and says whether it counts. The mote is as it is then.
	If func(m *mote.Mote, h Hit) bool
}

// only is the single range of memory that is watched, if nothing else is.
func (w *Watch) only() (Range, bool) {
	list := w.Writes
	if len(list) == 0 {
		list = w.Changes
	} else if len(w.Changes) > 0 {
		return Range{}, false
	}
	if len(list) != 1 || list[0].Mote == Everyone || len(w.Code)+len(w.Reads)+len(w.Interrupts)+len(w.Each)+len(w.Frames)+len(w.Tasks) > 0 || w.Choices || w.Origins {
		return Range{}, false
	}
	return list[0], true
}

// Kind is what was watched.
type Kind uint8

// The kinds of hits.
const (
	AtCode Kind = iota
	Write
	Read
	Interrupt
	Task
	Frame
	Choice
)

// Hit is something that was watched, and where. A mote is before the instruction that does it.
type Hit struct {
	Stop
	Kind   Kind
	PC     uint32 // word address
	Vector uint8  // of Interrupt
	Name   string // of Task
	// Of Write and Read: the first byte of those that are watched, and its value; New is what it will be.
	Addr     uint16
	Old, New uint8
	Came     *Hit // of Origins: from where
	Frame    *world.Frame
	Choice   world.Choice
	Answer   uint32
}

// watcher is somebody who watches a world that is run again.
type watcher struct {
	*Watch
	w     *world.World
	event int // that is under way, of an explored run
	each  func(Hit)
	seen  []uint64 // by mote: how many hits
	last  []Hit    // by mote, for Origins: the last access to a device
	came  []Hit    // for Origins, by number: where data came from
}

// looksLike reports whether somebody who watches for one thing looks at the same as for another one.
func (w *Watch) looksLike(o *Watch) bool {
	return slices.Equal(w.Code, o.Code) && slices.Equal(w.Writes, o.Writes) && slices.Equal(w.Changes, o.Changes) && slices.Equal(w.Reads, o.Reads) &&
		slices.Equal(w.Interrupts, o.Interrupts) && len(w.Each) > 0 == (len(o.Each) > 0) && slices.Equal(w.Frames, o.Frames) && slices.Equal(w.Tasks, o.Tasks) && w.Choices == o.Choices && w.Origins == o.Origins
}

// watchers are those who watched last. Each has a world, or a System, of its own, which it takes time to make.
type watchers[T any] struct{ list []watching[T] }

type watching[T any] struct {
	*watcher
	in T
}

// mostWatchers is how many are kept.
const mostWatchers = 4

// find gives one who looks at the same, or has one made.
func (l *watchers[T]) find(w *Watch, from, to Point, each func(Hit), create func(x *watcher) (T, error)) (watching[T], error) {
	n := slices.IndexFunc(l.list, func(x watching[T]) bool { return x.looksLike(w) })
	if n < 0 {
		x := watching[T]{watcher: &watcher{Watch: w}}
		var err error
		if x.in, err = create(x.watcher); err != nil {
			return x, err
		}
		if len(l.list) == mostWatchers {
			l.list = slices.Delete(l.list, 0, 1)
		}
		n = len(l.list)
		l.list = append(l.list, x)
	}
	x := l.list[n]
	x.Watch = w
	x.each = func(h Hit) {
		if h.Point.Compare(from) >= 0 && h.Point.Compare(to) < 0 {
			each(h)
		}
	}
	clear(x.seen)
	x.came = x.came[:0]
	return x, nil
}

// look begins.
func (x *watcher) look(w *world.World) world.Observer {
	x.w, x.seen = w, make([]uint64, len(w.Motes()))
	o := world.Observer{
		Code:   x.code,
		CodeAt: x.codeAt,
		Kept:   func(i int, d *digest.Digest) { d.Word(x.seen[i]) },
	}
	if len(x.Interrupts)+len(x.Writes)+len(x.Changes) > 0 {
		o.Interrupt = x.interrupt
	}
	if len(x.Frames) > 0 {
		o.Frame = x.frame
	}
	if x.Choices {
		o.Choice = x.choice
	}
	if len(x.Tasks) > 0 {
		x.tasks(w)
	}
	if x.Origins {
		x.last = make([]Hit, len(x.seen))
		for i, m := range w.Motes() {
			m.Mark(marker{x, i})
		}
	}
	return o
}

// tasks follows the kernels of motes. A mote without one runs none.
func (x *watcher) tasks(w *world.World) {
	var life *lifecycle.Recorder
	life, _ = lifecycle.RecordSome(w, nil, nil, func(i int, it kernel.Item) {
		if it.Kind != kernel.Run || !slices.Contains(x.Tasks, i) && !slices.Contains(x.Tasks, Everyone) {
			return
		}
		m := w.Motes()[i]
		h := Hit{Stop: Stop{x.point(i, m.Cycles()), i}, Kind: Task, PC: m.Core().PC}
		if p := life.Watches[i]; p != nil {
			h.Name = p.Profile().TaskName(it.Arg)
		}
		x.hit(m, h)
	})
}

// marker follows the data of a mote through devices.
type marker struct {
	*watcher
	mote int
}

// Stored implements mcu.Marker.
func (k marker) Stored(addr uint16) uint32 {
	h := k.device(addr)
	h.Kind = Write
	k.came = append(k.came, h)
	return uint32(len(k.came)) & (1<<24 - 1)
}

// Loaded implements mcu.Marker.
func (k marker) Loaded(addr uint16, number uint32) {
	if number == 0 || int(number) > len(k.came) {
		return
	}
	h := k.device(addr)
	h.Kind, h.Came = Read, &k.came[number-1]
	k.each(h)
}

// device is a mote in the middle of an instruction that accesses a device: the one that it was before last.
func (k marker) device(addr uint16) Hit {
	h := k.last[k.mote]
	h.Addr = addr
	return h
}

// codeAt lists the instructions of a kind of motes that have to be looked at.
func (x *watcher) codeAt(k *mote.Kind) (list []uint32) {
	p := k.Program()
	every := len(x.Each) > 0
	data := x.Origins || len(x.Writes)+len(x.Changes)+len(x.Reads) > 0
	if every || data {
		for pc := range p.Words() {
			if every || x.touches(p.At(pc)) {
				list = append(list, pc)
			}
		}
	}
	for _, c := range x.Code {
		if c.PC < p.Words() && !every {
			list = append(list, c.PC)
		}
	}
	return list
}

// touches reports whether an instruction may access what is watched.
func (x *watcher) touches(in avr.Inst) bool {
	a := in.Access()
	if a.Space != avr.DataMemory && a.Space != avr.IORegister && a.Space != avr.StackMemory {
		return false
	}
	if x.Origins && a.Space != avr.StackMemory {
		return true
	}
	fixed := a.Space != avr.StackMemory && a.Base == 0
	may := func(list []Range) bool {
		for _, r := range list {
			if !fixed || a.Offset-r.Addr < r.Bytes {
				return true
			}
		}
		return false
	}
	return a.Writes && (may(x.Writes) || may(x.Changes)) || a.Reads && may(x.Reads)
}

// code is called before an instruction.
func (x *watcher) code(i int, cycle uint64, pc uint32) bool {
	m := x.w.Motes()[i]
	h := Hit{Stop: Stop{x.point(i, cycle), i}, PC: pc}
	if x.Origins {
		x.last[i] = h
	}
	for _, c := range x.Code {
		if c.PC == pc && (c.Mote == i || c.Mote == Everyone) {
			x.hit(m, h)
			return false
		}
	}
	if len(x.Writes)+len(x.Changes)+len(x.Reads) > 0 && x.data(m, h) {
		return false
	}
	for _, e := range x.Each {
		if e == i {
			if touch, _, ok := access(m); ok {
				h.Addr, h.Old = touch.from, m.Peek(touch.from)
			}
			x.hit(m, h)
			break
		}
	}
	return false
}

// data looks at what the next instruction does to memory.
func (x *watcher) data(m *mote.Mote, h Hit) bool {
	touch, values, ok := access(m)
	if !ok {
		return false
	}
	for n := range touch.n {
		a := touch.from + uint16(n)
		h.Addr, h.Old = a, m.Peek(a)
		if touch.writes {
			h.Kind, h.New = Write, values[n]
			if holds(x.Writes, h.Mote, a) || h.New != h.Old && holds(x.Changes, h.Mote, a) {
				x.hit(m, h)
				return true
			}
		}
		if touch.reads && holds(x.Reads, h.Mote, a) {
			h.Kind, h.New = Read, h.Old
			x.hit(m, h)
			return true
		}
	}
	return false
}

func holds(list []Range, mote int, addr uint16) bool {
	for _, r := range list {
		if r.holds(mote, addr) {
			return true
		}
	}
	return false
}

// interrupt is called when a handler begins; the return address is on the stack by then.
func (x *watcher) interrupt(i int, cycle uint64, vector uint8) {
	m := x.w.Motes()[i]
	h := Hit{Stop: Stop{x.point(i, cycle), i}, Kind: Interrupt, PC: m.Core().PC, Vector: vector}
	for _, v := range x.Interrupts {
		if v == i || v == Everyone {
			x.hit(m, h)
			return
		}
	}
	for n := range uint16(2) {
		a := m.Core().SP + 1 + n
		if holds(x.Writes, i, a) || holds(x.Changes, i, a) {
			h.Addr, h.New = a, m.Peek(a)
			x.hit(m, h)
			return
		}
	}
}

func (x *watcher) frame(f world.Frame) {
	for _, i := range x.Frames {
		if i == f.Sender || i == Everyone {
			x.each(Hit{Stop: Stop{Point{x.event, f.End}, f.Sender}, Kind: Frame, Frame: &f})
			return
		}
	}
}

func (x *watcher) choice(c world.Choice, answer uint32) {
	m := x.w.Motes()[c.Mote]
	x.each(Hit{Stop: Stop{x.point(c.Mote, m.Cycles()), c.Mote}, Kind: Choice, PC: m.Core().PC, Choice: c, Answer: answer})
}

func (x *watcher) point(i int, cycle uint64) Point { return Point{x.event, x.w.TimeOf(i, cycle)} }

func (x *watcher) hit(m *mote.Mote, h Hit) {
	if x.If == nil || x.If(m, h) {
		x.seen[h.Mote]++
		x.each(h)
	}
}
