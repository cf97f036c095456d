package cfg_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// counted is code that counts how often it is looked at.
type counted struct {
	*avr.Program
	looks int
}

func (c *counted) At(pc uint32) avr.Inst {
	c.looks++
	return c.Program.At(pc)
}

// FuzzFollow: whatever the bytes of an image are, the work is bounded by its size, blocks are in order and apart, jumps lead to blocks, and
// the same image gives the same graph. The seeds have tables that are cut short, lead outside, are huge, or overlap with code.
func FuzzFollow(f *testing.F) {
	dispatch := []uint16{
		0xFFFF, 0x0001, // symbols: none, or one function
		0x3084, 0x0591, 0xF448, // cpi r24, 4; cpc r25, r1; brcc .+18
		0x01FC, 0x50E0, 0x40F0, // movw r30, r24; subi r30, 0; sbci r31, 0
		0x0FEE, 0x1FFF, 0x9005, 0x91F4, 0x2DE0, 0x9409, // add, adc, lpm r0, Z+; lpm r31, Z; mov r30, r0; ijmp
		0x0002, 0x0005, 0x0FFF, 0x9508,
	}
	huge := slices.Clone(dispatch)
	huge[2], huge[3] = 0x3F8F, 0x07A9 // cpi r24, 0xFF; cpc r26, r25
	loop := slices.Clone(dispatch)
	loop[6] = 0x5FEF // a table that is the code itself
	pairs := []uint16{0xFFFF, 0x0001, 0xE0E2, 0xE0F0, 0x9409, 0xE083, 0xE090, 0x9508, 0x0003, 0x0005, 0x0004}
	var wide []uint16 // many comparisons that lead to the same table
	for range 400 {
		wide = append(wide, 0x3F8F, 0xF008, 0xC000, 0x2FE8, 0xE0F0, 0x9409)
	}
	for _, words := range [][]uint16{dispatch, huge, loop, pairs, wide} {
		f.Add(bytesOf(words))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 6 || len(data) > 1<<14 {
			return
		}
		im := &image.Image{Flash: data[4:], FlashUsed: []image.Range{{Lo: 0, Hi: uint32(len(data) - 4)}}}
		if at := uint32(binary.LittleEndian.Uint16(data)); 2*at < uint32(len(data)) {
			im = named(t, data[4:], 2*at, uint32(binary.LittleEndian.Uint16(data[2:])))
		}
		code := &counted{Program: avr.Compile(im.Flash, 1<<13, avr.AVRePlusElpm)}
		g := cfg.Follow(code, im, 2)
		if most := 1<<18 + 400*len(data); code.looks > most {
			t.Fatalf("%d looks at %d bytes of code, more than %d", code.looks, len(data), most)
		}
		checkGraph(t, g)
		again := cfg.Follow(code, im, 2)
		if !slices.Equal(g.Blocks, again.Blocks) || !slices.EqualFunc(g.Jumps, again.Jumps, func(a, b cfg.Jump) bool { return a.At == b.At && slices.Equal(a.To, b.To) }) {
			t.Fatal("the same image gave another graph")
		}
	})
}

func checkGraph(t *testing.T, g *cfg.Graph) {
	t.Helper()
	end := uint32(0)
	for _, b := range g.Blocks {
		if b.Start < end || b.End <= b.Start || b.Instructions == 0 {
			t.Fatalf("block %v behind one that ends at %d", b, end)
		}
		end = b.End
	}
	for _, j := range g.Jumps {
		for _, to := range j.To {
			if i := cfg.Find(g.Blocks, to); i < 0 {
				t.Fatalf("the jump at %#x leads to %#x, which is in no block", 2*j.At, 2*to)
			}
		}
	}
}

func bytesOf(words []uint16) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	return b
}

// named is an image with one function, as an ELF file has it.
func named(t *testing.T, flash []byte, addr, size uint32) *image.Image {
	t.Helper()
	le := binary.LittleEndian
	const header, segment, section = 52, 32, 40
	names := "\x00.text\x00.symtab\x00.strtab\x00f\x00"
	text := uint32(header + segment)
	symbols := text + uint32(len(flash))
	strings := symbols + 2*16
	sections := strings + uint32(len(names))
	b := append([]byte("\x7fELF\x01\x01\x01"), make([]byte, 9)...)
	half := func(v ...uint16) {
		for _, x := range v {
			b = le.AppendUint16(b, x)
		}
	}
	word := func(v ...uint32) {
		for _, x := range v {
			b = le.AppendUint32(b, x)
		}
	}
	half(2, 83)
	word(1, 0, header, sections, 5)
	half(header, segment, 1, section, 4, 3)
	word(1, text, 0, 0, uint32(len(flash)), uint32(len(flash)), 5, 2)
	b = append(b, flash...)
	b = append(b, make([]byte, 16)...)
	word(uint32(len(names)-2), addr, size)
	b = append(b, 0x12, 0, 1, 0) // a global function in .text
	b = append(b, names...)
	b = append(b, make([]byte, section)...)
	word(1, 1, 6, 0, text, uint32(len(flash)), 0, 0, 2, 0)
	word(7, 2, 0, 0, symbols, 32, 3, 1, 4, 16)
	word(15, 3, 0, 0, strings, uint32(len(names)), 0, 0, 1, 0)
	im, err := image.Parse("fuzz.elf", b)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := im.Symbol("f"); !ok {
		t.Fatal("the function is missing")
	}
	return im
}
