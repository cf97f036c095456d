package solver

import (
	"encoding/binary"
	"slices"

	"motehound/study/symbolic/expr"
)

// Set is conditions that hold together: the path condition of a state. It is not changed once made, so states share it
// and a fork costs nothing. It is kept in groups that have no input in common.
type Set struct {
	pool          *expr.Pool
	groups        []*group
	contradiction bool

	// The set as it was built, which is what people and recordings see.
	before *Set
	cond   expr.ID
	length int
}

// group is conditions that hang together by their inputs, sorted.
type group struct {
	vars       []expr.VarIndex
	conditions []expr.ID
}

// NewSet is the empty set, which always holds.
func NewSet(pool *expr.Pool) *Set { return &Set{pool: pool} }

// Contradiction tells whether the conditions were seen not to hold together without asking a solver.
func (s *Set) Contradiction() bool { return s.contradiction }

// Conditions is what was added, in that order.
func (s *Set) Conditions() []expr.ID {
	out := make([]expr.ID, s.length, s.length+1)
	for at := s; at.length > 0; at = at.before {
		out[at.length-1] = at.cond
	}
	return out
}

// Add is the set with one more condition. Conditions that already hold leave the groups as they are. An equality with a
// constant is used up: the rest of the set is rewritten with it, which often makes it independent.
func (s *Set) Add(cond expr.ID) *Set {
	next := &Set{pool: s.pool, groups: s.groups, contradiction: s.contradiction, before: s, cond: cond, length: s.length + 1}
	if s.contradiction {
		return next
	}
	simple := s.Simplify(cond)
	if s.pool.IsTrue(simple) {
		return next
	}
	touched := s.about(s.pool.Vars(simple))
	rest := make([]*group, 0, len(s.groups)+1)
	for _, g := range s.groups {
		if !expr.Intersect(g.vars, s.pool.Vars(simple)) {
			rest = append(rest, g)
		}
	}
	conds, ok := propagate(s.pool, touched, simple)
	if !ok {
		next.groups, next.contradiction = nil, true
		return next
	}
	next.groups = append(rest, components(s.pool, conds)...)
	return next
}

// about is the conditions of all groups that share an input with vars.
func (s *Set) about(vars []expr.VarIndex) []expr.ID {
	var out []expr.ID
	for _, g := range s.groups {
		if expr.Intersect(g.vars, vars) {
			out = append(out, g.conditions...)
		}
	}
	slices.Sort(out)
	return out
}

// Simplify is an expression equal to x wherever the set holds: what the set says outright, equalities with constants and
// conditions that recur, is put in.
func (s *Set) Simplify(x expr.ID) expr.ID {
	var sub *expr.Subst
	for _, g := range s.groups {
		if !expr.Intersect(g.vars, s.pool.Vars(x)) {
			continue
		}
		if sub == nil {
			sub = s.pool.NewSubst()
		}
		for _, c := range g.conditions {
			sub.Replace(c, s.pool.Bool(true))
			sub.Replace(s.pool.Not(c), s.pool.Bool(false))
			if from, to, ok := equality(s.pool, c); ok {
				sub.Replace(from, to)
			}
		}
	}
	if sub == nil {
		return x
	}
	return sub.Apply(x)
}

// equality reads a condition as "this expression is that constant".
func equality(p *expr.Pool, c expr.ID) (from, to expr.ID, ok bool) {
	switch a, b, _ := p.Args(c); p.Op(c) {
	case expr.Eq:
		_, ok = p.Value(b)
		return a, b, ok
	case expr.Var, expr.Extract: // of width 1
		return c, p.Bool(true), true
	case expr.Not:
		switch p.Op(a) {
		case expr.Var, expr.Extract:
			return a, p.Bool(false), true
		}
	}
	return 0, 0, false
}

// propagate adds a condition that is already simplified, and puts each new equality into all other conditions, until nothing
// changes. ok is false when they contradict each other.
func propagate(p *expr.Pool, settled []expr.ID, cond expr.ID) (conds []expr.ID, ok bool) {
	used := map[expr.ID]bool{}
	for _, c := range settled {
		used[c] = true
	}
	conds = conjuncts(p, slices.Concat(settled, []expr.ID{cond}))
	for {
		next := slices.IndexFunc(conds, func(c expr.ID) bool {
			_, _, eq := equality(p, c)
			return eq && !used[c]
		})
		if next < 0 {
			break
		}
		eq := conds[next]
		used[eq] = true
		from, to, _ := equality(p, eq)
		sub := p.NewSubst()
		sub.Replace(from, to)
		var rewritten []expr.ID
		for _, c := range conds {
			if c != eq {
				c = sub.Apply(c)
			}
			rewritten = append(rewritten, c)
		}
		conds = conjuncts(p, rewritten)
		if slices.Contains(conds, p.Bool(false)) {
			return nil, false
		}
	}
	if slices.Contains(conds, p.Bool(false)) {
		return nil, false
	}
	for _, c := range conds {
		if _, found := slices.BinarySearch(conds, p.Not(c)); found {
			return nil, false
		}
	}
	return conds, true
}

// conjuncts takes conditions apart that say several things, and sorts; what always holds is left out.
func conjuncts(p *expr.Pool, conds []expr.ID) []expr.ID {
	var out []expr.ID
	for todo := slices.Clone(conds); len(todo) > 0; {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		a, b, _ := p.Args(c)
		switch {
		case p.IsTrue(c):
		case p.Op(c) == expr.And:
			todo = append(todo, a, b)
		case p.Op(c) == expr.Not && p.Op(a) == expr.Or:
			l, r, _ := p.Args(a)
			todo = append(todo, p.Not(l), p.Not(r))
		case p.Op(c) == expr.Eq && p.Op(a) == expr.Concat:
			if v, ok := p.Value(b); ok {
				todo = append(todo, splitEquality(p, a, v)...)
				continue
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// splitEquality: the pieces of a concatenation are equal to the pieces of the constant, each for itself.
func splitEquality(p *expr.Pool, x expr.ID, v uint64) []expr.ID {
	high, low, _ := p.Args(x)
	return []expr.ID{
		p.Eq(high, p.Const(p.Width(high), v>>p.Width(low))),
		p.Eq(low, p.Const(p.Width(low), v)),
	}
}

// components groups conditions that share inputs, directly or through others.
func components(p *expr.Pool, conds []expr.ID) []*group {
	var groups []*group
	for _, c := range conds {
		merged := &group{vars: slices.Clone(p.Vars(c)), conditions: []expr.ID{c}}
		kept := groups[:0]
		for _, g := range groups {
			if !expr.Intersect(g.vars, p.Vars(c)) {
				kept = append(kept, g)
				continue
			}
			merged.vars = append(merged.vars, g.vars...)
			merged.conditions = append(merged.conditions, g.conditions...)
		}
		slices.Sort(merged.vars)
		merged.vars = slices.Compact(merged.vars)
		slices.Sort(merged.conditions)
		groups = append(kept, merged)
	}
	return groups
}

// setKey is a map key for a set of conditions; it sorts them.
func setKey(conds []expr.ID) string {
	slices.Sort(conds)
	key := make([]byte, 0, 4*len(conds))
	for _, c := range conds {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}
