package gdb

import (
	"encoding/hex"
	"testing"
)

// fixed is a View in which every byte of the data space is the low byte of its address, and flash is 0xF0.
type fixed struct{}

func (fixed) Registers(int) cpuRegisters {
	return cpuRegisters{R: [32]uint8{24: 7}, SREG: 0x80, SP: 0x10FD, PC: 0x66A}
}

func (fixed) Read(_ int, addr uint32, buf []byte) int {
	for i := range buf {
		buf[i] = 0xF0
		if a := addr + uint32(i); a >= dataSpace {
			buf[i] = uint8(a)
		}
		if addr >= eepromSpace {
			return i
		}
	}
	return len(buf)
}

// TestConditions evaluates programs of gdb's, and some that gdb would not send.
func TestConditions(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		about, code string
		want        int64
		fails       bool
	}{
		{about: "a constant", code: "220127", want: 1},
		{about: "r24 == 7", code: "260018220713" + "27", want: 1},
		{about: "pc", code: "26002227", want: 0x66A},
		{about: "sp as a signed int", code: "260021161027", want: 0x10FD},
		{about: "a byte of the data space", code: "24008001051727", want: 5},
		{about: "a word, lowest byte first", code: "24008001051827", want: 0x0605},
		{about: "four bytes", code: "24008001051927", want: 0x08070605},
		{about: "flash, by a constant address", code: "2200" + "1727", want: 0xF0},
		{about: "through a pointer, which has no offset", code: "240080010518" + "1727", want: 5},
		{about: "5 - 7", code: "220522070327", want: -2},
		{about: "0xFF as a signed byte", code: "22ff160827", want: -1},
		{about: "0x1FF cut to a byte", code: "2301ff2a0827", want: 0xFF},
		{about: "-1 < 1, signed", code: "22ff16082201" + "1427", want: 1},
		{about: "-1 < 1, unsigned", code: "22ff16082201" + "1527", want: 0},
		{about: "-6 / 4", code: "22fa160822040527", want: -1},
		{about: "-6 % 4", code: "22fa160822040727", want: -2},
		{about: "6 / 4 * 4 + 6 % 4", code: "2206220406" + "220404" + "2206220408" + "0227", want: 6},
		{about: "1 << 100", code: "220122640927", want: 0},
		{about: "-8 >> 1", code: "22f8160822010a27", want: -4},
		{about: "!5", code: "22050e27", want: 0},
		{about: "~5 & 0xF | 0x10 ^ 0x30", code: "220512220f0f2210223011" + "1027", want: 0x2A},
		{about: "a jump over", code: "220120000822002722092728", want: 9},
		{about: "dup, rot, swap, pick", code: "22012202" + "28" + "33" + "2b" + "3201" + "0202" + "0227", want: 7},
		{about: "for ever", code: "210000", fails: true},
		{about: "off its end", code: "2201", fails: true},
		{about: "half an operand", code: "2400", fails: true},
		{about: "to nowhere", code: "21ffff", fails: true},
		{about: "nothing to add", code: "220102" + "27", fails: true},
		{about: "no value", code: "27", fails: true},
		{about: "by zero", code: "2201220005" + "27", fails: true},
		{about: "an unknown register", code: "2600ff27", fails: true},
		{about: "an unknown operation", code: "ff27", fails: true},
		{about: "a full stack", code: "2201" + "28" + "210002", fails: true},
		{about: "a pick too deep", code: "22013209" + "27", fails: true},
		{about: "no memory", code: "24008200001727", fails: true},
	} {
		code, err := hex.DecodeString(x.code)
		if err != nil {
			t.Fatalf("%s: %v", x.about, err)
		}
		got, err := evaluate(code, fixed{}, 1)
		if (err != nil) != x.fails || got != x.want {
			t.Errorf("%s: %d, %v; want %d", x.about, got, err, x.want)
		}
	}
}
