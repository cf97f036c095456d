package main

import (
	"slices"
	"strings"
	"testing"
)

// A button is pressed when it is said: the firmware saves where its pen is then.
func TestButtonFlag(t *testing.T) {
	saved := func(flags ...string) any {
		doc := runJSON(t, append(flags, "--time", "1500ms", "--var", "saved.x", "example:button")...)
		return doc.Vars[0].Value
	}
	early, late, never := saved("--button", "PD2@100ms"), saved("--button", "pd2"), saved("--button", "PD3")
	if early == 0.0 || late == 0.0 || early == late || never != 0.0 {
		t.Errorf("saved after 100 ms %v, after a second %v, with another button %v", early, late, never)
	}
	for _, c := range [][]string{
		{"such as PD2", "run", "--button", "2", "example:button"},
		{"PD2@500ms", "run", "--button", "PD2@soon", "example:button"},
		{"has no pin PE4", "check", "--button", "PE4", "example:button"},
		{"the scenario sets that", "run", "--button", "PD2", "../../examples/readings/readings.star"},
	} {
		if r := motehound(t, c[1:]...); r.status != exitUsage || !strings.Contains(r.stderr, c[0]) {
			t.Errorf("%v: exit status %d\n%s", c[1:], r.status, r.stderr)
		}
	}
}

// A pin that a firmware waits for, and nobody changes, is left out.
func TestUnpressed(t *testing.T) {
	scene := []string{"--budget", "0", "--mode", "search", "--depth", "2", "example:button_fixed"}
	waits := func(flags ...string) bool {
		d := checkJSON(t, exitFine, append(scene, flags...)...)
		return slices.ContainsFunc(d.LeftOut, func(x string) bool { return strings.Contains(x, "INT0 on pin PD2") })
	}
	if !waits() || !waits("--button", "PD3") || waits("--button", "PD2") {
		t.Errorf("INT0 is left out: without a button %v, with another one %v, with its own %v", waits(), waits("--button", "PD3"), waits("--button", "PD2"))
	}
}
