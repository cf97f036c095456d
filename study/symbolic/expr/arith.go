package expr

// Sums keep their constant outermost, on the right: ((x + y) - z) + 3. A constant minus something stays a subtraction.

func (p *Pool) arith(op Op, a, b ID) ID {
	switch op {
	case Add:
		return p.Add(a, b)
	case Sub:
		return p.Sub(a, b)
	}
	return p.Mul(a, b)
}

// order puts a constant last and otherwise the older expression first.
func (p *Pool) order(a, b ID) (ID, ID) {
	ca, cb := p.nodes[a].op == Const, p.nodes[b].op == Const
	if ca && !cb || ca == cb && a > b {
		return b, a
	}
	return a, b
}

// Add is a + b.
func (p *Pool) Add(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	ka, kb := p.known[a], p.known[b]
	cb, constant := p.constOf(b)
	switch {
	case constant && cb == 0:
		return a
	case p.nodes[a].op == Const:
		return p.constant(w, p.nodes[a].value()+cb)
	case w == 1:
		return p.Xor(a, b)
	case a == b:
		return p.shiftConst(Shl, a, 1)
	case ^ka.zeros&^kb.zeros&mask(w) == 0: // no bit can carry
		return p.Or(a, b)
	}
	if constant {
		if r := p.addConst(a, cb, w); r != 0 {
			return r
		}
	} else if r := p.addTerms(a, b, w); r != 0 {
		return r
	}
	za, zb := trailing(ka.zeros), trailing(kb.zeros)
	if z := max(za, zb) &^ 7; z > 0 { // the low bytes pass
		low := b
		if zb >= z {
			low = a
		}
		return p.Concat(p.Add(p.extract(a, w-1, z), p.extract(b, w-1, z)), p.extract(low, z-1, 0))
	}
	return p.node(Add, w, 0, a, b, 0)
}

// addConst is a + c where a has a constant inside, or 0.
func (p *Pool) addConst(a ID, c uint64, w uint8) ID {
	switch n := p.nodes[a]; n.op {
	case Add:
		if c1, ok := p.constOf(n.b); ok {
			return p.Add(n.a, p.constant(w, c1+c))
		}
	case Sub:
		if c1, ok := p.constOf(n.a); ok {
			return p.Sub(p.constant(w, c1+c), n.b)
		}
	case Not: // ~x is -x - 1
		return p.Sub(p.constant(w, c-1), n.a)
	}
	return 0
}

// addTerms finds terms that cancel, and moves constants outwards; 0 when there are none.
func (p *Pool) addTerms(a, b ID, w uint8) ID {
	for range 2 {
		switch n := p.nodes[a]; n.op {
		case Add:
			if _, ok := p.constOf(n.b); ok {
				return p.Add(p.Add(n.a, b), n.b)
			}
		case Sub:
			if n.b == b { // (x - b) + b
				return n.a
			}
			if c, ok := p.constOf(n.a); ok { // (c - x) + b
				return p.Add(p.Sub(b, n.b), p.constant(w, c))
			}
		case Not:
			if n.a == b {
				return p.constant(w, ^uint64(0))
			}
		}
		a, b = b, a
	}
	return 0
}

// neg is -a.
func (p *Pool) neg(a ID) ID { return p.Sub(p.constant(p.nodes[a].width, 0), a) }

// Sub is a - b.
func (p *Pool) Sub(a, b ID) ID {
	w := p.sameWidth(a, b)
	if c, ok := p.constOf(b); ok {
		return p.Add(a, p.constant(w, -c))
	}
	switch {
	case a == b:
		return p.constant(w, 0)
	case w == 1:
		return p.Xor(a, b)
	}
	if c, ok := p.constOf(a); ok {
		if r := p.subFromConst(c, b, w); r != 0 {
			return r
		}
	} else if r := p.subTerms(a, b, w); r != 0 {
		return r
	}
	if z := trailing(p.known[b].zeros) &^ 7; z > 0 { // nothing is taken from the low bytes
		return p.Concat(p.Sub(p.extract(a, w-1, z), p.extract(b, w-1, z)), p.extract(a, z-1, 0))
	}
	return p.node(Sub, w, 0, a, b, 0)
}

// subFromConst is c - b where b has a constant inside, or 0.
func (p *Pool) subFromConst(c uint64, b ID, w uint8) ID {
	n := p.nodes[b]
	switch n.op {
	case Add:
		if c1, ok := p.constOf(n.b); ok {
			return p.Sub(p.constant(w, c-c1), n.a)
		}
	case Sub:
		if c1, ok := p.constOf(n.a); ok {
			return p.Add(n.b, p.constant(w, c-c1))
		}
		if c == 0 {
			return p.Sub(n.b, n.a)
		}
	case Not: // c - (-x - 1)
		return p.Add(n.a, p.constant(w, c+1))
	}
	if c == mask(w) {
		return p.Not(b)
	}
	return 0
}

func (p *Pool) subTerms(a, b ID, w uint8) ID {
	na, nb := p.nodes[a], p.nodes[b]
	if na.op == Add {
		if c, ok := p.constOf(na.b); ok {
			return p.Add(p.Sub(na.a, b), p.constant(w, c))
		}
		if na.a == b {
			return na.b
		} else if na.b == b {
			return na.a
		}
	}
	if na.op == Sub {
		if c, ok := p.constOf(na.a); ok && nb.op != Const { // (c - x) - b
			return p.Sub(p.constant(w, c), p.Add(na.b, b))
		}
		if na.a == b {
			return p.neg(na.b)
		}
	}
	switch nb.op {
	case Add:
		if c, ok := p.constOf(nb.b); ok {
			return p.Add(p.Sub(a, nb.a), p.constant(w, -c))
		}
		if nb.a == a {
			return p.neg(nb.b)
		} else if nb.b == a {
			return p.neg(nb.a)
		}
	case Sub:
		if nb.a == a { // a - (a - y)
			return nb.b
		}
		if c, ok := p.constOf(nb.a); ok { // a - (c - y)
			return p.Add(p.Add(a, nb.b), p.constant(w, -c))
		}
	}
	return 0
}

// Mul is a * b.
func (p *Pool) Mul(a, b ID) ID {
	w := p.sameWidth(a, b)
	a, b = p.order(a, b)
	if w == 1 {
		return p.And(a, b)
	}
	if c, ok := p.constOf(b); ok {
		switch {
		case c == 0:
			return b
		case c&(c-1) == 0:
			return p.shiftConst(Shl, a, trailing(^c))
		case c == mask(w):
			return p.neg(a)
		}
		if n := p.nodes[a]; n.op == Mul {
			if c1, ok := p.constOf(n.b); ok {
				return p.Mul(n.a, p.constant(w, c*c1))
			}
		}
		if z := trailing(^c); z > 0 {
			return p.shiftConst(Shl, p.Mul(a, p.constant(w, c>>z)), z)
		}
	}
	return p.node(Mul, w, 0, a, b, 0)
}

// Shl is a << b; a distance of the width or more gives 0.
func (p *Pool) Shl(a, b ID) ID { return p.shift(Shl, a, b) }

// Lshr is a >> b with zeros coming in.
func (p *Pool) Lshr(a, b ID) ID { return p.shift(Lshr, a, b) }

// Ashr is a >> b with copies of the sign coming in.
func (p *Pool) Ashr(a, b ID) ID { return p.shift(Ashr, a, b) }

func (p *Pool) shift(op Op, a, b ID) ID {
	w := p.sameWidth(a, b)
	if c, ok := p.constOf(b); ok {
		return p.shiftConst(op, a, uint8(min(c, uint64(w))))
	}
	if w == 1 {
		if op == Ashr {
			return a
		}
		return p.And(a, p.Not(b))
	}
	if op == Ashr && p.known[a].zeros>>(w-1)&1 == 1 {
		op = Lshr
	}
	if p.isConst(a, 0) || op == Ashr && p.isConst(a, mask(w)) {
		return a
	}
	return p.node(op, w, 0, a, b, 0)
}

// shiftConst has no node of its own: it moves pieces.
func (p *Pool) shiftConst(op Op, a ID, by uint8) ID {
	w := p.nodes[a].width
	switch {
	case by == 0:
		return a
	case op == Ashr:
		return p.SExt(p.extract(a, w-1, min(by, w-1)), int(w))
	case by >= w:
		return p.constant(w, 0)
	case op == Shl:
		return p.Concat(p.extract(a, w-1-by, 0), p.constant(by, 0))
	}
	return p.ZExt(p.extract(a, w-1, by), int(w))
}
