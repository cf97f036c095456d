package avr

// Bus is what a core needs from the chip around it. It is asked only for what the core does not do by itself: I/O,
// addresses outside SRAM, and instructions that concern the chip. During a call PC is the instruction's own address,
// and Cycles is the cycle in which the access happens (the last one of the instruction).
type Bus interface {
	// Load and Store access the data space where it is neither a register nor internal SRAM.
	Load(addr uint16) uint8
	Store(addr uint16, v uint8)
	// SetBit is SBI or CBI: mask has the one bit.
	SetBit(addr uint16, mask uint8, on bool)
	// ProgByte reads program memory for LPM and ELPM when Core.ROM does not cover the address.
	ProgByte(addr uint32) uint8
	// ProgWord reads a word of program memory for records that are decoded at run time.
	ProgWord(pc uint32) uint16
	// Sleep, WatchdogReset and SelfProgram are SLEEP, WDR and SPM.
	Sleep()
	WatchdogReset()
	SelfProgram(addr uint32)
	// Halt says that the core cannot go on at PC: BREAK, no such instruction, erased flash.
	Halt(why Halt)
	// Hook is called before a watched instruction. True stops the core before it.
	Hook(pc uint32) bool
}

// Halt is why a core stopped.
type Halt uint8

const (
	HaltBreak  Halt = iota + 1 // BREAK without a debugger
	HaltOpcode                 // an opcode that this core does not have
	HaltErased                 // erased flash was executed
)

func haltOf(op Op) Halt {
	switch op {
	case OpBreak:
		return HaltBreak
	case opErased:
		return HaltErased
	}
	return HaltOpcode
}

// State is everything in a core that changes, except for SRAM. It has no pointers and no padding.
type State struct {
	Cycles       uint64 `time:"derived"` // since power-on
	Instructions uint64 `time:"stat"`
	Enabled      uint64 `time:"cycles,hand"` // Cycles after the last instruction that set I: one more instruction runs before interrupts
	PC           uint32 // word address
	nz, vx, hc   uint16 // N, Z, V, S, H and C: see flags.go
	SP           uint16
	t, I         uint8 // T and I: 0 or 1
	RAMPZ, EIND  uint8
	R            [32]uint8
}

// Core executes a Program. What the loop looks at comes first, so that it takes few cache lines.
type Core struct {
	State
	limit   uint64
	Program *Program // what runs; may be a Hooked one
	RAM     []uint8  // internal SRAM
	held    *Held    // what the Bus need not be asked for; never nil while Run is under way
	wide    uint64   // 1 on cores with a 22-bit program counter: calls and returns take one cycle more
	Bus     Bus
	RAMBase uint16 // data address of RAM[0]
	addr    uint16 // what Run leaves of a load or store to leave
	val     uint8
	Pending bool // an interrupt is requested: leave the loop as soon as I allows it

	Plain  *Program   // the same as Program, without hooks
	ROM    []uint8    // program memory as LPM reads it, nil when the Bus must be asked
	Counts Counts     // of a Counted program: how often each of its places was reached
	Shadow Shadow     // of a Shadowed program
	Passes *Log[Pass] // of a Logged program
	Moves  *Log[Move] // ... with data
	Held   *Held      // what the chip's Bus need not be asked for, if anything
	dyn    Inst
}

// Init wires a core. It does not touch the State.
func (c *Core) Init(bus Bus, p *Program, ram []uint8, ramBase uint16) {
	c.Bus, c.Program, c.Plain, c.RAM, c.RAMBase = bus, p, p, ram, ramBase
	c.wide = 0
	if p.has&NeedEind != 0 {
		c.wide = 1
	}
}

// count counts that the place was reached which a watched record's K names, if it names one.
func (c *Core) count(k uint32) {
	if k != 0 {
		c.Counts.Count(k - 1)
	}
}

// Run executes instructions until Cycles reaches until, Attend is called, or the Bus halts the core. The last
// instruction may end after until: cycles are never split.
func (c *Core) Run(until uint64) {
	c.limit, c.held = until, &nothing
	if c.Held != nil && c.Held.Bus == c.Bus {
		c.held = c.Held
	}
	for in := c.run(nil); in != nil; in = c.run(in) {
		if in = c.leave(in); in == nil && c.Cycles >= c.limit {
			break
		}
	}
	if c.PC >= c.Program.words {
		c.PC = wrap(c.PC, c.Program.words)
	}
}

// Attend makes Run return after the current instruction.
func (c *Core) Attend() { c.limit = 0 }

// Shorten makes Run return at the given cycle, if that is earlier than what it was given.
func (c *Core) Shorten(until uint64) {
	if until < c.limit {
		c.limit = until
	}
}

// SREG packs the status register.
func (c *State) SREG() uint8 { return c.nvs() | c.ithzc() }

// SetSREG unpacks v. Setting I delays interrupts by one instruction only through the instructions that do so.
func (c *State) SetSREG(v uint8) {
	w := uint16(v)
	c.hc = w&1<<8 | w>>1&halfBit
	c.nz = ^w & 2
	c.vx = w<<4&overflow | w<<11&unlikeN | (w<<11^w<<12^w<<13)&unlikeS
	c.t, c.I = v>>6&1, v>>7
}

// Canon gives the state its one canonical form, so that equal states have equal bytes.
func (c *State) Canon() {
	c.SetSREG(c.SREG())
	if c.Enabled != c.Cycles {
		c.Enabled = 0
	}
}

// Digested is a State as it is hashed. Recipes have hashes in them, so this stays as it is.
type Digested struct {
	Cycles, Instructions, Enabled uint64
	PC                            uint32
	SP                            uint16
	Flags                         [8]uint8 // 0 for Z, then N, V, S as bit 7, C as bit 0, H as bit 4, T and I as bit 0
	RAMPZ, EIND                   uint8
	R                             [32]uint8
}

// Digested is the state as it is hashed, in canonical form.
func (c *State) Digested() Digested {
	c.Canon()
	s := c.SREG()
	return Digested{c.Cycles, c.Instructions, c.Enabled, c.PC, c.SP,
		[8]uint8{^s >> 1 & 1, s << 5 & 0x80, s << 4 & 0x80, s << 3 & 0x80, s & 1, s >> 1 & 0x10, s >> 6 & 1, s >> 7},
		c.RAMPZ, c.EIND, c.R}
}

// X, Y and Z pointers.
func (c *State) ptr(lo int) uint16       { return uint16(c.R[lo]) | uint16(c.R[lo+1])<<8 }
func (c *State) setPtr(lo int, v uint16) { c.R[lo], c.R[lo+1] = uint8(v), uint8(v>>8) }

// advance moves a pointer on and is what it was; retreat moves it back and is what it is then.
func (c *State) advance(lo int) uint16 {
	v := c.ptr(lo)
	c.setPtr(lo, v+1)
	return v
}

func (c *State) retreat(lo int) uint16 {
	v := c.ptr(lo) - 1
	c.setPtr(lo, v)
	return v
}

// load reads the data space; Cycles and PC must be up to date.
func (c *Core) load(a uint16) uint8 {
	if i := int(a) - int(c.RAMBase); uint(i) < uint(len(c.RAM)) {
		return c.RAM[i]
	}
	if a > AddrSREG || a-32 < AddrRAMPZ-32 {
		return c.Bus.Load(a)
	}
	switch {
	case a < 32:
		return c.R[a]
	case a == AddrSREG:
		return c.SREG()
	case a == AddrSPL:
		return uint8(c.SP)
	case a == AddrSPH:
		return uint8(c.SP >> 8)
	case a == AddrRAMPZ && c.Program.has&NeedElpm != 0:
		return c.RAMPZ
	case a == AddrEIND && c.wide == 1:
		return c.EIND
	}
	return c.Bus.Load(a)
}

// store writes the data space; Cycles and PC must be up to date.
func (c *Core) store(a uint16, v uint8) {
	if i := int(a) - int(c.RAMBase); uint(i) < uint(len(c.RAM)) {
		c.RAM[i] = v
		return
	}
	if a > AddrSREG || a-32 < AddrRAMPZ-32 {
		c.Bus.Store(a, v)
		return
	}
	switch {
	case a < 32:
		c.R[a] = v
	case a == AddrSREG:
		was := c.I
		c.SetSREG(v)
		if was == 0 && c.I == 1 {
			c.enable(c.Cycles + 1)
		}
	case a == AddrSPL:
		c.SP = c.SP&0xFF00 | uint16(v)
	case a == AddrSPH:
		c.SP = c.SP&0xFF | uint16(v)<<8
	case a == AddrRAMPZ && c.Program.has&NeedElpm != 0:
		c.RAMPZ = v & c.rampzMask()
	case a == AddrEIND && c.wide == 1:
		c.EIND = v & 1
	default:
		c.Bus.Store(a, v)
	}
}

// loadBy is load for an instruction, after the loop has moved its pointer. LD Rd, X+ reads first and increments then
// (DS40002198, "LD"), which shows when X points at itself: its low byte is read as it was.
func (c *Core) loadBy(f *fact, a uint16) uint8 {
	if f.access.Step > 0 && a == uint16(f.access.Base) {
		return uint8(a)
	}
	return c.load(a)
}

// storeBy is store for an instruction, after the loop has moved its pointer. ST X+, Rr and PUSH store first and move
// the pointer then (DS40002198, "ST", "PUSH"), so the pointer wins where the store hits it.
func (c *Core) storeBy(f *fact, a uint16, v uint8) {
	sp := c.SP
	c.store(a, v)
	switch {
	case f.access.Step > 0:
		c.setPtr(int(f.access.Base), a+1)
	case f.access.Space == StackMemory:
		c.SP = sp
	}
}

// Core registers in the data space of every AVRe chip.
const (
	AddrRAMPZ = 0x5B
	AddrEIND  = 0x5C
	AddrSPL   = 0x5D
	AddrSPH   = 0x5E
	AddrSREG  = 0x5F
)

// rampzMask keeps the bits that the flash size gives meaning to: RAMPZ0, and RAMPZ1 with 256 KiB.
func (c *Core) rampzMask() uint8 {
	if c.Program.words > 1<<16 {
		return 3
	}
	return 1
}

// Store writes to the data space as an instruction would, side effects included.
func (c *Core) Store(a uint16, v uint8) { c.store(a, v) }

// Resumes is the first cycle at which the instruction after the one that set I has completed, or later: interrupts
// wait while Enabled equals Cycles.
func (c *Core) enable(after uint64) {
	c.Enabled = after
	if c.Pending {
		c.limit = 0
	}
}

// Interrupt pushes PC, clears I and jumps to the vector at word address pc. It takes four cycles, five with a 22-bit
// program counter (ATmega128 datasheet, 2467, "Interrupt Response Time"; ATmega2560, 2549).
func (c *Core) Interrupt(pc uint32) {
	c.push(c.PC)
	c.I = 0
	c.PC = pc
	c.Cycles += c.EntryCycles()
}

// EntryCycles is how long an interrupt's entry takes.
func (c *Core) EntryCycles() uint64 { return 4 + c.wide }

// push puts a return address on the stack. SP moves at the end, wherever the stack lies.
func (c *Core) push(pc uint32) {
	if pc >= c.Program.words {
		pc = wrap(pc, c.Program.words)
	}
	sp := c.SP
	if i := uint(sp) - uint(c.RAMBase) - 2; i < uint(len(c.RAM)) && i+2 < uint(len(c.RAM)) {
		c.RAM[i+2], c.RAM[i+1] = uint8(pc), uint8(pc>>8)
		if c.wide == 1 {
			c.RAM[i] = uint8(pc >> 16)
		}
	} else {
		c.store(sp, uint8(pc))
		c.store(sp-1, uint8(pc>>8))
		if c.wide == 1 {
			c.store(sp-2, uint8(pc>>16))
		}
	}
	c.SP = sp - 2 - uint16(c.wide)
}

// pop takes a return address off the stack.
func (c *Core) pop() uint32 {
	sp := c.SP
	var pc uint32
	if c.wide == 1 {
		sp++
		pc = uint32(c.load(sp)) << 16
	}
	if i := uint(sp) - uint(c.RAMBase) + 1; i < uint(len(c.RAM)) && i+1 < uint(len(c.RAM)) {
		pc |= uint32(c.RAM[i])<<8 | uint32(c.RAM[i+1])
	} else {
		pc |= uint32(c.load(sp+1))<<8 | uint32(c.load(sp+2))
	}
	c.SP = sp + 2
	return wrap(pc, c.Program.words)
}

// progByte is LPM and ELPM.
func (c *Core) progByte(a uint32) uint8 {
	if int(a) < len(c.ROM) {
		return c.ROM[a]
	}
	return c.Bus.ProgByte(a)
}

// PeekRegister reads a working register or a core register of the data space.
func (c *Core) PeekRegister(a uint16) (v uint8, ok bool) {
	switch {
	case a < 32, a == AddrSREG, a == AddrSPL, a == AddrSPH,
		a == AddrRAMPZ && c.Program.has&NeedElpm != 0, a == AddrEIND && c.wide == 1:
		return c.load(a), true
	}
	return 0, false
}
