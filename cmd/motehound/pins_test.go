package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"motehound/job/document"
)

// A button of a scenario moves a pin: as often as its contact bounces, and in check whenever that can happen.
func TestButton(t *testing.T) {
	t.Parallel()
	elf := compiled(t, "button.c", "atmega328p")
	scenario := func(input string) string {
		return write(t, "a.star", fmt.Sprintf(`network(motes = [mote(board = "uno", firmware = %q)])
run(time = "2s")
always("one press at most", each(lambda n: n.var("presses") <= 1))
%s
`, elf, input))
	}
	for _, tt := range []struct {
		input string
		want  string
	}{
		{`button(mote = 0, pin = "PD2", at = "1s")`, "1"},
		{`button(mote = 0, pin = "PD2", at = "1s", bounces = 3)`, "7"}, // four times low when it closes, three times when it opens
		{`button(mote = 0, pin = "PD2", at = "1s", active = "high")`, "1"},
		{`pin(mote = 0, pin = "PD2", level = "high")
pin(mote = 0, pin = "PD2", level = "low", at = "500ms")
pin(mote = 0, pin = "PD2", level = "high", at = "600ms")
pin(mote = 0, pin = "PD2", level = "low", at = "700ms")`, "2"},
		{`pin(mote = 0, pin = "PD3", level = "low", at = "1s")`, "0"},
	} {
		out := t.TempDir()
		file := scenario(tt.input)
		r := motehound(t, "run", "--json", "--var", "presses", "--out", out, file)
		doc := r.report(t)
		if got := doc.Vars[0].Text; got != tt.want || (got > "1") != (r.status == exitFound) {
			t.Errorf("%s: %s presses, want %s; exit status %d", tt.input, got, tt.want, r.status)
		}
		replays(t, out)
		c := motehound(t, "check", "--json", "--mode", "search", "--depth", "12", file)
		found := new(document.Checked)
		if err := json.Unmarshal([]byte(c.stdout), found); err != nil {
			t.Fatalf("%v\n%s", err, c.stderr)
		}
		if got := found.Verdict == document.Violated; got != (tt.want > "1") {
			t.Errorf("check: %s: %s, want violated %v: %s", tt.input, found.Verdict, tt.want > "1", found.LeftOut)
		}
	}
	for input, want := range map[string]string{
		`pin(mote = 0, pin = "D2", level = "low")`:                  "such as PD2",
		`pin(mote = 0, pin = "PC7", level = "low")`:                 "no such pad",
		`pin(mote = 0, pin = "PD2", level = "medium")`:              "choose one of open, low, high",
		`button(mote = 0, pin = "PD2", at = "1s", hold = "1ms")`:    "is held for",
		`button(mote = 0, pin = "PD2", at = "1s", active = "yes")`:  "makes its pin low, or high",
		`button(mote = 0, pin = "PD2", at = "1s", bounces = 10000)`: "give 0 to 1000",
	} {
		if r := motehound(t, "run", scenario(input)); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d, %s", input, r.status, r.stderr)
		}
	}
}
