package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job/document"
	"motehound/study/verdict"
)

// judged is what the documents of check, symbolic and run have in common.
type judged struct {
	Verdict verdict.Verdict `json:"verdict"`
	LeftOut []string        `json:"left_out"`
	// Rankings are mine's, of several interrupts.
	Rankings []judged `json:"rankings"`
}

// scene writes a scenario of the test's own. ELF stands for the folder of the examples.
func scene(t *testing.T, text string) string {
	t.Helper()
	elf, err := filepath.Abs("../../examples/elf")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "scene.star")
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "ELF", elf)), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// Scenarios for TestVerdicts.
const (
	// Two motes that hear each other, and nothing that fails.
	pairScene = `network(motes = [mote(id = i, board = "micaz", firmware = "ELF/readings_fixed-micaz.elf") for i in range(2)], links = full(2), faults = [FAULTS])
run(time = "2s", seed = 1)
MORE
`
	// One mote that nobody can reach, and more unknown bytes than can be explored.
	inputScene = `network(motes = [mote(id = 1, board = "micaz", firmware = "ELF/serial-micaz.elf")])
run(time = "2s", seed = 1)
serial(mote = 1, at = "100ms", data = tinyos_packet(am = 9, payload = list(range(12))))
symbolic_serial(mote = 1, nth = 1, offset = 0, length = 20)
`
	// Two motes on a wire.
	wireScene = `network(motes = [mote(id = i + 1, board = "uno", firmware = "ELF/%s-uno.elf") for i in range(2)], faults = [FAULTS])
wire(1, 2)
run(time = "2s", seed = 1)
MORE
`
)

// Each command says only what it has seen: verdict, what was left out, and exit status. What an interrupted one says is in TestStop.
func TestVerdicts(t *testing.T) {
	pair := func(faults, more string) string {
		return strings.NewReplacer("FAULTS", faults, "MORE", more).Replace(pairScene)
	}
	wired := func(app, faults string) string {
		return strings.NewReplacer("FAULTS", faults, "MORE", "").Replace(fmt.Sprintf(wireScene, app))
	}
	dir := t.TempDir()
	if r := motehound(t, "model", "mine", "--time", "5s", "--models", filepath.Join(dir, "models.json"), "--board", "micaz", "example:pollute"); r.status != exitFine {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	gateway, err := filepath.Abs("../../examples/gateway/gateway.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"folder", "part"} { // of models, for each firmware of a network
		if r := motehound(t, "model", "mine", "--time", "3s", "--models", filepath.Join(dir, folder)+"/", gateway); r.status != exitFine {
			t.Fatalf("exit status %d\n%s", r.status, r.stderr)
		}
	}
	if err := os.Remove(filepath.Join(dir, "part", "base-micaz.models.json")); err != nil {
		t.Fatal(err)
	}
	const search, fully = "check --budget 0 --mode search --depth 4", "symbolic --budget 0"
	for _, c := range []struct {
		name, command string
		scene         string // or what follows the command, if it has no line
		verdict       verdict.Verdict
		left          []string // one of what was left out, for each
	}{
		{"closed", search, pair("", ""), verdict.Holds, nil},
		{"a bare file", search, "example:readings-micaz", verdict.Unknown, []string{"no other mote can send to it"}},
		{"a line on which nothing comes", search, "example:serial-uno", verdict.Unknown, []string{"listens on USART 0, but nothing comes in"}},
		{"a moment", search, pair("", `at_time("1s", "later", lambda net: True)`), verdict.Unknown, []string{`at_time "later"`}},
		{"a bound of time", search, pair("", `eventually("soon", lambda net: True, within = "1s")`), verdict.Unknown, []string{"whether goals are reached"}},
		{"a fault without an occasion", search, wired("serial", "lose(max = 1)"), verdict.Unknown, []string{"lose could not happen"}},
		{"a failure that is nowhere", search + " --failure nobody", pair("", ""), verdict.Unknown, []string{`the failure "nobody"`}},
		{"a function never entered", search, pair("", `at_call("ReadingsC__batteryDone", lambda n: n.alive)`), verdict.Unknown, []string{"no mote reached that place"}},
		{"walks", "check --budget 0 --mode walk --walks 1 --events 50", pair("", ""), verdict.Unknown, []string{"walks try some orders"}},
		{"a spent budget", "check --budget 1ns --mode search --depth 12", pair("", ""), verdict.Unknown, []string{verdict.Spent}},

		{"one run", fully, pair("", ""), verdict.Unknown, []string{"nothing is symbolic and nothing may fail"}},
		{"a moment after the end", fully, pair("lose(max = 1)", `at_time("9s", "later", lambda net: True)`), verdict.Unknown, []string{`"later" is for 9 s`}},
		{"a line never reached", fully, pair("lose(max = 1)", `at_call("ReadingsC__batteryDone", lambda n: n.alive)`), verdict.Unknown, []string{"no mote reached that place"}},
		{"a line that must not be reached", fully, pair("lose(max = 1)", `at_call("ReadingsC__batteryDone", lambda n: False)`), verdict.Holds, nil},
		{"all failures", fully, pair("lose(max = 1)", ""), verdict.Holds, nil},
		{"a failure of the air on a wire", fully, wired("serial", "lose(max = 1)"), verdict.Unknown, []string{"lose could not happen"}},
		{"a power failure without a frame", fully, wired("blink", "reboot(max = 1, mote = 1)"), verdict.Unknown, []string{"reboot of mote 1 could not happen"}},
		{"a failure that is nowhere", fully + " --failure nobody", pair("lose(max = 1)", ""), verdict.Unknown, []string{`the failure "nobody"`}},

		{"a budget that ends in the middle", "symbolic --budget 1ns", inputScene, verdict.Unknown, []string{"it was stopped"}},

		{"a bare file", fully, "example:readings-micaz", verdict.Unknown, []string{"nothing is symbolic and nothing may fail"}},

		{"one run", "mine --time 5s", pair("", ""), verdict.Unknown, []string{"other runs than those that were mined"}},
		{"data that is lost", "mine --time 10s --node 1 --vector ADC --board micaz --nodes 2", "example:pollute", verdict.Violated, []string{"other runs than those that were mined"}},
		{"as approved", "model verify --time 5s --models @models.json --board micaz", "example:pollute", verdict.Unknown, []string{"other runs: this was one"}},
		{"a folder, as approved", "model verify --time 3s --models @folder", gateway, verdict.Unknown, []string{"other runs: this was one"}},
		{"a folder without some", "model verify --time 3s --models @part", gateway, verdict.Unknown, []string{"other runs: this was one", "no models in"}},
		{"a folder, not as approved", "model verify --time 10s --models @folder", gateway, verdict.Violated, []string{"other runs: this was one"}},
		{"a folder without some, not as approved", "model verify --time 10s --models @part", gateway, verdict.Violated, []string{"no models in"}},
		{"all that was asked for", "trace pull --time 5s -o @trace.bin --board micaz", "example:oscilloscope_traced", verdict.Holds, nil},

		{"a fault", "run", pair("lose(max = 1)", ""), verdict.Unknown, []string{"run only loses frames on lossy links"}},
		{"a fault without an occasion", "run", wired("serial", "lose(max = 1)"), verdict.Unknown, []string{"run only loses frames on lossy links"}},
		{"a run", "run", pair("", ""), verdict.Unknown, []string{"this was one run"}},
		{"a moment after the end", "run", pair("", `at_time("9s", "later", lambda net: True)`), verdict.Unknown, []string{`at_time "later": not evaluated`}},
		{"a place in the code", "run", pair("", `at_call("ReadingsC__batteryDone", lambda n: n.alive)`), verdict.Unknown, []string{"only check and symbolic evaluate at_call"}},
		{"what may come to hold", "run", pair("", `eventually("never", lambda net: False)`), verdict.Unknown, []string{`whether "never" holds later`}},
		{"what does not hold", "run", pair("", `always("never", lambda net: False)`), verdict.Violated, []string{"this was one run"}},
	} {
		t.Run(strings.Fields(c.command)[0]+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			what := c.scene
			if strings.Contains(what, "\n") {
				what = scene(t, what)
			}
			r := motehound(t, append(append(strings.Fields(strings.ReplaceAll(c.command, "@", dir+"/")), "--json"), what)...)
			var d judged
			if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
				t.Fatalf("%v\n%s%s", err, r.stdout, r.stderr)
			}
			if len(d.Rankings) > 0 {
				d.Verdict, d.LeftOut = d.Rankings[0].Verdict, d.Rankings[0].LeftOut
			}
			status := exitFine
			if c.verdict == verdict.Violated {
				status = exitFound
			}
			if d.Verdict != c.verdict || r.status != status || d.LeftOut == nil || len(c.left) == 0 && len(d.LeftOut) > 0 {
				t.Errorf("%s, exit status %d, left out %q; want %s and %d", d.Verdict, r.status, d.LeftOut, c.verdict, status)
			}
			for _, want := range c.left {
				if !slices.ContainsFunc(d.LeftOut, func(s string) bool { return strings.Contains(s, want) }) {
					t.Errorf("left out %q, want something with %q", d.LeftOut, want)
				}
			}
		})
	}
}

// People read up to where something holds, and what was left out.
func TestVerdictsInWords(t *testing.T) {
	t.Parallel()
	text := scene(t, strings.NewReplacer("FAULTS", "", "MORE", "").Replace(pairScene))
	faults := scene(t, strings.NewReplacer("FAULTS", "lose(max = 1)", "MORE", "").Replace(pairScene))
	models, gateway := filepath.Join(t.TempDir(), "models")+"/", "../../examples/gateway/gateway.star"
	if r := motehound(t, "model", "mine", "--time", "3s", "--models", models, gateway); r.status != exitFine {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	for _, c := range []struct{ command, scene, want string }{
		{"check --budget 0 --mode search --depth 4", text, "holds up to 4 events"},
		{"check --budget 0 --mode both --depth 4 --walks 1 --events 40", text, "holds up to 4 events, without faults (reduction dynamic, chance of a hash collision"},
		{"check --budget 0 --mode both --depth 4 --walks 1 --events 40", faults, "holds up to 4 events, with the faults that the scenario allows (reduction dynamic, chance of a hash collision"},
		{"check --budget 0 --mode both --depth 4 --walks 1 --events 40", text, "; walks: nothing in "},
		{"check --budget 0 --mode walk --walks 1 --events 40", text, "\n  left out: walks try some orders of events, not all"},
		{"symbolic --budget 0", faults, "in the natural order of events, for 2 s"},
		{"symbolic --budget 0 --time 700ms --reorder", faults, "and with up to 1 interrupt waiting for up to 10ms"},
		{"run", text, "2.000 s of virtual time"},
		{"model verify --time 3s --models " + models, gateway, "\n4 firmware files: none violates the models in "},
		{"model verify --time 3s --models " + models, gateway, "\n  left out: other runs: this was one"},
		{"model verify --time 10s --models " + models, gateway, "\nviolated: by 2 of 4 firmware files\n"},
	} {
		status := exitFine
		if strings.Contains(c.want, "violated") {
			status = exitFound
		}
		if r := motehound(t, append(strings.Fields(c.command), c.scene)...); r.status != status || !strings.Contains(r.stdout, c.want) {
			t.Errorf("%s: exit status %d, without %q:\n%s%s", c.command, r.status, c.want, r.stdout, r.stderr)
		}
	}
}

// TestCauseFirst wants the cause first, and what comes of it behind it. A working register that is spoiled through a null pointer gets back what it had, and the mote goes on.
func TestCauseFirst(t *testing.T) {
	t.Parallel()
	for access, want := range map[string][]string{
		"behind = where[3];":                    {"memory: null", "kernel: endless"},
		"where[3] = 1;":                         {"memory: null", "kernel: endless"},
		"where[40] = 1;":                        {"memory: null", "kernel: endless"},
		"where[1] = 7; behind = 0; if (behind)": {"memory: null"}, // r1 is 0 for the compiler
	} {
		dir := t.TempDir()
		source, elf := filepath.Join(dir, "null.c"), filepath.Join(dir, "null.elf")
		text := fmt.Sprintf(`
#include <avr/interrupt.h>
#include <avr/sleep.h>
volatile uint8_t *volatile where;
volatile uint8_t behind;
ISR(TIMER0_COMP_vect) { %s for (;;) ; }
int main(void) { OCR0 = 100; TCCR0 = 7; TIMSK = 1 << OCIE0; sei(); for (;;) sleep_mode(); }
`, access)
		if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-o", elf, source).CombinedOutput(); err != nil {
			t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
		}
		r := motehound(t, "check", "--json", "--budget", "0", "--board", "micaz", "--nodes", "2", "--first-id", "70", elf)
		var d document.Checked
		if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != exitFound {
			t.Fatalf("%s exit status %d, %v\n%s%s", access, r.status, err, r.stdout, r.stderr)
		}
		var found []string
		for i, f := range d.Findings {
			found = append(found, f.Property)
			if f.With != i || f.Mote < 70 {
				t.Errorf("%s %s comes with %d, on mote %d", access, f.Property, f.With, f.Mote)
			}
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s found %q", access, found)
		}
		if !strings.Contains(r.stderr, "on mote 7") || strings.Contains(r.stderr, "on mote 0") {
			t.Errorf("motes are named by their places:\n%s", r.stderr)
		}
	}
}
