package lift

import (
	"testing"

	"motehound/isa/avr"
)

// touched is what lifting an instruction reads and writes.
type touched struct {
	reads, writes avr.Set
	loads, stores int  // bytes of the data space
	bits          bool // SetBit, which does both
	code, chip    bool
	kind          Kind
}

// TestTouch lifts every opcode word over nothing, and compares what is read and written with what the table says.
func TestTouch(t *testing.T) {
	for _, c := range chips {
		chip := ChipOf(c.has, c.flash/2)
		for w := range 1 << 16 {
			in := avr.Decode(uint16(w), 0x200, 0, c.has, c.flash/2)
			m := &toucher{}
			m.kind = Lift[none](m, chip, in, 0, 1).Kind
			if want := said(in, chip.Wide); m.touched != want {
				t.Errorf("%s: %s touches %+v, the table says %+v", c.name, in, m.touched, want)
			}
		}
	}
}

// said is what the table says.
func said(in avr.Inst, wide bool) touched {
	flow, _ := in.Flow()
	a := in.Access()
	t := touched{reads: in.Reads(), writes: in.Writes(), bits: a.Reads && a.Writes, chip: a.Space == avr.ChipAction}
	n := int(a.Bytes)
	if wide && n == 2 {
		n = 3
	}
	switch {
	case a.Space == avr.CodeMemory:
		t.code, t.chip = a.Reads, a.Writes
	case t.bits:
	case a.Reads:
		t.loads = n
	case a.Writes:
		t.stores = n
	}
	switch flow {
	case avr.Branch, avr.Skip:
		t.kind = Fork
	case avr.IndirectJump, avr.IndirectCall, avr.Return:
		t.kind = Indirect
	case avr.Halts:
		t.kind = Halt
	}
	if in.Op == avr.OpBreak {
		t.kind, t.chip = Halt, false
	}
	return t
}

// none is a value that nobody knows anything about.
type none struct{}

// toucher is a machine that notes what is asked of it.
type toucher struct{ touched }

func (*toucher) Const(int, uint64) none             { return none{} }
func (*toucher) Not(none) none                      { return none{} }
func (*toucher) And(_, _ none) none                 { return none{} }
func (*toucher) Or(_, _ none) none                  { return none{} }
func (*toucher) Xor(_, _ none) none                 { return none{} }
func (*toucher) Mul(_, _ none) none                 { return none{} }
func (*toucher) Concat(_, _ none) none              { return none{} }
func (*toucher) Extract(_ none, _, _ int) none      { return none{} }
func (*toucher) SExt(none, int) none                { return none{} }
func (*toucher) Eq(_, _ none) none                  { return none{} }
func (*toucher) Value(Step[none]) none              { return none{} }
func (*toucher) Carry(Step[none]) none              { return none{} }
func (*toucher) Overflow(Step[none]) none           { return none{} }
func (*toucher) Sign(Step[none]) none               { return none{} }
func (*toucher) Half(Step[none]) none               { return none{} }
func (t *toucher) SetReg(r uint8, _ none)           { t.writes |= avr.RegSet(r) }
func (t *toucher) SetFlag(f avr.Flag, _ Lazy[none]) { t.writes |= avr.FlagSet(f) }
func (t *toucher) SetSP(none)                       { t.writes |= avr.SP }
func (t *toucher) SetRAMPZ(none)                    { t.writes |= avr.RAMPZ }
func (t *toucher) SetBit(uint16, uint8, bool)       { t.bits = true }
func (t *toucher) Store(_, _ none)                  { t.stores++ }

func (t *toucher) read(s avr.Set) none {
	t.reads |= s
	return none{}
}

func (t *toucher) Reg(r uint8) none { return t.read(avr.RegSet(r)) }
func (t *toucher) SP() none         { return t.read(avr.SP) }
func (t *toucher) RAMPZ() none      { return t.read(avr.RAMPZ) }
func (t *toucher) EIND() none       { return t.read(avr.EIND) }

func (t *toucher) Flag(f avr.Flag) Lazy[none] {
	t.reads |= avr.FlagSet(f)
	return Bit(none{})
}

func (t *toucher) Load(none) none {
	t.loads++
	return none{}
}

func (t *toucher) ProgByte(none) none {
	t.code = true
	return none{}
}

func (t *toucher) Act(op avr.Op) {
	t.chip = true
	if op == avr.OpSpm { // which takes its word and address from there
		t.reads |= avr.RegSet(0) | avr.RegSet(1) | avr.RegSet(regZ) | avr.RegSet(regZ+1) | avr.RAMPZ
	}
}
