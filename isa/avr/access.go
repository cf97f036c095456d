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
	case OpLds, OpIn, OpSbic, OpSbis:
		t.Addr = uint16(in.K)
	case OpSts, OpOut:
		t.Addr, t.Read, t.Write = uint16(in.K), false, true
	case OpSbi, OpCbi:
		t.Addr, t.Write = uint16(in.K), true
	case OpLddZ:
		t.Addr = c.ptr(30) + uint16(in.R)
	case OpLddY:
		t.Addr = c.ptr(28) + uint16(in.R)
	case OpLdX, OpLdXInc:
		t.Addr = c.ptr(26)
	case OpLdXDec:
		t.Addr = c.ptr(26) - 1
	case OpLdYInc:
		t.Addr = c.ptr(28)
	case OpLdYDec:
		t.Addr = c.ptr(28) - 1
	case OpLdZInc:
		t.Addr = c.ptr(30)
	case OpLdZDec:
		t.Addr = c.ptr(30) - 1
	case OpXch, OpLas, OpLac, OpLat:
		t.Addr, t.Write = c.ptr(30), true
	default:
		t.Addr, ok = c.stores(&in)
		t.Read, t.Write = false, true
		return t, ok && !c.ownRegister(t.Addr)
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

// stores is where a store through a pointer goes.
func (c *Core) stores(in *Inst) (addr uint16, ok bool) {
	switch in.Op {
	case OpStdZ:
		return c.ptr(30) + uint16(in.R), true
	case OpStdY:
		return c.ptr(28) + uint16(in.R), true
	case OpStX, OpStXInc:
		return c.ptr(26), true
	case OpStXDec:
		return c.ptr(26) - 1, true
	case OpStYInc:
		return c.ptr(28), true
	case OpStYDec:
		return c.ptr(28) - 1, true
	case OpStZInc:
		return c.ptr(30), true
	case OpStZDec:
		return c.ptr(30) - 1, true
	}
	return 0, false
}

// ownRegister tells whether an address is a register of the core itself.
func (c *Core) ownRegister(addr uint16) bool {
	switch addr {
	case addrSREG, addrSPL, addrSPH, addrRAMPZ, addrEIND:
		return true
	}
	return addr < 32
}
