package mcu

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/peer/simavr"
	"motehound/isa/avr"
	"motehound/mote/chip"
	"motehound/mote/periph"
)

// TestPrograms compiles every C program of testdata/programs for every chip that its header names, runs it on the
// assembled chip among a board of the test's own (bench), and checks what the header expects. testdata/programs/README.md
// describes the headers.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, err := parseScript(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		for _, c := range chip.All() {
			if !script.chips[c.Name] {
				continue
			}
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				runProgram(t, c, file, script.on(c))
			})
		}
	}
}

// runProgram runs a program once, or once for each of its cases.
func runProgram(t *testing.T, c *chip.Chip, file string, s *script) {
	im, err := image.Parse(file, compile(t, c, file, s.flags))
	if err != nil {
		t.Fatal(err)
	}
	pads := padNames(t, c)
	if len(s.cases) == 0 {
		b := newBench(t, c, im, pads, s)
		b.run(t)
		b.check(t, s.expect)
		if len(s.simavr) > 0 {
			b.compareWithSimavr(t)
		}
	}
	for _, k := range s.cases {
		t.Run(k.name, func(t *testing.T) {
			b := newBench(t, c, im, pads, s)
			for _, v := range k.set {
				b.poke(t, v.name, v.value)
			}
			b.run(t)
			b.check(t, s.expect)
			b.check(t, k.expect)
		})
	}
}

// TestProgramsCanFail has the runner look for what did not happen.
func TestProgramsCanFail(t *testing.T) {
	const file = "testdata/programs/timer_others.c"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseScript(string(text))
	if err != nil {
		t.Fatal(err)
	}
	c := &chip.ATmega2560
	im, err := image.Parse(file, compile(t, c, file, nil))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, c, im, padNames(t, c), s.on(c))
	b.run(t)
	for _, wrong := range []string{
		"var third == 4", "bytes third == 5 5", "var nobody == 5", "wave OC3A rise MARK+151: 50", "wave OC3A rise MARK+152: 51",
		"wave OC3A still", "wave NOPAD rise MARK+1: 1", "level MARK low", "spans OC3A 1", "served TIMER3_COMPA x4", "served nothing",
		"entry TIMER3_COMPA MARK+1", "entry TIMER3_OVF MARK+1", "uart 0 bytes 41", "uart 0 frame 1", "spi 00", "replies 00", "twi P",
		"sampled MARK+1", `notice "anything"`, "notices 1", "eeprom 0 == 00", "slept 1..2", "nonsense 1",
	} {
		b.unknown = ""
		if b.expectation(wrong) == nil {
			t.Errorf("%s: found", wrong)
		}
	}
	for _, bad := range []string{"// Purpose: x\n", "// Purpose: x\n// Datasheet: y\n// Chips: z80\n// Expect: var a == 1\n",
		"// Purpose: x\n// Datasheet: y\n// Chips: all\n// Expect: var a == 1\n// On: never\n"} {
		if _, err := parseScript(bad); err == nil {
			t.Errorf("%q: read", bad)
		}
	}
}

const wantedPackages = "it needs: apt-get install gcc-avr avr-libc binutils-avr"

func avrGCC(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := need.Command(t, "avr-gcc", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("avr-gcc is missing; %s", wantedPackages)
	}
	if err != nil {
		t.Fatalf("avr-gcc %s: %v; %s\n%s", strings.Join(args, " "), err, wantedPackages, stderr.Bytes())
	}
	return out
}

// compile builds a program for a chip.
func compile(t *testing.T, c *chip.Chip, file string, flags []string) []byte {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "a.elf")
	args := append([]string{"-mmcu=" + c.Name, "-Os", "-std=gnu99", "-Wall", "-Werror", "-o", elf, file}, flags...)
	avrGCC(t, args...)
	data, err := os.ReadFile(elf)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var (
	padCache  [4]map[string]periph.Pin
	padOnce   [4]sync.Once
	padMacros = regexp.MustCompile(`(?m)^#define PAD_(\w+) ([A-L]),(\d)$`)
)

// padNames is the pads that chip.h names for a chip, as the programs see them. They are written down there once more, so
// that a mistake in our chip tables is not repeated in what the tests expect.
func padNames(t *testing.T, c *chip.Chip) map[string]periph.Pin {
	for i, k := range chip.All() {
		if k != c {
			continue
		}
		padOnce[i].Do(func() {
			pads := map[string]periph.Pin{}
			macros := avrGCC(t, "-mmcu="+c.Name, "-E", "-dM", "testdata/programs/chip.h")
			for _, m := range padMacros.FindAllStringSubmatch(string(macros), -1) {
				pads[m[1]] = periph.P(m[2][0], m[3][0]-'0')
			}
			padCache[i] = pads
		})
		return padCache[i]
	}
	return nil
}

// newBench puts a chip with a program on the bench and switches it on.
func newBench(t *testing.T, c *chip.Chip, im *image.Image, pads map[string]periph.Pin, s *script) *bench {
	t.Helper()
	d := NewDesign(c, Options{
		Hertz: s.hertz, CrystalHz: s.crystal, AREF: 2500, AVCC: 5000, Fuses: s.fuses, WakeUp: s.wakeUp,
		Kinds: len(s.stimuli),
	})
	b := &bench{chip: c, image: im, pads: pads, script: s}
	b.m = d.New(avr.Compile(im.Flash, c.FlashSize/2, c.Has), im.Flash, im.EEPROM, b)
	b.m.WatchInterrupts(true)
	b.m.PowerOn(0)
	for _, p := range s.pulls {
		b.m.SetInput(b.pad(p.pad), p.drive)
	}
	b.edges = nil
	return b
}

// run runs the program to its end.
func (b *bench) run(t *testing.T) {
	t.Helper()
	for range 1000 { // run returns when the clock's rate changes
		b.m.run(b.script.limit)
	}
	switch stop := b.m.Stopped(); {
	case stop != b.script.stop:
		mode, _ := b.m.Asleep()
		t.Fatalf("%v at cycle %d, PC 0x%X, %s; want %v", stop, b.m.Cycles(), 2*b.m.core.PC, mode, b.script.stop)
	case b.unknown != "":
		t.Fatal(b.unknown)
	}
}

// symbol finds a variable.
func (b *bench) symbol(name string) (image.Symbol, error) {
	s, ok := b.image.Symbol(name)
	if !ok {
		return s, fmt.Errorf("no symbol %s", name)
	}
	return s, nil
}

// poke sets a variable in .noinit before the program starts.
func (b *bench) poke(t *testing.T, name string, v uint64) {
	t.Helper()
	s, err := b.symbol(name)
	if err != nil || s.Space != image.Data {
		t.Fatalf("cannot set %s: %v", name, err)
	}
	for i := range s.Size {
		b.m.core.Store(uint16(s.Addr+i), uint8(v>>(8*i)))
	}
}

// bytesOf is a variable's memory.
func (b *bench) bytesOf(name string) ([]byte, error) {
	s, err := b.symbol(name)
	if err != nil {
		return nil, err
	}
	out := make([]byte, s.Size)
	for i := range out {
		out[i] = b.m.Peek(uint16(s.Addr) + uint16(i))
	}
	return out, nil
}

// compareWithSimavr runs the program on simavr with its own peripherals and compares the variables that the header
// names.
func (b *bench) compareWithSimavr(t *testing.T) {
	t.Helper()
	p, err := simavr.Build(t).Load(simavr.Spec{
		MCU: b.chip.Name, Frequency: uint32(b.script.hertz), Mode: simavr.Native, Flash: b.image.Flash, // its loader knows no extra sections
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Run(simavr.Limits{Cycle: b.m.Cycles() + 10_000}); err != nil {
		t.Fatal(err)
	}
	for _, name := range b.script.simavr {
		s, err := b.symbol(name)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := p.Read(simavr.Data, s.Addr, int(s.Size))
		if err != nil {
			t.Fatal(err)
		}
		if ours, _ := b.bytesOf(name); !bytes.Equal(ours, theirs) {
			t.Errorf("%s: % X here, % X in simavr", name, ours, theirs)
		}
	}
}
