package generated

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// moteHarness is what generated programs run on in a mote. Markers are calls that the emulator sees. Two timers interrupt at
// moments that hardly repeat; their handlers are generated programs, too, and the second one lets others in. Each context
// (the main program, and the handlers) has its own chance and fuel, so that what it does does not depend on when the others run.
const moteHarness = `#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <util/delay_basic.h>
#define SEEN __attribute__((noinline, noclone, used))
void mh_trace_service(void) __attribute__((weak));
void mh_trace_fault(unsigned char reason) __attribute__((weak));
static uint32_t seeds[3] = {1, 2, 3}; static uint8_t fuels[3]; static volatile uint8_t who; static uint16_t when = 1;
SEEN int M(int n) { _delay_loop_2(60); return n & 1; }
int R(int n) { uint32_t *s = &seeds[who]; *s = *s * 1103515245u + 12345u; return (int)((*s >> 16) & 0x7fff) % n; }
int F(void) { uint8_t *f = &fuels[who]; if (*f) --*f; return *f; }
SEEN void context(uint8_t n) { who = n; }
static uint16_t later(void) { when = when * 25173 + 13849; return when >> 1; }
unsigned char begin_first(void) { unsigned char was = who; context(1); fuels[1] = 4; OCR1A = TCNT1 + 22000 + later(); return was; }
unsigned char begin_second(void) { unsigned char was; ETIMSK = 0; cli(); was = who; context(2); fuels[2] = 8; sei(); return was; }
void end_first(unsigned char was) { context(was); }
void end_second(unsigned char was) { cli(); context(was); OCR3A = TCNT3 + 30000 + later(); ETIFR = 1 << OCF3A; ETIMSK = 1 << OCIE3A; }
SEEN static void begun(int program, int run) { __asm__ volatile (""); }
static void rest(void) { for (uint8_t i = 0; i < 3; i++) { sei(); sleep_cpu(); if (mh_trace_service) mh_trace_service(); } }
void begin(int program, int run) { rest(); cli(); seeds[0] = 7919ul * program + run; fuels[0] = 24; begun(program, run); sei(); }
void interrupts(void) {
  OCR1A = 20000; OCR3A = 30000; TCCR1B = TCCR3B = 1 << CS10; TIMSK = 1 << OCIE1A; ETIMSK = 1 << OCIE3A; sleep_enable(); sei();
}
void end(void) { cli(); if (mh_trace_fault) mh_trace_fault(42); for (;;) sleep_cpu(); }
`

// moteBatch is programs for a mote, and two that handle its interrupts.
func moteBatch(r *rand.Rand, programs int) string {
	g := &generator{Rand: r}
	g.f("%s", prelude)
	first, second := g.function("first", 3), g.function("second", 6)
	g.f("extern void begin(int, int), interrupts(void), end(void);\n")
	g.f("extern unsigned char begin_first(void), begin_second(void);\nextern void end_first(unsigned char), end_second(unsigned char);\n")
	g.f("void __vector_12(void) __attribute__((signal, used));\nvoid __vector_12(void) { unsigned char was = begin_first(); (void)%s; end_first(was); }\n", first)
	g.f("void __vector_26(void) __attribute__((interrupt, used));\nvoid __vector_26(void) { unsigned char was = begin_second(); (void)%s; end_second(was); }\n", second)
	var entries []string
	for p := range programs {
		g.callees = nil
		for f := range 1 + r.IntN(2) {
			size := 2 + r.IntN(8)
			if r.IntN(50) == 0 {
				size = 60 // more paths than a register holds
			}
			g.callees = append(g.callees, g.function(fmt.Sprintf("p%d_f%d", p, f), size))
		}
		entries = append(entries, g.callees[len(g.callees)-1])
	}
	g.f("int main(void) __attribute__((no_instrument_function));\nint main(void) {\n int i; __asm__ (\"\"); interrupts();\n")
	for p, call := range entries {
		g.f(" for (i = 0; i < 2; i++) { begin(%d, i); (void)%s; }\n", p, call)
	}
	g.f(" end(); return 0; }\n")
	return g.out.String()
}

// A bench compiles programs for motes.
type bench struct {
	t   *testing.T
	dir string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	need.Tools(t, "avr-gcc")
	b := &bench{t, t.TempDir()}
	if err := runtime.Write(b.dir, os.WriteFile); err != nil {
		t.Fatal(err)
	}
	b.write("harness.c", moteHarness)
	b.gcc("-Os", "-c", "-o", b.file("harness.o"), b.file("harness.c"))
	// More than the default waits: these programs do little but what is traced.
	for _, width := range []int{narrow, wide} {
		for _, source := range append([]string{runtime.AT45DB}, runtime.Core...) {
			b.gcc("-Os", "-c", fmt.Sprintf("-DMH_TRACE_PROCS=%d", width), "-DMH_TRACE_WAITING=32", "-o", b.runtime(source, width), b.file(source))
		}
	}
	return b
}

// narrow and wide are numbers of procedures with labels of one and of two bytes.
const narrow, wide = 64, instrument.MaxProcs

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) runtime(source string, width int) string {
	return b.file(fmt.Sprint(source, width, ".o"))
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.file(name), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) gcc(args ...string) {
	b.t.Helper()
	if out, err := need.Command(b.t, "avr-gcc", append([]string{"-mmcu=atmega128", "-w", "-std=gnu99"}, args...)...).CombinedOutput(); err != nil {
		b.t.Fatalf("%v\n%.3000s", err, out)
	}
}

// plain and traced build a program without and with the tracer.
func (b *bench) plain(source string) *image.Image {
	b.write("plain.i", source)
	b.gcc("-O1", "-o", b.file("plain.elf"), "-x", "cpp-output", b.file("plain.i"), "-x", "none", b.file("harness.o"))
	return b.load("plain.elf")
}

func (b *bench) traced(plan *instrument.Plan, width int) *image.Image {
	b.t.Helper()
	b.write("traced.c", fmt.Sprintf("#define MH_TRACE_PROCS %d\n#include \"motehound_trace.h\"\n", width)+string(plan.Rewrite(instrument.Macros)))
	args := []string{"-Os", "-o", b.file("traced.elf"), b.file("traced.c"), b.file("harness.o")}
	for _, source := range append([]string{runtime.AT45DB}, runtime.Core...) {
		args = append(args, b.runtime(source, width))
	}
	b.gcc(args...)
	return b.load("traced.elf")
}

func (b *bench) load(name string) *image.Image {
	im, err := image.Load(b.file(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return im
}

// TestOnMote: what a mote's log says of programs that are interrupted at any moment is what the emulator saw them do, block by
// block; and they do what they do without the tracer.
func TestOnMote(t *testing.T) {
	t.Parallel()
	firmwares, programs := 25, 40
	if testing.Short() {
		firmwares = 2
	}
	b := newBench(t)
	var total tally
	seen := sight{}
	for n := range firmwares {
		source := moteBatch(rand.New(rand.NewPCG(9, uint64(n))), programs)
		u, err := cflow.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		plan := instrument.Prepare(u, "batch", instrument.Choice{All: true, Silent: silent})
		if width := narrow; n%2 == 0 && len(plan.Procs) <= width {
			b.onMote(source, u, plan, width, &total, &seen)
		} else {
			b.onMote(source, u, plan, wide, &total, &seen)
		}
	}
	t.Logf("%d programs, %d invocations, %d paths, %d blocks, %d by cut edges, %d counted, %d of 16 bits; %d times interrupted; %d events of %d runs lost, %d records with their begin",
		firmwares*programs, total.invocations, total.paths, total.blocks, total.cuts, total.counted, total.wide, seen.interrupted, total.lost, 2*firmwares*programs, total.unknown)
	if total.invocations < 100*firmwares || seen.interrupted < 50*firmwares || total.lost+total.unknown > total.paths/50 {
		t.Error("too little was tried, or too much lost")
	}
}

func (b *bench) onMote(source string, u *cflow.Unit, plan *instrument.Plan, width int, total *tally, seen *sight) {
	b.t.Helper()
	m := instrument.New()
	if err := m.Add("batch", plan); err != nil {
		b.t.Fatal(err)
	}
	plain, _ := watch(b.t, b.plain(source))
	traced, flash := watch(b.t, b.traced(plan, width))
	seen.interrupted += traced.interrupted
	for who := range plain.did {
		was, is := plain.did[who], traced.did[who]
		if who > 0 { // of handlers, the one build may have run more often
			n := min(len(was), len(is))
			was, is = was[:n], is[:n]
		}
		if w, i := strings.Join(was, "\n"), strings.Join(is, "\n"); w != i {
			b.t.Fatalf("context %d: the traced programs behave otherwise: %s", who, firstDifference([]byte(w), []byte(i)))
		}
	}
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		b.t.Fatal(err)
	}
	follow(b.t, u, m, traced.with(b.t, log), total)
}

// sight is what the emulator saw a firmware do.
type sight struct {
	lines       []string // markers, begins of programs, and where the tracer was told something
	did         [3][]string
	interrupted int
}

// with puts what the log says to where the tracer was told it. Where the log says that something was lost, so does that.
func (s *sight) with(t *testing.T, log *record.Log) []byte {
	t.Helper()
	var events []string
	for at, e := range log.Events() {
		switch {
		case e.Kind == record.Enter:
			events = append(events, fmt.Sprintf("E %d", e.Proc))
		case e.Kind == record.Path:
			events = append(events, fmt.Sprintf("P %d %d", e.Proc, e.Path))
		case e.Kind == record.Leave:
			events = append(events, fmt.Sprintf("L %d %d", e.Proc, e.Path))
		case e.Kind == record.Lost && e.Count < record.MaxLost:
			for range e.Count {
				events = append(events, "X 0")
			}
		case e.Kind.Gap():
			t.Fatalf("page %d of the log: %v", at.Page, e.Kind)
		}
	}
	var out bytes.Buffer
	n := 0
	for _, line := range s.lines {
		if line == told || line == toldLater {
			if n == len(events) {
				t.Fatalf("the log ends after %d events", n)
			}
			if line == toldLater && strings.HasPrefix(events[n], "P") {
				events[n] = "+" + events[n]
			}
			line = events[n]
			n++
		}
		fmt.Fprintln(&out, line)
	}
	if n != len(events) {
		t.Fatalf("the log has %d events, the tracer was told %d", len(events), n)
	}
	return out.Bytes()
}

// told is the line for something that the tracer was told; toldLater, that it came again, some time ago.
const told, toldLater = "?", "+"

// watch runs a firmware to its end, and gives what it was seen to do and its flash.
func watch(t *testing.T, im *image.Image) (*sight, []byte) {
	t.Helper()
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
	for _, name := range []string{"M", "begun", "context", "mh_wait", "mh_trace_more"} {
		if s, ok := im.Symbol(name); ok {
			kinds[s.Addr/2] = name
			entries = append(entries, s.Addr/2)
		}
	}
	s := &sight{}
	who := 0
	w.Observe(world.Observer{
		Interrupt: func(int, uint64, uint8) { s.interrupted++ },
		CodeAt:    func(*mote.Kind) []uint32 { return entries },
		Code: func(_ int, _ uint64, pc uint32) bool {
			r := &w.Motes()[0].Core().R
			a, b := uint16(r[24])|uint16(r[25])<<8, uint16(r[22])|uint16(r[23])<<8
			line := told
			switch kinds[pc] {
			case "context":
				who = int(r[24])
				return false
			case "M":
				if a == 0 {
					return false
				}
				line = fmt.Sprint("M ", a)
			case "mh_trace_more":
				s.lines = append(s.lines, slices.Repeat([]string{toldLater}, int(r[24]))...)
				return false
			case "begun":
				line = fmt.Sprint("G ", a, " ", b)
			}
			s.lines = append(s.lines, line)
			if line != told {
				s.did[who] = append(s.did[who], line)
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
	flash := w.Motes()[0].ExternalFlash()
	bytes := make([]byte, flash.Size())
	for i := range bytes {
		bytes[i] = flash.Read(uint32(i))
	}
	return s, bytes
}
