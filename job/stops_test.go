package job

import (
	"context"
	"strings"
	"testing"
	"time"

	"motehound/job/document"
)

// stops are the examples in plain C that wait for ever or destroy their variables: what check and run must say of them, with the input that
// a user would give.
var stops = []struct {
	name, input string
	kind        string
	function    string
	file        string
	line        int
	says        []string
}{
	{"novolatile", `hello\n`, "wait: read_once", "main", "examples/novolatile/novolatile.c", 31,
		[]string{"waits for lineEnded for ever", "read once at examples/novolatile/novolatile.c:31", "USART_RX writes it at examples/novolatile/novolatile.c:17", "volatile"}},
	{"masked", `f`, "wait: interrupts_off", "pause", "examples/masked/masked.c", 18,
		[]string{"waits for ticks for ever", "interrupts off since examples/masked/masked.c:24", "TIMER0_OVF writes it at examples/masked/masked.c:12"}},
	{"recursion", strings.Repeat("(", 90) + `\n`, "memory: stack", "expression", "examples/recursion/recursion.c", 23,
		[]string{"the stack grew into variables (line)", "expression is active", "by calls at examples/recursion/recursion.c:33"}},
	{"overrun", `\x20` + strings.Repeat("m", 32), "memory: bounds", "__vector_18", "examples/overrun/overrun.c", 27,
		[]string{"buffer[16] writes messages"}},
}

// stopsBudget is how many events a check may fire until it has found one of them.
const stopsBudget = 60_000

func checkStops(t *testing.T, name, input string, seed, events uint64) *document.Checked {
	t.Helper()
	f := NewCheck("example:" + name)
	f.SerialIn, f.Seed, f.Total, f.Threads, f.Budget = []string{input}, &seed, events, 1, 0
	r, err := f.Do(context.Background(), Host{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Document
}

// Each is found, by its kind, at its line, with the variables that it is about, whatever the seed.
func TestCheckFindsStops(t *testing.T) {
	t.Parallel()
	for _, x := range stops {
		for seed := range uint64(3) {
			d := checkStops(t, x.name, x.input, seed+1, stopsBudget)
			if len(d.Findings) != 1 || d.Explored.Events > stopsBudget {
				t.Errorf("%s, seed %d: %d findings in %d events", x.name, seed+1, len(d.Findings), d.Explored.Events)
				continue
			}
			f := d.Findings[0]
			if f.Property != x.kind || f.Function != x.function || f.File != x.file || f.Line != x.line {
				t.Errorf("%s, seed %d: %s in %s at %s:%d", x.name, seed+1, f.Property, f.Function, f.File, f.Line)
			}
			for _, text := range x.says {
				if !strings.Contains(f.Detail, text) {
					t.Errorf("%s: %q does not say %q", x.name, f.Detail, text)
				}
			}
		}
	}
}

// In the fixed builds there is nothing, with several times as many events.
func TestCheckStopsFixed(t *testing.T) {
	t.Parallel()
	for _, x := range stops {
		if d := checkStops(t, x.name+"_fixed", x.input, 1, 150_000); len(d.Findings) > 0 || d.Verdict == "violated" {
			t.Errorf("%s: %s, %+v", x.name, d.Verdict, d.Findings)
		}
	}
}

// A plain run says the same, and nothing of the fixed builds.
func TestRunFindsStops(t *testing.T) {
	t.Parallel()
	for _, x := range stops {
		for _, build := range []string{"", "_fixed"} {
			f := Run{World: NewWorld(), File: "example:" + x.name + build}
			span := 2 * time.Second
			f.SerialIn, f.Time = []string{x.input}, &span
			r, err := f.Do(context.Background(), Host{})
			if err != nil {
				t.Fatal(err)
			}
			list := r.Document.Findings
			switch {
			case build == "" && len(list) == 0:
				t.Errorf("%s: nothing is found", x.name)
			case build == "" && (list[0].Property != x.kind || list[0].Function != x.function || list[0].Line != x.line):
				t.Errorf("%s: %+v", x.name, list[0])
			case build != "" && len(list) > 0:
				t.Errorf("%s%s: %+v", x.name, build, list)
			}
		}
	}
}
