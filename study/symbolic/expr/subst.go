package expr

import "slices"

// Subst replaces expressions by others of the same width. It remembers what it has rewritten.
type Subst struct {
	pool  *Pool
	to    map[ID]ID
	first ID         // the oldest that is replaced: what is older cannot contain it
	vars  []VarIndex // those of the replaced expressions; sorted unless dirty
	dirty bool
	memo  map[ID]ID
}

// NewSubst makes a substitution that replaces nothing.
func (p *Pool) NewSubst() *Subst {
	return &Subst{pool: p, to: map[ID]ID{}, memo: map[ID]ID{}, first: maxNodes + 1}
}

// Replace adds a replacement. Those that are part of another's replacement are not followed.
func (s *Subst) Replace(from, to ID) {
	s.pool.sameWidth(from, to)
	s.to[from] = to
	s.first = min(s.first, from)
	s.vars = append(s.vars, s.pool.Vars(from)...)
	s.dirty = true
}

// Apply is x with the replacements made, simplified.
func (s *Subst) Apply(x ID) ID {
	if s.dirty {
		slices.Sort(s.vars)
		s.vars = slices.Compact(s.vars)
		s.dirty = false
		clear(s.memo)
	}
	return s.apply(x)
}

func (s *Subst) apply(x ID) ID {
	if to, ok := s.to[x]; ok {
		return to
	}
	if x < s.first || !Intersect(s.pool.Vars(x), s.vars) {
		return x
	}
	if y, ok := s.memo[x]; ok {
		return y
	}
	n := s.pool.nodes[x]
	if n.op == Var {
		return x
	}
	a, b, c := n.a, n.b, n.c
	if a != 0 {
		a = s.apply(a)
	}
	if b != 0 {
		b = s.apply(b)
	}
	if c != 0 {
		c = s.apply(c)
	}
	y := x
	if a != n.a || b != n.b || c != n.c {
		y = s.pool.rebuild(&n, a, b, c)
	}
	s.memo[x] = y
	return y
}

// rebuild makes the operation of n on other operands.
func (p *Pool) rebuild(n *node, a, b, c ID) ID {
	switch n.op {
	case Not:
		return p.Not(a)
	case And:
		return p.And(a, b)
	case Or:
		return p.Or(a, b)
	case Xor:
		return p.Xor(a, b)
	case Add, Sub, Mul:
		return p.arith(n.op, a, b)
	case Shl, Lshr, Ashr:
		return p.shift(n.op, a, b)
	case Concat:
		return p.Concat(a, b)
	case Extract:
		return p.extract(a, n.low+n.width-1, n.low)
	case SExt:
		return p.SExt(a, int(n.width))
	case Ite:
		return p.Ite(a, b, c)
	case Eq:
		return p.Eq(a, b)
	case Ult:
		return p.Ult(a, b)
	}
	return p.Slt(a, b)
}

// Intersect tells whether two sorted sets of variables have one in common.
func Intersect(a, b []VarIndex) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			return true
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return false
}
