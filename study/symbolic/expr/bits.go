package expr

import "fmt"

// Extract and Concat are each other's inverse, and byte code uses them everywhere. The normal form: an extraction stands
// as deep as it can (so that a byte of a wide operation is an operation on bytes where no carry is lost), a concatenation
// is a list nested to the right, and neighbours in it that are pieces of one expression are that expression.

// Extract is the bits high down to low of x.
func (p *Pool) Extract(x ID, high, low int) ID {
	if low < 0 || high < low || high >= p.Width(x) {
		panic(fmt.Sprintf("BUG: bits %d..%d of an expression of width %d", high, low, p.Width(x)))
	}
	return p.extract(x, uint8(high), uint8(low))
}

// Bit is one bit of x, as a condition.
func (p *Pool) Bit(x ID, n int) ID { return p.Extract(x, n, n) }

// msb is the sign bit.
func (p *Pool) msb(x ID) ID { w := p.nodes[x].width; return p.extract(x, w-1, w-1) }

// Pushing an extraction into a deep graph with sharing would take exponential time without a memory of what was
// pushed where, and recursion without a bound. The memo may forget: the result is the same.
const (
	extractMemoBits = 12
	maxExtractDepth = 256
)

type extractMemo struct {
	key uint64
	out ID
}

func (p *Pool) extract(x ID, high, low uint8) ID {
	n := p.nodes[x]
	if low == 0 && high == n.width-1 {
		return x
	}
	w := high - low + 1
	switch n.op {
	case Const:
		return p.constant(w, n.value()>>low)
	case Var:
		return p.node(Extract, w, low, x, 0, 0)
	case Extract:
		return p.extract(n.a, high+n.low, low+n.low)
	}
	if k := p.known[x]; (k.zeros|k.ones)>>low&mask(w) == mask(w) {
		return p.constant(w, k.ones>>low)
	}
	key := uint64(x)<<16 | uint64(high)<<8 | uint64(low)
	slot := &p.extracts[key*0x9e3779b97f4a7c15>>(64-extractMemoBits)]
	if slot.key == key {
		return slot.out
	}
	if p.depth >= maxExtractDepth {
		return p.node(Extract, w, low, x, 0, 0)
	}
	p.depth++
	out := p.pushExtract(&n, x, high, low)
	p.depth--
	if p.err == nil {
		*slot = extractMemo{key, out}
	}
	return out
}

func (p *Pool) pushExtract(n *node, x ID, high, low uint8) ID {
	w := high - low + 1
	switch n.op {
	case Not:
		return p.Not(p.extract(n.a, high, low))
	case And:
		return p.And(p.extract(n.a, high, low), p.extract(n.b, high, low))
	case Or:
		return p.Or(p.extract(n.a, high, low), p.extract(n.b, high, low))
	case Xor:
		return p.Xor(p.extract(n.a, high, low), p.extract(n.b, high, low))
	case Ite:
		return p.Ite(n.a, p.extract(n.b, high, low), p.extract(n.c, high, low))
	case Concat:
		return p.extractConcat(n, high, low)
	case SExt:
		return p.extractSExt(n, high, low)
	case Add, Sub, Mul:
		if high < n.width-1 { // what is above has no influence
			return p.extract(p.arith(n.op, p.extract(n.a, high, 0), p.extract(n.b, high, 0)), high, low)
		}
		if r := p.extractCarried(n, low); r != 0 {
			return r
		}
	}
	return p.node(Extract, w, low, x, 0, 0)
}

// extractCarried is the sum without its lowest bit where that is there only to make a carry: 1 + c, or 0 - c. A Step with a
// carry of unknown origin is written so. 0 when it is not of that form.
func (p *Pool) extractCarried(n *node, low uint8) ID {
	if low != 1 || n.op == Mul {
		return 0
	}
	a, b := n.a, n.b
	if n.op == Add && p.known[b].ones&1 == 1 {
		a, b = b, a
	}
	if n.op == Add && p.known[a].ones&1 == 0 || n.op == Sub && p.known[a].zeros&1 == 0 {
		return 0
	}
	w := n.width
	sum := p.arith(n.op, p.extract(a, w-1, 1), p.extract(b, w-1, 1))
	return p.arith(n.op, sum, p.ZExt(p.extract(b, 0, 0), int(w-1)))
}

func (p *Pool) extractConcat(n *node, high, low uint8) ID {
	split := p.nodes[n.b].width
	switch {
	case low >= split:
		return p.extract(n.a, high-split, low-split)
	case high < split:
		return p.extract(n.b, high, low)
	}
	return p.Concat(p.extract(n.a, high-split, 0), p.extract(n.b, split-1, low))
}

func (p *Pool) extractSExt(n *node, high, low uint8) ID {
	inner := p.nodes[n.a].width
	if high < inner {
		return p.extract(n.a, high, low)
	}
	// At or above the sign all bits are the sign.
	return p.SExt(p.extract(n.a, inner-1, min(low, inner-1)), int(high-low+1))
}

// ConcatBytes is the number whose bytes are given from the lowest, as they stand in memory.
func (p *Pool) ConcatBytes(bytes ...ID) ID {
	x := bytes[0]
	for _, b := range bytes[1:] {
		x = p.Concat(b, x)
	}
	return x
}

// Concat puts high above low.
func (p *Pool) Concat(high, low ID) ID {
	h, l := p.nodes[high], p.nodes[low]
	w := checkWidth(int(h.width) + int(l.width))
	switch {
	case h.op == Concat:
		return p.Concat(h.a, p.Concat(h.b, low))
	case h.op == SExt:
		return p.SExt(p.Concat(h.a, low), int(w))
	case h.width == 1 && h.op != Const && high == p.msb(low):
		return p.SExt(low, int(w))
	}
	if m := p.join(high, low); m != 0 {
		return m
	}
	if l.op == Concat {
		if m := p.join(high, l.a); m != 0 {
			return p.Concat(m, l.b)
		}
	}
	return p.node(Concat, w, 0, high, low, 0)
}

// join is the one expression that two neighbours are, or 0.
func (p *Pool) join(high, low ID) ID {
	h, l := p.nodes[high], p.nodes[low]
	switch {
	case h.op == Const && l.op == Const:
		return p.constant(h.width+l.width, h.value()<<l.width|l.value())
	case h.op == Not && l.op == Not:
		return p.Not(p.Concat(h.a, l.a))
	case h.op == Ite && l.op == Ite && h.a == l.a:
		return p.Ite(h.a, p.Concat(h.b, l.b), p.Concat(h.c, l.c))
	case h.op == Extract && h.low >= l.width:
		return p.joinPieces(&h, &l, low)
	}
	return 0
}

// joinPieces undoes extract: a high piece of x beside what is the piece of x below it. For carries this is what makes the
// bytes of a chain one wide operation again.
func (p *Pool) joinPieces(h, l *node, low ID) ID {
	from := h.low - l.width
	switch p.nodes[h.a].op {
	case Add, Sub, Mul:
		if p.extract(h.a, h.low-1, from) != low {
			return 0
		}
	default: // such a piece can only be an Extract
		if l.op != Extract || l.a != h.a || l.low != from {
			return 0
		}
	}
	return p.extract(h.a, h.low+h.width-1, from)
}

// ZExt is x with zeros above.
func (p *Pool) ZExt(x ID, width int) ID {
	w := p.Width(x)
	if width == w {
		return x
	}
	return p.Concat(p.constant(checkWidth(width-w), 0), x)
}

// SExt is x with copies of its sign above.
func (p *Pool) SExt(x ID, width int) ID {
	n := p.nodes[x]
	w := checkWidth(width)
	sign := uint64(1) << (n.width - 1)
	switch k := p.known[x]; {
	case w == n.width:
		return x
	case w < n.width:
		panic(fmt.Sprintf("BUG: sign extension of width %d to %d", n.width, width))
	case n.op == SExt:
		return p.SExt(n.a, width)
	case k.zeros&sign != 0:
		return p.ZExt(x, width)
	case k.ones&sign != 0:
		return p.Concat(p.constant(w-n.width, ^uint64(0)), x)
	}
	return p.node(SExt, w, 0, x, 0, 0)
}
