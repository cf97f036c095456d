package simavr

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"motehound/internal/need"
)

func openCases(t testing.TB, mcu string, bg Background) *Cases {
	t.Helper()
	c, err := Build(t).Cases(mcu, bg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func one(t testing.TB, c *Cases, k Case) Result {
	t.Helper()
	r, err := c.One(k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func load(t testing.TB, spec Spec) *Program {
	t.Helper()
	p, err := Build(t).Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// avr runs a tool of the AVR toolchain.
func avr(t testing.TB, tool string, stdin string, args ...string) {
	t.Helper()
	cmd := need.Command(t, "avr-"+tool, args...)
	cmd.Stdin = bytes.NewBufferString(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("avr-%s: %v (it needs: apt-get install gcc-avr avr-libc binutils-avr)\n%s", tool, err, out)
	}
}

// assemble returns the flash image of a source without start-up code. It sees
// avr-libc's register names, as I/O addresses.
func assemble(t testing.TB, mcu, source string) []byte {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	avr(t, "gcc", "#define __SFR_OFFSET 0\n#include <avr/io.h>\n.text\n"+source+"\n",
		"-mmcu="+mcu, "-nostdlib", "-x", "assembler-with-cpp", "-", "-o", elf)
	avr(t, "objcopy", "", "-O", "binary", elf, elf+".bin")
	image, err := os.ReadFile(elf + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// crunch builds testdata/crunch.S, about 7,300 instructions for each round.
func crunch(t testing.TB, mcu, rounds string) string {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "crunch.elf")
	avr(t, "gcc", "", "-mmcu="+mcu, "-DROUNDS="+rounds, "-o", elf, filepath.Join("testdata", "crunch.S"))
	return elf
}

// native assembles, loads into the native mode and traces n instructions.
func native(t testing.TB, mcu, source string, n uint64) (*Program, []State) {
	t.Helper()
	p := load(t, Spec{MCU: mcu, Frequency: 8_000_000, Mode: Native, Flash: assemble(t, mcu, source)})
	states, err := p.Trace(n)
	if err != nil {
		t.Fatal(err)
	}
	return p, states
}

// reached is the index of the first sample at a PC, or -1.
func reached(states []State, pc uint32) int {
	for i, s := range states {
		if s.PC == pc {
			return i
		}
	}
	return -1
}
