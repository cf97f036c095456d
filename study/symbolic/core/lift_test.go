package core

import (
	"math/rand/v2"
	"testing"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/study/symbolic/expr"
)

// TestLiftNoDiff lifts sequences of instructions over expressions, whose registers, flags and memory are all unknown, and over numbers. Under
// the numbers that the unknown ones stand for, all that is left must be the same. (That lifting over numbers is what the core does
// is tested where lift is.)
func TestLiftNoDiff(t *testing.T) {
	rounds := 6000
	if testing.Short() {
		rounds = 300
	}
	has, words := avr.AVRePlus22, uint32(1<<17)
	var byOp [256][]uint16
	var ops []int
	for w := range 1 << 16 {
		in := avr.Decode(uint16(w), 0, 0, has, words)
		if flow, _ := in.Flow(); flow != avr.Halts && in.Op != avr.OpBreak {
			if byOp[in.Op] == nil {
				ops = append(ops, int(in.Op))
			}
			byOp[in.Op] = append(byOp[in.Op], uint16(w))
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[avr.Op]int{}
	for range rounds {
		p := newTwins(rnd)
		for range 12 {
			words16 := byOp[ops[rnd.IntN(len(ops))]]
			in := avr.Decode(words16[rnd.IntN(len(words16))], uint16(rnd.Uint32()), 100, has, words)
			seen[in.Op]++
			if diff := p.step(lift.ChipOf(has, words), in); diff != "" {
				t.Fatalf("%s: %s", in, diff)
			}
		}
	}
	for _, op := range ops {
		if seen[avr.Op(op)] == 0 && !testing.Short() {
			t.Errorf("%s was not lifted", avr.Decode(byOp[op][0], 0, 0, has, words))
		}
	}
}

// half is one of two machines that do the same over different algebras. Memory is what a hash of the address says, until it is written.
type half[V any] struct {
	lift.Algebra[V]
	reg         [32]V
	flag        [avr.NumFlags]lift.Lazy[V]
	sp, rampz   V
	mem         map[uint16]V
	value       func(V) uint64 // what it stands for
	from        func(width int, v uint64) V
	stored      []uint16
	initialByte func(addr uint16) uint8
}

func (h *half[V]) Reg(i uint8) V                      { return h.reg[i] }
func (h *half[V]) SetReg(i uint8, v V)                { h.reg[i] = v }
func (h *half[V]) Flag(f avr.Flag) lift.Lazy[V]       { return h.flag[f] }
func (h *half[V]) SetFlag(f avr.Flag, v lift.Lazy[V]) { h.flag[f] = v }
func (h *half[V]) SP() V                              { return h.sp }
func (h *half[V]) SetSP(v V)                          { h.sp = v }
func (h *half[V]) RAMPZ() V                           { return h.rampz }
func (h *half[V]) SetRAMPZ(v V)                       { h.rampz = v }
func (h *half[V]) EIND() V                            { return h.from(8, 1) }
func (h *half[V]) SetBit(uint16, uint8, bool)         {}
func (h *half[V]) Act(avr.Op)                         {}
func (h *half[V]) ProgByte(a V) V                     { return h.from(8, h.value(a)*7>>3) }
func (h *half[V]) Store(a, v V)                       { h.put(uint16(h.value(a)), v) }
func (h *half[V]) put(a uint16, v V)                  { h.mem[a], h.stored = v, append(h.stored, a) }
func (h *half[V]) Load(a V) V {
	addr := uint16(h.value(a))
	if v, ok := h.mem[addr]; ok {
		return v
	}
	return h.from(8, uint64(h.initialByte(addr)))
}

// twins is the two.
type twins struct {
	pool    *expr.Pool
	ev      *expr.Evaluator
	symbols half[expr.ID]
	numbers half[lift.Bits]
}

func newTwins(rnd *rand.Rand) *twins {
	w := &twins{pool: expr.NewPool()}
	initial := func(a uint16) uint8 { return uint8(a*37 + a>>8) }
	w.ev = w.pool.NewEvaluator()
	w.symbols = half[expr.ID]{Algebra: algebra{w.pool}, mem: map[uint16]expr.ID{}, initialByte: initial,
		value: func(x expr.ID) uint64 { return w.ev.Eval(x) }, from: w.pool.Const}
	w.numbers = half[lift.Bits]{Algebra: lift.Numbers{}, mem: map[uint16]lift.Bits{}, initialByte: initial,
		value: func(x lift.Bits) uint64 { return x.V }, from: lift.Numbers{}.Const}
	var vars []expr.VarIndex
	var values []uint64
	both := func(width int) (expr.ID, lift.Bits) {
		v := rnd.Uint64() & (1<<width - 1)
		if rnd.IntN(4) == 0 {
			return w.pool.Const(width, v), lift.Bits{V: v, Width: uint8(width)}
		}
		x := w.pool.NewVar("v", width, "")
		i, _ := w.pool.VarOf(x)
		vars, values = append(vars, i), append(values, v)
		return x, lift.Bits{V: v, Width: uint8(width)}
	}
	for i := range w.symbols.reg {
		w.symbols.reg[i], w.numbers.reg[i] = both(8)
	}
	for i := range w.symbols.flag {
		x, n := both(1)
		w.symbols.flag[i], w.numbers.flag[i] = lift.Bit(x), lift.Bit(n)
	}
	w.symbols.sp, w.numbers.sp = both(16)
	w.symbols.rampz, w.numbers.rampz = both(8)
	w.ev.Use(expr.NewModel(vars, values))
	return w
}

// step lifts an instruction over both, and tells what differs.
func (w *twins) step(chip lift.Chip, in avr.Inst) string {
	a := lift.Lift[expr.ID](&w.symbols, chip, in, 100, 1)
	b := lift.Lift[lift.Bits](&w.numbers, chip, in, 100, 1)
	same := func(x expr.ID, n lift.Bits) bool { return w.pool.Width(x) == int(n.Width) && w.ev.Eval(x) == n.V }
	switch {
	case a.Kind != b.Kind || a.To != b.To || a.Else != b.Else:
		return "control goes elsewhere"
	case a.Kind == lift.Fork && !same(a.Cond, b.Cond):
		return "the condition differs"
	case a.Kind == lift.Indirect && !same(a.Target, b.Target):
		return "the target differs"
	case !same(w.symbols.sp, w.numbers.sp) || !same(w.symbols.rampz, w.numbers.rampz):
		return "SP or RAMPZ differs"
	}
	for i := range w.symbols.reg {
		if !same(w.symbols.reg[i], w.numbers.reg[i]) {
			return "a register differs"
		}
	}
	for i := range w.symbols.flag {
		if !same(w.symbols.flag[i].Build(w.symbols), w.numbers.flag[i].Build(w.numbers)) {
			return "a flag differs"
		}
	}
	for i, at := range w.symbols.stored {
		if at != w.numbers.stored[i] || !same(w.symbols.mem[at], w.numbers.mem[at]) {
			return "memory differs"
		}
	}
	if w.pool.Err() != nil {
		return "the pool is full"
	}
	return ""
}
