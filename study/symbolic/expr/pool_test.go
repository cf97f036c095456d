package expr

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/mote/cell"
)

// The ids of a construction are the same each time, and fit a cell.
func TestIDsAreDeterministic(t *testing.T) {
	t.Parallel()
	ids := func() []ID {
		in := newInputs()
		var out []ID
		for _, c := range ruleCases {
			out = append(out, c.build(in))
		}
		return out
	}
	first, second := ids(), ids()
	for i := range first {
		if first[i] != second[i] || first[i] == 0 {
			t.Errorf("%s: ids %d and %d", ruleCases[i].name, first[i], second[i])
		}
	}
	if got := cell.Symbolic(1, maxNodes).Expr(); got != maxNodes {
		t.Errorf("a cell carries id %d as %d", maxNodes, got)
	}
}

// Substitution is evaluation in two parts: replacing variables by constants, then evaluating, gives the same value; and
// what is built from leaves by other routes has the same id.
func TestSubstitution(t *testing.T) {
	t.Parallel()
	for g := range 200 {
		r := rand.New(rand.NewPCG(11, uint64(g)))
		s := newWorkshop(t, r, []uint8{1, 8, 16, 24})
		for range 150 {
			s.step()
		}
		sub := s.pool.NewSubst()
		for v := VarIndex(0); int(v) < s.pool.VarCount(); v++ {
			if v%2 == 0 {
				id := s.pool.VarID(v)
				sub.Replace(id, s.pool.Const(s.pool.Width(id), s.models[0].Value(v)))
			}
		}
		for _, w := range s.widths {
			for _, x := range s.terms[w] {
				y := sub.Apply(x.id)
				if got := s.evals[0].Eval(y); got != x.values[0] {
					t.Fatalf("%s became %s: %#x, want %#x", s.pool.Format(x.id), s.pool.Format(y), got, x.values[0])
				}
				for _, v := range s.pool.Vars(y) {
					if v%2 == 0 {
						t.Fatalf("%s is still in %s", s.pool.VarName(v), s.pool.Format(y))
					}
				}
			}
		}
	}
}

func TestSubstitutionOfTerms(t *testing.T) {
	t.Parallel()
	in := newInputs()
	sum := in.Add(in.x, in.y)
	sub := in.NewSubst()
	sub.Replace(sum, in.Const(16, 7))
	got := in.Format(sub.Apply(in.And(in.Eq(in.Mul(sum, in.x), in.y), in.p)))
	if got != "p && y == x * 7" {
		t.Errorf("got %s", got)
	}
	if x := in.Add(in.a, in.b); sub.Apply(x) != x {
		t.Error("an expression without the term changed")
	}
}

func TestVars(t *testing.T) {
	t.Parallel()
	in := newInputs()
	x := in.Ite(in.p, in.Add(in.c, in.a), in.Xor(in.a, in.d))
	var names []string
	for _, v := range in.Vars(x) {
		names = append(names, in.VarName(v))
	}
	if got := strings.Join(names, " "); got != "a c d p" {
		t.Errorf("variables %q", got)
	}
	again := in.NewVar("a", 8, "the second")
	bad := in.NewVar("a|\\\n", 8, "")
	v, _ := in.VarOf(again)
	w, _ := in.VarOf(bad)
	if in.VarName(v) != "a#2" || in.VarOrigin(v) != "the second" || in.VarName(w) != "a___" {
		t.Errorf("names %q and %q", in.VarName(v), in.VarName(w))
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	m := NewModel([]VarIndex{3, 1, 3}, []uint64{5, 6, 7})
	n := NewModel([]VarIndex{1, 9}, []uint64{8, 9})
	both := m.With(n)
	if m.Len() != 2 || m.Value(3) != 7 || both.Value(1) != 8 || both.Value(9) != 9 || both.Value(2) != 0 || both.Len() != 3 {
		t.Errorf("%v %v", m, both)
	}
	if v, x := both.At(2); v != 9 || x != 9 {
		t.Errorf("third is %d = %d", v, x)
	}
	if e := (Model{}); e.With(m).Len() != 2 || m.With(e).Len() != 2 {
		t.Error("with nothing")
	}
}

// A full pool says so and goes on giving expressions of the right width.
func TestFullPool(t *testing.T) {
	t.Parallel()
	p := NewPool()
	p.SetLimit(100)
	x := p.NewVar("x", 8, "")
	for i := range 200 {
		x = p.Mul(p.Add(x, p.Const(8, uint64(i))), x)
		if p.Width(x) != 8 {
			t.Fatalf("width %d", p.Width(x))
		}
	}
	if p.Err() == nil || p.Len() != 100 {
		t.Errorf("%d expressions, error %v", p.Len(), p.Err())
	}
	if p.Bytes() < 100*36 {
		t.Errorf("%d bytes", p.Bytes())
	}
}

// A shared graph a thousand levels deep has 2^1000 paths: nothing may walk them all.
func TestDeepSharing(t *testing.T) {
	t.Parallel()
	p := NewPool()
	x := p.NewVar("x", 16, "")
	y := x
	for i := range 1000 {
		y = p.Xor(p.Mul(y, y), p.Add(y, p.Const(16, uint64(i)*2+1)))
		y = p.Ite(p.Ult(y, x), y, p.Or(y, x))
	}
	low := p.Byte(y, 0)
	if p.Width(low) != 8 || len(p.Vars(low)) != 1 {
		t.Errorf("width %d, %d variables", p.Width(low), len(p.Vars(low)))
	}
	e := p.NewEvaluator()
	e.Use(NewModel([]VarIndex{0}, []uint64{0x1234}))
	if a, b := e.Eval(low), e.Eval(y)&0xff; a != b {
		t.Errorf("low byte %#x, want %#x", a, b)
	}
	if n := len(p.Format(p.Eq(low, p.Const(8, 1)))); n > 1<<20 {
		t.Errorf("%d characters", n)
	}
	sub := p.NewSubst()
	sub.Replace(x, p.Const(16, 0x1234))
	if v, ok := p.Value(sub.Apply(low)); !ok || v != e.Eval(low) {
		t.Errorf("substituted: %#x", v)
	}
	var out bytes.Buffer
	if err := p.WriteSMT(&out, []ID{p.Eq(low, p.Const(8, 1))}); err != nil || out.Len() > 4<<20 {
		t.Errorf("%d bytes of SMT-LIB, %v", out.Len(), err)
	}
}

func TestWriteSMT(t *testing.T) {
	t.Parallel()
	in := newInputs()
	sum := in.Add(in.ZExt(in.a, 16), in.x)
	var out bytes.Buffer
	if err := in.WriteSMT(&out, []ID{in.Ult(sum, in.Const(16, 0x1f4)), in.Or(in.p, in.Bit(sum, 3))}); err != nil {
		t.Fatal(err)
	}
	want := `(declare-const |x| (_ BitVec 16))
(declare-const |a| (_ BitVec 8))
(define-fun t73 () (_ BitVec 16) (concat #x00 |a|))
(define-fun t74 () (_ BitVec 16) (bvadd |x| t73))
(define-fun t76 () Bool (bvult t74 #x01f4))
(declare-const |p| Bool)
(define-fun t77 () (_ BitVec 4) ((_ extract 3 0) |x|))
(define-fun t78 () (_ BitVec 4) ((_ extract 3 0) |a|))
(define-fun t79 () (_ BitVec 4) (bvadd t77 t78))
(define-fun t80 () Bool (= ((_ extract 3 3) t79) #b1))
(define-fun t81 () Bool (or |p| t80))
(assert t76)
(assert t81)
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	in := newInputs()
	cases := []struct {
		x    ID
		want string
	}{
		{in.Ne(in.a, in.b), "a != b"},
		{in.Ule(in.a, in.b), "a <= b"},
		{in.Sle(in.a, in.b), "a <=s b"},
		{in.Not(in.a), "~a"},
		{in.Not(in.p), "!p"},
		{in.Not(in.Xor(in.p, in.q)), "!(p ^ q)"},
		{in.Sub(in.a, in.k8(2)), "a - 2"},
		{in.Mul(in.Add(in.a, in.b), in.c), "c * (a + b)"},
		{in.Sub(in.a, in.Sub(in.b, in.c)), "a - (b - c)"},
		{in.And(in.Or(in.p, in.q), in.Ult(in.a, in.k8(200))), "(p || q) && a < 0xc8"},
		{in.Ashr(in.a, in.b), "a >>s b"},
		{in.Extract(in.Mul(in.x, in.y), 15, 8), "(x * y)[15:8]"},
		{in.Concat(in.a, in.Const(4, 0xc)), "{a, 4'0xc}"},
		{in.Ite(in.p, in.a, in.Ite(in.q, in.b, in.c)), "p ? a : q ? b : c"},
	}
	for _, c := range cases {
		if got := in.Format(c.x); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := NewModel([]VarIndex{0, 4}, []uint64{7, 4660}).Format(in.Pool); got != "a = 7\nx = 0x1234\n" {
		t.Errorf("model %q", got)
	}
}

// What a caller must not do stops him, with the reason.
func TestMisuse(t *testing.T) {
	t.Parallel()
	in := newInputs()
	for name, f := range map[string]func(){
		"widths":    func() { in.Add(in.a, in.x) },
		"condition": func() { in.Ite(in.a, in.a, in.b) },
		"bits":      func() { in.Extract(in.a, 8, 0) },
		"wide":      func() { in.Const(65, 0) },
		"narrow":    func() { in.SExt(in.a, 4) },
		"none":      func() { in.Not(in.Add(0, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if s, _ := recover().(string); !strings.HasPrefix(s, "BUG: ") {
					t.Errorf("panicked with %q", s)
				}
			}()
			f()
		})
	}
}

// Operands that are long and shared are written once.
func TestFormatShares(t *testing.T) {
	t.Parallel()
	in := newInputs()
	long := in.Mul(in.Add(in.Mul(in.a, in.b), in.c), in.Xor(in.c, in.d))
	got := in.Format(in.Ult(in.Mul(long, long), in.Add(long, in.a)))
	if want := "t1 * t1 < a + t1 where t1 = (c + a * b) * (c ^ d)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzSimplify(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(16))
	f.Add(uint64(2), uint8(63), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, w1, w2 uint8) {
		s := newWorkshop(t, rand.New(rand.NewPCG(seed, 13)), []uint8{1, 1 + w1%64, 1 + w2%64})
		for range 300 {
			s.step()
		}
	})
}

// A word added and compared bytewise, with its flags: what the engine does for four instructions.
func BenchmarkChain(b *testing.B) {
	in := newInputs()
	word := in.x
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			in = newInputs()
			word = in.x
		}
		sum, _ := in.chain(false, in.bytes(word), []ID{in.a, in.k8(0)})
		word = in.ConcatBytes(sum...)
		_, last := in.chain(true, sum, []ID{in.k8(uint64(i)), in.k8(uint64(i >> 8))})
		in.StepCarry(last)
		in.StepSign(last)
	}
}

func BenchmarkEval(b *testing.B) {
	s := newWorkshop(b, rand.New(rand.NewPCG(1, 1)), []uint8{1, 8, 16})
	for range 5000 {
		s.step()
	}
	last := s.terms[8][len(s.terms[8])-1].id
	for i := 0; b.Loop(); i++ {
		s.evals[0].Use(s.models[i%assignments])
		s.evals[0].Eval(last)
	}
	b.ReportMetric(float64(s.pool.Len()), "expressions")
}

// Byte is the n-th byte of x, from the low end.
func (p *Pool) Byte(x ID, n int) ID { return p.Extract(x, 8*n+7, 8*n) }

// VarOrigin says where the input comes from.
func (p *Pool) VarOrigin(v VarIndex) string { return p.vars[v].origin }
