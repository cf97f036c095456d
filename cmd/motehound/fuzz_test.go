package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"motehound/job/document"
)

// fuzzed is what fuzz says of a firmware.
func fuzzed(t *testing.T, args ...string) document.Fuzzed {
	t.Helper()
	r := motehound(t, append([]string{"fuzz", "--json", "--budget", "0"}, args...)...)
	var d document.Fuzzed
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, r.stdout, r.stderr)
	}
	if want := map[bool]int{true: exitFound, false: exitFine}[d.Verdict == document.Violated]; r.status != want {
		t.Errorf("%v: exit status %d with the verdict %s", args, r.status, d.Verdict)
	}
	return d
}

// Fuzz finds out where the firmware listens, makes up what breaks it, with nothing in it that does not matter, and keeps a recipe that replays.
func TestFuzzFinds(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	d := fuzzed(t, "--total", "100000", "--out", out, "example:overrun")
	if d.Verdict != document.Violated || len(d.Findings) != 1 || len(d.Listens) != 1 || !strings.Contains(d.Listens[0], "serial line 0") {
		t.Fatalf("verdict %s, %d findings, listens %q", d.Verdict, len(d.Findings), d.Listens)
	}
	f := d.Findings[0]
	if !f.Minimal || f.Minimised != 18 || len(f.Inputs) != 1 || strings.Count(f.Inputs[0], " 00") != 17 {
		t.Errorf("%d events, minimal %t, inputs %q", f.Minimised, f.Minimal, f.Inputs)
	}
	if r := motehound(t, "replay", filepath.Join(out, "finding-1.json")); r.status != exitFine {
		t.Errorf("replay: %s%s", r.stdout, r.stderr)
	}
	if d := fuzzed(t, "--total", "100000", "example:overrun_fixed"); d.Verdict != document.Unknown || len(d.Findings) > 0 || d.Inputs < 100 {
		t.Errorf("without the bug: verdict %s, %d findings after %d inputs", d.Verdict, len(d.Findings), d.Inputs)
	}
}

// The number of threads makes no difference, another seed does.
func TestFuzzIsDeterministic(t *testing.T) {
	t.Parallel()
	trace := func(args ...string) string {
		d := fuzzed(t, append(args, "--total", "30000", "--all", "example:overrun")...)
		var all []string
		for _, f := range d.Findings {
			all = append(all, f.Property, f.Detail, strings.Join(f.Inputs, ";"), strings.Join(f.Trace, ";"))
		}
		return strings.Join(all, "\n")
	}
	one := trace("--threads", "1")
	if two := trace("--threads", "3"); one != two || one == "" {
		t.Errorf("one thread:\n%s\nthree:\n%s", one, two)
	}
}
