package avr

// Touch is what an instruction does to the data space: one byte, or, for the stack, a few.
type Touch struct {
	Addr  uint16
	Read  bool
	Write bool
}

// Touches tells which byte of the data space the instruction at PC will read or write; the working registers as operands, the
// stack pointer, RAMPZ and EIND do not count, nor does what it pushes and pops. Ok is false if there is none.
func (c *Core) Touches() (t Touch, ok bool) {
	in := c.next()
	t.Read = true
	switch in.Op {
	case OpIn, OpSbic, OpSbis:
		t.Addr = uint16(in.K)
	case OpOut:
		t.Addr, t.Read, t.Write = uint16(in.K), false, true
	case OpSbi, OpCbi:
		t.Addr, t.Write = uint16(in.K), true
	case OpXch, OpLas, OpLac, OpLat:
		t.Addr, t.Write = c.ptr(30), true
	default:
		o, moves := in.Operand()
		if !moves {
			return t, false
		}
		t.Addr, t.Read, t.Write = o.Address(&c.State), !o.Store, o.Store
	}
	return t, !c.ownRegister(t.Addr)
}

// Next is what the instruction at PC is.
func (c *Core) Next() Op { return c.next().Op }

func (c *Core) next() Inst {
	in := c.Plain.At(c.PC)
	if in.Op == opDynamic {
		in = Decode(c.Bus.ProgWord(c.PC), c.Bus.ProgWord(c.PC+1), c.PC, c.Program.has, c.Program.words)
	}
	return in
}

// Operand is the byte that a load or a store moves: LD, LDD, LDS, ST, STD and STS.
type Operand struct {
	Offset   uint16 // added to
	Base     uint8  // the register pair with the address; 0 if there is none
	Register uint8  // that is loaded or stored
	Store    bool
}

// Operand gives the operand of a load or store.
func (in Inst) Operand() (o Operand, ok bool) {
	const x, y, z = 26, 28, 30
	before := ^uint16(0) // a pre-decrement
	o = Operand{Register: in.D, Store: in.Op == OpSts}
	switch in.Op {
	case OpLds, OpSts:
		o.Offset = uint16(in.K)
		return o, true
	case OpStdY, OpStdZ, OpStX, OpStXInc, OpStXDec, OpStYInc, OpStYDec, OpStZInc, OpStZDec:
		o.Store = true
	}
	switch in.Op {
	case OpLddY, OpStdY:
		o.Base, o.Offset = y, uint16(in.R)
	case OpLddZ, OpStdZ:
		o.Base, o.Offset = z, uint16(in.R)
	case OpLdX, OpLdXInc, OpStX, OpStXInc:
		o.Base = x
	case OpLdYInc, OpStYInc:
		o.Base = y
	case OpLdZInc, OpStZInc:
		o.Base = z
	case OpLdXDec, OpStXDec:
		o.Base, o.Offset = x, before
	case OpLdYDec, OpStYDec:
		o.Base, o.Offset = y, before
	case OpLdZDec, OpStZDec:
		o.Base, o.Offset = z, before
	default:
		return Operand{}, false
	}
	return o, true
}

// Address is where the byte is, of a core in front of the instruction.
func (o *Operand) Address(s *State) uint16 {
	if o.Base == 0 {
		return o.Offset
	}
	return s.ptr(int(o.Base)) + o.Offset
}

// ownRegister tells whether an address is a register of the core itself.
func (c *Core) ownRegister(addr uint16) bool {
	switch addr {
	case addrSREG, addrSPL, addrSPH, addrRAMPZ, addrEIND:
		return true
	}
	return addr < 32
}
