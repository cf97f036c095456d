package expr

import "math/bits"

// knownOf computes which bits of a node do not depend on the inputs, from what is known of its operands.
func (p *Pool) knownOf(n *node) known {
	m := mask(n.width)
	a, b := p.known[n.a], p.known[n.b]
	switch n.op {
	case Not:
		return known{a.ones, a.zeros}
	case And:
		return known{a.zeros | b.zeros, a.ones & b.ones}
	case Or:
		return known{a.zeros & b.zeros, a.ones | b.ones}
	case Xor:
		return known{a.zeros&b.zeros | a.ones&b.ones, a.zeros&b.ones | a.ones&b.zeros}
	case Add:
		return knownSum(a, b, 0, m)
	case Sub: // a + ~b + 1
		return knownSum(a, known{b.ones, b.zeros}, 1, m)
	case Mul:
		return knownProduct(a, b, n.width)
	case Concat:
		w := p.nodes[n.b].width
		return known{a.zeros<<w | b.zeros, a.ones<<w | b.ones}
	case Extract:
		return known{a.zeros >> n.low & m, a.ones >> n.low & m}
	case SExt:
		w := p.nodes[n.a].width
		return known{signExtend(a.zeros, w) & m, signExtend(a.ones, w) & m}
	case Ite:
		c := p.known[n.c]
		return known{b.zeros & c.zeros, b.ones & c.ones}
	case Ult, Slt: // Eq looks by itself
		return knownLess(n.op, a, b, p.nodes[n.a].width)
	case Shl, Lshr, Ashr:
		return knownShift(n.op, a, b, n.width)
	}
	return known{}
}

// knownSum is for a + b + carry: a bit of the sum is known when both operands' bits and the carry into it are, and
// the carries are those that the smallest and the largest possible operands agree on.
func knownSum(a, b known, carry, m uint64) known {
	largest := (^a.zeros & m) + (^b.zeros & m) + carry
	smallest := a.ones + b.ones + carry
	carryZero := ^(largest ^ a.zeros ^ b.zeros)
	carryOne := smallest ^ a.ones ^ b.ones
	sure := (a.zeros | a.ones) & (b.zeros | b.ones) & (carryZero | carryOne) & m
	return known{^largest & sure, smallest & sure}
}

func knownProduct(a, b known, w uint8) known {
	m := mask(w)
	if (a.zeros|a.ones)&m == m && (b.zeros|b.ones)&m == m {
		v := a.ones * b.ones & m
		return known{^v & m, v}
	}
	k := known{zeros: 1<<min(trailing(a.zeros)+trailing(b.zeros), w) - 1}
	if hi, lo := bits.Mul64(^a.zeros&m, ^b.zeros&m); hi == 0 && lo <= m {
		k.zeros |= m &^ (1<<bits.Len64(lo) - 1)
	}
	return k
}

// knownLess compares the smallest and the largest values that the operands can have.
func knownLess(op Op, a, b known, w uint8) known {
	if op == Slt { // flipping the sign bits makes it unsigned
		a, b = flipSign(a, w), flipSign(b, w)
	}
	minA, maxA, minB, maxB := a.ones, ^a.zeros&mask(w), b.ones, ^b.zeros&mask(w)
	switch {
	case maxA < minB:
		return known{0, 1}
	case minA >= maxB:
		return known{1, 0}
	}
	return known{}
}

func flipSign(k known, w uint8) known {
	sign := uint64(1) << (w - 1)
	return known{k.zeros&^sign | k.ones&sign, k.ones&^sign | k.zeros&sign}
}

// knownShift is for distances that are not constant: zeros come in, at least as many as the smallest distance says.
func knownShift(op Op, a, b known, w uint8) known {
	m := mask(w)
	least := min(b.ones, uint64(w))
	switch op {
	case Shl:
		return known{zeros: (1<<min(least+uint64(trailing(a.zeros)), uint64(w)) - 1) & m}
	case Lshr:
		return known{zeros: m &^ (m >> (least + uint64(leading(a.zeros, w))))}
	}
	return known{}
}

// signExtend copies bit w-1 of v to all bits above.
func signExtend(v uint64, w uint8) uint64 { return uint64(int64(v<<(64-w)) >> (64 - w)) }
