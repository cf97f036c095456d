package lift

// Bits is a number of Width bits.
type Bits struct {
	V     uint64
	Width uint8
}

// Numbers is the algebra of plain numbers: what is lifted over it is executed.
type Numbers struct{}

func bitsOf(width uint8, v uint64) Bits { return Bits{v & (1<<width - 1), width} }

func boolBits(b bool) Bits {
	if b {
		return Bits{1, 1}
	}
	return Bits{0, 1}
}

// Const implements Algebra, as do the other methods.
func (Numbers) Const(width int, v uint64) Bits { return bitsOf(uint8(width), v) }

func (Numbers) Not(a Bits) Bits    { return bitsOf(a.Width, ^a.V) }
func (Numbers) And(a, b Bits) Bits { return Bits{a.V & b.V, a.Width} }
func (Numbers) Or(a, b Bits) Bits  { return Bits{a.V | b.V, a.Width} }
func (Numbers) Xor(a, b Bits) Bits { return Bits{a.V ^ b.V, a.Width} }
func (Numbers) Mul(a, b Bits) Bits { return bitsOf(a.Width, a.V*b.V) }
func (Numbers) Eq(a, b Bits) Bits  { return boolBits(a.V == b.V) }

func (Numbers) Concat(high, low Bits) Bits {
	return Bits{high.V<<low.Width | low.V, high.Width + low.Width}
}

func (Numbers) Extract(x Bits, high, low int) Bits { return bitsOf(uint8(high-low+1), x.V>>low) }

func (Numbers) SExt(x Bits, width int) Bits { return bitsOf(uint8(width), uint64(signed(x))) }

func signed(x Bits) int64 { return int64(x.V<<(64-x.Width)) >> (64 - x.Width) }

func (Numbers) in(s Step[Bits]) uint64 {
	if s.Chained {
		return s.In.V
	}
	return 0
}

func (n Numbers) Value(s Step[Bits]) Bits {
	if s.Subtract {
		return bitsOf(s.A.Width, s.A.V-s.B.V-n.in(s))
	}
	return bitsOf(s.A.Width, s.A.V+s.B.V+n.in(s))
}

func (n Numbers) Carry(s Step[Bits]) Bits {
	if s.Subtract {
		return boolBits(s.A.V < s.B.V+n.in(s))
	}
	return boolBits((s.A.V+s.B.V+n.in(s))>>s.A.Width != 0)
}

func (n Numbers) Sign(s Step[Bits]) Bits {
	if s.Subtract {
		return boolBits(signed(s.A)-signed(s.B)-int64(n.in(s)) < 0)
	}
	return boolBits(signed(s.A)+signed(s.B)+int64(n.in(s)) < 0)
}

func (n Numbers) Overflow(s Step[Bits]) Bits {
	return boolBits(n.Sign(s).V != n.Value(s).V>>(s.A.Width-1))
}

func (n Numbers) Half(s Step[Bits]) Bits {
	if s.Subtract {
		return boolBits(s.A.V&15 < s.B.V&15+n.in(s))
	}
	return boolBits((s.A.V&15+s.B.V&15+n.in(s))>>4 != 0)
}
