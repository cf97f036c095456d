package avr

import (
	"math/bits"
	"strings"
)

// Flag is a flag of the status register, by its bit.
type Flag uint8

// The flags.
const (
	FlagC Flag = iota
	FlagZ
	FlagN
	FlagV
	FlagS
	FlagH
	FlagT
	FlagI
	NumFlags
)

// Set is a part of a core's state: bits 0 to 31 are the registers, then come the flags, then these.
type Set uint64

// Registers of the core that are neither working registers nor flags.
const (
	SP Set = 1 << (32 + NumFlags + iota)
	RAMPZ
	EIND
)

// RegSet and FlagSet are the sets of one.
func RegSet(r uint8) Set { return 1 << r }
func FlagSet(f Flag) Set { return 1 << (32 + f) }

// Registers visits the working registers of the set.
func (s Set) Registers(yield func(r uint8) bool) {
	for regs := uint32(s); regs != 0; regs &= regs - 1 {
		if !yield(uint8(bits.TrailingZeros32(regs))) {
			return
		}
	}
}

// Reads is what the instruction reads of the core's state. Registers that it reaches as memory do not count.
func (in Inst) Reads() Set { return facts[in.Op].reads.of(in) | facts[in.Op].pointer }

// Writes is what it writes, likewise. What it writes depends on nothing but what it reads, and on memory.
func (in Inst) Writes() Set { return facts[in.Op].writes.of(in) | facts[in.Op].moved }

// Results is what it writes, but for pointers that it moves.
func (in Inst) Results() Set { return facts[in.Op].writes.of(in) }

// Cycles is how long the instruction takes, on a core with a 22-bit program counter or not: one cycle more than the least if
// a branch is taken, and one for each word that is skipped.
func (in Inst) Cycles(wide bool) (least, most uint64) {
	f := &facts[in.Op]
	least = uint64(f.cycles)
	if wide && f.access.Bytes == returnAddress {
		least++
	}
	switch f.flow {
	case Branch:
		return least, least + 1
	case Skip:
		return least, least + 2
	}
	return least, least
}

// Length is how many words on the next instruction begins.
func (in Inst) Length() uint32 { return max(uint32(in.N), 1) }

// ReturnBytes is the size of a return address on a core with some features.
func (n Need) ReturnBytes() uint8 {
	if n&NeedEind != 0 {
		return 3
	}
	return 2
}

// fact is what the table says of an instruction, ready for use.
type fact struct {
	access         Access
	displaced      bool // R is added to the pointer
	flow           Flow
	cycles         uint8
	reads, writes  uses
	pointer, moved Set // pointers and SP: what is read, and written
}

// uses is a Set that depends on operands: d and r are to be shifted by theirs.
type uses struct{ fixed, d, r Set }

func (u *uses) of(in Inst) Set { return u.fixed | u.d<<in.D | u.r<<in.R }

// facts is by Op. Of fused and watched records it says nothing.
var facts = func() (t [256]fact) {
	for op := range t {
		t[op].flow = Next
	}
	for op, r := range table {
		if r.need != NeedXmega {
			t[op] = r.fact()
		}
	}
	t[opBad].flow, t[opErased].flow, t[opWrap].flow = Halts, Halts, Halts
	return t
}()

func (r *row) fact() fact {
	const pair = 3
	f := fact{access: accesses[r.memory], flow: r.flow, cycles: r.cycles}
	f.displaced = r.form == fLoadQ || r.form == fStoreQ
	f.writes, f.reads = parseEffect(r.effect)
	a := &f.access
	switch r.form {
	case fRdA, fARr, fAb:
		a.Space = IORegister
	}
	if at := strings.IndexAny(r.arg, "XYZ"); at >= 0 {
		base := 26 + 2*(r.arg[at]-'X')
		f.pointer = pair << base
		if a.Space != NoMemory && a.Space != StackMemory {
			a.Base = base
		}
	}
	switch {
	case strings.HasSuffix(r.arg, "+"):
		a.Step, f.moved = 1, f.pointer
	case strings.HasPrefix(r.arg, "-"):
		a.Step, a.Offset, f.moved = -1, 0xFFFF, f.pointer
	case a.Space == StackMemory:
		f.pointer, f.moved = f.pointer|SP, SP
	}
	return f
}

// parseEffect reads the letters of an effect: d and r are operands, D and R pairs of registers, 0 and 1 are r0 and r1, p is
// RAMPZ, e is EIND, and the flags have their names.
func parseEffect(s string) (writes, reads uses) {
	left, right, _ := strings.Cut(s, "=")
	return parseUses(left), parseUses(right)
}

func parseUses(letters string) (u uses) {
	const flags = "CZNVSHTI"
	for _, c := range []byte(letters) {
		switch c {
		case 'd':
			u.d = 1
		case 'D':
			u.d = 3
		case 'r':
			u.r = 1
		case 'R':
			u.r = 3
		case '0', '1':
			u.fixed |= RegSet(c - '0')
		case 'p':
			u.fixed |= RAMPZ
		case 'e':
			u.fixed |= EIND
		default:
			u.fixed |= FlagSet(Flag(strings.IndexByte(flags, c)))
		}
	}
	return u
}
