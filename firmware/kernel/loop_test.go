package kernel

import (
	"os"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/isa/avr"
)

// The loop in which a main program ends is found: at its line, in whatever way it was written and compiled.
func TestMainLoop(t *testing.T) {
	const head = "#include <avr/io.h>\nvolatile unsigned char x, y;\nint setup(void) { for (x = 0; x < 9; x++) y += x; return y; }\n"
	for name, c := range map[string]struct {
		main   string
		line   int // of an instruction in the loop; 0 if there is no loop
		sleeps bool
	}{
		"for":      {"int main(void) { setup();\nfor (;;)\nx++; }", 6, false},
		"nested":   {"int main(void) { while (!x) y++;\nfor (;;) {\nwhile (x < 3) x++;\ny++; } }", 7, false},
		"switch":   {"int main(void) { for (;;) {\nswitch (x) { case 0: y = 3; break; case 1: y = 5; break; case 2: setup(); break; case 3: PORTB = 1; break; case 4: x = y; }\nPORTB++; } }", 6, false},
		"sleeps":   {"int main(void) { for (;;) {\n__asm__(\"sleep\");\nx++; } }", 6, true},
		"below":    {"__attribute__((noinline)) void run(void) { for (;;)\nx++; }\nint main(void) { setup(); run(); }", 5, false},
		"stop":     {"int main(void) { for (;;) {\nif (x++ > 3)\nfor (;;);\nPORTB = x; } }", 7, false},
		"gives up": {"__attribute__((noinline)) void fail(void) { __asm__(\"cli\"); for (;;) y++; }\nint main(void) { for (;;) {\nif (x++ > 3)\nfail();\nPORTB = x; } }", 8, false},
		"returns":  {"int main(void) { while (!x) y++;\nreturn 0; }", 0, false},
		"straight": {"int main(void) { return setup(); }", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, optimise := range []string{"-O0", "-O1", "-Os", "-O2", "-O3"} {
				dir := t.TempDir()
				file, elf := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.elf")
				if err := os.WriteFile(file, []byte(head+c.main+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", optimise, "-gdwarf-4", "-o", elf, file).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				im, err := image.Load(elf)
				if err != nil {
					t.Fatal(err)
				}
				program := avr.Compile(im.Flash, 1<<14, avr.AVRePlus)
				p, err := findProfile(im, program)
				if err != nil {
					t.Fatal(err)
				}
				l := &p.Loop
				if (l.Head != 0) != (c.line != 0) || l.Sleeps != c.sleeps {
					t.Fatalf("%s: %+v", optimise, l)
				}
				found := false
				for pc := range program.Words() {
					at, ok := im.LineAt(2 * pc)
					found = found || ok && l.in[pc] && at.Line == c.line
				}
				if found != (c.line != 0) {
					t.Errorf("%s: line %d is not in the loop at %#x", optimise, c.line, 2*l.Head)
				}
			}
		})
	}
}

// Every round passes the head, though the compiler puts the end of one way through the loop, which allows interrupts again, before the head of all ways.
func TestMainLoopRotated(t *testing.T) {
	t.Parallel()
	const source = "#include <avr/interrupt.h>\nvolatile unsigned char x, y;\n" +
		"int main(void) { sei(); for (;;) { PORTB = x; cli(); char pay = y != 0; if (pay) y--; sei(); if (pay) { PORTC++; continue; } cli(); if (x >= 8) x -= 8; sei(); } }\n"
	for _, optimise := range []string{"-O1", "-Os", "-O2"} {
		dir := t.TempDir()
		file, elf := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.elf")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", optimise, "-o", elf, file).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		im, err := image.Load(elf)
		if err != nil {
			t.Fatal(err)
		}
		program := avr.Compile(im.Flash, 1<<14, avr.AVRePlus)
		l := mainLoop(im, program)
		f := &loopFinder{program: program, jumps: map[uint32][]uint32{}, known: map[uint32]*Loop{}, graphs: map[uint32]*graph{}}
		g := f.reach(l.Head)
		g.next[l.Head] = nil
		for _, part := range components(g).list {
			if g.loops(part) {
				t.Errorf("%s: a loop at %#x does not pass the head at %#x", optimise, 2*part[0], 2*l.Head)
			}
		}
	}
}
