package cfg_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// build compiles a C program and returns it with its decoded code.
func build(t *testing.T, source, mcu string, flags ...string) (*image.Image, *avr.Program) {
	t.Helper()
	dir := t.TempDir()
	c, elf := filepath.Join(dir, "app.c"), filepath.Join(dir, "app.elf")
	if err := os.WriteFile(c, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("avr-gcc", append(flags, "-mmcu="+mcu, "-o", elf, c)...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	words, has := uint32(1<<16), avr.AVRePlusElpm
	switch mcu {
	case "atmega328p":
		words, has = 1<<14, avr.AVRePlus
	case "atmega2560":
		words, has = 1<<17, avr.AVRePlus22
	case "attiny85":
		words, has = 1<<12, avr.AVRe
	}
	return im, avr.Compile(im.Flash, words, has)
}

// cases is a function with a switch statement of n cases, none of which can be made of another one.
func cases(index string, first, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "volatile unsigned char port; unsigned char out[8]; %s volatile in;\n", index)
	fmt.Fprintf(&b, "__attribute__((noinline)) void choose(%s i)\n{\n\tswitch (i) {\n", index)
	for k := range n {
		fmt.Fprintf(&b, "\tcase %d: port = %d; out[%d] += port * %d; break;\n", first+k, k*7+1, k%8, k+3)
	}
	b.WriteString("\tdefault: port = 0;\n\t}\n}\nint main(void) { for (;;) choose(in); }\n")
	return b.String()
}

// uncovered are the functions with words in no block.
func uncovered(im *image.Image, blocks []cfg.Block) []string {
	var missing []string
	for _, s := range im.Symbols {
		if s.Space != image.Flash || s.Kind != image.Func {
			continue
		}
		n := 0
		for pc := s.Addr / 2; pc < (s.Addr+s.Size)/2; pc++ {
			if cfg.Find(blocks, pc) < 0 {
				n++
			}
		}
		if n > 0 {
			missing = append(missing, fmt.Sprintf("%s: %d of %d words", s.Name, n, s.Size/2))
		}
	}
	return missing
}

// Switch statements are followed whatever their index and its first value are, and however the table is read.
func TestSwitches(t *testing.T) {
	indices := []struct {
		typ      string
		first, n int
	}{{"unsigned char", 0, 12}, {"signed char", -3, 9}, {"int", 5, 20}, {"unsigned int", 300, 300}, {"long", -2, 10}, {"unsigned long", 100000, 11}}
	for _, mcu := range []string{"atmega328p", "atmega128", "atmega2560", "attiny85"} {
		for _, level := range []string{"-Os", "-O1", "-O3"} {
			for _, x := range indices {
				if mcu == "attiny85" && x.n > 100 {
					continue
				}
				im, p := build(t, cases(x.typ, x.first, x.n), mcu, level)
				for _, m := range uncovered(im, cfg.Blocks(p, im, 1)) {
					t.Errorf("%s %s %s: %s", mcu, level, x.typ, m)
				}
			}
		}
	}
}
