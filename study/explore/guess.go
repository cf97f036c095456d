package explore

import "motehound/isa/avr/lift"

// guess is a value in a rehearsal: a number, or one that is not known since it depends on the time. From says what it is a mere copy
// of; then the number counts only once something is worked out from it.
type guess struct {
	lift.Bits
	unknown bool
	from    origin
}

// origin is something that the core holds when a rehearsal begins; 0 is none of it.
type origin uint8

const (
	fromRegister origin = 1  // + its number
	fromFlag     origin = 33 // + its number
	fromSREG     origin = 41 // all flags
)

// guesses is the algebra of guesses. It notes which origins matter.
type guesses struct {
	lift.Numbers
	regs  uint32
	flags uint8
}

// use notes that a value matters.
func (g *guesses) use(list ...guess) (known bool) {
	known = true
	for _, v := range list {
		switch {
		case v.from == 0:
		case v.from < fromFlag:
			g.regs |= 1 << (v.from - fromRegister)
		case v.from < fromSREG:
			g.flags |= 1 << (v.from - fromFlag)
		default:
			g.flags |= 0x7F
		}
		known = known && !v.unknown
	}
	return known
}

// unsure is an unknown value.
func unsure(width int) guess {
	return guess{Bits: lift.Bits{Width: uint8(width)}, unknown: true}
}

func sure(b lift.Bits) guess { return guess{Bits: b} }

// Const implements lift.Algebra, as do the other methods.
func (g *guesses) Const(width int, v uint64) guess { return sure(g.Numbers.Const(width, v)) }

func (g *guesses) Not(a guess) guess {
	if !g.use(a) {
		return unsure(int(a.Width))
	}
	return sure(g.Numbers.Not(a.Bits))
}

func (g *guesses) binary(a, b guess, width int, f func(a, b lift.Bits) lift.Bits) guess {
	if !g.use(a, b) {
		return unsure(width)
	}
	return sure(f(a.Bits, b.Bits))
}

func (g *guesses) And(a, b guess) guess { return g.binary(a, b, int(a.Width), g.Numbers.And) }
func (g *guesses) Or(a, b guess) guess  { return g.binary(a, b, int(a.Width), g.Numbers.Or) }
func (g *guesses) Xor(a, b guess) guess { return g.binary(a, b, int(a.Width), g.Numbers.Xor) }
func (g *guesses) Mul(a, b guess) guess { return g.binary(a, b, int(a.Width), g.Numbers.Mul) }
func (g *guesses) Eq(a, b guess) guess  { return g.binary(a, b, 1, g.Numbers.Eq) }
func (g *guesses) Concat(high, low guess) guess {
	return g.binary(high, low, int(high.Width+low.Width), g.Numbers.Concat)
}

func (g *guesses) Extract(x guess, high, low int) guess {
	if !g.use(x) {
		return unsure(high - low + 1)
	}
	return sure(g.Numbers.Extract(x.Bits, high, low))
}

func (g *guesses) SExt(x guess, width int) guess {
	if !g.use(x) {
		return unsure(width)
	}
	return sure(g.Numbers.SExt(x.Bits, width))
}

// step works something out from a Step.
func (g *guesses) step(s lift.Step[guess], width int, f func(lift.Step[lift.Bits]) lift.Bits) guess {
	known := g.use(s.A, s.B)
	if s.Chained {
		known = g.use(s.In) && known
	}
	if !known {
		return unsure(width)
	}
	return sure(f(lift.Step[lift.Bits]{A: s.A.Bits, B: s.B.Bits, In: s.In.Bits, Chained: s.Chained, Subtract: s.Subtract}))
}

func (g *guesses) Value(s lift.Step[guess]) guess { return g.step(s, int(s.A.Width), g.Numbers.Value) }
func (g *guesses) Carry(s lift.Step[guess]) guess { return g.step(s, 1, g.Numbers.Carry) }
func (g *guesses) Overflow(s lift.Step[guess]) guess {
	return g.step(s, 1, g.Numbers.Overflow)
}
func (g *guesses) Sign(s lift.Step[guess]) guess { return g.step(s, 1, g.Numbers.Sign) }
func (g *guesses) Half(s lift.Step[guess]) guess { return g.step(s, 1, g.Numbers.Half) }
