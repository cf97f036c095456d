package explore

import (
	"math/bits"

	"motehound/isa/avr"
)

// descent is where the value of a register comes from: a byte that was loaded, and what was done to it since, with other values as they are.
type descent struct {
	loaded uint8
	n      uint8
	steps  [6]derived
}

type derived struct {
	op   avr.Op
	with uint8
}

// of is what would be in the register if something else had been loaded.
func (o *descent) of(v uint8) uint8 {
	for _, s := range o.steps[:o.n] {
		switch s.op {
		case avr.OpAnd:
			v &= s.with
		case avr.OpOr:
			v |= s.with
		case avr.OpEor:
			v ^= s.with
		case avr.OpAdd:
			v += s.with
		case avr.OpSub:
			v -= s.with
		case avr.OpCom:
			v = ^v
		case avr.OpNeg:
			v = -v
		case avr.OpSwap:
			v = bits.RotateLeft8(v, 4)
		case avr.OpLsr:
			v >>= 1
		case avr.OpAsr:
			v = uint8(int8(v) >> 1)
		case avr.OpMul: // by 2
			v <<= 1
		}
	}
	return v
}

// solve finds the byte that gives a wanted value and differs in as few bits as possible from the one that was loaded. All are tried: there are few.
func (o *descent) solve(want uint8) (v uint8, ok bool) {
	least := 9
	for x := range 256 {
		if n := bits.OnesCount8(uint8(x) ^ o.loaded); n < least && o.of(uint8(x)) == want {
			v, least = uint8(x), n
		}
	}
	return v, least < 9
}

// then adds a step.
func (o *descent) then(op avr.Op, with uint8) bool {
	if int(o.n) == len(o.steps) {
		return false
	}
	o.steps[o.n] = derived{op, with}
	o.n++
	return true
}

// descents follows bytes from where they are loaded to where they are compared.
type descents struct {
	regs  [32]descent
	known uint32 // of which registers the descent is known
	fresh uint32 // that the last instruction has loaded
}

// derived gives the descent of a register; without steps if it was only loaded, or nobody knows.
func (x *descents) derived(c *avr.Core, reg uint8, to *descent) {
	to.n = 0
	if o := &x.regs[reg&31]; x.known>>(reg&31)&1 != 0 && o.n > 0 && o.of(o.loaded) == c.R[reg&31] {
		*to = *o
	}
}

// load notes what the last instruction has loaded.
func (x *descents) load(c *avr.Core) {
	for ; x.fresh != 0; x.fresh &= x.fresh - 1 {
		r := bits.TrailingZeros32(x.fresh)
		x.regs[r] = descent{loaded: c.R[r]}
		x.known |= 1 << r
	}
}

// follow notes what the next instruction does.
func (x *descents) follow(c *avr.Core, in avr.Inst) {
	d, r := in.D&31, in.R&31
	switch in.Op {
	case avr.OpMov:
		x.copy(d, r)
	case avr.OpMovw:
		x.copy(d, r)
		x.copy(d+1, r+1)
	case avr.OpAndi:
		x.step(d, avr.OpAnd, uint8(in.K))
	case avr.OpOri:
		x.step(d, avr.OpOr, uint8(in.K))
	case avr.OpSubi:
		x.step(d, avr.OpSub, uint8(in.K))
	case avr.OpCom, avr.OpNeg, avr.OpSwap, avr.OpLsr, avr.OpAsr:
		x.step(d, in.Op, 0)
	case avr.OpInc:
		x.step(d, avr.OpAdd, 1)
	case avr.OpDec:
		x.step(d, avr.OpSub, 1)
	case avr.OpAnd, avr.OpOr, avr.OpEor, avr.OpAdd, avr.OpSub:
		x.join(c, in.Op, d, r)
	case avr.OpLddZ, avr.OpLddY, avr.OpLds, avr.OpLdZInc, avr.OpLdZDec, avr.OpLdYInc, avr.OpLdYDec, avr.OpLdX, avr.OpLdXInc, avr.OpLdXDec:
		x.known &^= uint32(in.Writes())
		x.fresh = 1 << d
	default:
		x.known &^= uint32(in.Writes())
	}
}

func (x *descents) copy(d, r uint8) {
	if x.known &^= 1 << d; d != r && x.known>>r&1 != 0 {
		x.regs[d] = x.regs[r]
		x.known |= 1 << d
	}
}

func (x *descents) step(d uint8, op avr.Op, with uint8) {
	if x.known>>d&1 != 0 && !x.regs[d].then(op, with) {
		x.known &^= 1 << d
	}
}

// join is an operation on two registers, one of which may be known: the other one counts as it is.
func (x *descents) join(c *avr.Core, op avr.Op, d, r uint8) {
	switch {
	case d == r && (op == avr.OpAnd || op == avr.OpOr):
	case d == r && op == avr.OpAdd:
		x.step(d, avr.OpMul, 2)
	case d == r:
		x.known &^= 1 << d
	case x.known>>d&1 == 0 && op != avr.OpSub:
		x.copy(d, r)
		x.step(d, op, c.R[d])
	default:
		x.step(d, op, c.R[r])
	}
}
