package avr

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"motehound/examples"
	"motehound/internal/need"
)

// flat is the plainest chip: I/O registers and addresses without memory only hold what is written to them, SLEEP, WDR
// and SPM do nothing but count, and nothing ever interrupts.
type flat struct {
	core  Core
	data  [1 << 16]uint8 // registers, SP and SREG excepted, which the core keeps
	flash []byte

	stored  []uint16 // addresses that Store and SetBit were given
	slept   int
	kicked  int
	spm     []uint32
	halts   []Halt
	hooks   []uint32
	refuse  bool // what Hook answers
	onStore func(addr uint16, v uint8)
}

// chipOf is what the tests need to know of a chip. It is package mote/chip's knowledge, which is on a higher floor.
type chipOf struct {
	name    string
	has     Need
	flash   uint32 // bytes
	ramBase uint16
	ramEnd  uint16
}

var chips = []chipOf{
	{"atmega128", AVRePlusElpm, 128 << 10, 0x100, 0x10FF},
	{"atmega328p", AVRePlus, 32 << 10, 0x100, 0x8FF},
	{"atmega1281", AVRePlusElpm, 128 << 10, 0x200, 0x21FF},
	{"atmega2560", AVRePlus22, 256 << 10, 0x200, 0x21FF},
}

func chipNamed(t testing.TB, name string) chipOf {
	t.Helper()
	for _, c := range chips {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("no chip is called %q", name)
	return chipOf{}
}

// newFlat makes a chip around a flash image, which is padded with erased bytes.
func newFlat(c chipOf, image []byte) *flat {
	f := &flat{flash: bytes.Repeat([]byte{0xFF}, int(c.flash))}
	copy(f.flash, image)
	f.core.Init(f, Compile(f.flash, c.flash/2, c.has), f.data[c.ramBase:int(c.ramEnd)+1], c.ramBase)
	return f
}

// step runs one instruction.
func (f *flat) step() { f.core.Run(f.core.Cycles + 1) }

func (f *flat) Load(a uint16) uint8 { return f.data[a] }

func (f *flat) Store(a uint16, v uint8) {
	f.data[a] = v
	f.stored = append(f.stored, a)
	if f.onStore != nil {
		f.onStore(a, v)
	}
}

func (f *flat) SetBit(a uint16, mask uint8, on bool) {
	v := f.data[a] &^ mask
	if on {
		v |= mask
	}
	f.Store(a, v)
}

func (f *flat) ProgByte(a uint32) uint8 { return f.flash[int(a)%len(f.flash)] }

func (f *flat) ProgWord(pc uint32) uint16 { return wordAt(f.flash, pc%uint32(len(f.flash)/2)) }

func (f *flat) Sleep()               { f.slept++ }
func (f *flat) WatchdogReset()       { f.kicked++ }
func (f *flat) SelfProgram(z uint32) { f.spm = append(f.spm, z) }
func (f *flat) Halt(why Halt)        { f.halts = append(f.halts, why) }

func (f *flat) Hook(pc uint32) bool {
	f.hooks = append(f.hooks, pc)
	return f.refuse
}

// tool runs a program of binutils-avr on a file and returns what it prints.
func tool(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := need.Command(t, "avr-"+name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("avr-%s: %v (it needs: apt-get install binutils-avr)\n%s", name, err, out)
	}
	return string(out)
}

// assemble returns the image of a source, for any core: the assembler is told of the largest.
func assemble(t testing.TB, source string) []byte {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("a.s"), []byte(source+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tool(t, "as", "-mmcu=avr6", "-o", file("a.o"), file("a.s"))
	tool(t, "ld", "-mavr6", "--no-relax", "-Ttext=0", "-e", "0", "-o", file("a.elf"), file("a.o"))
	tool(t, "objcopy", "-O", "binary", "-j", ".text", file("a.elf"), file("a.bin"))
	image, err := os.ReadFile(file("a.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// flashOf is the flash image of an example: its loadable segments, at their physical addresses.
func flashOf(t testing.TB, name, target string) []byte {
	t.Helper()
	fw, ok := examples.Find(name, target)
	if !ok {
		t.Fatalf("no example %s for %s", name, target)
	}
	e, err := elf.NewFile(bytes.NewReader(fw.ELF()))
	if err != nil {
		t.Fatal(err)
	}
	var image []byte
	for _, p := range e.Progs {
		if p.Type != elf.PT_LOAD || p.Paddr >= 0x800000 || p.Filesz == 0 {
			continue
		}
		seg := make([]byte, p.Filesz)
		if _, err := p.ReadAt(seg, 0); err != nil {
			t.Fatal(err)
		}
		if need := int(p.Paddr) + len(seg); need > len(image) {
			image = append(image, make([]byte, need-len(image))...)
		}
		copy(image[p.Paddr:], seg)
	}
	return image
}

// BenchmarkRun is the speed of the loop alone, on the programs of make bench.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"cpu-sort", "cpu-crypt", "cpu-arith"} {
		b.Run(name, func(b *testing.B) {
			image := flashOf(b, name, "atmega128")
			n := uint64(0)
			for b.Loop() {
				f := newFlat(chipNamed(b, "atmega128"), image)
				f.core.ROM = f.flash
				f.core.Run(50_000_000)
				n += f.core.Instructions
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Minstr/s")
		})
	}
}
