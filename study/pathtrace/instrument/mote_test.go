package instrument

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/pathtrace/cflow"
	"motehound/world"
)

// moteHarness is what generated programs run on in a mote. Markers and records are calls that the emulator sees; a timer
// interrupts at moments that hardly repeat, and its handler is a generated program, too.
const moteHarness = `#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#define SEEN __attribute__((noinline, noclone, used))
static uint32_t seed; static volatile uint8_t fuel;
SEEN int M(int n) { __asm__ volatile (""); return n & 1; }
int R(int n) { seed = seed * 1103515245u + 12345u; return (int)((seed >> 16) & 0x7fff) % n; }
int F(void) { uint8_t f = fuel; if (f) fuel = f - 1; return f; }
SEEN void mh_test_enter(int p) { __asm__ volatile (""); }
SEEN void mh_test_path(int p, unsigned v) { __asm__ volatile (""); }
SEEN void mh_test_leave(int p, unsigned v) { __asm__ volatile (""); }
SEEN static void begun(int program, int run) { __asm__ volatile (""); }
void begin(int program, int run) { cli(); seed = 7919ul * program + run; fuel = 40; begun(program, run); sei(); }
void interrupts(void) { OCR0 = 77; TCCR0 = 1 << WGM01 | 3 << CS00; TIMSK = 1 << OCIE0; sei(); }
void again(void) { OCR0 = OCR0 * 5 + 40; }
void end(void) { cli(); sleep_enable(); for (;;) sleep_cpu(); }
`

// moteBatch is programs for a mote, and one that handles its interrupts.
func moteBatch(r *rand.Rand, programs int) string {
	g := &generator{Rand: r}
	g.f("%s", prelude)
	handler := g.function("handler", 12)
	g.f("extern void begin(int, int), interrupts(void), again(void), end(void);\n")
	g.f("void __vector_15(void) __attribute__((signal, used));\nvoid __vector_15(void) { again(); (void)%s; }\n", handler)
	var entries []string
	for p := range programs {
		g.callees = nil
		for f := range 1 + r.IntN(2) {
			g.callees = append(g.callees, g.function(fmt.Sprintf("p%d_f%d", p, f), 2+r.IntN(8)))
		}
		entries = append(entries, g.callees[len(g.callees)-1])
	}
	g.f("int main(void) __attribute__((no_instrument_function));\nint main(void) {\n int i; interrupts();\n")
	for p, call := range entries {
		g.f(" for (i = 0; i < 3; i++) { begin(%d, i); (void)%s; }\n", p, call)
	}
	g.f(" end(); return 0; }\n")
	return g.out.String()
}

// TestOnMote: what a mote's programs record, interrupted at any moment, is what the emulator saw them do.
func TestOnMote(t *testing.T) {
	if _, err := exec.LookPath("avr-gcc"); err != nil {
		t.Fatal("this test needs gcc-avr and avr-libc: run make setup")
	}
	firmwares, programs := 3, 40
	if testing.Short() {
		firmwares = 1
	}
	dir := t.TempDir()
	harness := filepath.Join(dir, "harness.c")
	if err := os.WriteFile(harness, []byte(moteHarness), 0o666); err != nil {
		t.Fatal(err)
	}
	var total tally
	interrupted := 0
	for n := range firmwares {
		source := moteBatch(rand.New(rand.NewPCG(9, uint64(n))), programs)
		u, err := cflow.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		plan := Prepare(u, "batch", Choice{All: true})
		m := New()
		if err := m.Add("batch", plan); err != nil {
			t.Fatal(err)
		}
		file, elf := filepath.Join(dir, "batch.i"), filepath.Join(dir, "batch.elf")
		if err := os.WriteFile(file, append([]byte(testDeclarations), plan.Rewrite(testCalls)...), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("avr-gcc", "-mmcu=atmega128", "-Os", "-w", "-std=gnu99", "-o", elf, "-x", "cpp-output", file, "-x", "none", harness).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%.3000s", err, out)
		}
		log, interrupts := onMote(t, elf)
		interrupted += interrupts
		follow(t, plan, m, log, &total)
	}
	t.Logf("%d programs, %d invocations, %d paths, %d blocks, %d by cut edges, %d times interrupted", firmwares*programs,
		total.invocations, total.paths, total.blocks, total.cuts, interrupted)
	if total.invocations < 200*firmwares || interrupted < 50*firmwares {
		t.Error("too little was tried")
	}
}

// onMote runs a firmware to its end and writes down what it was seen to do, as the harness on the host would. It tells how
// often a traced procedure was interrupted.
func onMote(t *testing.T, elf string) ([]byte, int) {
	t.Helper()
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[uint32]string{}
	var entries []uint32
	for name, kind := range map[string]string{"M": "M", "begun": "G", "mh_test_enter": "E", "mh_test_path": "P", "mh_test_leave": "L", "__vector_15": "I"} {
		s, ok := im.Symbol(name)
		if !ok {
			t.Fatalf("the firmware has no %s", name)
		}
		kinds[s.Addr/2] = kind
		entries = append(entries, s.Addr/2)
	}
	var log bytes.Buffer
	depth, interrupted := 0, 0
	w.Observe(world.Observer{
		CodeAt: func(*mote.Kind) []uint32 { return entries },
		Code: func(_ int, _ uint64, pc uint32) bool {
			r := &w.Motes()[0].Core().R
			a, b := uint16(r[24])|uint16(r[25])<<8, uint16(r[22])|uint16(r[23])<<8
			switch kind := kinds[pc]; kind {
			case "I":
				if depth > 0 {
					interrupted++
				}
			case "M":
				if a != 0 {
					fmt.Fprintln(&log, kind, a)
				}
			default:
				fmt.Fprintln(&log, kind, a, b)
				depth += map[string]int{"E": 1, "L": -1}[kind]
			}
			return false
		},
	})
	for !w.Stopped() {
		if w.Now() > 600*world.Second {
			t.Fatal("the firmware does not end")
		}
		w.RunUntil(w.Now() + world.Second)
	}
	return log.Bytes(), interrupted
}
