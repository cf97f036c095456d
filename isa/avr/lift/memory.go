package lift

import "motehound/isa/avr"

const regZ = 30

// moves lifts what copies between registers.
func (l *lifter[V]) moves() bool {
	switch l.in.Op {
	case avr.OpMov:
		l.SetReg(l.in.D, l.r())
	case avr.OpLdi:
		l.SetReg(l.in.D, l.k())
	case avr.OpMovw:
		low, high := l.Reg(l.in.R), l.Reg((l.in.R+1)&31)
		l.SetReg(l.in.D, low)
		l.SetReg((l.in.D+1)&31, high)
	default:
		return false
	}
	return true
}

// memory lifts what reads or writes memory.
func (l *lifter[V]) memory() bool {
	if a := l.in.Access(); a.Space == avr.DataMemory {
		l.move(a)
		return true
	}
	switch l.in.Op {
	case avr.OpIn, avr.OpOut:
		l.move(l.in.Access())
	case avr.OpSbi, avr.OpCbi:
		l.SetBit(uint16(l.in.K), l.in.R, l.in.Op == avr.OpSbi)
	case avr.OpPush: // the pointer moves last, so it wins where the store hits it
		sp := l.SP()
		l.Store(sp, l.d())
		l.SetSP(l.plus(sp, 0xFFFF))
	case avr.OpPop:
		sp := l.plus(l.SP(), 1)
		l.SetSP(sp)
		l.SetReg(l.in.D, l.Load(sp))
	case avr.OpLpm, avr.OpLpmZ:
		l.SetReg(l.in.D, l.ProgByte(l.zext(l.pair(regZ), 8)))
	case avr.OpLpmZInc:
		z := l.pair(regZ)
		l.setPair(regZ, l.plus(z, 1))
		l.SetReg(l.in.D, l.ProgByte(l.zext(z, 8)))
	case avr.OpElpm, avr.OpElpmZ:
		l.SetReg(l.in.D, l.ProgByte(l.Concat(l.RAMPZ(), l.pair(regZ))))
	case avr.OpElpmZInc:
		far := l.Concat(l.RAMPZ(), l.pair(regZ))
		next := l.Value(Step[V]{A: far, B: l.Const(24, 1)})
		l.setPair(regZ, l.Extract(next, 15, 0))
		l.SetRAMPZ(l.Extract(next, 23, 16))
		l.SetReg(l.in.D, l.ProgByte(far))
	default:
		return false
	}
	return true
}

// move is LD, ST and similar. What is stored is the register as it was; an increment comes after the access, a decrement
// before it.
func (l *lifter[V]) move(a avr.Access) {
	addr := l.word(a.Offset)
	if a.Base != 0 {
		addr = l.pair(a.Base)
	}
	var v V
	if a.Writes {
		v = l.d()
	}
	if a.Base != 0 {
		addr = l.plus(addr, a.Offset)
	}
	if a.Step < 0 {
		l.setPair(a.Base, addr)
	}
	if a.Writes {
		l.Store(addr, v)
	} else {
		v = l.Load(addr)
	}
	if a.Step > 0 {
		l.setPair(a.Base, l.plus(addr, 1))
	}
	if !a.Writes {
		l.SetReg(l.in.D, v)
	}
}
