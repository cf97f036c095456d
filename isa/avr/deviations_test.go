package avr

import (
	"slices"

	"motehound/internal/peer/simavr"
)

// comparison is one case that both cores have run.
type comparison struct {
	chip    chipOf
	k       *simavr.Case
	in      Inst
	touched []uint16 // see the function
	us      *flat    // our data space, after
	ours    outcome
	theirs  outcome
}

// deviation is something that simavr does and the chip does not. Numbers are those of docs/simavr-differences.md, where
// the documents that decide are cited.
type deviation struct {
	name string
	cite string              // what decides, and it is not simavr
	on   func(c chipOf) bool // whether it can show on a chip
	// explain turns what we did into what simavr must have done, and says whether the deviation shows at all. It may
	// look at simavr's result only for bits whose value is of no interest.
	explain func(x *comparison) bool
}

func anyChip(chipOf) bool       { return true }
func hasRAMPZ(c chipOf) bool    { return c.has&NeedElpm != 0 }
func below64K(c chipOf) bool    { return c.flash < 1<<16 }
func not64KWords(c chipOf) bool { return c.flash != 2<<16 }

// deviations, in the order in which they are applied.
var deviations = []deviation{
	{"1: a skip takes ADIW for two words",
		"DS40002198, ADIW, SBIW: one word; CPSE: 2 cycles then", anyChip, skipsADIW},
	{"25: BREAK does nothing",
		"DS40002198, BREAK: stops the CPU under on-chip debugging, which we are", anyChip, breakIsNOP},
	{"24: LPM beyond the end of flash",
		"DS40002198, LPM: nothing is said of it", below64K, readsErased},
	{"8: LPM Rd, Z+ into Z",
		"DS40002198, LPM, ELPM: the result is undefined for r30 and r31", anyChip, pointerWins},
	{"23: LD Rd, -X and X at X",
		"DS40002198, LD: X is pre-decremented", anyChip, readsBeforeDecrement},
	{"23: ST X, Rr or ST -X, Rr and X at X",
		"DS40002198, ST: X is unchanged by ST X, pre-decremented by ST -X", anyChip, pointerSurvivesStore},
	{"23: POP of SPL",
		"DS40002198, POP: SP is pre-incremented", anyChip, popsBeforeIncrement},
	{"23: RETI pops SREG",
		"DS40002198, RETI: the order is not said", anyChip, setsIBeforePop},
	{"5: the return address is not wrapped",
		"2467, 2549, 8271, In-System Reprogrammable Flash Program Memory: the width of PC", not64KWords, pushesBeyondEnd},
	{"4: RAMPZ and EIND have eight bits",
		"2467, RAM Page Z Select Register: bits 7 to 1 read as zero; 2549, RAMPZ, EIND", hasRAMPZ, keepsAllBits},
	{"5: the program counter is not wrapped",
		"2467, 2549, 8271, In-System Reprogrammable Flash Program Memory: the width of PC", anyChip, leavesFlash},
	{"6: beyond RAMEND",
		"2467, SRAM Data Memory: external memory, if there is any", anyChip, crashes},
}

func skipsADIW(x *comparison) bool {
	switch x.in.Op {
	case OpCpse, OpSbrc, OpSbrs, OpSbic, OpSbis:
		if x.ours.Cycles == 2 && len(x.k.Code) > 1 && x.k.Code[1]&0xFE00 == 0x9600 && x.k.Code[1]&0xF >= 0xC {
			x.ours.PC += 2
			x.ours.Cycles++
			return true
		}
	}
	return false
}

func breakIsNOP(x *comparison) bool {
	if x.in.Op != OpBreak || x.ours.Halt != HaltBreak {
		return false
	}
	x.ours.Halt, x.ours.Cycles = 0, 1
	x.ours.PC += 2
	return true
}

func readsErased(x *comparison) bool {
	if at, ok := readsFlash(x.in, x.k); !ok || at < x.chip.flash {
		return false
	}
	x.ours.R[x.in.D] = 0xFF
	return true
}

func pointerWins(x *comparison) bool {
	if (x.in.Op != OpLpmZInc && x.in.Op != OpElpmZInc) || x.in.D < 30 {
		return false
	}
	z := x.ptr(30) + 1
	x.ours.R[30], x.ours.R[31] = uint8(z), uint8(z>>8)
	return true
}

// preDecrement is the pointer of LD Rd, -p and ST -p, Rr, if the instruction is one.
func preDecrement(op Op) (lo uint16, store, ok bool) {
	switch op {
	case OpLdXDec:
		return 26, false, true
	case OpLdYDec:
		return 28, false, true
	case OpLdZDec:
		return 30, false, true
	case OpStXDec:
		return 26, true, true
	case OpStYDec:
		return 28, true, true
	case OpStZDec:
		return 30, true, true
	}
	return 0, false, false
}

// readsBeforeDecrement: only the pointer's low byte tells, the high one is zero before and after.
func readsBeforeDecrement(x *comparison) bool {
	lo, store, ok := preDecrement(x.in.Op)
	if !ok || store || x.touched[0] != lo {
		return false
	}
	x.ours.R[x.in.D] = uint8(lo) + 1
	return true
}

func pointerSurvivesStore(x *comparison) bool {
	lo, store, ok := preDecrement(x.in.Op)
	if x.in.Op == OpStX {
		lo, store, ok = 26, true, true
	}
	if !ok || !store || x.touched[0] != lo && x.touched[0] != lo+1 {
		return false
	}
	x.ours.R[lo], x.ours.R[lo+1] = uint8(x.touched[0]), uint8(x.touched[0]>>8)
	return true
}

func popsBeforeIncrement(x *comparison) bool {
	if x.in.Op != OpPop || x.touched[0] != AddrSPL {
		return false
	}
	x.ours.R[x.in.D] = AddrSPL - 1
	return true
}

// setsIBeforePop: with the stack on SREG, the address that RETI pops has I set.
func setsIBeforePop(x *comparison) bool {
	i := slices.Index(x.touched, AddrSREG)
	if x.in.Op != OpReti || i < 0 || x.k.SREG&0x80 != 0 {
		return false
	}
	bit := uint32(0x80) << (8 * (len(x.touched) - 1 - i)) // the top byte of the address is popped first
	x.ours.PC = (x.ours.PC/2 | bit) % (x.chip.flash / 2) * 2
	return true
}

// pushesBeyondEnd: a call at the end of flash returns to 0, in simavr to the first word that is not there. A flash of
// 64 Ki words does not show it: two bytes are pushed.
func pushesBeyondEnd(x *comparison) bool {
	words := x.chip.flash / 2
	switch x.in.Op {
	case OpRcall, OpCall, OpIcall, OpEicall:
	default:
		return false
	}
	if x.k.PC/2+uint32(x.in.N) != words {
		return false
	}
	at, v := x.k.SP-1, uint8(words>>8)
	if x.chip.has&NeedEind != 0 {
		at, v = x.k.SP-2, uint8(words>>16)
	}
	switch {
	case at < 32:
		x.ours.R[at] = v
	case at == AddrSREG:
		x.ours.SREG = v
	case at == AddrSPL || at == AddrSPH: // SP is set after
	case at == AddrRAMPZ && x.chip.has&NeedElpm != 0:
		x.ours.RAMPZ = v & 3
	case at == AddrEIND && x.chip.has&NeedEind != 0:
		x.ours.EIND = v & 1
	default:
		x.us.data[at] = v
	}
	return true
}

func keepsAllBits(x *comparison) bool {
	var rampz, eind uint8
	if slices.Contains(x.touched, AddrRAMPZ) || x.in.Op == OpElpmZInc && x.ptr(30) == 0xFFFF {
		rampz = x.theirs.RAMPZ &^ x.us.core.rampzMask()
	}
	if x.chip.has&NeedEind != 0 && slices.Contains(x.touched, AddrEIND) {
		eind = x.theirs.EIND &^ 1
	}
	x.ours.RAMPZ ^= rampz // not |=: ours must not have them
	x.ours.EIND ^= eind
	return rampz|eind != 0
}

func leavesFlash(x *comparison) bool {
	if x.theirs.PC < x.chip.flash || x.theirs.PC%x.chip.flash != x.ours.PC%x.chip.flash {
		return false
	}
	x.ours.PC = x.theirs.PC
	return true
}

func crashes(x *comparison) bool {
	if !slices.ContainsFunc(x.touched, func(a uint16) bool { return a > x.chip.ramEnd }) {
		return false
	}
	x.ours.CPU = simavr.Crashed
	return true
}

func (x *comparison) ptr(lo int) uint16 { return uint16(x.k.R[lo]) | uint16(x.k.R[lo+1])<<8 }
