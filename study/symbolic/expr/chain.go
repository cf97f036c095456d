package expr

// Step is one byte (or word) of an addition or subtraction with carry, as an AVR does it: add, adc, sub, sbc, cp, cpc,
// subi, sbci, cpi. It is plain data. What it yields is built when asked for, so an instruction whose flags nobody reads
// costs no expression.
//
// Chains fuse: the carry of a step is a comparison, and a step that takes it in becomes the high part of one wide
// operation. So after cp and cpc the carry is one 16-bit "less than", and the bytes that add and adc leave are the bytes of
// one 16-bit sum. The zero flag of a chain is the whole result being zero: keep the results (Concat of the new one above
// the former ones) and compare them with 0.
type Step struct {
	A, B     ID   // of equal width, below 64
	In       ID   // the carry or borrow that comes in; 0 for none
	Subtract bool // A - B - In; otherwise A + B + In
}

// StepValue is the result of the step.
func (p *Pool) StepValue(s Step) ID {
	w := int(p.sameWidth(s.A, s.B))
	if s.A == s.B && s.In != 0 {
		if s.Subtract { // the idiom that spreads the carry
			return p.SExt(s.In, w)
		} else if w > 1 { // rol
			return p.Concat(p.Extract(s.A, w-2, 0), s.In)
		}
	}
	if f, ok := p.fuse(s, true); ok {
		total := p.Width(f.a)
		return p.Extract(p.stepOp(s, f.a, f.b), total-1, total-w)
	}
	r := p.stepOp(s, s.A, s.B)
	if s.In != 0 {
		r = p.stepOp(s, r, p.ZExt(s.In, w))
	}
	return r
}

func (p *Pool) stepOp(s Step, a, b ID) ID {
	if s.Subtract {
		return p.Sub(a, b)
	}
	return p.Add(a, b)
}

// StepCarry is the carry that comes out, or the borrow: flag C.
func (p *Pool) StepCarry(s Step) ID {
	if s.A == s.B && s.In != 0 {
		if s.Subtract {
			return s.In
		}
		return p.msb(s.A)
	}
	a, b := p.widened(s)
	if s.Subtract {
		return p.Ult(a, b)
	}
	return p.Ult(p.Not(a), b) // a + b is 2^w or more exactly when b is above ~a
}

// StepSign is whether the true result, of A and B as signed numbers, is below zero: flag S, which is N xor V.
func (p *Pool) StepSign(s Step) ID {
	a, b := p.widened(s)
	if s.Subtract {
		return p.Slt(a, b)
	}
	return p.Sle(a, p.Not(b)) // a + b < 0 exactly when a <= -b - 1
}

// StepOverflow is whether the signed result does not fit: flag V.
func (p *Pool) StepOverflow(s Step) ID { return p.Xor(p.StepSign(s), p.msb(p.StepValue(s))) }

// StepHalf is the carry out of bit 3: flag H.
func (p *Pool) StepHalf(s Step) ID { return p.Bit(p.Xor(p.Xor(s.A, s.B), p.StepValue(s)), 4) }

// widened is operands for which the operation without a carry has the same carry out and sign as the step.
func (p *Pool) widened(s Step) (a, b ID) {
	if s.In == 0 {
		return s.A, s.B
	}
	if f, ok := p.fuse(s, false); ok {
		return f.a, f.b
	}
	// One more bit at the low end makes the carry: 0 - In, or 1 + In.
	return p.Concat(s.A, p.Bool(!s.Subtract)), p.Concat(s.B, s.In)
}

type fused struct {
	a, b  ID
	score int
	met   bool // pieces of one expression have met again
}

// fuse finds wide operands of which the step is the high part. In is seen as the borrow of x - y, that is x < y; which is
// also the carry of ~x + y. That holds whatever instruction it came from, so fusing is always right; the score says
// whether it gives a shorter expression. For a value only the difference counts, so there a subtraction may be rewritten; its
// borrow and sign depend on the operands themselves.
func (p *Pool) fuse(s Step, value bool) (fused, bool) {
	if s.In == 0 {
		return fused{}, false
	}
	x, y, sure := p.asLess(s.In, p.nodes[s.A].width)
	if x == 0 || p.Width(s.A)+p.Width(x) > 64 {
		return fused{}, false
	}
	la, lb := x, y
	if !s.Subtract {
		la = p.Not(x)
	}
	best := p.pair(s.A, la, s.B, lb)
	if best.score < 2 && !s.Subtract {
		// Either operand of a sum may be the one that the comparison has complemented.
		best = best.or(p.pair(s.B, la, s.A, lb))
	}
	if best.score < 2 && value && s.Subtract {
		// com; neg; sbci -1 subtracts from zero, though its bytes do not look so.
		if d := p.nodes[p.Sub(s.A, s.B)]; d.op == Sub {
			best = best.or(p.pair(d.a, la, d.b, lb))
		}
	}
	// A carry that is added to what it came from is not a chain: checksums wrap it around to the lowest byte.
	own := p.varSets.sets[p.varSets.union(p.sets[s.A], p.sets[s.B])]
	chain := sure && (best.score > 0 || !Intersect(own, p.Vars(s.In)))
	return best, chain || best.met
}

func (f fused) or(g fused) fused {
	if g.score > f.score {
		return g
	}
	return f
}

// pair puts operands together. Constants and pieces of one expression that meet again score.
func (p *Pool) pair(ha, la, hb, lb ID) fused {
	f := fused{a: p.Concat(ha, la), b: p.Concat(hb, lb)}
	for _, x := range [2][3]ID{{ha, la, f.a}, {hb, lb, f.b}} {
		if p.pieces(x[2]) < p.pieces(x[0])+p.pieces(x[1]) {
			f.score++
			f.met = f.met || p.nodes[x[2]].op != Const
		}
	}
	return f
}

// pieces is how long the list of a concatenation is.
func (p *Pool) pieces(x ID) int {
	n := 1
	for p.nodes[x].op == Concat {
		n, x = n+1, p.nodes[x].b
	}
	return n
}

// asLess reads a condition as x < y. Comparisons that have become something simpler are recognised. A sign bit is a
// comparison too (of the number of width w whose sign it is), but more often it is just that: then sure is false. x is 0
// when the condition is no comparison.
func (p *Pool) asLess(cond ID, w uint8) (x, y ID, sure bool) {
	n := p.nodes[cond]
	negated := n.op == Not
	if negated {
		n = p.nodes[n.a]
	}
	last := mask(p.nodes[n.a].width)
	switch {
	case n.op == Ult && !negated:
		return n.a, n.b, true
	case n.op == Eq && p.isConst(n.b, 0):
		if negated {
			return n.b, n.a, true
		}
		return n.a, p.constant(p.nodes[n.a].width, 1), true
	case n.op == Eq && p.isConst(n.b, last):
		if negated {
			return n.a, n.b, true
		}
		return p.constant(p.nodes[n.a].width, last-1), n.a, true
	case n.op == Extract && n.low >= w-1:
		x = p.extract(n.a, n.low, n.low-(w-1))
		if negated {
			return x, p.constant(w, 1<<(w-1)), false
		}
		return p.constant(w, mask(w)>>1), x, false
	}
	return 0, 0, false
}
