package calltree

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/world"
)

// Level is a function that a mote executes, or that waits for one that it has called.
type Level struct {
	Func   *Func
	Kind   CallKind // Interrupt, Call, Tail or Inlined
	Serial uint64   // tells one activation from another; later ones have higher numbers
	PC     uint32   // byte address: where control is, or of the call that the function waits for
}

// Moment is when a mote came to execute other functions than before.
type Moment struct {
	Mote  int // index in the world
	Cycle uint64
	Slept uint64 // cycles that the mote has slept until then
}

// StackOptions say how much to report.
type StackOptions struct {
	Lines bool // every change of the source line, too
	Fold  bool // of the many equal rounds in which a mote waits, only the last
}

// Stacks follows in time which functions motes execute: a stack of real calls, handlers and inlined bodies for each mote. An inlined body
// that is left and entered again counts as executed twice here; how often it was called is for Watch to say.
type Stacks struct {
	w     *world.World
	sink  func(Moment, []Level)
	kinds []*stackKind
	motes []*stackOf
}

// stackKind is the code of motes of a kind.
type stackKind struct {
	*layout
	kind     *mote.Kind
	at       []uint32
	handlers []uint32 // word addresses, by vector
}

// stackOf is the stack of one mote.
type stackOf struct {
	x      *Stacks
	k      *stackKind
	m      *mote.Mote
	number int
	levels []Level
	real   []realLevel
	bodies []int32 // by level
	serial uint64
}

// realLevel is a level with an activation on the mote's own stack.
type realLevel struct {
	at int    // index in levels
	fn int32  // index in funcs; none for code without a name
	sp uint16 // at its entry: it is over when the stack pointer is above
}

// WatchStacks begins to follow the motes of a world. Sink gets a mote's stack each time that it has changed, the outermost function first; the
// list is good until Sink returns. Close gives empty stacks, at the end.
func WatchStacks(w *world.World, opt StackOptions, sink func(Moment, []Level)) *Stacks {
	x := &Stacks{w: w, sink: sink}
	book := NewBook()
	for i, m := range w.Motes() {
		x.motes = append(x.motes, &stackOf{x: x, k: x.kindOf(m.Kind, book, opt.Lines), m: m, number: i})
	}
	o := world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) { x.motes[i].interrupt(cycle, vector) },
		Code: func(i int, cycle uint64, pc uint32) bool {
			x.motes[i].reach(cycle, pc)
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 { return x.kindOf(k, book, opt.Lines).at },
	}
	if opt.Fold {
		o.Kept = func(i int, d *digest.Digest) { x.motes[i].appendKept(d) }
	}
	w.Observe(o)
	return x
}

// Close ends what is still executed.
func (x *Stacks) Close() {
	for _, s := range x.motes {
		s.cut(0)
		s.tell(s.m.Cycles())
	}
}

func (x *Stacks) kindOf(k *mote.Kind, book *Book, lines bool) *stackKind {
	for _, y := range x.kinds {
		if y.kind == k {
			return y
		}
	}
	all := &sieve{Filter: Filter{Helpers: true, Wiring: true, Kernel: true}}
	y := &stackKind{layout: newLayout(k.Image, k.Program(), book, all), kind: k, handlers: k.Handlers()}
	y.findTurns(lines)
	x.kinds = append(x.kinds, y)
	return y
}

// findTurns lists the instructions at which something else may be executed than before: entries, returns, and wherever control comes from
// another body or, if lines matter, from another line.
func (k *stackKind) findTurns(lines bool) {
	turns := map[uint32]bool{0: true}
	differs := func(a, b uint32) bool {
		return b < uint32(len(k.layout.at)) && (k.layout.at[a] != k.layout.at[b] || lines && k.line(a) != k.line(b))
	}
	jumps := k.tableJumps()
	for i := range k.funcs {
		turns[k.funcs[i].entry] = true
		for _, x := range k.decode(int32(i)) {
			flow, target := x.in.Flow()
			next := x.pc + x.in.Length()
			to := append([]uint32{}, jumps[x.pc]...)
			switch flow {
			case avr.Return:
				turns[x.pc] = true
				continue
			case avr.Jump:
				to = append(to, target)
			case avr.Branch:
				to = append(to, next, target)
			case avr.Skip:
				to = append(to, next, next+k.program.At(next).Length())
			default:
				to = append(to, next)
			}
			for _, pc := range to {
				if differs(x.pc, pc) {
					turns[pc] = true
				}
			}
		}
	}
	table := uint32(2 * (len(k.handlers) - 1)) // the jumps to handlers belong to those
	for pc := range turns {
		if pc == 0 || pc >= table {
			k.at = append(k.at, pc)
		}
	}
	slices.Sort(k.at)
}

// reach follows a mote that is before an instruction.
func (s *stackOf) reach(cycle uint64, pc uint32) {
	if pc == 0 { // it starts over
		s.cut(0)
		s.tell(cycle)
		return
	}
	sp := s.m.Core().SP
	s.settle(sp)
	if n := len(s.real); n == maxDepth && sp < s.real[n-1].sp {
		return
	}
	if e := s.k.entry[pc]; e != 0 {
		s.enter(pc, e-1, sp)
	} else if b := s.k.layout.at[pc]; b != 0 {
		s.within(pc, b-1, sp)
	}
	s.tell(cycle)
	if in := s.k.program.At(pc); in.Op == avr.OpRet || in.Op == avr.OpReti {
		s.settle(sp + 1) // the function whose return address is on top
		s.tell(cycle + 2 + uint64(s.k.returnSize))
	}
}

// interrupt begins a handler.
func (s *stackOf) interrupt(cycle uint64, vector uint8) {
	sp := s.m.Core().SP
	s.settle(sp + s.k.returnSize)
	if len(s.real) == maxDepth {
		return
	}
	name, pc, fn, body := s.m.Chip().VectorName(vector), uint32(0), int32(none), int32(none)
	file, line := "", 0
	if int(vector) < len(s.k.handlers) {
		pc = s.k.handlers[vector]
	}
	if e := s.k.entry[pc]; pc != 0 && e != 0 {
		fn, body = e-1, s.k.funcs[e-1].body
		src := &s.k.sources[s.k.bodies[body].source]
		name, file, line = fmt.Sprintf("%s (%s)", name, src.name), src.file, src.line
	}
	s.waits(s.ret(sp))
	s.push(s.k.book.Func(name, file, line), Interrupt, pc, body)
	s.real = append(s.real, realLevel{at: len(s.levels) - 1, fn: fn, sp: sp})
	s.tell(cycle)
}

// enter is what happens at a function's entry: a call, or a jump from the function that has the same stack pointer.
func (s *stackOf) enter(pc uint32, fn int32, sp uint16) {
	kind := Call
	if n := len(s.real); n > 0 && s.real[n-1].sp == sp {
		top := s.real[n-1]
		if top.fn == fn { // a loop that begins with the function, or a handler's first instruction
			s.cutLevels(top.at + 1)
			s.levels[top.at].PC = 2 * pc
			return
		}
		if s.levels[top.at].Kind != Interrupt {
			kind = Tail
			s.cut(n - 1)
		}
	}
	s.call(fn, kind, pc, sp)
}

// ret is the return address, a word address, on top of the stack.
func (s *stackOf) ret(sp uint16) (pc uint32) {
	for i := range s.k.returnSize {
		pc = pc<<8 | uint32(s.m.Peek(sp+1+i))
	}
	return pc
}

// waits notes where the innermost function waits, if that is in it.
func (s *stackOf) waits(pc uint32) {
	n := len(s.real)
	if n == 0 || pc >= uint32(len(s.k.layout.at)) || s.k.layout.at[pc] == 0 || s.k.bodies[s.k.layout.at[pc]-1].fn != s.real[n-1].fn {
		return
	}
	for i := s.real[n-1].at; i < len(s.levels); i++ {
		s.levels[i].PC = 2 * pc
	}
}

// call begins a function.
func (s *stackOf) call(fn int32, kind CallKind, pc uint32, sp uint16) {
	body := s.k.funcs[fn].body
	if kind == Call && sp != ^uint16(0) {
		s.waits(s.ret(sp) - 1)
	}
	s.push(s.k.fn(s.k.bodies[body].source), kind, pc, body)
	s.real = append(s.real, realLevel{at: len(s.levels) - 1, fn: fn, sp: sp})
}

// within follows control inside of functions: into inlined bodies and out of them, and by jumps into the middle of others.
func (s *stackOf) within(pc uint32, body int32, sp uint16) {
	fn := s.k.bodies[body].fn
	n := len(s.real)
	if n > 1 && s.real[n-1].fn != fn && s.real[n-2].fn == fn { // back from a piece of a function
		s.cut(n - 1)
		n--
	}
	switch {
	case n == 0:
		s.call(fn, Call, pc, ^uint16(0))
	case s.real[n-1].fn != fn && s.levels[s.real[n-1].at].Kind == Interrupt:
		s.call(fn, Call, pc, sp)
	case s.real[n-1].fn != fn:
		sp = s.real[n-1].sp
		s.cut(n - 1)
		s.call(fn, Tail, pc, sp)
	}
	s.inline(s.real[len(s.real)-1].at, body, pc)
}

// inline makes the levels above a function's own those of the inlined bodies around an instruction.
func (s *stackOf) inline(own int, body int32, pc uint32) {
	depth := int(s.k.bodies[body].depth)
	path := make([]int32, depth)
	for b := body; depth > 0; depth-- {
		path[depth-1] = b
		b = s.k.bodies[b].parent
	}
	same := 0
	for same < len(path) && own+1+same < len(s.levels) && s.bodies[own+1+same] == path[same] {
		same++
	}
	s.cutLevels(own + 1 + same)
	for _, b := range path[same:] {
		s.push(s.k.fn(s.k.bodies[b].source), Inlined, pc, b)
	}
	for i := own; i < len(s.levels); i++ {
		s.levels[i].PC = 2 * pc
	}
}

func (s *stackOf) push(f *Func, kind CallKind, pc uint32, body int32) {
	s.serial++
	s.levels = append(s.levels, Level{Func: f, Kind: kind, Serial: s.serial, PC: 2 * pc})
	s.bodies = append(s.bodies, body)
}

// settle ends functions that the stack pointer has left behind.
func (s *stackOf) settle(sp uint16) {
	n := len(s.real)
	for n > 0 && s.real[n-1].sp < sp {
		n--
	}
	s.cut(n)
}

// cut leaves n real levels.
func (s *stackOf) cut(n int) {
	if n < len(s.real) {
		s.cutLevels(s.real[n].at)
		s.real = s.real[:n]
	}
}

func (s *stackOf) cutLevels(n int) { s.levels, s.bodies = s.levels[:n], s.bodies[:n] }

func (s *stackOf) tell(cycle uint64) {
	s.x.sink(Moment{Mote: s.number, Cycle: cycle, Slept: s.m.SleepCycles()}, s.levels)
}

func (s *stackOf) appendKept(d *digest.Digest) {
	d.Word(uint64(len(s.real)))
	for _, r := range s.real {
		d.Word(uint64(r.sp) | uint64(uint32(r.fn))<<16)
	}
	for _, b := range s.bodies {
		d.Word(uint64(uint32(b)))
	}
}

// Place is where a function executes.
type Place struct {
	Function string // readable
	File     string // where it is declared, or else where the line is
	Declared int    // the line of its declaration; 0 if unknown
	Line     int    // where control is in it
}

// At is the functions that the instruction at a byte address of a mote belongs to: inlined ones first, and the real one around them last. Code
// without a name is one function.
func (x *Stacks) At(mote int, pc uint32) (list []Place) {
	for _, f := range x.motes[mote].k.im.InlineStack(pc) {
		p := Place{Function: readable(f.Name), File: f.File, Line: f.Line.Line}
		if f.Func != nil {
			src := f.Func.Source()
			p.File, p.Declared = cmp.Or(src.DeclFile, p.File), src.DeclLine
		}
		list = append(list, p)
	}
	if list == nil {
		list = []Place{{Function: "code without a name"}}
	}
	return list
}

// Alike is the first mote that runs the same firmware as a mote.
func (x *Stacks) Alike(mote int) int {
	return slices.IndexFunc(x.motes, func(s *stackOf) bool { return s.k == x.motes[mote].k })
}
