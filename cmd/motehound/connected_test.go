package main

import (
	"fmt"
	"strings"
	"testing"
)

// A sensor reaches the analog comparator through the multiplexer, at the moments at which it changes.
func TestComparatorSensor(t *testing.T) {
	t.Parallel()
	elf := compiled(t, "comparator.c", "atmega328p")
	for _, tt := range []struct {
		sensor         string
		changes, above string
	}{
		{`value = 100`, "1", "0"}, // the output rises when the comparator is switched on
		{`value = 400`, "0", "0"},
		{`values = steps([100, 400, 100, 400], every = "100ms")`, "4", "1"},
		{`values = ramp(0, 1023, "1s")`, "2", "1"},
	} {
		file := write(t, "a.star", fmt.Sprintf(`network(motes = [mote(board = "uno", firmware = %q)])
run(time = "1s")
sensor(mote = 0, channel = 0, %s)
`, elf, tt.sensor))
		out := t.TempDir()
		doc := runJSON(t, "--var", "changes", "--var", "above", "--out", out, file)
		if doc.Vars[0].Text != tt.changes || doc.Vars[1].Text != tt.above {
			t.Errorf("%s: changes %s, above %s; want %s, %s", tt.sensor, doc.Vars[0].Text, doc.Vars[1].Text, tt.changes, tt.above)
		}
		replays(t, out)
	}
}

// A USART that is wired to itself receives what it sends.
func TestOwnWire(t *testing.T) {
	t.Parallel()
	file := write(t, "a.star", fmt.Sprintf(`network(motes = [mote(board = "uno", firmware = %q)])
wire(0, 0)
run(time = "100ms")
always("two at most", each(lambda n: n.var("came") <= 2))
`, compiled(t, "loop.c", "atmega328p")))
	r := motehound(t, "run", "--json", "--var", "last", "--var", "came", file)
	if doc := r.report(t); doc.Vars[0].Text != "101" || doc.Vars[1].Text != "5" || doc.Motes[0].UART["0"] != "abcde" || r.status != exitFound {
		t.Errorf("got %+v, sent %q", doc.Vars, doc.Motes[0].UART)
	}
	if r := motehound(t, "check", "--mode", "search", file); !strings.Contains(r.stdout, "characters that wait in the transmitter") || strings.HasPrefix(r.stdout, "holds") {
		t.Errorf("check: %s", r.stdout)
	}
	if r := motehound(t, "symbolic", file); r.status != exitUsage || !strings.Contains(r.stderr, "wired to itself") {
		t.Errorf("symbolic: exit status %d, %s", r.status, r.stderr)
	}
}
