package solver

import (
	"github.com/go-air/gini/z"

	"motehound/study/symbolic/expr"
)

// blaster turns expressions into circuits, each node once and only when a query needs it. A value is its bits from the
// lowest.
type blaster struct {
	*gates
	pool *expr.Pool
	bits map[expr.ID][]z.Lit
	vars []expr.VarIndex // that have bits, in the order of their first use
}

func newBlaster(pool *expr.Pool) *blaster {
	return &blaster{gates: newGates(), pool: pool, bits: map[expr.ID][]z.Lit{}}
}

// blast is the bits of x.
func (b *blaster) blast(x expr.ID) []z.Lit {
	if out, ok := b.bits[x]; ok {
		return out
	}
	out := b.build(x)
	zeros, ones := b.pool.Known(x)
	for i := range out {
		if zeros>>i&1 == 1 || ones>>i&1 == 1 {
			out[i] = b.constant(ones>>i&1 == 1)
		}
	}
	b.bits[x] = out
	return out
}

func (b *blaster) build(x expr.ID) []z.Lit {
	w := b.pool.Width(x)
	x1, x2, x3 := b.pool.Args(x)
	switch op := b.pool.Op(x); op {
	case expr.Const:
		return make([]z.Lit, w) // all bits are known: blast fills them in
	case expr.Var:
		v, _ := b.pool.VarOf(x)
		b.vars = append(b.vars, v)
		return b.each(w, func(int) z.Lit { return b.fresh() })
	case expr.Not:
		a := b.blast(x1)
		return b.each(w, func(i int) z.Lit { return a[i].Not() })
	case expr.And, expr.Or, expr.Xor:
		return b.bitwise(op, b.blast(x1), b.blast(x2))
	case expr.Add:
		return b.sum(b.blast(x1), b.blast(x2), b.one.Not())
	case expr.Sub:
		return b.sum(b.blast(x1), b.complement(b.blast(x2)), b.one)
	case expr.Mul:
		return b.product(b.blast(x1), b.blast(x2))
	case expr.Concat:
		high, low := b.blast(x1), b.blast(x2)
		return append(append(make([]z.Lit, 0, w), low...), high...)
	case expr.Extract:
		low := b.pool.Low(x)
		return append(make([]z.Lit, 0, w), b.blast(x1)[low:low+w]...)
	case expr.SExt:
		a := b.blast(x1)
		return b.each(w, func(i int) z.Lit { return a[min(i, len(a)-1)] })
	case expr.Ite:
		c, yes, no := b.blast(x1)[0], b.blast(x2), b.blast(x3)
		return b.each(w, func(i int) z.Lit { return b.mux(c, yes[i], no[i]) })
	case expr.Shl, expr.Lshr, expr.Ashr:
		return b.shift(op, b.blast(x1), b.blast(x2))
	default:
		return []z.Lit{b.compare(op, b.blast(x1), b.blast(x2))}
	}
}

func (b *blaster) each(w int, bit func(i int) z.Lit) []z.Lit {
	out := make([]z.Lit, w)
	for i := range out {
		out[i] = bit(i)
	}
	return out
}

func (b *blaster) complement(x []z.Lit) []z.Lit {
	return b.each(len(x), func(i int) z.Lit { return x[i].Not() })
}

func (b *blaster) bitwise(op expr.Op, x, y []z.Lit) []z.Lit {
	f := b.and
	switch op {
	case expr.Or:
		f = b.or
	case expr.Xor:
		f = b.xor
	}
	return b.each(len(x), func(i int) z.Lit { return f(x[i], y[i]) })
}

func (b *blaster) sum(x, y []z.Lit, carry z.Lit) []z.Lit {
	return b.each(len(x), func(i int) z.Lit {
		out := b.xor(b.xor(x[i], y[i]), carry)
		if i < len(x)-1 {
			carry = b.majority(x[i], y[i], carry)
		}
		return out
	})
}

// product adds up the rows of a long multiplication. The factor with more constant bits says which rows there are.
func (b *blaster) product(x, y []z.Lit) []z.Lit {
	if b.constants(x) > b.constants(y) {
		x, y = y, x
	}
	zero := b.one.Not()
	out := b.each(len(x), func(int) z.Lit { return zero })
	for row := range y {
		if y[row] == zero {
			continue
		}
		upper := b.each(len(x)-row, func(i int) z.Lit { return b.and(x[i], y[row]) })
		copy(out[row:], b.sum(out[row:], upper, zero))
	}
	return out
}

func (b *blaster) constants(x []z.Lit) int {
	n := 0
	for _, l := range x {
		if b.isConst(l) {
			n++
		}
	}
	return n
}

// shift moves by each power of two that the distance has; a distance with higher bits set moves everything out.
func (b *blaster) shift(op expr.Op, x, by []z.Lit) []z.Lit {
	fill := b.one.Not()
	if op == expr.Ashr {
		fill = x[len(x)-1]
	}
	at := func(x []z.Lit, i int) z.Lit {
		if i < 0 || i >= len(x) {
			return fill
		}
		return x[i]
	}
	for k, bit := range by {
		step := len(x)
		if k < 6 {
			step = min(step, 1<<k)
		}
		if op == expr.Shl {
			step = -step
		}
		from := x
		x = b.each(len(x), func(i int) z.Lit { return b.mux(bit, at(from, i+step), from[i]) })
	}
	return x
}

func (b *blaster) compare(op expr.Op, x, y []z.Lit) z.Lit {
	if op == expr.Eq {
		return b.all(b.each(len(x), func(i int) z.Lit { return b.xor(x[i], y[i]).Not() }))
	}
	borrow := b.one.Not()
	for i := range x {
		l, r := x[i], y[i]
		if op == expr.Slt && i == len(x)-1 {
			l, r = r, l
		}
		borrow = b.majority(l.Not(), r, borrow)
	}
	return borrow
}
