package avr

import (
	"fmt"
	"strings"

	"motehound/internal/peer/simavr"
)

// random makes a case for an opcode word of a row: mostly states that programs meet, and often enough the edges of
// memories, the register file and I/O seen through pointers, and stacks in strange places.
func (l *lockstep) random(op Op, w uint16) simavr.Case {
	var k simavr.Case
	for i := range k.R {
		k.R[i] = l.operand()
	}
	for _, lo := range []int{26, 28, 30} {
		p := l.address()
		k.R[lo], k.R[lo+1] = uint8(p), uint8(p>>8)
	}
	k.SREG, k.SP = uint8(l.rng.Uint32()), l.address()
	if l.chip.has&NeedElpm != 0 {
		k.RAMPZ = uint8(l.rng.Uint32()) & l.us.core.rampzMask()
	}
	if l.chip.has&NeedEind != 0 {
		k.EIND = uint8(l.rng.Uint32()) & 1
	}
	k.Code = []uint16{w, l.following(op), l.following(op)}
	length := uint32(Decode(w, 0, 0, l.chip.has, l.chip.flash/2).N)
	k.PC = 2 * l.word(length)
	k.Code = k.Code[:min(3, (l.chip.flash-k.PC)/2)]

	second := k.Code[min(1, len(k.Code)-1)]
	in := Decode(w, second, k.PC/2, l.chip.has, l.chip.flash/2)
	if op == OpCpse && l.rng.IntN(2) == 0 {
		k.R[in.R] = k.R[in.D]
	}
	for _, a := range touched(in, &k, l.chip) {
		if a >= 32 && (a < AddrRAMPZ || a > AddrSREG) && l.rng.IntN(2) == 0 {
			k.Mem = append(k.Mem, simavr.Byte{Addr: a, Value: l.operand()})
		}
	}
	if at, ok := readsFlash(in, &k); ok && at < l.chip.flash && l.rng.IntN(2) == 0 {
		k.Flash = append(k.Flash, simavr.FlashByte{Addr: at, Value: l.operand()})
	}
	return k
}

// operand is a byte, often one at which flags change.
func (l *lockstep) operand() uint8 {
	if l.rng.IntN(4) == 0 {
		return [...]uint8{0, 1, 0x0F, 0x10, 0x7F, 0x80, 0xFE, 0xFF}[l.rng.IntN(8)]
	}
	return uint8(l.rng.Uint32())
}

// address is a data address.
func (l *lockstep) address() uint16 {
	near := func(a uint16) uint16 { return a + uint16(l.rng.IntN(8)) - 4 }
	switch l.rng.IntN(16) {
	case 0:
		return uint16(l.rng.IntN(0x22))
	case 1:
		return 0x18 + uint16(l.rng.IntN(10)) // the pointers themselves
	case 2:
		return 0x20 + uint16(l.rng.IntN(int(l.chip.ramBase)-0x20))
	case 3:
		return near(AddrSPL)
	case 4:
		return near(l.chip.ramBase)
	case 5:
		return near(l.chip.ramEnd)
	case 6:
		return uint16(l.rng.Uint32())
	}
	return l.chip.ramBase + uint16(l.rng.IntN(int(l.chip.ramEnd-l.chip.ramBase)+1))
}

// word is a word address at which an instruction of that length fits into flash.
func (l *lockstep) word(length uint32) uint32 {
	last := l.chip.flash/2 - length
	switch l.rng.IntN(8) {
	case 0:
		return last - l.rng.Uint32N(4)
	case 1:
		return l.rng.Uint32N(4)
	}
	return l.rng.Uint32N(last + 1)
}

// following is a word to come after the opcode: its second word, or what a skip skips.
func (l *lockstep) following(op Op) uint16 {
	switch table[op].form {
	case fRdAbs16, fAbs16Rd:
		return l.address()
	}
	switch l.rng.IntN(4) {
	case 0:
		two := [...]uint16{0x9000, 0x9200, 0x940C, 0x940E}[l.rng.IntN(4)] // LDS, STS, JMP, CALL
		return two | uint16(l.rng.IntN(32))<<4
	case 1:
		return 0x9600 | uint16(l.rng.IntN(512)) // ADIW, SBIW
	}
	return uint16(l.rng.Uint32())
}

// touched is the data addresses that an instruction reads or writes, except for its operands.
func touched(in Inst, k *simavr.Case, c chipOf) []uint16 {
	ptr := func(lo int) uint16 { return uint16(k.R[lo]) | uint16(k.R[lo+1])<<8 }
	deep := uint16(2)
	if c.has&NeedEind != 0 {
		deep = 3
	}
	run := func(from, n uint16) (all []uint16) {
		for i := range n {
			all = append(all, from+i)
		}
		return all
	}
	switch in.Op {
	case OpLddZ, OpStdZ:
		return run(ptr(30)+uint16(in.R), 1)
	case OpLddY, OpStdY:
		return run(ptr(28)+uint16(in.R), 1)
	case OpLdX, OpStX, OpLdXInc, OpStXInc:
		return run(ptr(26), 1)
	case OpLdYInc, OpStYInc:
		return run(ptr(28), 1)
	case OpLdZInc, OpStZInc:
		return run(ptr(30), 1)
	case OpLdXDec, OpStXDec:
		return run(ptr(26)-1, 1)
	case OpLdYDec, OpStYDec:
		return run(ptr(28)-1, 1)
	case OpLdZDec, OpStZDec:
		return run(ptr(30)-1, 1)
	case OpLds, OpSts, OpIn, OpOut, OpSbi, OpCbi, OpSbic, OpSbis:
		return run(uint16(in.K), 1)
	case OpPush:
		return run(k.SP, 1)
	case OpPop:
		return run(k.SP+1, 1)
	case OpRcall, OpCall, OpIcall, OpEicall:
		return run(k.SP-deep+1, deep)
	case OpRet, OpReti:
		return run(k.SP+1, deep)
	}
	return nil
}

// readsFlash is the flash address that LPM or ELPM reads.
func readsFlash(in Inst, k *simavr.Case) (uint32, bool) {
	z := uint32(k.R[30]) | uint32(k.R[31])<<8
	switch in.Op {
	case OpLpm, OpLpmZ, OpLpmZInc:
		return z, true
	case OpElpm, OpElpmZ, OpElpmZInc:
		return z | uint32(k.RAMPZ)<<16, true
	}
	return 0, false
}

// formatCase writes a case on one line, for testdata/lockstep.txt.
func formatCase(chip string, k *simavr.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s pc=%x code=", chip, k.PC)
	for i, w := range k.Code {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%04x", w)
	}
	fmt.Fprintf(&b, " r=%x sreg=%02x sp=%04x rampz=%x eind=%x", k.R, k.SREG, k.SP, k.RAMPZ, k.EIND)
	for _, m := range k.Mem {
		fmt.Fprintf(&b, " mem=%04x:%02x", m.Addr, m.Value)
	}
	for _, f := range k.Flash {
		fmt.Fprintf(&b, " flash=%05x:%02x", f.Addr, f.Value)
	}
	return b.String()
}

// parseCase reads what formatCase wrote.
func parseCase(line string) (chip string, k simavr.Case, err error) {
	fields := strings.Fields(line)
	for _, f := range fields[1:] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "pc":
			_, err = fmt.Sscanf(value, "%x", &k.PC)
		case "code":
			for w := range strings.SplitSeq(value, ",") {
				k.Code = append(k.Code, 0)
				if _, err = fmt.Sscanf(w, "%x", &k.Code[len(k.Code)-1]); err != nil {
					return "", k, err
				}
			}
		case "r":
			var r []byte
			_, err = fmt.Sscanf(value, "%x", &r)
			copy(k.R[:], r)
		case "sreg":
			_, err = fmt.Sscanf(value, "%x", &k.SREG)
		case "sp":
			_, err = fmt.Sscanf(value, "%x", &k.SP)
		case "rampz":
			_, err = fmt.Sscanf(value, "%x", &k.RAMPZ)
		case "eind":
			_, err = fmt.Sscanf(value, "%x", &k.EIND)
		case "mem":
			var m simavr.Byte
			_, err = fmt.Sscanf(value, "%x:%x", &m.Addr, &m.Value)
			k.Mem = append(k.Mem, m)
		case "flash":
			var b simavr.FlashByte
			_, err = fmt.Sscanf(value, "%x:%x", &b.Addr, &b.Value)
			k.Flash = append(k.Flash, b)
		default:
			err = fmt.Errorf("unknown field %q", key)
		}
		if err != nil {
			return "", k, fmt.Errorf("field %s: %w", f, err)
		}
	}
	return fields[0], k, nil
}
