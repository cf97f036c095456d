package plan

import (
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"motehound/study/symbolic/expr"
	"motehound/world/scenario"
)

// number is a number in a property that depends on inputs. As in Starlark it never overflows: what an operation makes has as many bits as
// its result can need, up to maxBits.
type number struct {
	w      *walk
	x      expr.ID // of width 1 to maxBits
	signed bool
}

var _ scenario.Unknown = (*number)(nil)

const maxBits = 64

// Type is that of other numbers: what can be done with them can be done with this one.
func (n *number) Type() string   { return "int" }
func (n *number) String() string { return n.w.pool.Format(n.x) }

// Freeze implements starlark.Value.
func (n *number) Freeze() {}

// Truth is whether it is not 0: a question with two answers.
func (n *number) Truth() starlark.Bool {
	return starlark.Bool(n.w.decide(n.w.pool.Ne(n.x, n.w.pool.Const(n.width(), 0))))
}

// Hash refuses: equal numbers would have to have equal hashes.
func (n *number) Hash() (uint32, error) {
	return 0, fmt.Errorf("a symbolic number cannot be a key: take int(x), for each of its values")
}

func (n *number) width() int { return n.w.pool.Width(n.x) }

// Known implements scenario.Unknown: each of its values in turn.
func (n *number) Known() starlark.Int {
	v := n.w.pick(n.x)
	if n.signed {
		shift := 64 - n.width()
		return starlark.MakeInt64(int64(v<<shift) >> shift)
	}
	return starlark.MakeUint64(v)
}

// operand is a value as a number; ok is false for what is none.
func (w *walk) operand(v starlark.Value) (n *number, ok bool) {
	switch v := v.(type) {
	case *number:
		return v, true
	case starlark.Bool:
		if v {
			return &number{w, w.pool.Const(1, 1), false}, true
		}
		return &number{w, w.pool.Const(1, 0), false}, true
	case starlark.Int:
		if u, ok := v.Uint64(); ok {
			return &number{w, w.pool.Const(max(bits.Len64(u), 1), u), false}, true
		}
		if i, ok := v.Int64(); ok {
			return &number{w, w.pool.Const(bits.Len64(uint64(^i))+1, uint64(i)), true}, true
		}
	}
	return nil, false
}

// aligned is two numbers in one form, with some bits more than the larger needs.
func aligned(a, b *number, signed bool, more int) (x, y expr.ID, isSigned bool, err error) {
	signed = signed || a.signed || b.signed
	width := max(a.needs(signed), b.needs(signed)) + more
	if width > maxBits {
		return 0, 0, false, fmt.Errorf("the result can have %d bits: with symbolic numbers up to %d are possible", width, maxBits)
	}
	return a.extended(width), b.extended(width), signed, nil
}

// needs is how many bits it takes.
func (n *number) needs(signed bool) int {
	if signed && !n.signed {
		return n.width() + 1
	}
	return n.width()
}

func (n *number) extended(width int) expr.ID {
	if n.signed {
		return n.w.pool.SExt(n.x, width)
	}
	return n.w.pool.ZExt(n.x, width)
}

// CompareSameType implements starlark.Comparable.
func (n *number) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return n.Compare(op, y)
}

// Compare implements scenario.Unknown.
func (n *number) Compare(op syntax.Token, v starlark.Value) (bool, error) {
	m, ok := n.w.operand(v)
	switch v.(type) {
	case starlark.Float, starlark.Int:
		if !ok {
			return starlark.Compare(op, n.Known(), v)
		}
	}
	if !ok {
		switch op {
		case syntax.EQL, syntax.NEQ:
			return op == syntax.NEQ, nil
		}
		return false, fmt.Errorf("int %s %s not implemented", op, v.Type())
	}
	a, b, signed, err := aligned(n, m, false, 0)
	if err != nil {
		return false, err
	}
	return n.w.decide(n.w.compared(op, a, b, signed)), nil
}

// compared is the condition that two numbers compare so.
func (w *walk) compared(op syntax.Token, a, b expr.ID, signed bool) expr.ID {
	p := w.pool
	less := p.Ult
	if signed {
		less = p.Slt
	}
	switch op {
	case syntax.EQL:
		return p.Eq(a, b)
	case syntax.NEQ:
		return p.Ne(a, b)
	case syntax.LT:
		return less(a, b)
	case syntax.GT:
		return less(b, a)
	case syntax.LE:
		return p.Not(less(b, a))
	case syntax.GE:
		return p.Not(less(a, b))
	}
	panic("BUG: plan: no comparison " + op.String())
}

// Unary implements starlark.HasUnary.
func (n *number) Unary(op syntax.Token) (starlark.Value, error) {
	zero, _ := n.w.operand(starlark.MakeInt(0))
	switch op {
	case syntax.PLUS:
		return n, nil
	case syntax.MINUS:
		return n.w.arithmetic(syntax.MINUS, zero, n)
	case syntax.TILDE: // -x - 1
		x, err := n.w.arithmetic(syntax.MINUS, zero, n)
		if err != nil {
			return nil, err
		}
		return starlark.Binary(syntax.MINUS, x, starlark.MakeInt(1))
	}
	return nil, nil
}

// Binary implements starlark.HasBinary. What has no expression is done for each value.
func (n *number) Binary(op syntax.Token, v starlark.Value, side starlark.Side) (starlark.Value, error) {
	m, ok := n.w.operand(v)
	if !ok {
		if side == starlark.Left {
			return starlark.Binary(op, n.Known(), v)
		}
		return starlark.Binary(op, v, n.Known())
	}
	a, b := n, m
	if side == starlark.Right {
		a, b = m, n
	}
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX:
		return n.w.arithmetic(op, a, b)
	case syntax.LTLT, syntax.GTGT:
		if by, ok := n.w.pool.Value(b.x); ok && by < maxBits && !b.signed {
			return n.w.shifted(op, a, int(by))
		}
	case syntax.SLASHSLASH, syntax.PERCENT:
		if by, ok := n.w.pool.Value(b.x); ok && !b.signed && bits.OnesCount64(by) == 1 {
			return n.w.divided(op, a, bits.TrailingZeros64(by))
		}
	}
	return starlark.Binary(op, a.Known(), b.Known())
}

// value is an expression as a script gets it.
func (w *walk) value(x expr.ID, signed bool) starlark.Value {
	n := &number{w, x, signed}
	if _, ok := w.pool.Value(x); ok {
		return n.Known()
	}
	return n
}

func (w *walk) arithmetic(op syntax.Token, a, b *number) (starlark.Value, error) {
	more := 0
	switch op {
	case syntax.PLUS, syntax.MINUS:
		more = 1
	case syntax.STAR:
		signed := a.signed || b.signed
		more = min(a.needs(signed), b.needs(signed))
	}
	x, y, signed, err := aligned(a, b, op == syntax.MINUS, more)
	if err != nil {
		return nil, err
	}
	p := w.pool
	build := map[syntax.Token]func(a, b expr.ID) expr.ID{
		syntax.PLUS: p.Add, syntax.MINUS: p.Sub, syntax.STAR: p.Mul, syntax.AMP: p.And, syntax.PIPE: p.Or, syntax.CIRCUMFLEX: p.Xor,
	}[op]
	return w.value(build(x, y), signed), nil
}

// shifted is a << by or a >> by.
func (w *walk) shifted(op syntax.Token, a *number, by int) (starlark.Value, error) {
	p := w.pool
	if op == syntax.LTLT {
		width := a.width() + by
		if width > maxBits {
			return nil, fmt.Errorf("the result can have %d bits: with symbolic numbers up to %d are possible", width, maxBits)
		}
		return w.value(p.Shl(a.extended(width), p.Const(width, uint64(by))), a.signed), nil
	}
	width := a.width()
	if by >= width {
		by = width - 1
		if !a.signed {
			return starlark.MakeInt(0), nil
		}
	}
	return w.value(p.Extract(a.x, width-1, by), a.signed), nil
}

// divided is a // 2**by or a % 2**by, rounded down as in Starlark.
func (w *walk) divided(op syntax.Token, a *number, by int) (starlark.Value, error) {
	if op == syntax.SLASHSLASH {
		return w.shifted(syntax.GTGT, a, by)
	}
	if by == 0 {
		return starlark.MakeInt(0), nil
	}
	if by >= maxBits {
		return nil, fmt.Errorf("%% %d is too large for a symbolic number", uint64(1)<<by)
	}
	width := max(a.width(), by+1)
	return w.value(w.pool.Extract(a.extended(width), by-1, 0), false), nil
}
