package cfg_test

import (
	"testing"

	"motehound/examples"
	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// words is code of a few instructions.
func words(w ...uint16) *avr.Program {
	var b []byte
	for _, x := range w {
		b = append(b, byte(x), byte(x>>8))
	}
	return avr.Compile(b, 64, avr.AVRePlusElpm)
}

// Blocks end at branches, skips, jumps and returns, and begin where those lead; calls do not end them.
func TestBlocks(t *testing.T) {
	t.Parallel()
	p := words(
		0xC001, // 0: rjmp 2
		0x0000, // 1: nop, reached by nobody
		0xE001, // 2: ldi r16, 1
		0xD003, // 3: rcall 7
		0xFF00, // 4: sbrs r16, 0
		0x0000, // 5: nop
		0xCFFB, // 6: rjmp 2
		0x9508, // 7: ret
	)
	got := cfg.Blocks(p, &image.Image{}, 1)
	want := []cfg.Block{{0, 1, 1}, {2, 5, 3}, {5, 6, 1}, {6, 7, 1}, {7, 8, 1}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d: got %v, want %v", i, got[i], want[i])
		}
	}
	for pc, want := range map[uint32]int{0: 0, 1: -1, 4: 1, 6: 3, 7: 4, 8: -1} {
		if got := cfg.Find(got, pc); got != want {
			t.Errorf("word %d is in block %d, want %d", pc, got, want)
		}
	}
}

// The blocks of every example do not overlap, and cover its functions except for what cannot be reached.
func TestBlocksOfExamples(t *testing.T) {
	t.Parallel()
	for _, f := range examples.All {
		im, err := image.Parse(f.File(), f.ELF())
		if err != nil {
			t.Fatal(err)
		}
		p := avr.Compile(im.Flash, 1<<16, avr.AVRePlusElpm)
		blocks := cfg.Blocks(p, im, 26)
		end, covered := uint32(0), uint32(0)
		for _, b := range blocks {
			if b.Start < end || b.End <= b.Start || b.Instructions == 0 {
				t.Fatalf("%s: block %v after one that ends at %d", f.File(), b, end)
			}
			end = b.End
			covered += b.End - b.Start
		}
		size := uint32(0)
		for _, s := range im.Symbols {
			if s.Space == image.Flash && s.Kind == image.Func {
				size += s.Size / 2
			}
		}
		if covered < size*9/10 {
			t.Errorf("%s: blocks cover %d words, its functions have %d", f.File(), covered, size)
		}
	}
}
