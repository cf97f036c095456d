package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/go-air/gini/z"

	"motehound/study/symbolic/expr"
)

// Every gate is what it is called, for all inputs: free ones, their complements, constants, the same one twice.
func TestGates(t *testing.T) {
	t.Parallel()
	g := newGates()
	x, y, w := g.fresh(), g.fresh(), g.fresh()
	inputs := []z.Lit{g.one, g.one.Not(), x, x.Not(), y, y.Not(), w, w.Not()}
	value := func(l z.Lit, bits int) bool {
		for i, free := range []z.Lit{x, y, w} {
			if l.Var() == free.Var() {
				return l.IsPos() == (bits>>i&1 == 1)
			}
		}
		return l == g.one
	}
	kinds := []struct {
		name  string
		build func(a, b, c z.Lit) z.Lit
		mean  func(a, b, c bool) bool
	}{
		{"and", func(a, b, c z.Lit) z.Lit { return g.and(a, b) }, func(a, b, c bool) bool { return a && b }},
		{"or", func(a, b, c z.Lit) z.Lit { return g.or(a, b) }, func(a, b, c bool) bool { return a || b }},
		{"xor", func(a, b, c z.Lit) z.Lit { return g.xor(a, b) }, func(a, b, c bool) bool { return a != b }},
		{"mux", g.mux, func(a, b, c bool) bool { return a && b || !a && c }},
		{"majority", g.majority, func(a, b, c bool) bool { return a && b || a && c || b && c }},
		{"all", func(a, b, c z.Lit) z.Lit { return g.all([]z.Lit{a, b, c}) }, func(a, b, c bool) bool { return a && b && c }},
	}
	for _, k := range kinds {
		for _, a := range inputs {
			for _, b := range inputs {
				for _, c := range inputs {
					out := k.build(a, b, c)
					for bits := range 8 {
						g.sat.Assume(literalFor(x, bits&1), literalFor(y, bits>>1&1), literalFor(w, bits>>2&1))
						if g.sat.Solve() != 1 {
							t.Fatalf("%s %v %v %v contradicts %03b", k.name, a, b, c, bits)
						}
						if got, want := g.sat.Value(out), k.mean(value(a, bits), value(b, bits), value(c, bits)); got != want {
							t.Fatalf("%s %v %v %v is %v for %03b", k.name, a, b, c, got, bits)
						}
					}
				}
			}
		}
	}
}

func literalFor(l z.Lit, bit int) z.Lit {
	if bit == 1 {
		return l
	}
	return l.Not()
}

// The circuit of every operation computes what the operation evaluates to, at all kinds of widths and values.
func TestCircuitsCompute(t *testing.T) {
	t.Parallel()
	ops := []func(*expr.Pool, expr.ID, expr.ID) expr.ID{(*expr.Pool).Add, (*expr.Pool).Sub, (*expr.Pool).Mul, (*expr.Pool).And,
		(*expr.Pool).Or, (*expr.Pool).Xor, (*expr.Pool).Shl, (*expr.Pool).Lshr, (*expr.Pool).Ashr, (*expr.Pool).Eq, (*expr.Pool).Ult,
		(*expr.Pool).Slt, ite, pieces}
	for w := 2; w <= 64; w = w*3/2 + 1 {
		r := rand.New(rand.NewPCG(9, uint64(w)))
		p := expr.NewPool()
		x, y := p.NewVar("x", w, ""), p.NewVar("y", w, "")
		b := newBlaster(p)
		var outs []expr.ID
		for _, op := range ops {
			outs = append(outs, op(p, x, y))
			b.blast(outs[len(outs)-1])
		}
		for range 100 {
			vx, vy := r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64)
			if r.IntN(2) == 0 {
				vy %= uint64(w) + 2 // a distance
			}
			m := expr.NewModel([]expr.VarIndex{0, 1}, []uint64{vx, vy})
			e := p.NewEvaluator()
			e.Use(m)
			for i := range w {
				b.sat.Assume(literalFor(b.blast(x)[i], int(vx>>i&1)), literalFor(b.blast(y)[i], int(vy>>i&1)))
			}
			if b.sat.Solve() != 1 {
				t.Fatalf("width %d: the circuits contradict x = %#x, y = %#x", w, vx, vy)
			}
			for _, out := range outs {
				got := uint64(0)
				for i, l := range b.blast(out) {
					if b.sat.Value(l) {
						got |= 1 << i
					}
				}
				if want := e.Eval(out); got != want {
					t.Fatalf("width %d: %s is %#x, want %#x for x = %#x, y = %#x", w, p.Format(out), got, want, vx, vy)
				}
			}
		}
	}
}

func ite(p *expr.Pool, x, y expr.ID) expr.ID { return p.Ite(p.Bit(p.Xor(x, y), 0), x, p.Not(y)) }

func pieces(p *expr.Pool, x, y expr.ID) expr.ID {
	w := p.Width(x)
	return p.SExt(p.Concat(p.Extract(p.Mul(x, y), w/2, 0), p.Extract(y, w-1, w-1)), min(64, w+5))
}
