package simavr

import (
	"math/rand/v2"
	"testing"
)

// model is what the AVR Instruction Set Manual (DS40002198) says of one
// instruction, written from its Boolean formulas: from two operands and SREG
// to a 16-bit result and SREG.
type model struct {
	name string
	op   uint16 // on r16 and r17, or r25:r24
	f    func(d, r uint8, sreg uint8) (uint16, uint8)
}

func bit(b bool, flag uint8) uint8 {
	if b {
		return flag
	}
	return 0
}

// nzs adds S = N xor V and Z to flags that have V, and N from the result's top.
func nzs(keep, vch uint8, n, zero bool) uint8 {
	v := vch&flagV != 0
	return keep | vch | bit(n, flagN) | bit(zero, flagZ) | bit(n != v, flagS)
}

const arithmetic = flagC | flagZ | flagN | flagV | flagS | flagH

func add(d, r, c uint8, sreg uint8) (uint16, uint8) {
	sum := uint16(d) + uint16(r) + uint16(c)
	x := uint8(sum)
	vch := bit(sum > 0xff, flagC) | bit(d&15+r&15+c > 15, flagH) | bit((d^x)&(r^x)&0x80 != 0, flagV)
	return uint16(x), nzs(sreg&^arithmetic, vch, x&0x80 != 0, x == 0)
}

func sub(d, r, c uint8, sreg uint8, keepZ bool) (uint16, uint8) {
	x := d - r - c
	vch := bit(uint16(r)+uint16(c) > uint16(d), flagC) | bit(r&15+c > d&15, flagH) | bit((d^r)&(d^x)&0x80 != 0, flagV)
	zero := x == 0 && (!keepZ || sreg&flagZ != 0)
	return uint16(x), nzs(sreg&^arithmetic, vch, x&0x80 != 0, zero)
}

func logic(x, sreg uint8) (uint16, uint8) {
	return uint16(x), nzs(sreg&^(flagV|flagN|flagZ|flagS), 0, x&0x80 != 0, x == 0)
}

func right(x, out, sreg uint8) (uint16, uint8) {
	n, c := x&0x80 != 0, out != 0
	return uint16(x), nzs(sreg&^(arithmetic&^flagH), bit(c, flagC)|bit(n != c, flagV), n, x == 0)
}

func multiply(p int, shift uint, sreg uint8) (uint16, uint8) {
	x := uint16(p) << shift
	return x, sreg&^(flagC|flagZ) | bit(uint16(p)&0x8000 != 0, flagC) | bit(x == 0, flagZ)
}

var models = []model{
	{"ADD", 0x0f01, func(d, r, s uint8) (uint16, uint8) { return add(d, r, 0, s) }},
	{"ADC", 0x1f01, func(d, r, s uint8) (uint16, uint8) { return add(d, r, s&1, s) }},
	{"SUB", 0x1b01, func(d, r, s uint8) (uint16, uint8) { return sub(d, r, 0, s, false) }},
	{"SBC", 0x0b01, func(d, r, s uint8) (uint16, uint8) { return sub(d, r, s&1, s, true) }},
	{"CP", 0x1701, func(d, r, s uint8) (uint16, uint8) { _, s = sub(d, r, 0, s, false); return uint16(d), s }},
	{"CPC", 0x0701, func(d, r, s uint8) (uint16, uint8) { _, s = sub(d, r, s&1, s, true); return uint16(d), s }},
	{"SUBI 0x3c", 0x530c, func(d, r, s uint8) (uint16, uint8) { return sub(d, 0x3c, 0, s, false) }},
	{"SBCI 0x3c", 0x430c, func(d, r, s uint8) (uint16, uint8) { return sub(d, 0x3c, s&1, s, true) }},
	{"CPI 0x3c", 0x330c, func(d, r, s uint8) (uint16, uint8) { _, s = sub(d, 0x3c, 0, s, false); return uint16(d), s }},
	{"AND", 0x2301, func(d, r, s uint8) (uint16, uint8) { return logic(d&r, s) }},
	{"OR", 0x2b01, func(d, r, s uint8) (uint16, uint8) { return logic(d|r, s) }},
	{"EOR", 0x2701, func(d, r, s uint8) (uint16, uint8) { return logic(d^r, s) }},
	{"COM", 0x9500, func(d, r, s uint8) (uint16, uint8) { return logic(^d, s|flagC) }},
	{"NEG", 0x9501, func(d, r, s uint8) (uint16, uint8) { return sub(0, d, 0, s, false) }},
	{"INC", 0x9503, func(d, r, s uint8) (uint16, uint8) {
		return uint16(d + 1), nzs(s&^(flagV|flagN|flagZ|flagS), bit(d == 0x7f, flagV), (d+1)&0x80 != 0, d+1 == 0)
	}},
	{"DEC", 0x950a, func(d, r, s uint8) (uint16, uint8) {
		return uint16(d - 1), nzs(s&^(flagV|flagN|flagZ|flagS), bit(d == 0x80, flagV), (d-1)&0x80 != 0, d-1 == 0)
	}},
	{"ASR", 0x9505, func(d, r, s uint8) (uint16, uint8) { return right(d>>1|d&0x80, d&1, s) }},
	{"LSR", 0x9506, func(d, r, s uint8) (uint16, uint8) { return right(d>>1, d&1, s) }},
	{"ROR", 0x9507, func(d, r, s uint8) (uint16, uint8) { return right(d>>1|s<<7, d&1, s) }},
	{"MUL", 0x9f01, func(d, r, s uint8) (uint16, uint8) { return multiply(int(d)*int(r), 0, s) }},
	{"MULS", 0x0201, func(d, r, s uint8) (uint16, uint8) { return multiply(int(int8(d))*int(int8(r)), 0, s) }},
	{"MULSU", 0x0301, func(d, r, s uint8) (uint16, uint8) { return multiply(int(int8(d))*int(r), 0, s) }},
	{"FMUL", 0x0309, func(d, r, s uint8) (uint16, uint8) { return multiply(int(d)*int(r), 1, s) }},
	{"FMULS", 0x0381, func(d, r, s uint8) (uint16, uint8) { return multiply(int(int8(d))*int(int8(r)), 1, s) }},
	{"FMULSU", 0x0389, func(d, r, s uint8) (uint16, uint8) { return multiply(int(int8(d))*int(r), 1, s) }},
	{"ADIW 63", 0x96cf, func(d, r, s uint8) (uint16, uint8) {
		w := uint16(r)<<8 | uint16(d)
		x := w + 63
		return x, nzs(s&^(arithmetic&^flagH), bit(^w&x&0x8000 != 0, flagV)|bit(w&^x&0x8000 != 0, flagC), x&0x8000 != 0, x == 0)
	}},
	{"SBIW 63", 0x97cf, func(d, r, s uint8) (uint16, uint8) {
		w := uint16(r)<<8 | uint16(d)
		x := w - 63
		return x, nzs(s&^(arithmetic&^flagH), bit(w&^x&0x8000 != 0, flagV)|bit(x&^w&0x8000 != 0, flagC), x&0x8000 != 0, x == 0)
	}},
}

// All operand pairs of all instructions that compute flags: simavr 1.6 has no
// wrong result and no wrong flag there.
func TestFlagsAgreeWithTheManual(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	rnd := rand.New(rand.NewPCG(1, 2))
	cases, results := make([]Case, 65536), make([]Result, 65536)
	for _, m := range models {
		wide := m.op&0xfe00 == 0x9600
		product := m.op&0xfc00 == 0x9c00 || m.op&0xff00 == 0x0200 || m.op&0xff00 == 0x0300
		for i := range cases {
			k := &cases[i]
			k.Code, k.SREG = []uint16{m.op}, uint8(rnd.Uint32())
			k.R[16], k.R[17] = uint8(i), uint8(i>>8)
			k.R[24], k.R[25] = uint8(i), uint8(i>>8)
		}
		if err := c.Run(cases, results); err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			got := uint16(r.R[16])
			if wide {
				got = uint16(r.R[25])<<8 | uint16(r.R[24])
			} else if product {
				got = uint16(r.R[1])<<8 | uint16(r.R[0])
			}
			if want, sreg := m.f(uint8(i), uint8(i>>8), cases[i].SREG); got != want || r.SREG != sreg {
				t.Errorf("%s %#02x, %#02x with SREG %08b: got %#x %08b, want %#x %08b",
					m.name, uint8(i), uint8(i>>8), cases[i].SREG, got, r.SREG, want, sreg)
				break
			}
		}
	}
}
