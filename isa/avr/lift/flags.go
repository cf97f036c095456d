package lift

import "motehound/isa/avr"

// Lazy is how a flag is worked out. It is plain data, as far as V is. The zero value is no flag: a machine may use it for
// flags that it keeps in another way, but never gives it to Lift.
type Lazy[V any] struct {
	how   how
	width uint8 // of Of, for isZero
	of    V
	step  Step[V]
}

type how uint8

const (
	unset how = iota
	isBit
	isZero
	isTop
	isLow
	isShifted // the top bit of a shift's result differs from the bit that was shifted out of step.A
	isCarry
	isOverflow
	isSign
	isHalf
)

// Bit is a flag that is a condition of width 1.
func Bit[V any](v V) Lazy[V] { return Lazy[V]{how: isBit, of: v} }

// Build works the flag out, of width 1.
func (f Lazy[V]) Build(a Algebra[V]) V {
	switch f.how {
	case isBit:
		return f.of
	case isZero:
		return a.Eq(f.of, a.Const(int(f.width), 0))
	case isTop:
		return a.Extract(f.of, int(f.width)-1, int(f.width)-1)
	case isLow:
		return a.Extract(f.of, 0, 0)
	case isShifted:
		return a.Xor(a.Extract(f.of, 7, 7), a.Extract(f.step.A, 0, 0))
	case isCarry:
		return a.Carry(f.step)
	case isOverflow:
		return a.Overflow(f.step)
	case isSign:
		return a.Sign(f.step)
	case isHalf:
		return a.Half(f.step)
	}
	panic("BUG: lift: a flag that was never set is read")
}

// maxChain is how many bits a test for zero may grow to by adding a byte.
const maxChain = 56

// flag is a flag's value.
func (l *lifter[V]) flag(f avr.Flag) V { return l.Flag(f).Build(l.Machine) }

func (l *lifter[V]) setBit(f avr.Flag, v V) { l.SetFlag(f, Bit(v)) }

// zeroTop sets Z and N from a result.
func (l *lifter[V]) zeroTop(r V, width uint8) {
	l.SetFlag(avr.FlagZ, Lazy[V]{how: isZero, width: width, of: r})
	l.SetFlag(avr.FlagN, Lazy[V]{how: isTop, width: width, of: r})
}

// chainZero sets Z if it was set and a result is zero too, as SBC and CPC do.
func (l *lifter[V]) chainZero(r V) {
	if was := l.Flag(avr.FlagZ); was.how == isZero && was.width <= maxChain {
		l.SetFlag(avr.FlagZ, Lazy[V]{how: isZero, width: was.width + 8, of: l.Concat(r, was.of)})
	} else {
		l.setBit(avr.FlagZ, l.And(was.Build(l.Machine), l.Eq(r, l.byte(0))))
	}
}

// stepFlags sets V and S of a Step, and what else it is asked for.
func (l *lifter[V]) stepFlags(s Step[V], carry, half bool) {
	l.SetFlag(avr.FlagV, Lazy[V]{how: isOverflow, step: s})
	l.SetFlag(avr.FlagS, Lazy[V]{how: isSign, step: s})
	if carry {
		l.SetFlag(avr.FlagC, Lazy[V]{how: isCarry, step: s})
	}
	if half {
		l.SetFlag(avr.FlagH, Lazy[V]{how: isHalf, step: s})
	}
}

// logicFlags are those of AND and its like.
func (l *lifter[V]) logicFlags(r V) {
	l.zeroTop(r, 8)
	l.setBit(avr.FlagV, l.Const(1, 0))
	l.SetFlag(avr.FlagS, Lazy[V]{how: isTop, width: 8, of: r})
}

// shiftFlags are those of a shift to the right of a to r: V is N xor C, so S is C.
func (l *lifter[V]) shiftFlags(a, r V) {
	out := Lazy[V]{how: isLow, of: a}
	l.zeroTop(r, 8)
	l.SetFlag(avr.FlagC, out)
	l.SetFlag(avr.FlagV, Lazy[V]{how: isShifted, of: r, step: Step[V]{A: a, B: a}})
	l.SetFlag(avr.FlagS, out)
}

// PackSREG is the status register as a byte.
func PackSREG[V any](m Machine[V]) V {
	v := m.Flag(avr.FlagI).Build(m)
	for f := avr.FlagT; ; f-- {
		v = m.Concat(v, m.Flag(f).Build(m))
		if f == avr.FlagC {
			return v
		}
	}
}

// UnpackSREG sets the flags from a byte, I excepted: that one decides what happens next and so is the machine's.
func UnpackSREG[V any](m Machine[V], v V) {
	for f := avr.FlagC; f <= avr.FlagT; f++ {
		m.SetFlag(f, Bit(m.Extract(v, int(f), int(f))))
	}
}

// All reports whether a test holds of everything that the flag is worked out from.
func (f Lazy[V]) All(test func(V) bool) bool {
	if f.how < isCarry {
		return test(f.of) && (f.how != isShifted || test(f.step.A))
	}
	return test(f.step.A) && test(f.step.B) && (!f.step.Chained || test(f.step.In))
}

// Map is the flag of another algebra, worked out from what f maps the parts to.
func Map[V, W any](l Lazy[V], f func(V) W) Lazy[W] {
	m := Lazy[W]{how: l.how, width: l.width}
	if l.how < isCarry {
		m.of = f(l.of)
		if l.how != isShifted {
			return m
		}
	}
	m.step = Step[W]{A: f(l.step.A), B: f(l.step.B), Chained: l.step.Chained, Subtract: l.step.Subtract}
	if l.step.Chained {
		m.step.In = f(l.step.In)
	}
	return m
}
