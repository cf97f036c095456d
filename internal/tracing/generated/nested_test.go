package generated

import (
	"fmt"
	"os"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// nestedProgram has three handlers that come at moments which hardly repeat. The first two let others in from their first instruction on;
// the third does so in its middle, and does not end it.
const nestedProgram = `
#define SFR8(a) (*(volatile unsigned char *)(a))
#define SFR16(a) (*(volatile unsigned short *)(a))
#define OCR1A SFR16(0x4A)
#define TCNT1 SFR16(0x4C)
#define TCCR1B SFR8(0x4E)
#define TIMSK SFR8(0x57)
#define OCR3A SFR16(0x86)
#define TCNT3 SFR16(0x88)
#define TCCR3B SFR8(0x8A)
#define ETIMSK SFR8(0x7D)
#define OCR0 SFR8(0x51)
#define TCCR0 SFR8(0x53)
static volatile unsigned short when = 1, number;
static unsigned short later(void) { when = when * 25173 + 13849; return when >> 3; }
void mh_trace_fault(unsigned char reason);
void mh_trace_service(void);
void __vector_12(void) __attribute__((interrupt, used));
void __vector_12(void) { unsigned short n = later(); if (n & 1) number++; OCR1A = TCNT1 + 23000 + n; }
void __vector_26(void) __attribute__((signal)) __attribute__((__interrupt__));
__attribute__((used)) void __vector_26(void) { unsigned short n = later(); number++; if (n & 2) { OCR3A = TCNT3 + 15000 + n; return; } OCR3A = TCNT3 + 29000 - n; }
void __vector_15(void) __attribute__((signal, used));
void __vector_15(void) { if (number & 1) { __asm__ volatile ("sei"); number++; } }
int main(void) __attribute__((no_instrument_function));
int main(void) {
  OCR1A = 9000; OCR3A = 9500; OCR0 = 211; TCCR0 = 0x0D; TCCR1B = TCCR3B = 1; TIMSK = 0x12; ETIMSK = 0x10;
  __asm__ volatile ("sei");
  while (number < 6000) mh_trace_service();
  __asm__ volatile ("cli");
  TIMSK = ETIMSK = 0;
  mh_trace_fault(1);
  SFR8(0x55) = 0x20;
  for (;;) __asm__ volatile ("sleep");
}
`

// TestNestedHandlers: handlers that interrupt others are in the log where the emulator saw them, also if they come in the first
// or last instructions of the others.
func TestNestedHandlers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("nested.c", nestedProgram)
	b.gcc("-E", "-P", "-o", b.file("nested.i"), b.file("nested.c"))
	source, err := os.ReadFile(b.file("nested.i"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := cflow.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	plan := instrument.Prepare(u, "nested", instrument.Choice{Kinds: []cflow.Kind{cflow.Interrupt}})
	m := instrument.New()
	if err := m.Add("nested", plan); err != nil {
		t.Fatal(err)
	}
	b.write("harness.c", "")
	b.gcc("-c", "-o", b.file("harness.o"), b.file("harness.c"))
	saw, flash := handlers(t, b.traced(plan, narrow))
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	nested := 0
	for _, e := range log.Events() {
		switch {
		case e.Kind == record.Enter:
			got = append(got, m.Proc(int(e.Proc)).Name)
			nested += min(e.Depth, 1)
		case e.Kind == record.Leave:
			got = append(got, "end of "+m.Proc(int(e.Proc)).Name)
		case e.Kind.Gap():
			t.Fatalf("after %d events: %v", len(got), e.Kind)
		}
	}
	n := 0
	for n < min(len(got), len(saw)) && got[n] == saw[n] {
		n++
	}
	if n < max(len(got), len(saw)) {
		t.Fatalf("%d handlers begin or end in the log, %d in the emulator, and these differ:\n%v\n%v", len(got), len(saw), around(got, n), around(saw, n))
	}
	t.Logf("%d begins and ends, %d inside of others", n, nested)
	if nested < 100 {
		t.Error("too few handlers interrupt others")
	}
}

func around(list []string, n int) []string { return list[max(n-4, 0):min(n+4, len(list))] }

// handlers runs a firmware to its end, and gives which handlers began and ended, and its flash.
func handlers(t *testing.T, im *image.Image) (saw []string, flash []byte) {
	t.Helper()
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ends []uint32
	for pc := range k.Program().Words() {
		if k.Program().At(pc).String() == "reti" {
			ends = append(ends, pc)
		}
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	w.Observe(world.Observer{
		Interrupt: func(_ int, _ uint64, vector uint8) {
			open = append(open, fmt.Sprint("__vector_", vector-1))
			saw = append(saw, open[len(open)-1])
		},
		CodeAt: func(*mote.Kind) []uint32 { return ends },
		Code: func(int, uint64, uint32) bool {
			saw = append(saw, "end of "+open[len(open)-1])
			open = open[:len(open)-1]
			return false
		},
	})
	for !w.Stopped() {
		if w.Now() > 60*world.Second {
			t.Fatal("the firmware does not end")
		}
		w.RunUntil(w.Now() + world.Second/10)
	}
	s := w.Motes()[0].ExternalFlash()
	flash = make([]byte, s.Size())
	for i := range flash {
		flash[i] = s.Read(uint32(i))
	}
	return saw, flash
}
