package expr

// Not is ~a; of a condition, that it does not hold.
func (p *Pool) Not(a ID) ID {
	n := p.nodes[a]
	switch n.op {
	case Const:
		return p.constant(n.width, ^n.value())
	case Not:
		return n.a
	case Concat:
		if p.nodes[n.a].op == Const || p.nodes[n.b].op == Const {
			return p.Concat(p.Not(n.a), p.Not(n.b))
		}
	case Xor:
		if c, ok := p.constOf(n.b); ok {
			return p.Xor(n.a, p.constant(n.width, ^c))
		}
	case Add: // ~x is -x - 1
		if c, ok := p.constOf(n.b); ok {
			return p.Sub(p.constant(n.width, -c-1), n.a)
		}
	case Sub:
		if c, ok := p.constOf(n.a); ok {
			return p.Add(n.b, p.constant(n.width, -c-1))
		}
	case SExt:
		return p.SExt(p.Not(n.a), int(n.width))
	case Ult, Slt:
		if r := p.notLess(&n); r != 0 {
			return r
		}
	}
	return p.node(Not, n.width, 0, a, 0, 0)
}

// notLess: with a constant on one side, "not less" is less with the neighbouring constant on the other side. So there is
// one way to write a bound. The neighbour exists: nothing is less than the first number or more than the last, so such
// comparisons are constants and never come here.
func (p *Pool) notLess(n *node) ID {
	w := p.nodes[n.a].width
	less := p.Ult
	if n.op == Slt {
		less = p.Slt
	}
	if c, ok := p.constOf(n.b); ok { // x >= c
		return less(p.constant(w, c-1), n.a)
	}
	if c, ok := p.constOf(n.a); ok { // x <= c
		return less(n.b, p.constant(w, c+1))
	}
	return 0
}

// And is a & b; of conditions, that both hold.
func (p *Pool) And(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	ka, kb := p.known[a], p.known[b]
	m := mask(w)
	switch {
	case a == b, ^ka.zeros&^kb.ones&m == 0:
		return a
	case ^kb.zeros&^ka.ones&m == 0:
		return b
	case ^ka.zeros&^kb.zeros&m == 0, p.isNotOf(a, b):
		return p.constant(w, 0)
	}
	zeros := ka.zeros | kb.zeros
	if r := p.weave(a, b, w, kb.ones&^zeros, ka.ones&^kb.ones&^zeros, zeros, 0, 4); r != 0 {
		return r
	}
	if r := p.simpler(And, Or, a, b, w, known{zeros, ka.ones & kb.ones}); r != 0 {
		return r
	}
	if w == 1 {
		if r := p.bothHold(a, b); r != 0 {
			return r
		}
	}
	return p.node(And, w, 0, a, b, 0)
}

// simpler is a op b without what does not matter of an operand, or without one of them; 0 if both matter.
func (p *Pool) simpler(op, other Op, a, b ID, w uint8, k known) ID {
	if r := p.trim(op, a, b, w, k); r != 0 {
		return r
	}
	if r := p.absorb(op, other, a, b); r != 0 {
		return r
	}
	return p.absorb(op, other, b, a)
}

// Or is a | b; of conditions, that one of them holds.
func (p *Pool) Or(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	ka, kb := p.known[a], p.known[b]
	m := mask(w)
	switch {
	case a == b, ^kb.zeros&^ka.ones&m == 0:
		return a
	case ^ka.zeros&^kb.ones&m == 0:
		return b
	case p.isNotOf(a, b):
		return p.constant(w, m)
	}
	ones := ka.ones | kb.ones
	if r := p.weave(a, b, w, kb.zeros&^ones, ka.zeros&^kb.zeros&^ones, 0, ones, 8); r != 0 {
		return r
	}
	if r := p.simpler(Or, And, a, b, w, known{ka.zeros & kb.zeros, ones}); r != 0 {
		return r
	}
	return p.node(Or, w, 0, a, b, 0)
}

// Xor is a ^ b; of conditions, that one of them holds and the other does not.
func (p *Pool) Xor(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	ka, kb := p.known[a], p.known[b]
	na, nb := p.nodes[a], p.nodes[b]
	switch {
	case a == b:
		return p.constant(w, 0)
	case kb.zeros == mask(w):
		return a
	case kb.ones == mask(w):
		return p.Not(a)
	case na.op == Not:
		return p.Not(p.Xor(na.a, b))
	case nb.op == Not:
		return p.Not(p.Xor(a, nb.a))
	}
	if r := p.weave(a, b, w, kb.zeros, ka.zeros&^kb.zeros, ka.ones&kb.ones, 0, 8); r != 0 {
		return r
	}
	k := known{ka.zeros&kb.zeros | ka.ones&kb.ones, ka.zeros&kb.ones | ka.ones&kb.zeros}
	if r := p.trim(Xor, a, b, w, k); r != 0 {
		return r
	}
	if r := p.cancel(a, b, w); r != 0 {
		return r
	}
	if r := p.cancel(b, a, w); r != 0 {
		return r
	}
	return p.node(Xor, w, 0, a, b, 0)
}

// cancel is a ^ b where a is a ^ itself; constants move outwards. 0 when nothing applies.
func (p *Pool) cancel(a, b ID, w uint8) ID {
	n := p.nodes[a]
	if n.op != Xor {
		return 0
	}
	switch {
	case n.a == b:
		return n.b
	case n.b == b:
		return n.a
	}
	if c, ok := p.constOf(n.b); ok {
		if cb, ok := p.constOf(b); ok {
			return p.Xor(n.a, p.constant(w, c^cb))
		}
		return p.Xor(p.Xor(n.a, b), n.b)
	}
	return 0
}

// absorb is "a op b" where a is an operation of the same kind that has b in it, or of the dual kind; constants move
// outwards. 0 when nothing applies.
func (p *Pool) absorb(op, dual Op, a, b ID) ID {
	n := p.nodes[a]
	same := p.And
	if op == Or {
		same = p.Or
	}
	switch n.op {
	case op:
		if n.a == b || n.b == b {
			return a
		}
		if p.nodes[n.b].op == Const {
			if p.nodes[b].op == Const {
				return same(n.a, same(n.b, b))
			}
			return same(same(n.a, b), n.b)
		}
		if p.isNotOf(n.a, b) || p.isNotOf(n.b, b) {
			if op == And {
				return p.constant(n.width, 0)
			}
			return p.constant(n.width, ^uint64(0))
		}
	case dual:
		switch {
		case n.a == b || n.b == b:
			return b
		case p.isNotOf(n.a, b): // b & (~b | y) is b & y
			return same(b, n.b)
		case p.isNotOf(n.b, b):
			return same(b, n.a)
		}
	}
	return 0
}

// bothHold simplifies the conjunction of an equality with a constant and another statement about the same expression.
func (p *Pool) bothHold(a, b ID) ID {
	for range 2 {
		if n := p.nodes[a]; n.op == Eq && p.nodes[n.b].op == Const {
			if holds, ok := p.decide(b, n.a, p.nodes[n.b].value()); ok && holds {
				return a
			} else if ok {
				return p.constant(1, 0)
			}
		}
		a, b = b, a
	}
	return 0
}

// decide is whether a comparison of x with a constant holds when x is v; ok is false for other conditions.
func (p *Pool) decide(cond, x ID, v uint64) (holds, ok bool) {
	n := p.nodes[cond]
	if n.op == Not {
		holds, ok = p.decide(n.a, x, v)
		return !holds, ok
	}
	if n.op != Eq && n.op != Ult && n.op != Slt {
		return false, false
	}
	w := p.nodes[x].width
	if c, ok := p.constOf(n.b); ok && n.a == x {
		return compare(n.op, v, c, w), true
	}
	if c, ok := p.constOf(n.a); ok && n.b == x {
		return compare(n.op, c, v, w), true
	}
	return false, false
}

// weave is the result of a bitwise operation when each bit comes unchanged from one operand or is known: pieces side by
// side. It is 0 when some bit does not, or when there would be more pieces than most.
func (p *Pool) weave(a, b ID, w uint8, fromA, fromB, zeros, ones uint64, most int) ID {
	if fromA|fromB|zeros|ones != mask(w) {
		return 0
	}
	source := func(i int) int {
		switch bit := uint64(1) << i; {
		case (zeros|ones)&bit != 0:
			return 0
		case fromA&bit != 0:
			return 1
		}
		return 2
	}
	runs := 1
	for i := 1; i < int(w); i++ {
		if source(i) != source(i-1) {
			runs++
		}
	}
	if runs > most {
		return 0
	}
	var out ID
	for low := 0; low < int(w); {
		high := low
		for high+1 < int(w) && source(high+1) == source(low) {
			high++
		}
		var piece ID
		switch source(low) {
		case 0:
			piece = p.constant(uint8(high-low+1), ones>>low)
		case 1:
			piece = p.extract(a, uint8(high), uint8(low))
		default:
			piece = p.extract(b, uint8(high), uint8(low))
		}
		if out == 0 {
			out = piece
		} else {
			out = p.Concat(piece, out)
		}
		low = high + 1
	}
	return out
}

// fewKnown is how many known bits at the ends of a result are too few to be worth taking it apart.
const fewKnown = 4

// trim does a bitwise operation only on the bits between the known ones at both ends. 0 when there are few.
func (p *Pool) trim(op Op, a, b ID, w uint8, k known) ID {
	sure := k.zeros | k.ones
	top, bottom := leading(sure, w), trailing(sure)
	if top+bottom < fewKnown || top == w {
		return 0
	}
	a, b = p.extract(a, w-1-top, bottom), p.extract(b, w-1-top, bottom)
	var mid ID
	switch op {
	case And:
		mid = p.And(a, b)
	case Or:
		mid = p.Or(a, b)
	default:
		mid = p.Xor(a, b)
	}
	return p.between(mid, w, top, bottom, k.ones)
}

// between puts the known bits around the middle of a value of width w.
func (p *Pool) between(mid ID, w, top, bottom uint8, ones uint64) ID {
	if bottom > 0 {
		mid = p.Concat(mid, p.constant(bottom, ones))
	}
	if top > 0 {
		mid = p.Concat(p.constant(top, ones>>(w-top)), mid)
	}
	return mid
}
