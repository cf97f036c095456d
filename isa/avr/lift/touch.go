package lift

import "motehound/isa/avr"

// Set is registers and flags: bits 0 to 31 are the registers, then come the flags.
type Set uint64

// RegSet and FlagSet are the sets of one.
func RegSet(r uint8) Set   { return 1 << r }
func FlagSet(f Flag) Set   { return 1 << (32 + f) }
func (s Set) Regs() uint32 { return uint32(s) }

// Touched is what an instruction reads and writes. An instruction that reads nothing unknown writes nothing unknown, but
// what comes from memory.
type Touched struct {
	Reads, Writes Set
	Loads, Stores bool // the data space: by address, the stack, I/O
	Code          bool // program memory
	Chip          bool // RAMPZ, or something that concerns the chip: SLEEP, WDR, SPM
	Kind          Kind
}

// Touch tells what an instruction touches. It is found by lifting the instruction over nothing, so it cannot differ from
// what Lift does.
func Touch(c Chip, in avr.Inst) Touched {
	t := &toucher{}
	t.Kind = Lift[none](t, c, in, 0, 1).Kind
	return t.Touched
}

// none is a value that nobody knows anything about.
type none struct{}

// toucher is a machine that notes what is asked of it.
type toucher struct{ Touched }

func (*toucher) Const(int, uint64) none         { return none{} }
func (*toucher) Not(none) none                  { return none{} }
func (*toucher) And(_, _ none) none             { return none{} }
func (*toucher) Or(_, _ none) none              { return none{} }
func (*toucher) Xor(_, _ none) none             { return none{} }
func (*toucher) Mul(_, _ none) none             { return none{} }
func (*toucher) Concat(_, _ none) none          { return none{} }
func (*toucher) Extract(_ none, _, _ int) none  { return none{} }
func (*toucher) SExt(none, int) none            { return none{} }
func (*toucher) Eq(_, _ none) none              { return none{} }
func (*toucher) Value(Step[none]) none          { return none{} }
func (*toucher) Carry(Step[none]) none          { return none{} }
func (*toucher) Overflow(Step[none]) none       { return none{} }
func (*toucher) Sign(Step[none]) none           { return none{} }
func (*toucher) Half(Step[none]) none           { return none{} }
func (t *toucher) SetReg(r uint8, _ none)       { t.Writes |= RegSet(r) }
func (t *toucher) SetFlag(f Flag, _ Lazy[none]) { t.Writes |= FlagSet(f) }
func (t *toucher) SP() none                     { return none{} }
func (t *toucher) SetSP(none)                   {}
func (t *toucher) SetBit(uint16, uint8, bool)   { t.Loads, t.Stores = true, true }
func (t *toucher) Store(_, _ none)              { t.Stores = true }
func (t *toucher) EIND() none                   { return none{} }

func (t *toucher) Reg(r uint8) none {
	t.Reads |= RegSet(r)
	return none{}
}

func (t *toucher) Flag(f Flag) Lazy[none] {
	t.Reads |= FlagSet(f)
	return Bit(none{})
}

func (t *toucher) RAMPZ() none {
	t.Chip = true
	return none{}
}

func (t *toucher) SetRAMPZ(none) { t.Chip = true }

func (t *toucher) Load(none) none {
	t.Loads = true
	return none{}
}

func (t *toucher) ProgByte(none) none {
	t.Code = true
	return none{}
}

func (t *toucher) Act(op avr.Op) {
	t.Chip = true
	if op == avr.OpSpm { // which takes its word and address from there
		t.Reads |= RegSet(0) | RegSet(1) | RegSet(regZ) | RegSet(regZ+1)
	}
}
