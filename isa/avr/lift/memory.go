package lift

import "motehound/isa/avr"

// Pointer registers.
const (
	regX = 26
	regY = 28
	regZ = 30
)

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
	if p := &pointers[l.in.Op]; p.reg != 0 {
		l.byPointer(*p)
		return true
	}
	switch l.in.Op {
	case avr.OpLds, avr.OpIn:
		l.SetReg(l.in.D, l.Load(l.word(uint16(l.in.K))))
	case avr.OpSts, avr.OpOut:
		l.Store(l.word(uint16(l.in.K)), l.d())
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

// access is how an instruction uses a pointer register.
type access struct {
	reg    uint8
	store  bool
	before bool // the pointer is decremented first
	after  bool // ... or incremented afterwards
	offset bool // a displacement is added
}

// pointers is by Op; reg is 0 for all others.
var pointers = [256]access{
	avr.OpLddZ:   {reg: regZ, offset: true},
	avr.OpLddY:   {reg: regY, offset: true},
	avr.OpLdX:    {reg: regX},
	avr.OpLdXInc: {reg: regX, after: true},
	avr.OpLdXDec: {reg: regX, before: true},
	avr.OpLdYInc: {reg: regY, after: true},
	avr.OpLdYDec: {reg: regY, before: true},
	avr.OpLdZInc: {reg: regZ, after: true},
	avr.OpLdZDec: {reg: regZ, before: true},
	avr.OpStdZ:   {reg: regZ, store: true, offset: true},
	avr.OpStdY:   {reg: regY, store: true, offset: true},
	avr.OpStX:    {reg: regX, store: true},
	avr.OpStXInc: {reg: regX, store: true, after: true},
	avr.OpStXDec: {reg: regX, store: true, before: true},
	avr.OpStYInc: {reg: regY, store: true, after: true},
	avr.OpStYDec: {reg: regY, store: true, before: true},
	avr.OpStZInc: {reg: regZ, store: true, after: true},
	avr.OpStZDec: {reg: regZ, store: true, before: true},
}

// byPointer is LD and ST in their forms. What is stored is the register as it was; an increment comes after the access, a
// decrement before it.
func (l *lifter[V]) byPointer(p access) {
	addr := l.pair(p.reg)
	var v V
	if p.store {
		v = l.d()
	}
	switch {
	case p.offset:
		addr = l.plus(addr, uint16(l.in.R))
	case p.before:
		addr = l.plus(addr, 0xFFFF)
		l.setPair(p.reg, addr)
	}
	if p.store {
		l.Store(addr, v)
	} else {
		v = l.Load(addr)
	}
	if p.after {
		l.setPair(p.reg, l.plus(addr, 1))
	}
	if !p.store {
		l.SetReg(l.in.D, v)
	}
}
