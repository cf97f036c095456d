package solver

import (
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// gates builds a circuit as clauses. The same gate is built once (inputs are put in order and freed of complements first),
// and a gate with a constant input is not built at all.
type gates struct {
	sat  *gini.Gini
	one  z.Lit
	made map[gate]z.Lit
	vars int
}

type gate struct {
	kind    byte
	a, b, c z.Lit
}

func newGates() *gates {
	g := &gates{sat: gini.New(), made: map[gate]z.Lit{}}
	g.one = g.fresh()
	g.clause(g.one)
	return g
}

func (g *gates) fresh() z.Lit {
	g.vars++
	return g.sat.Lit()
}

func (g *gates) clause(lits ...z.Lit) {
	for _, l := range lits {
		g.sat.Add(l)
	}
	g.sat.Add(0)
}

func (g *gates) constant(b bool) z.Lit {
	if b {
		return g.one
	}
	return g.one.Not()
}

func (g *gates) isConst(l z.Lit) bool { return l.Var() == g.one.Var() }

// make finds the gate or lets build write its clauses.
func (g *gates) make(key gate, build func(out z.Lit)) z.Lit {
	if out, ok := g.made[key]; ok {
		return out
	}
	out := g.fresh()
	g.made[key] = out
	build(out)
	return out
}

func (g *gates) and(a, b z.Lit) z.Lit {
	zero := g.one.Not()
	switch {
	case a == zero || b == zero || a == b.Not():
		return zero
	case a == g.one || a == b:
		return b
	case b == g.one:
		return a
	}
	if a > b {
		a, b = b, a
	}
	return g.make(gate{'&', a, b, 0}, func(out z.Lit) {
		g.clause(out.Not(), a)
		g.clause(out.Not(), b)
		g.clause(out, a.Not(), b.Not())
	})
}

func (g *gates) or(a, b z.Lit) z.Lit { return g.and(a.Not(), b.Not()).Not() }

// all is the conjunction of many.
func (g *gates) all(lits []z.Lit) z.Lit {
	lits = slices.Clone(lits)
	slices.Sort(lits)
	kept := lits[:0]
	for i, l := range lits {
		switch {
		case l == g.one.Not(), i > 0 && l == lits[i-1].Not():
			return g.one.Not()
		case l == g.one, len(kept) > 0 && l == kept[len(kept)-1]:
		default:
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		return g.one
	case 1:
		return kept[0]
	case 2:
		return g.and(kept[0], kept[1])
	}
	out := g.fresh()
	long := []z.Lit{out}
	for _, l := range kept {
		g.clause(out.Not(), l)
		long = append(long, l.Not())
	}
	g.clause(long...)
	return out
}

func (g *gates) xor(a, b z.Lit) z.Lit {
	flip := a.IsPos() != b.IsPos()
	a, b = a.Var().Pos(), b.Var().Pos()
	if a > b {
		a, b = b, a
	}
	var out z.Lit
	switch {
	case a == b:
		out = g.one.Not()
	case a == g.one: // the first variable, so never b
		out = b.Not()
	default:
		out = g.make(gate{'^', a, b, 0}, func(out z.Lit) {
			g.clause(out.Not(), a, b)
			g.clause(out.Not(), a.Not(), b.Not())
			g.clause(out, a.Not(), b)
			g.clause(out, a, b.Not())
		})
	}
	if flip {
		return out.Not()
	}
	return out
}

// mux is c ? a : b.
func (g *gates) mux(c, a, b z.Lit) z.Lit {
	if !c.IsPos() {
		c, a, b = c.Not(), b, a
	}
	switch {
	case c == g.one || a == b:
		return a
	case a == b.Not():
		return g.xor(c, b)
	case a == g.one || a == c:
		return g.or(c, b)
	case a == g.one.Not() || a == c.Not():
		return g.and(c.Not(), b)
	case b == g.one || b == c.Not():
		return g.or(c.Not(), a)
	case b == g.one.Not() || b == c:
		return g.and(c, a)
	}
	return g.make(gate{'?', c, a, b}, func(out z.Lit) {
		g.clause(c.Not(), a.Not(), out)
		g.clause(c.Not(), a, out.Not())
		g.clause(c, b.Not(), out)
		g.clause(c, b, out.Not())
		g.clause(a, b, out.Not()) // follows, and helps propagation
		g.clause(a.Not(), b.Not(), out)
	})
}

// majority is the carry of a + b + c.
func (g *gates) majority(a, b, c z.Lit) z.Lit {
	in := []z.Lit{a, b, c}
	slices.Sort(in)
	a, b, c = in[0], in[1], in[2]
	switch { // a literal and its complement are neighbours in the order, and constants come first
	case a == b.Not():
		return c
	case b == c.Not():
		return a
	case a == b:
		return a
	case b == c:
		return b
	case a == g.one:
		return g.or(b, c)
	case a == g.one.Not():
		return g.and(b, c)
	}
	flip := !a.IsPos()
	if flip {
		a, b, c = a.Not(), b.Not(), c.Not()
	}
	out := g.make(gate{'m', a, b, c}, func(out z.Lit) {
		for _, p := range [][2]z.Lit{{a, b}, {a, c}, {b, c}} {
			g.clause(out.Not(), p[0], p[1])
			g.clause(out, p[0].Not(), p[1].Not())
		}
	})
	if flip {
		return out.Not()
	}
	return out
}
