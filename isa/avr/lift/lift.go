// Package lift defines what each AVR instruction does, as operations of any algebra of bit vectors. With numbers it is a second
// interpreter, to compare with the first. With expressions it is the front end of the symbolic engine.
//
// Invariants:
//   - Every row of the instruction table that a core of the family has is lifted, and does to registers, flags, memory and
//     the program counter what avr.Core does. Cycles are left to the core.
//   - Flags are lazy: an instruction says how a flag would be computed, and nothing is built until it is read.
//   - Additions and subtractions with carry are Steps, so an algebra can fuse a chain of them into one wide operation; the
//     zero flag of such a chain is one test of the whole result.
//   - The order of reads and writes is the core's, also where a pointer points at itself.
//
// Source: AVR Instruction Set Manual, DS40002198.
package lift

import "motehound/isa/avr"

// Algebra builds bit vectors of 1 to 64 bits. Operands of an operation have equal widths.
type Algebra[V any] interface {
	Const(width int, v uint64) V
	Not(a V) V
	And(a, b V) V
	Or(a, b V) V
	Xor(a, b V) V
	Mul(a, b V) V
	Concat(high, low V) V
	Extract(x V, high, low int) V
	SExt(x V, width int) V
	Eq(a, b V) V // of width 1

	// What a Step yields.
	Value(s Step[V]) V
	Carry(s Step[V]) V    // the carry that comes out, or the borrow
	Overflow(s Step[V]) V // the signed result does not fit
	Sign(s Step[V]) V     // the true signed result is below zero
	Half(s Step[V]) V     // the carry out of bit 3
}

// Step is one byte (or word) of an addition or subtraction.
type Step[V any] struct {
	A, B     V
	In       V // the carry or borrow that comes in, if Chained
	Chained  bool
	Subtract bool // A - B - In; otherwise A + B + In
}

// Machine is what an instruction acts on. Addresses are of width 16, bytes of width 8.
type Machine[V any] interface {
	Algebra[V]
	Reg(r uint8) V
	SetReg(r uint8, v V)
	Flag(f avr.Flag) Lazy[V]
	SetFlag(f avr.Flag, v Lazy[V])
	SP() V
	SetSP(v V)
	// RAMPZ and EIND are of width 8.
	RAMPZ() V
	SetRAMPZ(v V)
	EIND() V
	// Load and Store access the data space, registers and I/O included; SetBit is SBI or CBI, mask has the one bit.
	Load(addr V) V
	Store(addr, v V)
	SetBit(addr uint16, mask uint8, on bool)
	// ProgByte reads program memory; the address is of width 24.
	ProgByte(addr V) V
	// Act is SLEEP, WDR or SPM, which concern the chip.
	Act(op avr.Op)
}

// Chip is what the meaning of an instruction depends on besides itself.
type Chip struct {
	Words uint32 // size of flash
	Wide  bool   // the program counter has 22 bits: return addresses have three bytes
}

// ChipOf is the Chip of a core with some features and so many words of flash.
func ChipOf(has avr.Need, words uint32) Chip { return Chip{Words: words, Wide: has&avr.NeedEind != 0} }

// Kind is how control leaves an instruction.
type Kind uint8

const (
	Straight Kind = iota // to Else
	Fork                 // to To if Cond holds, else to Else
	Indirect             // to Target, a word address of width 24, modulo the size of flash
	Halt                 // nowhere: BREAK, or no instruction of this core
)

// Flow is where control goes. Word addresses may be the one behind the end of flash, which is the first.
type Flow[V any] struct {
	Kind     Kind
	Cond     V // of width 1
	To, Else uint32
	Target   V
}

// Lift does what an instruction at word address pc does. If it may skip the next one, over is how many words that has.
func Lift[V any](m Machine[V], c Chip, in avr.Inst, pc, over uint32) Flow[V] {
	l := lifter[V]{m, c, in, pc}
	if l.arithmetic() || l.bits() || l.moves() || l.memory() || l.status() {
		return Flow[V]{Kind: Straight, Else: pc + uint32(in.N)}
	}
	return l.control(over)
}

// lifter is one instruction being lifted.
type lifter[V any] struct {
	Machine[V]
	chip Chip
	in   avr.Inst
	pc   uint32
}

func (l *lifter[V]) d() V            { return l.Reg(l.in.D) }
func (l *lifter[V]) r() V            { return l.Reg(l.in.R) }
func (l *lifter[V]) k() V            { return l.Const(8, uint64(l.in.K)) }
func (l *lifter[V]) byte(v uint8) V  { return l.Const(8, uint64(v)) }
func (l *lifter[V]) word(v uint16) V { return l.Const(16, uint64(v)) }

// pair is a register pair; the registers of a pair wrap as avr.Core's do.
func (l *lifter[V]) pair(low uint8) V { return l.Concat(l.Reg((low+1)&31), l.Reg(low)) }

func (l *lifter[V]) setPair(low uint8, v V) {
	l.SetReg(low, l.Extract(v, 7, 0))
	l.SetReg((low+1)&31, l.Extract(v, 15, 8))
}

// plus is x + k, of width 16.
func (l *lifter[V]) plus(x V, k uint16) V {
	if k == 0 {
		return x
	}
	return l.Value(Step[V]{A: x, B: l.word(k)})
}

func (l *lifter[V]) zext(x V, by int) V { return l.Concat(l.Const(by, 0), x) }
