package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A race is told with what became of the wrong value and with a repair, again when it is replayed; or not at all if it is benign.
func TestRaceIsTold(t *testing.T) {
	out := t.TempDir()
	search := strings.Fields("check --mode search --depth 4 --budget 0 --no-memory -q example:ring --serial-in hello")
	for _, c := range []struct {
		status int
		want   []string
		args   []string
	}{
		{exitFound, []string{"the wrong value is used at ring.c:34", "make atomic: ring.c:42 (", "proven: then no order", "waits longer than 5 cycles"}, append(search, "--out", out)},
		{exitFine, []string{"the wrong value is used at ring.c:34", "make atomic: ring.c:42 ("}, []string{"replay", filepath.Join(out, "finding-1.json")}},
		{exitFine, []string{"left out: races of count: it is said to be benign"}, append(search, "--benign", "count")},
		{exitUsage, []string{"no variable counts in", "did you mean count?"}, append(search, "--benign", "counts")},
	} {
		r := motehound(t, c.args...)
		if r.status != c.status {
			t.Errorf("%v: exit status %d", c.args, r.status)
		}
		for _, want := range c.want {
			if !strings.Contains(r.stdout+r.stderr, want) {
				t.Errorf("%v: no %q in\n%s%s", c.args, want, r.stdout, r.stderr)
			}
		}
	}
}
