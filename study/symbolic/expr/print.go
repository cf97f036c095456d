package expr

import (
	"fmt"
	"strings"
)

// Format writes an expression for people, as in C. What C lacks is written as in Verilog: x[7:4] is bits, {a, b} is a
// above b. Signed operations carry an s: "<s", ">>s", and (s16) extends a sign; (u16) extends with zeros. An operand that is
// long and used more than once is written once: "t1 + t1 where t1 = ...".
func (p *Pool) Format(x ID) string {
	f := &formatter{pool: p, uses: map[ID]int{}, size: map[ID]int{}, names: map[ID]string{}}
	f.count(x)
	var b strings.Builder
	b.WriteString(f.text(x, 0))
	for i := 0; i < len(f.order); i++ { // describing one may name others
		sep := ", "
		if i == 0 {
			sep = " where "
		}
		fmt.Fprintf(&b, "%st%d = %s", sep, i+1, f.body(f.order[i], 0))
	}
	return b.String()
}

type formatter struct {
	pool  *Pool
	uses  map[ID]int
	size  map[ID]int // of the text, about, in operations
	names map[ID]string
	order []ID
}

// longOperand is how many operations an operand has that is worth a name.
const longOperand = 6

func (f *formatter) count(x ID) int {
	f.uses[x]++
	if f.uses[x] > 1 {
		if f.size[x] >= longOperand {
			return 1
		}
		return f.size[x]
	}
	size := 1
	for _, arg := range f.pool.args(x) {
		size += f.count(arg)
	}
	f.size[x] = size
	return size
}

func (p *Pool) args(x ID) []ID {
	a, b, c := p.Args(x)
	switch {
	case c != 0:
		return []ID{a, b, c}
	case b != 0:
		return []ID{a, b}
	case a != 0:
		return []ID{a}
	}
	return nil
}

// text writes x where an operator of the given precedence binds it.
func (f *formatter) text(x ID, precedence int) string {
	if f.uses[x] > 1 && f.size[x] >= longOperand {
		if f.names[x] == "" {
			f.order = append(f.order, x)
			f.names[x] = fmt.Sprintf("t%d", len(f.order))
		}
		return f.names[x]
	}
	return f.body(x, precedence)
}

// The precedences of C, but that comparisons bind weaker than bitwise operations: what people mean, not what C does.
const (
	precChoice = iota + 1
	precOr
	precAnd
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precSum
	precProduct
	precUnary
)

var infix = map[Op]struct {
	sign string
	prec int
}{
	Or: {"|", precBitOr}, Xor: {"^", precBitXor}, And: {"&", precBitAnd},
	Add: {"+", precSum}, Sub: {"-", precSum}, Mul: {"*", precProduct},
	Shl: {"<<", precShift}, Lshr: {">>", precShift}, Ashr: {">>s", precShift},
	Eq: {"==", precCompare}, Ult: {"<", precCompare}, Slt: {"<s", precCompare},
}

func (f *formatter) body(x ID, precedence int) string {
	p := f.pool
	n := &p.nodes[x]
	switch n.op {
	case Const:
		return literal(n.value())
	case Var:
		return p.vars[n.a].name
	case Not:
		return f.not(n, precedence)
	case Extract:
		if n.width == 1 {
			return fmt.Sprintf("%s[%d]", f.text(n.a, precUnary+1), n.low)
		}
		return fmt.Sprintf("%s[%d:%d]", f.text(n.a, precUnary+1), n.low+n.width-1, n.low)
	case SExt:
		return paren(fmt.Sprintf("(s%d)%s", n.width, f.text(n.a, precUnary)), precUnary, precedence)
	case Concat:
		return f.concat(n, precedence)
	case Ite:
		s := f.text(n.a, precChoice+1) + " ? " + f.text(n.b, precChoice+1) + " : " + f.text(n.c, precChoice)
		return paren(s, precChoice, precedence)
	}
	return f.binary(n, precedence)
}

func (f *formatter) binary(n *node, precedence int) string {
	op := infix[n.op]
	if n.width == 1 && n.op == And {
		op.sign, op.prec = "&&", precAnd
	} else if n.width == 1 && n.op == Or {
		op.sign, op.prec = "||", precOr
	}
	a, b := n.a, n.b
	if n.op == Add { // x + 0xfffe is x - 2 to people
		if c, ok := f.pool.constOf(b); ok && n.width > 1 && c>>(n.width-1) == 1 && -c&mask(n.width) <= 0xff {
			s := f.text(a, op.prec) + " - " + literal(-c&mask(n.width))
			return paren(s, op.prec, precedence)
		}
	}
	return paren(f.text(a, op.prec)+" "+op.sign+" "+f.text(b, op.prec+1), op.prec, precedence)
}

func (f *formatter) not(n *node, precedence int) string {
	in := f.pool.nodes[n.a]
	shared := f.uses[n.a] > 1 && f.size[n.a] >= longOperand
	sign, a, b := "", in.a, in.b
	switch {
	case shared:
	case in.op == Eq:
		sign = " != "
	case in.op == Ult:
		sign, a, b = " <= ", b, a
	case in.op == Slt:
		sign, a, b = " <=s ", b, a
	}
	if sign != "" {
		return paren(f.text(a, precCompare)+sign+f.text(b, precCompare+1), precCompare, precedence)
	}
	sign = "~"
	if n.width == 1 {
		sign = "!"
	}
	return paren(sign+f.text(n.a, precUnary), precUnary, precedence)
}

func (f *formatter) concat(n *node, precedence int) string {
	if f.pool.isConst(n.a, 0) {
		return paren(fmt.Sprintf("(u%d)%s", n.width, f.text(n.b, precUnary)), precUnary, precedence)
	}
	parts := []string{f.part(n.a)}
	rest := n.b
	for f.pool.nodes[rest].op == Concat && f.uses[rest] == 1 {
		parts = append(parts, f.part(f.pool.nodes[rest].a))
		rest = f.pool.nodes[rest].b
	}
	return "{" + strings.Join(append(parts, f.part(rest)), ", ") + "}"
}

// part writes a piece of a concatenation, where the width of a constant matters.
func (f *formatter) part(x ID) string {
	if c, ok := f.pool.constOf(x); ok {
		return fmt.Sprintf("%d'%s", f.pool.Width(x), literal(c))
	}
	return f.text(x, 0)
}

func paren(s string, own, around int) string {
	if own < around {
		return "(" + s + ")"
	}
	return s
}

// literal writes small numbers in decimal and others in hexadecimal.
func literal(v uint64) string {
	if v < 10 {
		return fmt.Sprintf("%d", v)
	}
	return fmt.Sprintf("0x%x", v)
}
