package avr

// Space is which memory an instruction accesses.
type Space uint8

const (
	NoMemory    Space = iota
	DataMemory        // the data space, by LD, ST and similar
	IORegister        // ... its registers, by IN, OUT and those for single bits
	StackMemory       // ... at SP
	CodeMemory        // program memory
	ChipAction        // none, but it asks the chip for something: SLEEP, WDR, BREAK
)

// Access is what an instruction does to memory.
type Access struct {
	Space  Space
	Reads  bool
	Writes bool
	Bytes  uint8  // 1, or 2 for a return address, which has one more where the program counter has 22 bits
	Base   uint8  // the register pair with the address; 0 if there is none
	Offset uint16 // added to it
	Step   int8   // added to the pair: 1 after the access, or -1 before it, which is in Offset too
}

const returnAddress = 2 // Bytes

var accesses = [...]Access{
	loads:    {Space: DataMemory, Reads: true, Bytes: 1},
	stores:   {Space: DataMemory, Writes: true, Bytes: 1},
	alters:   {Space: DataMemory, Reads: true, Writes: true, Bytes: 1},
	pushes:   {Space: StackMemory, Writes: true, Bytes: 1},
	pops:     {Space: StackMemory, Reads: true, Bytes: 1},
	pushesPC: {Space: StackMemory, Writes: true, Bytes: returnAddress},
	popsPC:   {Space: StackMemory, Reads: true, Bytes: returnAddress},
	fetches:  {Space: CodeMemory, Reads: true, Bytes: 1},
	programs: {Space: CodeMemory, Writes: true},
	asks:     {Space: ChipAction},
}

// Access is what the instruction does to memory.
func (in Inst) Access() Access {
	f := &facts[in.Op]
	a := f.access
	switch {
	case f.displaced:
		a.Offset = uint16(in.R)
	case a.Base == 0 && (a.Space == DataMemory || a.Space == IORegister):
		a.Offset = uint16(in.K)
	}
	return a
}

// Address is where the byte is, of a core before the instruction. It is not for the stack.
func (a *Access) Address(s *State) uint16 {
	if a.Base == 0 {
		return a.Offset
	}
	return s.ptr(int(a.Base)) + a.Offset
}

// Touch is what an instruction does to a byte of the data space.
type Touch struct {
	Addr  uint16
	Read  bool
	Write bool
}

// Touches says which byte of the data space the instruction at PC will read or write; the working registers as operands, the
// stack pointer, RAMPZ and EIND do not count, nor does what it pushes and pops. Ok is false if there is none.
func (c *Core) Touches() (t Touch, ok bool) { return c.TouchOf(c.next()) }

// TouchOf is Touches, if the instruction at PC is known.
func (c *Core) TouchOf(in Inst) (t Touch, ok bool) {
	f := &facts[in.Op]
	a := &f.access
	if a.Space != DataMemory && a.Space != IORegister {
		return t, false
	}
	t = Touch{uint16(in.K), a.Reads, a.Writes}
	switch {
	case f.displaced:
		t.Addr = c.ptr(int(a.Base)) + uint16(in.R)
	case a.Base != 0:
		t.Addr = c.ptr(int(a.Base)) + a.Offset
	}
	return t, !c.ownRegister(t.Addr)
}

// quiet is how many cycles an operation takes, at least, if it has to do with neither the data space, but for the stack, nor the chip;
// 0 of others.
var quiet = func() (t [256]uint8) {
	for op := range t {
		f := &facts[first[op]]
		switch f.access.Space {
		case NoMemory, StackMemory:
			t[op] = f.cycles
		}
	}
	return t
}()

// mostQuiet is how many cycles Quiet looks ahead.
const mostQuiet = 32

// Quiet is how many cycles it takes to the last of the instructions from PC on that come one after the other and of which Touches knows
// nothing. 0 says that the one at PC is none, or may not be.
func (c *Core) Quiet() (cycles uint64) {
	for pc := c.PC; cycles < mostQuiet; {
		in := &c.Plain.code[pc&(maxWords-1)]
		n := quiet[in.Op]
		cycles += uint64(n)
		if n == 0 || facts[first[in.Op]].flow != Next {
			break
		}
		pc += uint32(in.N)
	}
	return cycles
}

// Coming is the instruction at PC.
func (c *Core) Coming() Inst { return c.next() }

func (c *Core) next() Inst {
	in := c.Plain.At(c.PC)
	if in.Op == opDynamic {
		in = Decode(c.Bus.ProgWord(c.PC), c.Bus.ProgWord(c.PC+1), c.PC, c.Program.has, c.Program.words)
	}
	return in
}

// ownRegister reports whether an address is a register of the core itself.
func (c *Core) ownRegister(addr uint16) bool {
	switch addr {
	case AddrSREG, AddrSPL, AddrSPH, AddrRAMPZ, AddrEIND:
		return true
	}
	return addr < 32
}
