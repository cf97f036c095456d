// Package expr holds bit-vector expressions for the symbolic engine: what a byte of a mote's memory means in terms of the
// inputs that are unknown.
//
// An expression is an ID in a Pool. The common currency is the 8-bit expression, since that is what a mote/cell.Cell can
// carry beside its concrete byte; a condition is an expression of width 1.
//
// Invariants:
//   - An ID is never 0, fits in a cell, and names the same expression for ever. Equal IDs are equal expressions: there is
//     one node for each structure (hash-consing), and every constructor returns the simplified form.
//   - IDs are given in the order of construction and depend on nothing else; the operands of a node have smaller IDs
//     than the node.
//   - Simplification never changes what an expression evaluates to, under any assignment.
//   - A width is 1 to 64. Operands of unequal widths are a mistake of the caller and panic with "BUG:".
//   - A pool is used by one goroutine at a time.
//
// A pool can be full. Then, as with a bufio.Writer, the error sticks: constructors return zero constants from there on,
// and Err says so. Whoever builds expressions asks Err before believing what was built.
package expr

import (
	"fmt"
	"math/bits"
)

// ID names an expression in its pool. 0 is none.
type ID uint32

// maxNodes is how many expressions a pool can hold: as many as the expression field of a cell can tell apart.
const maxNodes = 1<<24 - 1

// Op says what a node computes. Every other operation is built from these.
type Op uint8

// The operations. Const and Var are leaves; the others list their operands.
const (
	Const   Op = iota + 1
	Var        // a named input
	Not        // ~a
	And        // a & b
	Or         // a | b
	Xor        // a ^ b
	Add        // a + b, modulo 2^width
	Sub        // a - b, modulo 2^width
	Mul        // a * b, modulo 2^width
	Shl        // a << b; 0 when b is the width or more
	Lshr       // a >> b, zeros come in
	Ashr       // a >> b, copies of the sign come in
	Concat     // a above b
	Extract    // the bits of a from Low(), as many as the width
	SExt       // a, with copies of its sign above
	Ite        // a ? b : c, a of width 1
	Eq         // a == b, of width 1
	Ult        // a < b as unsigned numbers, of width 1
	Slt        // a < b as signed numbers, of width 1
)

// node is 16 bytes. A constant has its value in b (low half) and c (high half), a variable its index in a.
type node struct {
	op      Op
	width   uint8
	low     uint8
	a, b, c ID
}

func (n *node) value() uint64 { return uint64(n.b) | uint64(n.c)<<32 }

// known is which bits of a node are the same under every assignment.
type known struct{ zeros, ones uint64 }

// Pool is an arena of expressions. The zero value is not usable: see NewPool.
type Pool struct {
	nodes []node // index 0 is unused
	known []known
	sets  []uint32 // per node: which of varSets it depends on
	table []ID     // open addressing; 0 is free
	limit int
	err   error

	vars    []variable
	names   map[string]int // how often a name was asked for
	varSets varSets

	extracts []extractMemo
	depth    int // of extractions pushed into operands, so that it is bounded
}

// NewPool makes an empty pool.
func NewPool() *Pool {
	p := &Pool{
		nodes:    make([]node, 1, 1024),
		known:    make([]known, 1, 1024),
		sets:     make([]uint32, 1, 1024),
		table:    make([]ID, 2048),
		limit:    maxNodes,
		names:    map[string]int{},
		varSets:  newVarSets(),
		extracts: make([]extractMemo, 1<<extractMemoBits),
	}
	// Zero of every width comes first: it is what a full pool returns.
	for w := uint8(1); w <= 64; w++ {
		p.constant(w, 0)
	}
	return p
}

// SetLimit makes the pool refuse to grow beyond n nodes. It is for those who give a run a bound on memory.
func (p *Pool) SetLimit(n int) { p.limit = max(65, min(n, maxNodes)) }

// Err reports whether the pool has run full, and what to do. Results that were built since are not to be believed.
func (p *Pool) Err() error { return p.err }

// Len is how many expressions the pool holds.
func (p *Pool) Len() int { return len(p.nodes) - 1 }

// Bytes is how much memory the pool takes.
func (p *Pool) Bytes() int {
	perNode := cap(p.nodes)*16 + cap(p.known)*16 + cap(p.sets)*4 + cap(p.table)*4
	return perNode + len(p.extracts)*16 + p.varSets.bytes + len(p.vars)*96
}

// Op is what the expression computes.
func (p *Pool) Op(x ID) Op { return p.nodes[x].op }

// Width is how many bits the expression has.
func (p *Pool) Width(x ID) int { return int(p.nodes[x].width) }

// Args is the operands; 0 for those that the operation does not have.
func (p *Pool) Args(x ID) (a, b, c ID) {
	n := &p.nodes[x]
	if n.op == Const || n.op == Var {
		return 0, 0, 0
	}
	return n.a, n.b, n.c
}

// Low is the lowest bit that an Extract takes.
func (p *Pool) Low(x ID) int { return int(p.nodes[x].low) }

// Known is which bits are 0 and which are 1 whatever the inputs are.
func (p *Pool) Known(x ID) (zeros, ones uint64) { return p.known[x].zeros, p.known[x].ones }

// Value is the value of a constant; ok is false for all other expressions.
func (p *Pool) Value(x ID) (v uint64, ok bool) {
	n := &p.nodes[x]
	return n.value(), n.op == Const
}

// IsTrue reports whether a condition is the constant 1.
func (p *Pool) IsTrue(x ID) bool { return p.isConst(x, 1) && p.nodes[x].width == 1 }

// IsFalse reports whether a condition is the constant 0.
func (p *Pool) IsFalse(x ID) bool { return p.isConst(x, 0) && p.nodes[x].width == 1 }

// Const makes a constant from the low bits of v.
func (p *Pool) Const(width int, v uint64) ID { return p.constant(checkWidth(width), v) }

// Bool is the condition that always or never holds.
func (p *Pool) Bool(b bool) ID {
	if b {
		return p.constant(1, 1)
	}
	return p.constant(1, 0)
}

func (p *Pool) constant(w uint8, v uint64) ID {
	v &= mask(w)
	if v == 0 && len(p.nodes) > 64 {
		return ID(w) // made by NewPool
	}
	return p.intern(node{op: Const, width: w, b: ID(uint32(v)), c: ID(v >> 32)}, known{^v & mask(w), v}, 0)
}

func checkWidth(width int) uint8 {
	if width < 1 || width > 64 {
		panic(fmt.Sprintf("BUG: expression of width %d", width))
	}
	return uint8(width)
}

func (p *Pool) sameWidth(a, b ID) uint8 {
	wa, wb := p.nodes[a].width, p.nodes[b].width
	if wa != wb || wa == 0 {
		panic(fmt.Sprintf("BUG: operands of widths %d and %d", wa, wb))
	}
	return wa
}

// mask is the low w bits.
func mask(w uint8) uint64 { return ^uint64(0) >> (64 - w) }

func (p *Pool) isConst(x ID, v uint64) bool { return p.nodes[x].op == Const && p.nodes[x].value() == v }

func (p *Pool) constOf(x ID) (uint64, bool) { return p.nodes[x].value(), p.nodes[x].op == Const }

// isNotOf reports whether one is written as the complement of the other.
func (p *Pool) isNotOf(a, b ID) bool {
	na, nb := &p.nodes[a], &p.nodes[b]
	return na.op == Not && na.a == b || nb.op == Not && nb.a == a
}

// node makes or finds a node whose operands allow no further simplification. A node whose every bit is known is its
// constant: that is all the constant folding there is.
func (p *Pool) node(op Op, w, low uint8, a, b, c ID) ID {
	n := node{op: op, width: w, low: low, a: a, b: b, c: c}
	if id := p.find(&n); id != 0 {
		return id
	}
	k := p.knownOf(&n)
	if k.zeros|k.ones == mask(w) {
		return p.constant(w, k.ones)
	}
	return p.intern(n, k, p.varSets.union3(p.sets[a], p.sets[b], p.sets[c]))
}

func (n *node) hash() uint32 {
	h := uint64(n.op) | uint64(n.width)<<8 | uint64(n.low)<<16 | uint64(n.a)<<32
	h = (h ^ uint64(n.b)*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h ^= h >> 29
	h = (h ^ uint64(n.c)) * 0x94d049bb133111eb
	return uint32(h >> 32)
}

func (p *Pool) find(n *node) ID {
	for i := n.hash(); ; i++ {
		id := p.table[i&uint32(len(p.table)-1)]
		if id == 0 || p.nodes[id] == *n {
			return id
		}
	}
}

// intern finds the node or appends it.
func (p *Pool) intern(n node, k known, set uint32) ID {
	if id := p.find(&n); id != 0 {
		return id
	}
	if p.Len() >= p.limit {
		if p.err == nil {
			p.err = fmt.Errorf("expression pool is full at %d expressions: give the run more memory, "+
				"fewer symbolic bytes or a smaller budget", p.limit)
		}
		return ID(n.width)
	}
	id := ID(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.known = append(p.known, k)
	p.sets = append(p.sets, set)
	if len(p.nodes)*2 > len(p.table) {
		p.rehash()
	} else {
		p.place(id)
	}
	return id
}

func (p *Pool) place(id ID) {
	i := p.nodes[id].hash()
	for p.table[i&uint32(len(p.table)-1)] != 0 {
		i++
	}
	p.table[i&uint32(len(p.table)-1)] = id
}

func (p *Pool) rehash() {
	p.table = make([]ID, len(p.table)*2)
	for id := 1; id < len(p.nodes); id++ {
		p.place(ID(id))
	}
}

// leading is how many of the top bits of a value of width w are set in m.
func leading(m uint64, w uint8) uint8 { return uint8(bits.LeadingZeros64(^(m << (64 - w)))) }

// trailing is how many of the low bits are set in m.
func trailing(m uint64) uint8 { return uint8(bits.TrailingZeros64(^m)) }
