package harvest

import (
	"motehound/isa/avr"
	"motehound/mote"
)

// touch is how an instruction reads or writes data memory; the zero value is one that does not. Pushes, pops and calls
// are left out: what they touch is the stack.
type touch struct {
	is, write bool
	base      uint8  // register pair with the address, 0: none
	offset    uint16 // added to it
	register  uint8  // that is written
}

// touchOf looks at one instruction.
func touchOf(in avr.Inst) touch {
	const x, y, z = 26, 28, 30
	before := ^uint16(0) // a pre-decrement
	load := func(base uint8, offset uint16) touch { return touch{true, false, base, offset, in.D} }
	store := func(base uint8, offset uint16) touch { return touch{true, true, base, offset, in.D} }
	switch in.Op {
	case avr.OpLds:
		return load(0, uint16(in.K))
	case avr.OpSts:
		return store(0, uint16(in.K))
	case avr.OpLddY:
		return load(y, uint16(in.R))
	case avr.OpLddZ:
		return load(z, uint16(in.R))
	case avr.OpStdY:
		return store(y, uint16(in.R))
	case avr.OpStdZ:
		return store(z, uint16(in.R))
	case avr.OpLdX, avr.OpLdXInc:
		return load(x, 0)
	case avr.OpLdYInc:
		return load(y, 0)
	case avr.OpLdZInc:
		return load(z, 0)
	case avr.OpLdXDec:
		return load(x, before)
	case avr.OpLdYDec:
		return load(y, before)
	case avr.OpLdZDec:
		return load(z, before)
	case avr.OpStX, avr.OpStXInc:
		return store(x, 0)
	case avr.OpStYInc:
		return store(y, 0)
	case avr.OpStZInc:
		return store(z, 0)
	case avr.OpStXDec:
		return store(x, before)
	case avr.OpStYDec:
		return store(y, before)
	case avr.OpStZDec:
		return store(z, before)
	}
	return touch{}
}

// address is what the instruction touches when the mote is in front of it.
func (t touch) address(c *avr.Core) uint16 {
	if t.base == 0 {
		return t.offset
	}
	return uint16(c.R[t.base]) + uint16(c.R[t.base+1])<<8 + t.offset
}

// touches lists the loads and stores of the field's blocks, by word address.
func (f *Field) touches(k *mote.Kind) (by []touch, at []uint32) {
	program := k.Program()
	by = make([]touch, program.Words())
	for _, b := range f.Blocks {
		for pc := b.Start; pc < b.End; {
			in := program.At(pc)
			if t := touchOf(in); t.is {
				by[pc] = t
				at = append(at, pc)
			}
			pc += uint32(max(in.N, 1))
		}
	}
	return by, at
}
