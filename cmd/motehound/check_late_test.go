package main

import (
	"slices"
	"strings"
	"testing"

	"motehound/job/document"
)

// What needs something to wait longer than hardware makes it is told, with what that is, and is a violation only with --any-order.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	args := []string{"--mode", "walk", "--walks", "2", "--budget", "0", "--seed", "5", readingsScenario}
	d := checkJSON(t, exitFine, args...)
	if d.Verdict != "unknown" || len(d.Findings) != 1 || !slices.ContainsFunc(d.LeftOut, func(s string) bool { return strings.Contains(s, "--any-order") }) {
		t.Fatalf("%+v", d)
	}
	f := d.Findings[0]
	if f.Property != "memory: bounds" || f.Counts || f.Suspected {
		t.Errorf("%+v", f)
	}
	// The timer has to fire again before the ADC has answered, or before a task has taken the answer.
	i := slices.IndexFunc(f.Needs, func(n document.Late) bool {
		return (n.What == "interrupt ADC" || n.What == "next task") && n.Mote == f.Mote
	})
	if i < 0 || f.Needs[i].Late < 0.05 {
		t.Errorf("it needs %+v", f.Needs)
	}
	for _, n := range f.Needs {
		if n.Over() <= 0 {
			t.Errorf("it needs %+v, which hardware can do", n)
		}
	}
	any := checkJSON(t, exitFound, append([]string{"--any-order"}, args...)...)
	if any.Verdict != "violated" || len(any.Findings) != 1 || !any.Findings[0].Counts || len(any.Findings[0].Needs) == 0 {
		t.Errorf("with --any-order: %+v", any)
	}
}
