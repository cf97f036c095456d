package stops

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/world"
	"motehound/world/recipe"
)

// stops are the phases. A file whose name begins with @ is one of stopFixtures.
var stops = []toStop{
	{phase: "times real time", command: "run --json --time 1000h --nodes 3 --out out example:relay-micaz", files: []string{"out/report.json"}},
	{phase: "times real time", command: "run --time 1000h --nodes 40 example:counter-micaz"},
	{phase: "times real time", command: "run --json --time 1000h @pair.star"},

	{phase: "reading", command: "run --json --nodes 1000 --time 1000h example:oscilloscope-micaz"},
	{phase: "reading", command: "check --json --budget 0 --nodes 1000 --board micaz example:oscilloscope"},
	{phase: "reading", command: "symbolic --json --budget 0 --nodes 1000 --time 1000h --board micaz example:oscilloscope"},
	{phase: "learning", command: "check --json --nodes 60 --board mica2 example:relay"},
	{phase: "booting", command: "check --json --no-memory --nodes 200 --board mica2 example:relay", may: true},
	{phase: "searching", command: "check --json --budget 0 --mode search --depth 40 --out out @pair.star", files: []string{"out/report.json"}},
	{phase: "walking", command: "check --json --budget 0 --mode walk --walks 1000000 --out out --html a.html @pair.star", files: []string{"out/report.json", "a.html"}},
	{phase: "shortening", command: "check --json --budget 0 --all --mode walk --walks 1 --events 20000 --prefix 0 --out out --board micaz @long.elf", files: []string{"out/report.json"}},
	{phase: "easing", command: "check --json --budget 0 --mode walk --walks 1 --events 12000 --prefix 0 --out out --board micaz @late.elf", files: []string{"out/report.json"}},
	{phase: "waiting for the goal", command: "check --json --budget 0 --mode walk --walks 3 --events 1000 --threshold 200 --prefix 0 --out out @goal.star", files: []string{"out/report.json"}},
	{phase: "describing", command: "check --json --budget 8s --all --mode walk --walks 1 --events 6000000 --prefix 0 --out out --board micaz @long.elf", files: []string{"out/report.json"}},

	{phase: "exploring", command: "symbolic --json --budget 0 --time 100h @bytes.star"},
	{phase: "exploring", command: "symbolic --json --budget 0 --out out --html a.html @bytes.star", files: []string{"out/report.json", "a.html"}},
	{phase: "the solver hangs", command: "symbolic --json --budget 0 --solver z3 @bytes.star"},
	{phase: "takes all its failures", command: "symbolic --json --budget 0 --out out @once.star", files: []string{"out/report.json"}},
	{phase: "running outcomes again", command: "symbolic --json --budget 0 --time 20s @lossy.star"},

	{phase: "walking", command: "fuzz --json --budget 0 --out out --html a.html --board micaz example:remote_fixed", files: []string{"out/report.json", "a.html"}},
	{phase: "listening", command: "fuzz --json --budget 0 --nodes 30 --board mica2 example:relay", may: true},

	{phase: "hunting: check", command: "hunt --json --budget 0 --engine check --store store --out out --board micaz example:remote_fixed", files: []string{"out/report.json"}},
	{phase: "hunting: fuzz", command: "hunt --json --budget 0 --engine fuzz --store store --out out --html a.html --board micaz example:remote_fixed", files: []string{"out/report.json", "a.html"}},

	{phase: "times real time", command: "mine --json --time 1000h --csv a.csv --html a.html --board micaz --nodes 2 example:pollute"},
	{phase: "ranking", command: "mine --json --time 300s --detector lof --board micaz --nodes 4 example:pollute", may: true},
	{phase: "times real time", command: "model mine --json --time 1000h --force --models models.json --board micaz example:pollute", old: []string{"models.json"}},
	{phase: "times real time", command: "model verify --json --time 1000h --models @models.json --out out --board micaz --nodes 2 example:pollute", files: []string{"out/report.json"}},
	{phase: "making recipe", command: "model verify --json --strict --time 60s --models @models.json --out out --board micaz --nodes 4 example:pollute", may: true},
	{phase: "looking for job flows", command: "model mine --json --time 60s --models models.json --board micaz --nodes 4 example:pollute", may: true},

	{phase: "times real time", command: "trace pull --json --time 1000h -o trace.bin --board micaz example:oscilloscope_traced", old: []string{"trace.bin"}},
	{phase: "asking the mote", command: "trace pull --json --wait 1000h --time 1s -o trace.bin --board micaz example:blink", old: []string{"trace.bin"}},
	{phase: "decoding", command: "trace decode --json @endless.bin"},
	{phase: "tries", command: "trace replay --json --budget 0 --tries 1000000000 --trace-map example:oscilloscope_traced-micaz --board micaz --sensor 1=1 -o replay.json @trace.bin example:oscilloscope_traced",
		old: []string{"replay.json"}},

	{phase: "times real time", command: "replay --json @hours/recipe.json"},
	{phase: "replaying", command: "replay --json @found/finding-1.json"},
	{phase: "Motehound runs", command: "demo", shown: true},
	{phase: "describing", command: "replay --json @found/finding-1.json"},
}

// stopFixtures makes the files that interrupted commands read.
func stopFixtures(t *testing.T, dir string) {
	t.Helper()
	elf, err := filepath.Abs("../../examples/elf")
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("ELF", elf, "FAULTS", "", "MORE", "")
	for name, text := range map[string]string{
		"pair.star":   fill.Replace(pairScene),
		"lossy.star":  strings.NewReplacer("ELF", elf, "FAULTS", "lose(max = 1)", "MORE", "").Replace(pairScene),
		"bytes.star":  fill.Replace(inputScene),
		"long.c":      longSource,
		"late.c":      lateSource,
		"once.c":      onceSource,
		"goal.star":   goalScene,
		"once.star":   onceScene,
		"endless.bin": string(testkit.EndlessTrace()),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"long", "late", "once"} {
		source, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".elf")
		if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-O1", "-gdwarf-4", "-o", program, source).CombinedOutput(); err != nil {
			t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
		}
	}
	hangs := "#!/bin/sh\necho the solver hangs >/dev/tty\nexec sleep 1000\n"
	if err := os.WriteFile(filepath.Join(dir, "z3"), []byte(hangs), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"check --quiet --budget 8s --mode walk --walks 1 --events 6000000 --prefix 0 --out @found --board micaz @long.elf",
		"run --quiet --time 1s --nodes 3 --out @hours example:relay-micaz",
		"model mine --time 5s --models @models.json --board micaz --nodes 2 example:pollute",
		"trace pull --time 20s -o @trace.bin --board micaz example:oscilloscope_traced",
	} {
		cmd := exec.Command(testkit.Command(t), strings.Fields(strings.ReplaceAll(args, "@", dir+"/"))...)
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 { // it has found something
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
	}
	longer(t, filepath.Join(dir, "hours/recipe.json"))
}

// longer has a recipe's run take hours.
func longer(t *testing.T, name string) {
	t.Helper()
	rec, err := recipe.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	rec.Until = 1000 * 3600 * world.Second
	if err := rec.Write(name); err != nil {
		t.Fatal(err)
	}
}

// longSource is a program that takes long for each of its events, and reads through a null pointer after many of them.
const longSource = `#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
volatile uint8_t *volatile where;
volatile uint16_t ticks;
volatile uint8_t sink;
ISR(TIMER0_COMP_vect)
{
    for (uint16_t i = 0; i < 20000; i++)
        sink = i;
    switch (++ticks) {
    case 600: sink = where[2]; break;
    case 800: sink = where[3]; break;
    case 1000: sink = where[4]; break;
    }
}
int main(void) { OCR0 = 255; TCCR0 = 7; TIMSK = 1 << OCIE0; sei(); for (;;) sleep_mode(); }
`

// lateSource is a program that takes long for each of its events, and reads through a null pointer if, after many of them, one interrupt
// waits while another is served several times: hardware does not do that.
const lateSource = `#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
volatile uint8_t *volatile where;
volatile uint16_t ticks;
volatile uint8_t sink, late;
ISR(TIMER1_COMPA_vect) { late = 0; }
ISR(TIMER0_COMP_vect)
{
    for (uint16_t i = 0; i < 20000; i++)
        sink = i;
    if (TIFR & 1 << OCF1A)
        late++;
    if (++ticks > 250 && late > 3)
        sink = where[2];
}
int main(void)
{
    OCR0 = 255; TCCR0 = 7;
    OCR1A = 10000; TCCR1B = 1 << WGM12 | 5;
    TIMSK = 1 << OCIE0 | 1 << OCIE1A;
    sei();
    for (;;)
        sleep_mode();
}
`

// pairScene is two motes that read sensors and talk, and inputScene one that listens to a serial line.
const (
	pairScene = `network(motes = [mote(id = i, board = "micaz", firmware = "ELF/readings_fixed-micaz.elf") for i in range(2)], links = full(2), faults = [FAULTS])
run(time = "2s", seed = 1)
MORE
`
	inputScene = `network(motes = [mote(id = 1, board = "micaz", firmware = "ELF/serial-micaz.elf")])
run(time = "2s", seed = 1)
serial(mote = 1, at = "100ms", data = tinyos_packet(am = 9, payload = list(range(12))))
symbolic_serial(mote = 1, nth = 1, offset = 0, length = 20)
`
)

// goalScene has a goal that is never reached, and that may take hours.
const goalScene = `network(motes = [mote(id = 1, board = "micaz", firmware = "late.elf")])
eventually("never", each(lambda n: n.var("late") == 200), within = "100h")
`

// onceSource is two motes that send each other a byte, once.
const onceSource = `#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
volatile uint8_t got, ticks;
static void put(uint8_t b) { loop_until_bit_is_set(UCSR0A, UDRE0); UDR0 = b; }
ISR(USART0_RX_vect) { if (UDR0 == 7) got = 1; }
ISR(TIMER0_COMP_vect) { if (++ticks == 2) { put(0xC0); put(7); put(0xC0); } }
int main(void)
{
    UBRR0L = 12; UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    OCR0 = 255; TCCR0 = 7; TIMSK = 1 << OCIE0;
    sei();
    for (;;)
        sleep_mode();
}
`

// onceScene has a property that is broken if that byte is lost, and that takes long to look at.
const onceScene = `network(motes = [mote(id = i + 1, board = "micaz", firmware = "once.elf") for i in range(2)])
wire(1, 2, framing = "slip", faults = [lose(max = 1)])
run(time = "5s", seed = 1)
def there(net):
    n = net[2].var("ticks")
    for i in range(28000):
        n += i
    return net[2].var("got") == 1 and n > 0
eventually("it is there", there, within = "4s")
`
