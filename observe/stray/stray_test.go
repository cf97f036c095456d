package stray_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/mote/mcu"
	"motehound/observe/stray"
	"motehound/world"
)

// build compiles a program of testdata, and makes a HEX file of it, which has no symbols.
func build(t *testing.T, source string, c *chip.Chip, flags ...string) (im, hex *image.Image) {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "app.elf")
	args := append(flags, "-mmcu="+c.Name, "-w", "-o", elf, filepath.Join("testdata", source))
	for _, cmd := range []*exec.Cmd{need.Command(t, "avr-gcc", args...), need.Command(t, "avr-objcopy", "-O", "ihex", elf, elf+".hex")} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s (packages gcc-avr, avr-libc): %v\n%s", cmd.Args[0], err, out)
		}
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	if hex, err = image.Load(elf + ".hex"); err != nil {
		t.Fatal(err)
	}
	return im, hex
}

// run runs a firmware alone and returns what ran outside of blocks.
func run(t *testing.T, im *image.Image, c *chip.Chip, ps uint64) (stray.Code, *world.World) {
	t.Helper()
	w := testkit.Alone(t, testkit.On(t, board.Bare(c, 8_000_000), im), 1)
	x := stray.Watch(w)
	w.RunUntil(ps)
	return x.Codes()[0], w
}

func expectNone(t *testing.T, what string, c stray.Code) {
	t.Helper()
	for i, r := range c.Ran {
		if i == 10 {
			t.Errorf("%s: and %d more", what, len(c.Ran)-i)
			break
		}
		t.Errorf("%s: the instruction at %#x ran %d times and is in no block", what, r.Addr, r.Times)
	}
}

// All that runs of a program with all kinds of computed jumps is in a block, with symbols and without, as every option and chip has it.
func TestJumps(t *testing.T) {
	t.Parallel()
	chips := []*chip.Chip{&chip.ATmega128, &chip.ATmega328P, &chip.ATmega2560}
	options := []string{"-Os", "-O1", "-O2", "-O3", "-O0", "-Os -mcall-prologues", "-Os -mrelax", "-Os -fno-jump-tables", "-O2 -flto"}
	if testing.Short() {
		options = options[:1]
	}
	for _, c := range chips {
		for _, o := range options {
			what := fmt.Sprintf("%s %s", c.Name, o)
			im, hex := build(t, "jumps.c", c, strings.Fields(o)...)
			code, w := run(t, im, c, 200*world.Millisecond)
			expectNone(t, what, code)
			rounds, _ := im.Symbol("rounds")
			if n := w.Motes()[0].Peek(uint16(rounds.Addr)); n < 4 {
				t.Errorf("%s: only %d rounds", what, n)
			}
			code, _ = run(t, hex, c, 200*world.Millisecond)
			expectNone(t, what+" without symbols", code)
		}
	}
}

// Pointers to functions beyond 128 KiB lead to the linker's jumps.
func TestFar(t *testing.T) {
	t.Parallel()
	im, hex := build(t, "far.c", &chip.ATmega2560, "-Os", "-Wl,--section-start=.far=0x30000")
	if one, ok := im.Symbol("one"); !ok || one.Addr < 0x30000 {
		t.Fatalf("one is at %#x", one.Addr)
	}
	for _, x := range []*image.Image{im, hex} {
		code, w := run(t, x, &chip.ATmega2560, 10*world.Millisecond)
		expectNone(t, x.Format, code)
		if reason := w.Motes()[0].Stopped(); reason != mcu.Running {
			t.Errorf("%s: the mote has stopped: %v", x.Format, reason)
		}
	}
}

// What ran outside of blocks is found: here a routine that only a pointer in a variable leads to, and that has no symbol of a function.
func TestHidden(t *testing.T) {
	t.Parallel()
	im, _ := build(t, "hidden.c", &chip.ATmega128, "-Os")
	code, w := run(t, im, &chip.ATmega128, 10*world.Millisecond)
	hidden, _ := im.Symbol("hidden")
	seen, _ := im.Symbol("seen")
	want := []stray.Ran{{Addr: hidden.Addr}, {Addr: hidden.Addr + 4}, {Addr: hidden.Addr + 6}, {Addr: hidden.Addr + 10}}
	if len(code.Ran) != len(want) {
		t.Fatalf("ran outside of blocks: %v, want %v", code.Ran, want)
	}
	times := code.Ran[0].Times
	for i, r := range code.Ran {
		if r.Addr != want[i].Addr || r.Times+1 < times || r.Times > times {
			t.Errorf("ran outside of blocks: %v, want the instruction at %#x %d times", r, want[i].Addr, times)
		}
	}
	if n := w.Motes()[0].Peek(uint16(seen.Addr)); n != uint8(times) && n != uint8(times-1) {
		t.Errorf("the routine has counted %d, it ran %d times", n, times)
	}
}

// All that runs of the examples is in blocks.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, f := range examples.All {
		w := testkit.Pair(t, testkit.Kind(t, f))
		x := stray.Watch(w)
		w.RunUntil(world.Second)
		code := x.Codes()[0]
		expectNone(t, f.File(), code)
		if code.Blocks == 0 || code.Without*50 > code.Blocks {
			t.Errorf("%s: %d words of functions are in no block, %d are in some", f.File(), code.Without, code.Blocks)
		}
	}
}
