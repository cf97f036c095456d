package lift

import (
	mathbits "math/bits"

	"motehound/isa/avr"
)

// bits lifts logic, shifts and single bits of registers.
func (l *lifter[V]) bits() bool {
	switch l.in.Op {
	case avr.OpAnd:
		l.logic(l.And(l.d(), l.r()))
	case avr.OpAndi:
		l.logic(l.And(l.d(), l.k()))
	case avr.OpOr:
		l.logic(l.Or(l.d(), l.r()))
	case avr.OpOri:
		l.logic(l.Or(l.d(), l.k()))
	case avr.OpEor:
		l.logic(l.Xor(l.d(), l.r()))
	case avr.OpCom:
		l.logic(l.Not(l.d()))
		l.setBit(avr.FlagC, l.Const(1, 1))
	case avr.OpSwap:
		a := l.d()
		l.SetReg(l.in.D, l.Concat(l.Extract(a, 3, 0), l.Extract(a, 7, 4)))
	case avr.OpAsr:
		a := l.d()
		l.shift(a, l.SExt(l.Extract(a, 7, 1), 8))
	case avr.OpLsr:
		a := l.d()
		l.shift(a, l.zext(l.Extract(a, 7, 1), 1))
	case avr.OpRor:
		a := l.d()
		l.shift(a, l.Concat(l.flag(avr.FlagC), l.Extract(a, 7, 1)))
	case avr.OpBst:
		n := l.bitOf()
		l.setBit(avr.FlagT, l.Extract(l.d(), n, n))
	case avr.OpBld:
		l.SetReg(l.in.D, l.withBit(l.d(), l.bitOf(), l.flag(avr.FlagT)))
	default:
		return false
	}
	return true
}

func (l *lifter[V]) logic(r V) {
	l.logicFlags(r)
	l.SetReg(l.in.D, r)
}

func (l *lifter[V]) shift(a, r V) {
	l.shiftFlags(a, r)
	l.SetReg(l.in.D, r)
}

// bitOf is the number of the bit that the instruction's mask has.
func (l *lifter[V]) bitOf() int { return mathbits.TrailingZeros8(l.in.R) }

// withBit is a byte with bit n replaced.
func (l *lifter[V]) withBit(x V, n int, bit V) V {
	if n < 7 {
		bit = l.Concat(l.Extract(x, 7, n+1), bit)
	}
	if n > 0 {
		bit = l.Concat(bit, l.Extract(x, n-1, 0))
	}
	return bit
}

// status lifts the instructions that set and clear flags: there are eight of each, in the order of the flags. The branches
// that test them are in that order too.
func (l *lifter[V]) status() bool {
	switch op := l.in.Op; {
	case op >= avr.OpSec && op <= avr.OpSei:
		l.setBit(avr.Flag(op-avr.OpSec), l.Const(1, 1))
	case op >= avr.OpClc && op <= avr.OpCli:
		l.setBit(avr.Flag(op-avr.OpClc), l.Const(1, 0))
	case op == avr.OpSleep, op == avr.OpWdr, op == avr.OpSpm:
		l.Act(op)
	case op == avr.OpNop:
	default:
		return false
	}
	return true
}
