package lift

import "motehound/isa/avr"

// control lifts what may go elsewhere than to the next instruction.
func (l *lifter[V]) control(over uint32) Flow[V] {
	next := l.pc + 1
	switch op := l.in.Op; {
	case op == avr.OpRjmp, op == avr.OpJmp:
		return Flow[V]{Kind: Straight, Else: l.in.K}
	case op == avr.OpRcall, op == avr.OpCall:
		l.push()
		return Flow[V]{Kind: Straight, Else: l.in.K}
	case op == avr.OpIjmp, op == avr.OpEijmp:
		return Flow[V]{Kind: Indirect, Target: l.byZ(op == avr.OpEijmp)}
	case op == avr.OpIcall, op == avr.OpEicall:
		target := l.byZ(op == avr.OpEicall)
		l.push()
		return Flow[V]{Kind: Indirect, Target: target}
	case op == avr.OpRet, op == avr.OpReti:
		target := l.pop()
		if op == avr.OpReti {
			l.setBit(avr.FlagI, l.Const(1, 1))
		}
		return Flow[V]{Kind: Indirect, Target: target}
	case op >= avr.OpBrcs && op <= avr.OpBrie:
		return Flow[V]{Kind: Fork, Cond: l.flag(avr.Flag(op - avr.OpBrcs)), To: l.in.K, Else: next}
	case op >= avr.OpBrcc && op <= avr.OpBrid:
		return Flow[V]{Kind: Fork, Cond: l.Not(l.flag(avr.Flag(op - avr.OpBrcc))), To: l.in.K, Else: next}
	case op == avr.OpCpse:
		return Flow[V]{Kind: Fork, Cond: l.Eq(l.d(), l.r()), To: next + over, Else: next}
	case op == avr.OpSbrc, op == avr.OpSbrs:
		return l.skip(l.d(), op == avr.OpSbrs, over)
	case op == avr.OpSbic, op == avr.OpSbis:
		return l.skip(l.Load(l.word(uint16(l.in.K))), op == avr.OpSbis, over)
	}
	return Flow[V]{Kind: Halt}
}

// skip passes the next instruction if a bit of v is as wanted.
func (l *lifter[V]) skip(v V, set bool, over uint32) Flow[V] {
	n := l.bitOf()
	cond := l.Extract(v, n, n)
	if !set {
		cond = l.Not(cond)
	}
	return Flow[V]{Kind: Fork, Cond: cond, To: l.pc + 1 + over, Else: l.pc + 1}
}

// byZ is the target of an indirect jump.
func (l *lifter[V]) byZ(extended bool) V {
	if extended {
		return l.Concat(l.EIND(), l.pair(regZ))
	}
	return l.zext(l.pair(regZ), 8)
}

// push puts the return address on the stack. SP moves at the end, wherever the stack lies.
func (l *lifter[V]) push() {
	ret := l.pc + uint32(l.in.N)
	if ret >= l.chip.Words {
		ret -= l.chip.Words
	}
	sp := l.SP()
	l.Store(sp, l.byte(uint8(ret)))
	l.Store(l.plus(sp, 0xFFFF), l.byte(uint8(ret>>8)))
	if l.chip.Wide {
		l.Store(l.plus(sp, 0xFFFE), l.byte(uint8(ret>>16)))
		l.SetSP(l.plus(sp, 0xFFFD))
	} else {
		l.SetSP(l.plus(sp, 0xFFFE))
	}
}

// pop takes a return address off the stack.
func (l *lifter[V]) pop() V {
	sp, top := l.SP(), l.byte(0)
	if l.chip.Wide {
		sp = l.plus(sp, 1)
		top = l.Load(sp)
	}
	high := l.Load(l.plus(sp, 1))
	low := l.Load(l.plus(sp, 2))
	l.SetSP(l.plus(sp, 2))
	return l.Concat(top, l.Concat(high, low))
}
