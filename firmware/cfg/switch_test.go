package cfg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/internal/need"
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
	if out, err := need.Command(t, "avr-gcc", append(flags, "-mmcu="+mcu, "-o", elf, c)...).CombinedOutput(); err != nil {
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

// Switch statements are followed whatever their index and its first value are, and however the table is read: the jump leads to all
// cases, the default excepted, and to nothing else.
func TestSwitches(t *testing.T) {
	t.Parallel()
	indices := []struct {
		typ      string
		first, n int
	}{{"unsigned char", 0, 12}, {"signed char", -3, 9}, {"int", 5, 20}, {"unsigned int", 300, 300}, {"long", -2, 10}, {"unsigned long", 100000, 11}}
	for _, mcu := range []string{"atmega328p", "atmega128", "atmega2560", "attiny85"} {
		for _, level := range []string{"-Os", "-O3"} {
			for _, x := range indices {
				if mcu == "attiny85" && x.n > 100 {
					continue
				}
				im, p := build(t, cases(x.typ, x.first, x.n), mcu, level)
				g := cfg.Follow(p, im, 1)
				for _, m := range uncovered(im, g.Blocks) {
					t.Errorf("%s %s %s: %s", mcu, level, x.typ, m)
				}
				choose, _ := im.Symbol("choose")
				for _, j := range g.Jumps {
					if at := 2 * j.At; choose.Addr <= at && at < choose.Addr+choose.Size && len(j.To) != x.n {
						t.Errorf("%s %s %s: the jump leads to %d places, there are %d cases", mcu, level, x.typ, len(j.To), x.n)
					}
				}
			}
		}
	}
}

// forms are ways to jump to a, b, c and d in which compilers have dispatched a switch with its index in r25:r24. Tables stand at
// table, of words, and at jumps, of jumps.
var forms = []struct{ name, code string }{
	{"GCC 4, LPM inline", `cpi r24, 4
		cpc r25, r1
		brcc default
		movw r30, r24
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		lsl r30
		rol r31
		lpm r0, Z+
		lpm r31, Z
		mov r30, r0
	at:	ijmp`},
	{"GCC 3, byte address, __tablejump__", `cpi r24, 4
		cpc r25, r1
		brcs 1f
		rjmp default
	1:	lsl r24
		rol r25
		subi r24, lo8(-(table))
		sbci r25, hi8(-(table))
		movw r30, r24
	at:	jmp thunk`},
	{"GCC 3, LPM of old cores", `cpi r24, 4
		cpc r25, r1
		brcc default
		movw r30, r24
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		lsl r30
		rol r31
		lpm
		adiw r30, 1
		push r0
		lpm
		push r0
	at:	ret`},
	{"GCC 4 and 5, table of jumps", `cpi r24, 4
		cpc r25, r1
		brcc default
		movw r30, r24
		subi r30, lo8(-(gs(jumps)))
		sbci r31, hi8(-(gs(jumps)))
	at:	ijmp`},
	{"GCC 4.7, ELPM", `cpi r24, 4
		cpc r25, r1
		brcc default
		movw r30, r24
		clr r24
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		sbci r24, 0xFF
		lsl r30
		rol r31
		rol r24
		out 0x3b, r24
		elpm r0, Z+
		elpm r31, Z
		mov r30, r0
	at:	ijmp`},
	{"GCC 14, the comparison destroys a copy", `movw r30, r24
		sbiw r24, 4
		brcc default
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		lsl r30
		rol r31
		jmp thunk`},
	{"GCC 16, pushed", `cpi r24, 4
		cpc r25, r1
		brcc default
		subi r24, lo8(-(gs(jumps)))
		sbci r25, hi8(-(gs(jumps)))
		push r24
		push r25
	at:	ret`},
	{"the bound in registers", `ldi r18, 3
		ldi r19, 0
		cp r18, r24
		cpc r19, r25
		brcs default
		movw r30, r24
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		lsl r30
		rol r31
		jmp thunk`},
	{"an index of one byte, less than another one", `subi r24, 7
		cpi r24, 4
		brcc default
		mov r30, r24
		ldi r31, 0
		subi r30, lo8(-(gs(table)))
		sbci r31, hi8(-(gs(table)))
		lsl r30
		rol r31
		jmp thunk`},
}

// Every form that compilers have had is followed, to its four cases and to nothing else.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, f := range forms {
		im, p := build(t, `__asm__(".global main\n.type main, @function\nmain:\n" `+quote(f.code)+`
			".size main, .-main\n"
			"default: ret\n"
			"thunk: lpm r0, Z+\nlpm r31, Z\nmov r30, r0\nijmp\n"
			"jumps: rjmp a\nrjmp b\nrjmp c\nrjmp d\n"
			"table: .word gs(a), gs(b), gs(c), gs(d), gs(e)\n"
			".global a, b, c, d, e\n"
			"a: ldi r24, 1\nret\nb: ldi r24, 2\nret\nc: ldi r24, 3\nret\nd: ldi r24, 4\nret\ne: nop\nret\n");`, "atmega128", "-nostartfiles")
		g := cfg.Follow(p, im, 0)
		begins := func(label string) bool {
			s, ok := im.Symbol(label)
			i := cfg.Find(g.Blocks, s.Addr/2)
			return ok && i >= 0 && g.Blocks[i].Start == s.Addr/2
		}
		for _, label := range []string{"a", "b", "c", "d"} {
			if !begins(label) {
				t.Errorf("%s: no block begins at %s", f.name, label)
			}
		}
		if begins("e") {
			t.Errorf("%s: the entry behind the last case was followed too", f.name)
		}
	}
}

// quote makes lines of assembly a C string.
func quote(code string) string {
	var b strings.Builder
	for _, l := range strings.Split(code, "\n") {
		fmt.Fprintf(&b, "%q ", strings.TrimSpace(l)+"\n")
	}
	return b.String()
}

// A boot loader is found where the image begins, without symbols too.
func TestBootLoader(t *testing.T) {
	t.Parallel()
	im, p := build(t, cases("unsigned char", 0, 12), "atmega328p", "-Os", "-Wl,-Ttext=0x7800")
	bare := &image.Image{Flash: im.Flash, FlashUsed: im.FlashUsed}
	g := cfg.Follow(p, bare, 26)
	for _, m := range uncovered(im, g.Blocks) {
		t.Error(m)
	}
	if s := g.Share(); s.Image != int(im.FlashUsed[0].Hi-0x7800+1)/2 || s.Blocks*10 < s.Image*8 {
		t.Errorf("%+v", s)
	}
}

// A comparison before a call by a pointer that ends a function is no switch: nothing is known of where it leads.
func TestTailCall(t *testing.T) {
	t.Parallel()
	im, p := build(t, `void (*volatile call)(void); void f(unsigned char x) { if (x < 5) call(); } int main(void) { f(2); }`, "atmega128", "-Os", "-fno-inline")
	f, _ := im.Symbol("f")
	found := false
	for _, j := range cfg.Follow(p, im, 35).Jumps {
		if at := 2 * j.At; f.Addr <= at && at < f.Addr+f.Size {
			found = true
			if len(j.To) > 0 {
				t.Errorf("the jump at %#x leads to %#x", at, j.To)
			}
		}
	}
	if !found {
		t.Error("f has no jump by a pointer")
	}
}
