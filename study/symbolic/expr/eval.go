package expr

import (
	"fmt"
	"slices"
	"strings"
)

// Model is values for variables, sorted by variable. A variable that it does not name is 0. Models are not changed once
// made, so states can share them.
type Model struct {
	vars   []VarIndex
	values []uint64
}

// NewModel makes a model from parallel slices, which may be in any order; of a variable that is named twice the last
// value counts. It keeps neither slice.
func NewModel(vars []VarIndex, values []uint64) Model {
	order := make([]int, len(vars))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(vars[a]) - int(vars[b]) })
	m := Model{make([]VarIndex, 0, len(vars)), make([]uint64, 0, len(vars))}
	for _, i := range order {
		if n := len(m.vars); n > 0 && m.vars[n-1] == vars[i] {
			m.values[n-1] = values[i]
			continue
		}
		m.vars = append(m.vars, vars[i])
		m.values = append(m.values, values[i])
	}
	return m
}

// Len is how many variables the model names.
func (m Model) Len() int { return len(m.vars) }

// At is the i-th variable that it names, and its value.
func (m Model) At(i int) (VarIndex, uint64) { return m.vars[i], m.values[i] }

// Has reports whether the model names a variable.
func (m Model) Has(v VarIndex) bool {
	_, ok := slices.BinarySearch(m.vars, v)
	return ok
}

// Value is the value of a variable.
func (m Model) Value(v VarIndex) uint64 {
	if i, ok := slices.BinarySearch(m.vars, v); ok {
		return m.values[i]
	}
	return 0
}

// With is the model in which the variables that other names have other's values.
func (m Model) With(other Model) Model {
	if len(m.vars) == 0 {
		return other
	} else if len(other.vars) == 0 {
		return m
	}
	return NewModel(slices.Concat(m.vars, other.vars), slices.Concat(m.values, other.values))
}

// Format lists the model as "name = value", one line for each variable.
func (m Model) Format(p *Pool) string {
	var b strings.Builder
	for i, v := range m.vars {
		fmt.Fprintf(&b, "%s = %s\n", p.VarName(v), literal(m.values[i]))
	}
	return b.String()
}

// Evaluator computes expressions under a model, each node once. It serves one model after another without giving its
// memory back; its memo takes 12 bytes for each expression of the pool that lies below the largest it was asked for.
type Evaluator struct {
	pool   *Pool
	vars   []uint64
	values []uint64
	stamps []uint32
	now    uint32
}

// NewEvaluator makes an evaluator under the model that has all variables 0.
func (p *Pool) NewEvaluator() *Evaluator { return &Evaluator{pool: p, now: 1} }

// Use takes another model.
func (e *Evaluator) Use(m Model) {
	clear(e.vars)
	for i, v := range m.vars {
		if int(v) >= len(e.vars) {
			e.vars = append(e.vars, make([]uint64, int(v)+1-len(e.vars))...)
		}
		e.vars[v] = m.values[i]
	}
	e.now++
	if e.now == 0 { // after 2^32 models old stamps would look new
		clear(e.stamps)
		e.now = 1
	}
}

// Eval is the value of x.
func (e *Evaluator) Eval(x ID) uint64 {
	if int(x) >= len(e.values) {
		grow := max(int(x)+1-len(e.values), len(e.values)/2)
		e.values = append(e.values, make([]uint64, grow)...)
		e.stamps = append(e.stamps, make([]uint32, grow)...)
	}
	return e.eval(x)
}

// Holds reports whether a condition holds.
func (e *Evaluator) Holds(x ID) bool { return e.Eval(x) != 0 }

func (e *Evaluator) eval(x ID) uint64 {
	n := &e.pool.nodes[x]
	switch n.op {
	case Const:
		return n.value()
	case Var:
		if int(n.a) < len(e.vars) {
			return e.vars[n.a] & mask(n.width)
		}
		return 0
	}
	if e.stamps[x] == e.now {
		return e.values[x]
	}
	v := e.compute(n)
	e.values[x], e.stamps[x] = v, e.now
	return v
}

func (e *Evaluator) compute(n *node) uint64 {
	a := e.eval(n.a)
	switch n.op {
	case Not:
		return ^a & mask(n.width)
	case Extract:
		return a >> n.low & mask(n.width)
	case SExt:
		return signExtend(a, e.pool.nodes[n.a].width) & mask(n.width)
	case Ite:
		if a != 0 {
			return e.eval(n.b)
		}
		return e.eval(n.c)
	}
	return apply(n.op, a, e.eval(n.b), n.width, e.pool.nodes[n.a].width, e.pool.nodes[n.b].width)
}

// apply is what the operations of two operands mean; w is the width of the result.
func apply(op Op, a, b uint64, w, wa, wb uint8) uint64 {
	switch op {
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Add:
		return (a + b) & mask(w)
	case Sub:
		return (a - b) & mask(w)
	case Mul:
		return a * b & mask(w)
	case Shl, Lshr, Ashr:
		return shift(op, a, b, w)
	case Concat:
		return a<<wb | b
	case Eq, Ult, Slt:
		if compare(op, a, b, wa) {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("BUG: operation %d has no meaning", op))
}

// shift is as in SMT-LIB: a distance of the width or more leaves nothing but what comes in.
func shift(op Op, v, by uint64, w uint8) uint64 {
	switch op {
	case Shl:
		return v << by & mask(w)
	case Lshr:
		return v >> by
	}
	return uint64(int64(signExtend(v, w))>>min(by, 63)) & mask(w)
}
