package expr

import (
	"math/rand/v2"
	"testing"
)

// The oracle of these tests: every expression is built beside its values under some assignments, which are computed from
// the operands' values by the plain meaning of the operation. Simplified or not, it must evaluate to them.

const assignments = 16

type term struct {
	id     ID
	width  uint8
	values [assignments]uint64
}

type workshop struct {
	t      testing.TB
	r      *rand.Rand
	pool   *Pool
	models [assignments]Model
	evals  [assignments]*Evaluator
	terms  map[uint8][]term
	widths []uint8 // those to work in mostly
	seen   []uint8 // all that there are, in the order of their appearance
}

// corner draws a value that is often one of those at which rules change: 0, 1, all ones, the sign, one bit, a run.
func corner(r *rand.Rand, w uint8) uint64 {
	m := mask(w)
	switch r.IntN(8) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return m
	case 3:
		return m >> 1
	case 4:
		return 1 << (w - 1)
	case 5:
		return 1 << r.IntN(int(w))
	case 6:
		return (m >> r.IntN(int(w)) << r.IntN(int(w))) & m
	}
	return r.Uint64() & m
}

func newWorkshop(t testing.TB, r *rand.Rand, widths []uint8) *workshop {
	s := &workshop{t: t, r: r, pool: NewPool(), terms: map[uint8][]term{}, widths: widths}
	var vars []VarIndex
	var values [assignments][]uint64
	for _, w := range widths {
		for range 2 {
			x := term{id: s.pool.NewVar("v", int(w), "test"), width: w}
			for i := range x.values {
				x.values[i] = corner(r, w)
				values[i] = append(values[i], x.values[i])
			}
			vars = append(vars, VarIndex(len(vars)))
			s.terms[w] = append(s.terms[w], x)
		}
	}
	for i := range s.evals {
		s.models[i] = NewModel(vars, values[i])
		s.evals[i] = s.pool.NewEvaluator()
		s.evals[i].Use(s.models[i])
	}
	return s
}

func (s *workshop) constant(w uint8) term {
	v := corner(s.r, w)
	x := term{id: s.pool.Const(int(w), v), width: w}
	for i := range x.values {
		x.values[i] = v
	}
	return x
}

// pick prefers recent terms, so that graphs get deep.
func (s *workshop) pick(w uint8) term {
	have := s.terms[w]
	if len(have) == 0 || s.r.IntN(5) == 0 {
		return s.constant(w)
	}
	if s.r.IntN(2) == 0 {
		return have[len(have)-1-s.r.IntN(min(4, len(have)))]
	}
	return have[s.r.IntN(len(have))]
}

func (s *workshop) width() uint8 {
	if len(s.seen) > 0 && s.r.IntN(4) == 0 {
		return s.seen[s.r.IntN(len(s.seen))]
	}
	return s.widths[s.r.IntN(len(s.widths))]
}

// keep checks a result and makes it an operand of later ones.
func (s *workshop) keep(what string, x term) {
	zeros, ones := s.pool.Known(x.id)
	if w := s.pool.Width(x.id); w != int(x.width) {
		s.t.Fatalf("%s: width %d, want %d: %s", what, w, x.width, s.pool.Format(x.id))
	}
	for i, want := range x.values {
		if got := s.evals[i].Eval(x.id); got != want {
			s.t.Fatalf("%s is %#x, want %#x: %s\nwith %s", what, got, want, s.pool.Format(x.id), s.models[i].Format(s.pool))
		}
		if want&zeros != 0 || ^want&ones != 0 {
			s.t.Fatalf("%s: known bits %#x, %#x but it is %#x: %s", what, zeros, ones, want, s.pool.Format(x.id))
		}
	}
	if len(s.terms[x.width]) == 0 {
		s.seen = append(s.seen, x.width)
	}
	s.terms[x.width] = append(s.terms[x.width], x)
}

var binaries = []struct {
	name  string
	build func(*Pool, ID, ID) ID
	mean  func(a, b uint64, w uint8) uint64
	bit   bool
}{
	{"and", (*Pool).And, func(a, b uint64, w uint8) uint64 { return a & b }, false},
	{"or", (*Pool).Or, func(a, b uint64, w uint8) uint64 { return a | b }, false},
	{"xor", (*Pool).Xor, func(a, b uint64, w uint8) uint64 { return a ^ b }, false},
	{"add", (*Pool).Add, func(a, b uint64, w uint8) uint64 { return a + b }, false},
	{"sub", (*Pool).Sub, func(a, b uint64, w uint8) uint64 { return a - b }, false},
	{"mul", (*Pool).Mul, func(a, b uint64, w uint8) uint64 { return a * b }, false},
	{"shl", (*Pool).Shl, func(a, b uint64, w uint8) uint64 { return a << b }, false},
	{"lshr", (*Pool).Lshr, func(a, b uint64, w uint8) uint64 { return a >> b }, false},
	{"ashr", (*Pool).Ashr, func(a, b uint64, w uint8) uint64 { return uint64(signed(a, w) >> b) }, false},
	{"eq", (*Pool).Eq, func(a, b uint64, w uint8) uint64 { return truth(a == b) }, true},
	{"ne", (*Pool).Ne, func(a, b uint64, w uint8) uint64 { return truth(a != b) }, true},
	{"ult", (*Pool).Ult, func(a, b uint64, w uint8) uint64 { return truth(a < b) }, true},
	{"ule", (*Pool).Ule, func(a, b uint64, w uint8) uint64 { return truth(a <= b) }, true},
	{"slt", (*Pool).Slt, func(a, b uint64, w uint8) uint64 { return truth(signed(a, w) < signed(b, w)) }, true},
	{"sle", (*Pool).Sle, func(a, b uint64, w uint8) uint64 { return truth(signed(a, w) <= signed(b, w)) }, true},
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// signed is written without the package's own sign extension.
func signed(v uint64, w uint8) int64 {
	if v>>(w-1)&1 == 1 {
		return int64(v) - int64(1)<<(w-1) - int64(1)<<(w-1)
	}
	return int64(v)
}

func (s *workshop) step() {
	switch s.r.IntN(10) {
	case 0:
		s.unary()
	case 1:
		s.pieces()
	case 2, 3:
		s.carry()
	case 4:
		w := s.width()
		c, a, b := s.pick(1), s.pick(w), s.pick(w)
		x := term{id: s.pool.Ite(c.id, a.id, b.id), width: w}
		for i := range x.values {
			x.values[i] = b.values[i]
			if c.values[i] == 1 {
				x.values[i] = a.values[i]
			}
		}
		s.keep("ite", x)
	default:
		op := binaries[s.r.IntN(len(binaries))]
		w := s.width()
		a, b := s.pick(w), s.pick(w)
		x := term{id: op.build(s.pool, a.id, b.id), width: w}
		if op.bit {
			x.width = 1
		}
		for i := range x.values {
			x.values[i] = op.mean(a.values[i], b.values[i], w) & mask(x.width)
		}
		s.keep(op.name, x)
	}
}

func (s *workshop) unary() {
	w := s.width()
	a := s.pick(w)
	x := a
	if s.r.IntN(2) == 0 {
		x.id = s.pool.Not(a.id)
		for i := range x.values {
			x.values[i] = ^a.values[i] & mask(w)
		}
		s.keep("not", x)
		return
	}
	x.id = s.pool.neg(a.id)
	for i := range x.values {
		x.values[i] = -a.values[i] & mask(w)
	}
	s.keep("neg", x)
}

// pieces takes apart, puts together and extends.
func (s *workshop) pieces() {
	w := s.width()
	a := s.pick(w)
	switch s.r.IntN(4) {
	case 0, 1:
		low := uint8(s.r.IntN(int(w)))
		high := low + uint8(s.r.IntN(int(w-low)))
		x := term{id: s.pool.Extract(a.id, int(high), int(low)), width: high - low + 1}
		for i := range x.values {
			x.values[i] = a.values[i] >> low & mask(x.width)
		}
		s.keep("extract", x)
	case 2:
		b := s.pick(s.width())
		if int(a.width)+int(b.width) > 64 {
			return
		}
		x := term{id: s.pool.Concat(a.id, b.id), width: a.width + b.width}
		for i := range x.values {
			x.values[i] = a.values[i]<<b.width | b.values[i]
		}
		s.keep("concat", x)
	case 3:
		to := w + uint8(s.r.IntN(int(65-w)))
		z := term{id: s.pool.ZExt(a.id, int(to)), width: to, values: a.values}
		s.keep("zext", z)
		x := term{id: s.pool.SExt(a.id, int(to)), width: to}
		for i := range x.values {
			x.values[i] = uint64(signed(a.values[i], w)) & mask(to)
		}
		s.keep("sext", x)
	}
}

// carry does a step with carry, against the flags as the manual of the instruction set writes them.
func (s *workshop) carry() {
	w := s.width()
	if w < 5 || w > 63 {
		return
	}
	a, b, in := s.pick(w), s.pick(w), s.pick(1)
	st := Step{A: a.id, B: b.id, In: in.id, Subtract: s.r.IntN(2) == 0}
	if s.r.IntN(4) == 0 {
		st.In, in = 0, term{width: 1}
	}
	value := term{id: s.pool.StepValue(st), width: w}
	c := term{id: s.pool.StepCarry(st), width: 1}
	n := term{id: s.pool.StepSign(st), width: 1}
	v := term{id: s.pool.StepOverflow(st), width: 1}
	h := term{id: s.pool.StepHalf(st), width: 1}
	for i := range value.values {
		x, y, z := a.values[i], b.values[i], in.values[i]
		r := x + y + z
		if st.Subtract {
			r = x - y - z
			c.values[i] = truth(x < y || x == y && z == 1)
		} else {
			c.values[i] = r >> w & 1
		}
		r &= mask(w)
		top := w - 1
		over := (x ^ r) & (y ^ r) >> top & 1
		if st.Subtract {
			over = (x ^ y) & (x ^ r) >> top & 1
		}
		over &= 1
		value.values[i] = r
		v.values[i] = over
		n.values[i] = over ^ r>>top&1
		h.values[i] = (x ^ y ^ r) >> 4 & 1
	}
	s.keep("step value", value)
	s.keep("step carry", c)
	s.keep("step sign", n)
	s.keep("step overflow", v)
	s.keep("step half", h)
}

// Random graphs: what is simplified evaluates to what was written.
func TestSimplifiedIsEqual(t *testing.T) {
	t.Parallel()
	graphs := 3000
	if testing.Short() {
		graphs = 150
	}
	menus := [][]uint8{{1, 8}, {1, 8, 16}, {1, 2, 3, 4}, {1, 5, 8, 16, 32}, {1, 7, 24, 63, 64}, {1, 8, 9, 24, 32, 64}}
	cases := 0
	for g := range graphs {
		s := newWorkshop(t, rand.New(rand.NewPCG(7, uint64(g))), menus[g%len(menus)])
		for range 200 {
			s.step()
			cases += assignments
		}
	}
	t.Logf("%d cases", cases)
}
