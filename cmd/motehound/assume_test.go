package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"motehound/job/document"
)

// Bytes that are assumed not to come find nothing, also if the scenario's own value is one of them.
func TestAssume(t *testing.T) {
	t.Parallel()
	elf := lines(t, "atmega328p")
	scenario := func(more string) string {
		return write(t, "a.star", fmt.Sprintf(`network(motes = [mote(board = "uno", firmware = %q)])
run(time = "20ms")
serial(mote = 0, at = "5ms", data = [0x7E, 9, 1, 1, 1, 1, 1, 1])
symbolic_serial(mote = 0, offset = 1, length = 1, name = "length")
%s
`, elf, more))
	}
	for _, tt := range []struct {
		more     string
		violated bool
	}{
		{``, true},
		{`assume("length", lambda b: b <= 4)`, false},
		{`assume("length", lambda b: b <= 5, byte = 0)`, true},
		{`assume("length", lambda b: b in [1, 3, 4, 200]); assume("length", lambda b: b < 100)`, false},
	} {
		r := motehound(t, "symbolic", "--json", scenario(tt.more))
		doc := new(document.Symbolic)
		if err := json.Unmarshal([]byte(r.stdout), doc); err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		if got := doc.Verdict == document.Violated; got != tt.violated {
			t.Errorf("%s: %s", tt.more, doc.Verdict)
		}
	}
	for more, want := range map[string]string{
		`assume("length", lambda b: False)`:                                            "no value of a byte is of interest",
		`assume("size", lambda b: True)`:                                               "no symbolic input \"size\"",
		`assume("length", lambda b: b, byte = 1)`:                                      "there is no byte 1",
		`assume("length", lambda b: "yes")`:                                            "return True or False",
		`symbolic_sensor(mote = 0, channel = 0, name = "s"); assume("s", lambda b: b)`: "is no row of bytes",
	} {
		if r := motehound(t, "symbolic", scenario(more)); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d, %s", more, r.status, r.stderr)
		}
	}
}
