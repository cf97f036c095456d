package lift

import "motehound/isa/avr"

// arithmetic lifts what adds, subtracts and multiplies.
func (l *lifter[V]) arithmetic() bool {
	switch l.in.Op {
	case avr.OpAdd:
		l.add(false)
	case avr.OpAdc:
		l.add(true)
	case avr.OpSub:
		l.subtract(l.r(), false, true)
	case avr.OpSbc:
		l.subtract(l.r(), true, true)
	case avr.OpCp:
		l.subtract(l.r(), false, false)
	case avr.OpCpc:
		l.subtract(l.r(), true, false)
	case avr.OpSubi:
		l.subtract(l.k(), false, true)
	case avr.OpSbci:
		l.subtract(l.k(), true, true)
	case avr.OpCpi:
		l.subtract(l.k(), false, false)
	case avr.OpAdiw:
		l.addWord(false)
	case avr.OpSbiw:
		l.addWord(true)
	case avr.OpNeg:
		s := Step[V]{A: l.byte(0), B: l.d(), Subtract: true}
		r := l.Value(s)
		l.zeroTop(r, 8)
		l.stepFlags(s, true, true)
		l.SetReg(l.in.D, r)
	case avr.OpInc:
		l.count(false)
	case avr.OpDec:
		l.count(true)
	case avr.OpMul, avr.OpFmul:
		l.multiply(l.zext(l.d(), 8), l.zext(l.r(), 8), l.in.Op == avr.OpFmul)
	case avr.OpMuls, avr.OpFmuls:
		l.multiply(l.SExt(l.d(), 16), l.SExt(l.r(), 16), l.in.Op == avr.OpFmuls)
	case avr.OpMulsu, avr.OpFmulsu:
		l.multiply(l.SExt(l.d(), 16), l.zext(l.r(), 8), l.in.Op == avr.OpFmulsu)
	default:
		return false
	}
	return true
}

// step is an operation of the destination with b, chained to the carry or not.
func (l *lifter[V]) step(b V, chained, subtract bool) Step[V] {
	s := Step[V]{A: l.d(), B: b, Chained: chained, Subtract: subtract}
	if chained {
		s.In = l.flag(avr.FlagC)
	}
	return s
}

// add is ADD and ADC.
func (l *lifter[V]) add(chained bool) {
	s := l.step(l.r(), chained, false)
	r := l.Value(s)
	l.zeroTop(r, 8)
	l.stepFlags(s, true, true)
	l.SetReg(l.in.D, r)
}

// subtract is SUB, SBC, CP and CPC, and those with a constant.
func (l *lifter[V]) subtract(b V, chained, keep bool) {
	s := l.step(b, chained, true)
	r := l.Value(s)
	if chained {
		l.chainZero(r)
		l.SetFlag(avr.FlagN, Lazy[V]{how: isTop, width: 8, of: r})
	} else {
		l.zeroTop(r, 8)
	}
	l.stepFlags(s, true, true)
	if keep {
		l.SetReg(l.in.D, r)
	}
}

// addWord is ADIW and SBIW, which leave H alone.
func (l *lifter[V]) addWord(subtract bool) {
	s := Step[V]{A: l.pair(l.in.D), B: l.word(uint16(l.in.K)), Subtract: subtract}
	r := l.Value(s)
	l.zeroTop(r, 16)
	l.stepFlags(s, true, false)
	l.setPair(l.in.D, r)
}

// count is INC and DEC, which leave C and H alone.
func (l *lifter[V]) count(down bool) {
	s := Step[V]{A: l.d(), B: l.byte(1), Subtract: down}
	r := l.Value(s)
	l.zeroTop(r, 8)
	l.stepFlags(s, false, false)
	l.SetReg(l.in.D, r)
}

// multiply leaves a product of width 16 in r1:r0; C is its top bit before a fractional one is shifted.
func (l *lifter[V]) multiply(a, b V, fractional bool) {
	p := l.Mul(a, b)
	l.SetFlag(avr.FlagC, Lazy[V]{how: isTop, width: 16, of: p})
	if fractional {
		p = l.Concat(l.Extract(p, 14, 0), l.Const(1, 0))
	}
	l.SetFlag(avr.FlagZ, Lazy[V]{how: isZero, width: 16, of: p})
	l.setPair(0, p)
}
