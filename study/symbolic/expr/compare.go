package expr

// Ite is cond ? a : b.
func (p *Pool) Ite(cond, a, b ID) ID {
	w := p.sameWidth(a, b)
	nc := p.nodes[cond]
	if nc.width != 1 {
		panic("BUG: condition that is not one bit wide")
	}
	switch {
	case nc.op == Const && nc.value() == 1, a == b:
		return a
	case nc.op == Const:
		return b
	case nc.op == Not:
		return p.Ite(nc.a, b, a)
	case w == 1:
		if r := p.iteBit(cond, a, b); r != 0 {
			return r
		}
	}
	na, nb := p.nodes[a], p.nodes[b]
	switch {
	case na.op == Ite && na.a == cond:
		return p.Ite(cond, na.b, b)
	case nb.op == Ite && nb.a == cond:
		return p.Ite(cond, a, nb.c)
	case na.op == Ite && na.c == b:
		return p.Ite(p.And(cond, na.a), na.b, b)
	case nb.op == Ite && nb.b == a:
		return p.Ite(p.Or(cond, nb.a), a, nb.c)
	case na.op == Const && nb.op == Const && na.value() == mask(w) && nb.value() == 0:
		return p.SExt(cond, int(w))
	case na.op == Const && nb.op == Const && na.value() == 0 && nb.value() == mask(w):
		return p.SExt(p.Not(cond), int(w))
	}
	k := known{p.known[a].zeros & p.known[b].zeros, p.known[a].ones & p.known[b].ones}
	if top, bottom := leading(k.zeros|k.ones, w), trailing(k.zeros|k.ones); top < w && top+bottom > 0 {
		mid := p.Ite(cond, p.extract(a, w-1-top, bottom), p.extract(b, w-1-top, bottom))
		return p.between(mid, w, top, bottom, k.ones)
	}
	if r := p.iteAdd(cond, a, b); r != 0 {
		return r
	}
	return p.node(Ite, w, 0, cond, a, b)
}

// iteBit makes a choice between conditions logic, where one of them is constant or the condition itself.
func (p *Pool) iteBit(cond, a, b ID) ID {
	switch {
	case p.isConst(a, 1), a == cond:
		return p.Or(cond, b)
	case p.isConst(a, 0):
		return p.And(p.Not(cond), b)
	case p.isConst(b, 0), b == cond:
		return p.And(cond, a)
	case p.isConst(b, 1):
		return p.Or(p.Not(cond), a)
	case p.isNotOf(a, b):
		return p.Not(p.Xor(cond, a))
	}
	return 0
}

// iteAdd turns a skipped addition into an addition of something or nothing: that is how checksum loops add their carry.
func (p *Pool) iteAdd(cond, a, b ID) ID {
	na, nb := p.nodes[a], p.nodes[b]
	zero := p.constant(na.width, 0)
	switch {
	case na.op == Add && na.a == b:
		return p.Add(b, p.Ite(cond, na.b, zero))
	case na.op == Add && na.b == b:
		return p.Add(b, p.Ite(cond, na.a, zero))
	case nb.op == Add && nb.a == a:
		return p.Add(a, p.Ite(cond, zero, nb.b))
	case nb.op == Add && nb.b == a:
		return p.Add(a, p.Ite(cond, zero, nb.a))
	}
	return 0
}

// Ne is a != b.
func (p *Pool) Ne(a, b ID) ID { return p.Not(p.Eq(a, b)) }

// Ule is a <= b as unsigned numbers.
func (p *Pool) Ule(a, b ID) ID { return p.Not(p.Ult(b, a)) }

// Sle is a <= b as signed numbers.
func (p *Pool) Sle(a, b ID) ID { return p.Not(p.Slt(b, a)) }

// compare is what the operations mean.
func compare(op Op, a, b uint64, w uint8) bool {
	switch op {
	case Eq:
		return a == b
	case Ult:
		return a < b
	}
	return int64(signExtend(a, w)) < int64(signExtend(b, w))
}

// Eq is a == b.
func (p *Pool) Eq(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	ka, kb := p.known[a], p.known[b]
	switch {
	case a == b:
		return p.constant(1, 1)
	case ka.zeros&kb.ones|ka.ones&kb.zeros != 0, p.isNotOf(a, b):
		return p.constant(1, 0)
	case w == 1:
		return p.Not(p.Xor(a, b))
	}
	same := ka.zeros&kb.zeros | ka.ones&kb.ones
	if top, bottom := leading(same, w), trailing(same); top+bottom > 0 {
		return p.Eq(p.extract(a, w-1-top, bottom), p.extract(b, w-1-top, bottom))
	}
	if c, ok := p.constOf(b); ok {
		if r := p.eqConst(a, c, w); r != 0 {
			return r
		}
	} else if r := p.eqTerms(a, b, w); r != 0 {
		return r
	} else if r := p.eqTerms(b, a, w); r != 0 {
		return r
	}
	return p.node(Eq, 1, 0, a, b, 0)
}

// peel undoes what has an inverse: x == c exactly when a == v.
func (p *Pool) peel(x ID, c uint64) (a ID, v uint64) {
	for {
		n := p.nodes[x]
		m := mask(n.width)
		switch n.op {
		case Not:
			x, c = n.a, ^c&m
			continue
		case Add:
			if k, ok := p.constOf(n.b); ok {
				x, c = n.a, (c-k)&m
				continue
			}
		case Sub:
			if k, ok := p.constOf(n.a); ok {
				x, c = n.b, (k-c)&m
				continue
			}
		case Xor:
			if k, ok := p.constOf(n.b); ok {
				x, c = n.a, c^k
				continue
			}
		}
		return x, c
	}
}

func (p *Pool) eqConst(a ID, c uint64, w uint8) ID {
	if x, v := p.peel(a, c); x != a {
		return p.Eq(x, p.constant(w, v))
	}
	n := p.nodes[a]
	switch n.op {
	case Sub, Xor:
		if c == 0 {
			return p.Eq(n.a, n.b)
		}
	case Or:
		if c == 0 && w <= 32 {
			return p.Eq(p.Concat(n.a, n.b), p.constant(2*w, 0))
		} else if c == 0 {
			return p.And(p.Eq(n.a, p.constant(w, 0)), p.Eq(n.b, p.constant(w, 0)))
		}
	case SExt:
		inner := p.nodes[n.a].width
		if signExtend(c&mask(inner), inner)&mask(w) != c {
			return p.constant(1, 0)
		}
		return p.Eq(n.a, p.constant(inner, c))
	case Ite:
		if p.nodes[n.b].op == Const || p.nodes[n.c].op == Const {
			k := p.constant(w, c)
			return p.Ite(n.a, p.Eq(n.b, k), p.Eq(n.c, k))
		}
	case Concat:
		lw := p.nodes[n.b].width
		high, ch := p.peel(n.a, c>>lw)
		low, cl := p.peel(n.b, c&mask(lw))
		if high != n.a || low != n.b {
			return p.Eq(p.Concat(high, low), p.constant(w, ch<<lw|cl))
		}
	}
	return 0
}

// eqTerms strips what both sides have in common, a's form leading.
func (p *Pool) eqTerms(a, b ID, w uint8) ID {
	na, nb := p.nodes[a], p.nodes[b]
	zero := p.constant(w, 0)
	switch {
	case na.op == nb.op && (na.op == Not || na.op == SExt && p.nodes[na.a].width == p.nodes[nb.a].width):
		return p.Eq(na.a, nb.a)
	case na.op == Concat && nb.op == Concat && na.a == nb.a:
		return p.Eq(na.b, nb.b)
	case na.op == Concat && nb.op == Concat && na.b == nb.b:
		return p.Eq(na.a, nb.a)
	case na.op == Add && nb.op == Add && na.a == nb.a:
		return p.Eq(na.b, nb.b)
	case na.op == Add && nb.op == Add && na.b == nb.b:
		return p.Eq(na.a, nb.a)
	case (na.op == Add || na.op == Sub || na.op == Xor) && na.a == b:
		return p.Eq(na.b, zero)
	case (na.op == Add || na.op == Xor) && na.b == b:
		return p.Eq(na.a, zero)
	}
	return 0
}

// Ult is a < b as unsigned numbers.
func (p *Pool) Ult(a, b ID) ID {
	w := p.sameWidth(a, b)
	ka, kb := p.known[a], p.known[b]
	na, nb := p.nodes[a], p.nodes[b]
	switch {
	case a == b:
		return p.constant(1, 0)
	case w == 1:
		return p.And(p.Not(a), b)
	case na.op == Not && nb.op == Not:
		return p.Ult(nb.a, na.a)
	case na.op == Not && na.a == b:
		return p.msb(b)
	case nb.op == Not && nb.a == a:
		return p.Not(p.msb(a))
	case na.op == Not && nb.op == Const:
		return p.Ult(p.Not(b), na.a)
	case nb.op == Not && na.op == Const:
		return p.Ult(nb.a, p.Not(a))
	case na.op == Concat && nb.op == Concat && na.a == nb.a:
		return p.Ult(na.b, nb.b)
	case na.op == Concat && nb.op == Concat && na.b == nb.b:
		return p.Ult(na.a, nb.a)
	}
	if k := knownLess(Ult, ka, kb, w); k.zeros|k.ones != 0 {
		return p.constant(1, k.ones)
	}
	if top := leading(ka.zeros&kb.zeros|ka.ones&kb.ones, w); top > 0 {
		return p.Ult(p.extract(a, w-1-top, 0), p.extract(b, w-1-top, 0))
	}
	if low := min(trailing(ka.zeros|ka.ones), trailing(kb.zeros|kb.ones)); low > 0 && low < w {
		ha, hb := p.extract(a, w-1, low), p.extract(b, w-1, low)
		if ka.ones&mask(low) < kb.ones&mask(low) {
			return p.Ule(ha, hb)
		}
		return p.Ult(ha, hb)
	}
	if c, ok := p.constOf(b); ok {
		if r := p.below(a, b, c, w); r != 0 {
			return r
		}
	}
	if c, ok := p.constOf(a); ok {
		if r := p.above(b, a, c, w); r != 0 {
			return r
		}
	}
	return p.node(Ult, 1, 0, a, b, 0)
}

// below is a < c for the constants for which there is something simpler.
func (p *Pool) below(a, cid ID, c uint64, w uint8) ID {
	switch {
	case c == 1:
		return p.Eq(a, p.constant(w, 0))
	case c == mask(w):
		return p.Ne(a, cid)
	case c == 1<<(w-1):
		return p.Not(p.msb(a))
	}
	if n := p.nodes[a]; n.op == Ite && p.nodes[n.b].op == Const && p.nodes[n.c].op == Const {
		return p.Ite(n.a, p.Ult(n.b, cid), p.Ult(n.c, cid))
	}
	return 0
}

// above is c < a likewise.
func (p *Pool) above(a, cid ID, c uint64, w uint8) ID {
	switch {
	case c == 0:
		return p.Ne(a, cid)
	case c == mask(w)-1:
		return p.Eq(a, p.constant(w, mask(w)))
	case c == mask(w)>>1:
		return p.msb(a)
	}
	if n := p.nodes[a]; n.op == Ite && p.nodes[n.b].op == Const && p.nodes[n.c].op == Const {
		return p.Ite(n.a, p.Ult(cid, n.b), p.Ult(cid, n.c))
	}
	return 0
}

// Slt is a < b as signed numbers.
func (p *Pool) Slt(a, b ID) ID {
	w := p.sameWidth(a, b)
	ka, kb := p.known[a], p.known[b]
	na, nb := p.nodes[a], p.nodes[b]
	sign := uint64(1) << (w - 1)
	switch {
	case a == b:
		return p.constant(1, 0)
	case w == 1: // 1 is -1
		return p.And(a, p.Not(b))
	case ka.zeros&kb.zeros&sign != 0, ka.ones&kb.ones&sign != 0:
		return p.Ult(a, b)
	case nb.op == Const && nb.value() == 0:
		return p.msb(a)
	case na.op == Const && na.value() == mask(w): // -1 < b
		return p.Not(p.msb(b))
	case nb.op == Const && nb.value() == sign+1: // only one number is below
		return p.Eq(a, p.constant(w, sign))
	case nb.op == Const && nb.value() == sign-1:
		return p.Ne(a, b)
	case na.op == Const && na.value() == sign:
		return p.Ne(b, a)
	case na.op == Const && na.value() == sign-2:
		return p.Eq(b, p.constant(w, sign-1))
	case na.op == Not && nb.op == Not:
		return p.Slt(nb.a, na.a)
	case na.op == Concat && nb.op == Concat && na.a == nb.a:
		return p.Ult(na.b, nb.b)
	case na.op == Concat && nb.op == Concat && na.b == nb.b:
		return p.Slt(na.a, nb.a)
	case na.op == SExt && nb.op == SExt && p.nodes[na.a].width == p.nodes[nb.a].width:
		return p.Slt(na.a, nb.a)
	}
	return p.node(Slt, 1, 0, a, b, 0)
}
