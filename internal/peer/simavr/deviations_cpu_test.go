package simavr

import (
	"reflect"
	"testing"
)

// Each test here pins one difference between simavr 1.6 and the chip that the
// package comment lists. When one fails, that list is wrong.

func TestSkipTakesADIWForTwoWords(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	skips := map[string]uint16{
		"CPSE": 0x1000, // cpse r0, r0
		"SBRC": 0xfc00, // sbrc r0, 0
		"SBIC": 0x9900, // sbic 0, 0
	}
	for name, skip := range skips {
		for _, next := range []uint16{0x9600, 0x9700} { // ADIW, SBIW
			for low := range uint16(256) {
				r := one(t, c, Case{Code: []uint16{skip, next | low, 0}})
				pc, cycles := uint32(4), uint8(2)
				if low&0xf >= 0xc {
					pc, cycles = 6, 3
				}
				if r.PC != pc || r.Cycles != cycles {
					t.Fatalf("%s over %#04x: pc %d, %d cycles", name, next|low, r.PC, r.Cycles)
				}
			}
		}
		for _, two := range []uint16{0x9000, 0x9100, 0x9200, 0x9300, 0x940c, 0x95fd, 0x940e, 0x95ff} {
			if r := one(t, c, Case{Code: []uint16{skip, two, 0}}); r.PC != 6 || r.Cycles != 3 {
				t.Errorf("%s over %#04x: pc %d, %d cycles", name, two, r.PC, r.Cycles)
			}
		}
	}
}

// documented says whether the manual gives an opcode a meaning on AVRe+ cores
// with a 22-bit PC.
func documented(op uint16) bool {
	switch {
	case op == 0:
		return true
	case op < 0x0100:
		return false
	case op < 0x8000, op&0xd000 == 0x8000, op >= 0xa000 && op < 0xf800:
		return true
	case op >= 0xf800:
		return op&8 == 0
	}
	switch op & 0xfe0f {
	case 0x9003, 0x9008, 0x900b, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x920b, 0x9404, 0x940b:
		return false
	case 0x9408:
		return op < 0x9500 || op == 0x9508 || op == 0x9518 || op == 0x9588 || op == 0x9598 ||
			op == 0x95a8 || op == 0x95c8 || op == 0x95d8 || op == 0x95e8
	case 0x9409:
		return op == 0x9409 || op == 0x9419 || op == 0x9509 || op == 0x9519
	}
	return true
}

func TestUndefinedOpcodes(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega2560", Background{})
	cases, results := make([]Case, 65536), make([]Result, 65536)
	for i := range cases {
		cases[i] = Case{PC: 0x100, SP: 0x1000, Code: []uint16{uint16(i), 0x300}}
		cases[i].R[27], cases[i].R[29], cases[i].R[31] = 3, 4, 5
	}
	if err := c.Run(cases, results); err != nil {
		t.Fatal(err)
	}
	executed := 0
	for i, r := range results {
		op := uint16(i)
		if documented(op) == r.InvalidOpcode && op < 0xf800 {
			t.Errorf("%#04x: documented %v, invalid %v", op, documented(op), r.InvalidOpcode)
		}
		if r.InvalidOpcode && (r.PC != 0x102 || r.Cycles != 1 || r.R != cases[i].R || r.CPU != Running || len(r.Changes) != 0) {
			t.Errorf("%#04x is invalid, but not as a NOP: %+v", op, r)
		}
		if !documented(op) && !r.InvalidOpcode {
			executed++
			if twin := results[op&^8]; !same(&r, &twin) {
				t.Errorf("%#04x does not do as %#04x", op, op&^8)
			}
		}
	}
	if executed != 0x800/2 {
		t.Errorf("%d undefined opcodes are executed as others", executed)
	}
}

func TestMissingRAMPZAndEINDAreR0(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega328p", Background{})
	elpm := Case{Code: []uint16{0x9017}} // elpm r1, Z+
	elpm.R[30], elpm.R[31] = 0xff, 0xff
	r := one(t, c, elpm)
	if !r.InvalidOpcode || r.R[0] != 1 || r.R[1] != 0xff || r.R[30] != 0 || r.Cycles != 3 {
		t.Errorf("elpm Z+: %+v", r)
	}
	c = openCases(t, "atmega128", Background{})
	eijmp := Case{Code: []uint16{0x9419}}
	eijmp.R[0], eijmp.R[30] = 3, 0x10
	if r := one(t, c, eijmp); !r.InvalidOpcode || r.PC != 0x30010*2 || r.Cycles != 2 {
		t.Errorf("eijmp: %+v", r)
	}
}

func TestExtensionRegistersHaveEightBits(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega2560", Background{})
	k := Case{Code: []uint16{0x9419}, EIND: 0xfe} // eijmp
	if r := one(t, c, k); r.PC != 0xfe0000*2 {
		t.Errorf("eijmp: pc %#x", r.PC)
	}
	k = Case{Code: []uint16{0x9007}, RAMPZ: 0xff} // elpm r0, Z+
	k.R[30], k.R[31] = 0xff, 0xff
	r := one(t, c, k)
	if want := []Byte{{c.Info.RAMPZ, 0}}; r.R[0] != 0xff || !reflect.DeepEqual(r.Changes, want) {
		t.Errorf("elpm: %+v", r)
	}
}

func TestOnlyRelativeJumpsWrapPC(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega328p", Background{})
	for _, k := range []struct {
		name string
		Case
		pc uint32
	}{
		{"rjmp .-4", Case{Code: []uint16{0xcffe}}, 0x7ffe},
		{"rjmp .+0 at the end", Case{PC: 0x7ffe, Code: []uint16{0xc000}}, 0},
		{"brcc .-4", Case{Code: []uint16{0xf7f0}}, 0xfffffffe},
		{"nop at the end", Case{PC: 0x7ffe, Code: []uint16{0}}, 0x8000},
		{"jmp 0x3ffff0", Case{Code: []uint16{0x95fd, 0xfff0}}, 0x7fffe0},
		{"ret", Case{SP: 0x500, Code: []uint16{0x9508}, Mem: []Byte{{0x501, 0xff}, {0x502, 0xfe}}}, 0x1fffc},
	} {
		if r := one(t, c, k.Case); r.PC != k.pc {
			t.Errorf("%s: pc %#x", k.name, r.PC)
		}
	}
}

// The manual calls these combinations undefined.
func TestPointerIsAlsoTheOperand(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	base := Case{Mem: []Byte{{0x200, 0x77}, {0x1ff, 0x66}}, Flash: []FlashByte{{0x200, 0x55}}}
	base.R[27], base.R[29], base.R[31] = 2, 2, 2
	for _, k := range []struct {
		name      string
		op        uint16
		lo, hi    int
		low, high uint8
	}{
		{"ld r26, X+", 0x91ad, 26, 27, 0x77, 0x02},
		{"ld r27, X+", 0x91bd, 26, 27, 0x01, 0x77},
		{"ld r26, -X", 0x91ae, 26, 27, 0x66, 0x01},
		{"ld r28, Y+", 0x91c9, 28, 29, 0x77, 0x02},
		{"ld r31, -Z", 0x91f2, 30, 31, 0xff, 0x66},
		{"lpm r30, Z+", 0x91e5, 30, 31, 0x01, 0x02},
		{"lpm r31, Z+", 0x91f5, 30, 31, 0x01, 0x02},
		{"elpm r30, Z+", 0x91e7, 30, 31, 0x01, 0x02},
	} {
		x := base
		x.Code = []uint16{k.op}
		if r := one(t, c, x); r.R[k.lo] != k.low || r.R[k.hi] != k.high {
			t.Errorf("%s: %02x:%02x", k.name, r.R[k.hi], r.R[k.lo])
		}
	}
	x := base
	x.Code = []uint16{0x93ad} // st X+, r26
	x.R[26] = 0x10
	if r := one(t, c, x); !reflect.DeepEqual(r.Changes, []Byte{{0x210, 0x10}}) || r.R[26] != 0x11 {
		t.Errorf("st X+, r26: %+v", r)
	}
	x.Code = []uint16{0x93ae} // st -X, r26
	if r := one(t, c, x); !reflect.DeepEqual(r.Changes, []Byte{{0x20f, 0x10}}) || r.R[26] != 0x0f {
		t.Errorf("st -X, r26: %+v", r)
	}
}

func TestQuietInstructions(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	for name, op := range map[string]uint16{"break": 0x9598, "wdr": 0x95a8, "spm": 0x95e8} {
		if r := one(t, c, Case{Code: []uint16{op}}); r.PC != 2 || r.Cycles != 1 || r.CPU != Running || len(r.Changes) != 0 || r.InvalidOpcode {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// MCUCR.SE is clear.
	if r := one(t, c, Case{Code: []uint16{0x9588}}); r.CPU != Sleeping || r.Cycles != 1 {
		t.Errorf("sleep: %+v", r)
	}
	// SPM Z+ is unknown.
	if r := one(t, c, Case{Code: []uint16{0x95f8}}); !r.InvalidOpcode {
		t.Errorf("spm Z+: %+v", r)
	}
}

func TestDataBeyondRAMEND(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	if r := one(t, c, Case{Code: []uint16{0x9300, 0x1100}}); r.CPU != Crashed || !r.BadAddress || r.Cycles != 2 || r.PC != 4 {
		t.Errorf("sts 0x1100: %+v", r)
	}
	if r := one(t, c, Case{Code: []uint16{0x9300, 0x10ff}}); r.CPU != Running || r.BadAddress {
		t.Errorf("sts 0x10ff: %+v", r)
	}
	// Registers and I/O are reached through pointers, as on the chip.
	k := Case{Code: []uint16{0x9300, 0x0005}}
	k.R[16] = 0x42
	if r := one(t, c, k); r.R[5] != 0x42 || r.CPU != Running {
		t.Errorf("sts 5: %+v", r)
	}
	k.Code[1] = 0x5f
	if r := one(t, c, k); r.SREG != 0x42 {
		t.Errorf("sts SREG: %+v", r)
	}
	k.Code[1] = 0x5d
	if r := one(t, c, k); r.SP != 0x42 {
		t.Errorf("sts SPL: %+v", r)
	}
}

func TestResetStackPointer(t *testing.T) {
	t.Parallel()
	for mcu, sp := range map[string]uint16{"atmega128": 0x10ff, "atmega328p": 0x8ff, "atmega1281": 0x21ff, "atmega2560": 0x21ff} {
		p := load(t, Spec{MCU: mcu, Mode: Native, Flash: []byte{0, 0}})
		if s, err := p.Status(); err != nil || s.SP != sp {
			t.Errorf("%s: SP %#x, %v", mcu, s.SP, err)
		}
	}
}

func TestCyclesAgreeWithTheManual(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		op   uint16
		c16  uint8 // with a 16-bit PC
		c22  uint8
	}{
		{"rjmp", 0xc000, 2, 2}, {"ijmp", 0x9409, 2, 2}, {"jmp", 0x940c, 3, 3},
		{"rcall", 0xd000, 3, 4}, {"icall", 0x9509, 3, 4}, {"call", 0x940e, 4, 5},
		{"ret", 0x9508, 4, 5}, {"reti", 0x9518, 4, 5},
		{"eijmp", 0x9419, 0, 2}, {"eicall", 0x9519, 0, 4},
		{"cpse taken", 0x1000, 2, 2}, {"cpse not", 0x1001, 1, 1},
		{"sbrc taken", 0xfc00, 2, 2}, {"sbrs not", 0xfe00, 1, 1}, {"sbic taken", 0x9900, 2, 2}, {"sbis not", 0x9b00, 1, 1},
		{"brcc taken", 0xf400, 2, 2}, {"brcs not", 0xf000, 1, 1},
		{"adiw", 0x9601, 2, 2}, {"sbiw", 0x9701, 2, 2}, {"mul", 0x9c00, 2, 2}, {"muls", 0x0200, 2, 2}, {"fmulsu", 0x0388, 2, 2},
		{"movw", 0x0100, 1, 1}, {"in", 0xb000, 1, 1}, {"out", 0xb800, 1, 1}, {"sbi", 0x9a00, 2, 2}, {"cbi", 0x9800, 2, 2},
		{"ld X", 0x900c, 2, 2}, {"ld X+", 0x900d, 2, 2}, {"ld -X", 0x900e, 2, 2}, {"ld Y+", 0x9009, 2, 2}, {"ld -Z", 0x9002, 2, 2}, {"ldd Z+1", 0x8001, 2, 2},
		{"st X", 0x920c, 2, 2}, {"st X+", 0x920d, 2, 2}, {"st -X", 0x920e, 2, 2}, {"st -Y", 0x920a, 2, 2}, {"std Y+1", 0x8209, 2, 2},
		{"lds", 0x9000, 2, 2}, {"sts", 0x9200, 2, 2}, {"push", 0x920f, 2, 2}, {"pop", 0x900f, 2, 2},
		{"lpm", 0x95c8, 3, 3}, {"lpm Z", 0x9004, 3, 3}, {"lpm Z+", 0x9005, 3, 3}, {"elpm", 0x95d8, 3, 3}, {"elpm Z+", 0x9007, 3, 3},
		{"sei", 0x9478, 1, 1}, {"bst", 0xfa00, 1, 1}, {"bld", 0xf800, 1, 1}, {"wdr", 0x95a8, 1, 1}, {"sleep", 0x9588, 1, 1},
	}
	for mcu, wide := range map[string]bool{"atmega128": false, "atmega1281": false, "atmega2560": true} {
		c := openCases(t, mcu, Background{})
		for _, row := range rows {
			k := Case{SP: 0x400, Code: []uint16{row.op, 0x300}}
			k.R[1], k.R[27], k.R[29], k.R[31] = 1, 3, 3, 3
			want := row.c16
			if wide {
				want = row.c22
			}
			if r := one(t, c, k); want != 0 && r.Cycles != want {
				t.Errorf("%s: %s takes %d cycles, the manual says %d", mcu, row.name, r.Cycles, want)
			}
		}
	}
}
