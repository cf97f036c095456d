package expr

import (
	"bufio"
	"fmt"
	"io"
)

// WriteSMT writes the declarations and assertions of SMT-LIB 2 that say that all conditions hold. Expressions of width 1
// are of sort Bool there, all others bit vectors. Every expression that is no leaf gets a name ("t" and its ID), so
// sharing is kept; the variables keep theirs, between bars.
func (p *Pool) WriteSMT(w io.Writer, conditions []ID) error {
	out := &smtWriter{pool: p, w: bufio.NewWriter(w), done: map[ID]bool{}}
	for _, c := range conditions {
		out.define(c)
	}
	for _, c := range conditions {
		fmt.Fprintf(out.w, "(assert %s)\n", out.ref(c))
	}
	return out.w.Flush()
}

// SMTName is the variable's name as SMT-LIB writes it.
func (p *Pool) SMTName(v VarIndex) string { return "|" + p.vars[v].name + "|" }

type smtWriter struct {
	pool *Pool
	w    *bufio.Writer
	done map[ID]bool
}

func smtSort(w uint8) string {
	if w == 1 {
		return "Bool"
	}
	return fmt.Sprintf("(_ BitVec %d)", w)
}

// define writes what x needs, and then x.
func (s *smtWriter) define(x ID) {
	n := &s.pool.nodes[x]
	if s.done[x] || n.op == Const {
		return
	}
	s.done[x] = true
	if n.op == Var {
		fmt.Fprintf(s.w, "(declare-const %s %s)\n", s.ref(x), smtSort(n.width))
		return
	}
	for _, arg := range s.pool.args(x) {
		s.define(arg)
	}
	fmt.Fprintf(s.w, "(define-fun t%d () %s %s)\n", x, smtSort(n.width), s.body(n))
}

// ref is how x is called.
func (s *smtWriter) ref(x ID) string {
	n := &s.pool.nodes[x]
	switch {
	case n.op == Var:
		return s.pool.SMTName(VarIndex(n.a))
	case n.op == Const && n.width == 1:
		return [2]string{"false", "true"}[n.value()]
	case n.op == Const:
		return bitVector(n.value(), n.width)
	}
	return fmt.Sprintf("t%d", x)
}

func bitVector(v uint64, w uint8) string {
	if w%4 == 0 {
		return fmt.Sprintf("#x%0*x", int(w/4), v)
	}
	return fmt.Sprintf("#b%0*b", int(w), v)
}

// vec is how x is called where SMT-LIB wants a bit vector.
func (s *smtWriter) vec(x ID) string {
	if s.pool.nodes[x].width == 1 {
		return "(ite " + s.ref(x) + " #b1 #b0)"
	}
	return s.ref(x)
}

var smtOps = map[Op]string{
	Not: "bvnot", And: "bvand", Or: "bvor", Xor: "bvxor", Add: "bvadd", Sub: "bvsub", Mul: "bvmul",
	Shl: "bvshl", Lshr: "bvlshr", Ashr: "bvashr", Concat: "concat", Eq: "=", Ult: "bvult", Slt: "bvslt",
}

var smtBoolOps = map[Op]string{Not: "not", And: "and", Or: "or", Xor: "xor"}

func (s *smtWriter) body(n *node) string {
	switch n.op {
	case Extract:
		bits := fmt.Sprintf("((_ extract %d %d) %s)", n.low+n.width-1, n.low, s.vec(n.a))
		if n.width == 1 {
			return "(= " + bits + " #b1)"
		}
		return bits
	case SExt:
		return fmt.Sprintf("((_ sign_extend %d) %s)", n.width-s.pool.nodes[n.a].width, s.vec(n.a))
	case Ite:
		return fmt.Sprintf("(ite %s %s %s)", s.ref(n.a), s.ref(n.b), s.ref(n.c))
	case Concat:
		return fmt.Sprintf("(concat %s %s)", s.vec(n.a), s.vec(n.b))
	}
	op := smtOps[n.op]
	if b, ok := smtBoolOps[n.op]; ok && n.width == 1 {
		op = b
	}
	if n.op == Not {
		return fmt.Sprintf("(%s %s)", op, s.ref(n.a))
	}
	return fmt.Sprintf("(%s %s %s)", op, s.ref(n.a), s.ref(n.b))
}
