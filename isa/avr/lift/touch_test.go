package lift

import (
	"testing"

	"motehound/isa/avr"
)

// TestTouch looks at what instructions of each sort read and write.
func TestTouch(t *testing.T) {
	regs := func(list ...uint8) (s Set) {
		for _, r := range list {
			s |= RegSet(r)
		}
		return s
	}
	flags := func(list ...Flag) (s Set) {
		for _, f := range list {
			s |= FlagSet(f)
		}
		return s
	}
	arithmetic := flags(FlagC, FlagZ, FlagN, FlagV, FlagS, FlagH)
	for _, c := range []struct {
		word uint16
		want Touched
	}{
		{0x1C01, Touched{Reads: regs(0, 1) | flags(FlagC), Writes: regs(0) | arithmetic}},       // adc r0, r1
		{0x0401, Touched{Reads: regs(0, 1) | flags(FlagC, FlagZ), Writes: arithmetic}},          // cpc r0, r1
		{0x9405, Touched{Reads: regs(0), Writes: regs(0) | arithmetic&^flags(FlagH)}},           // asr r0
		{0x9601, Touched{Reads: regs(24, 25), Writes: regs(24, 25) | arithmetic&^flags(FlagH)}}, // adiw r24, 1
		{0x9C01, Touched{Reads: regs(0, 1), Writes: regs(0, 1) | flags(FlagC, FlagZ)}},          // mul r0, r1
		{0x900D, Touched{Reads: regs(26, 27), Writes: regs(0, 26, 27), Loads: true}},            // ld r0, X+
		{0x920F, Touched{Reads: regs(0), Stores: true}},                                         // push r0
		{0x9508, Touched{Loads: true, Kind: Indirect}},                                          // ret
		{0x9509, Touched{Reads: regs(30, 31), Stores: true, Kind: Indirect}},                    // icall
		{0xF001, Touched{Reads: flags(FlagZ), Kind: Fork}},                                      // breq
		{0xFA03, Touched{Reads: regs(0), Writes: flags(FlagT)}},                                 // bst r0, 3
		{0xF803, Touched{Reads: regs(0) | flags(FlagT), Writes: regs(0)}},                       // bld r0, 3
		{0x9007, Touched{Reads: regs(30, 31), Writes: regs(0, 30, 31), Code: true, Chip: true}}, // elpm r0, Z+
		{0x95E8, Touched{Reads: regs(0, 1, 30, 31), Chip: true}},                                // spm
		{0x9598, Touched{Kind: Halt}},                                                           // break
		{0x9A01, Touched{Loads: true, Stores: true}},                                            // sbi 0, 1
		{0x0000, Touched{}}, // nop
	} {
		in := avr.Decode(c.word, 0, 0, avr.AVRePlus22, 1<<17)
		if got := Touch(ChipOf(avr.AVRePlus22, 1<<17), in); got != c.want {
			t.Errorf("%s touches %+v, want %+v", in, got, c.want)
		}
	}
}
