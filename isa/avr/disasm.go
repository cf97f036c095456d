package avr

import "fmt"

// String writes the instruction as avr-objdump does, with jump targets as byte addresses.
func (in Inst) String() string {
	switch in.Op {
	case opBad:
		return ".word (no instruction)"
	case opErased:
		return ".word 0xffff"
	case opWrap:
		return "(end of flash)"
	case opDynamic:
		return "(decoded at run time)"
	case opHook, opLog, opCount, opShadow, opData:
		return "(watched)"
	}
	r := &table[in.Op]
	switch r.form {
	case fRd:
		return fmt.Sprintf("%s r%d", r.name, in.D)
	case fRdRr, fRd4Rr4, fRd3Rr3, fRdwRrw:
		return fmt.Sprintf("%s r%d, r%d", r.name, in.D, in.R)
	case fRdK:
		return fmt.Sprintf("%s r%d, 0x%02X", r.name, in.D, in.K)
	case fRdwK:
		return fmt.Sprintf("%s r%d, 0x%02x", r.name, in.D, in.K)
	case fRdA:
		return fmt.Sprintf("%s r%d, 0x%02x", r.name, in.D, in.K-0x20)
	case fARr:
		return fmt.Sprintf("%s 0x%02x, r%d", r.name, in.K-0x20, in.D)
	case fAb:
		return fmt.Sprintf("%s 0x%02x, %d", r.name, in.K-0x20, bitOf(in.R))
	case fRdb:
		return fmt.Sprintf("%s r%d, %d", r.name, in.D, bitOf(in.R))
	case fRel12, fRel7, fAbs22:
		return fmt.Sprintf("%s 0x%x", r.name, in.K*2)
	case fRdAbs16:
		return fmt.Sprintf("%s r%d, 0x%04X", r.name, in.D, in.K)
	case fAbs16Rd:
		return fmt.Sprintf("%s 0x%04X, r%d", r.name, in.K, in.D)
	case fLoad:
		return fmt.Sprintf("%s r%d, %s", r.name, in.D, r.arg)
	case fStore:
		return fmt.Sprintf("%s %s, r%d", r.name, r.arg, in.D)
	case fLoadQ:
		if in.R == 0 {
			return fmt.Sprintf("ld r%d, %s", in.D, r.arg)
		}
		return fmt.Sprintf("ldd r%d, %s+%d", in.D, r.arg, in.R)
	case fStoreQ:
		if in.R == 0 {
			return fmt.Sprintf("st %s, r%d", r.arg, in.D)
		}
		return fmt.Sprintf("std %s+%d, r%d", r.arg, in.R, in.D)
	case fK4:
		return fmt.Sprintf("%s %d", r.name, in.K)
	case fPointer:
		return r.name + " " + r.arg
	}
	return r.name
}

func bitOf(mask uint8) int {
	n := 0
	for mask > 1 {
		mask >>= 1
		n++
	}
	return n
}
