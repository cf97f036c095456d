package main

import (
	"encoding/json"
	"strings"
	"testing"

	"motehound/job/document"
)

// A hunt prints each finding with what happens, where, who saw it and how to see it again; and the next one knows it.
func TestHunt(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("hunt --budget 0 --total 1000 --threads 1 --engine run example:novolatile")
	first := motehound(t, args...)
	if first.status != exitFound {
		t.Fatalf("exit status %d\n%s%s", first.status, first.stdout, first.stderr)
	}
	for _, want := range []string{
		"1. violation: The mote waits for ever, in main (examples/novolatile/novolatile.c:31): ",
		"   severity high, confidence certain: the mote does nothing else any more; it was replayed\n",
		"   seen by run; first by run of 1 mote, after ",
		"   to see it again: motehound replay .motehound/findings/",
		"violated: 1 violation\n", "exercised: ", "inputs: 0 made up; ",
	} {
		if !strings.Contains(first.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, first.stdout)
		}
	}
	_, command, _ := strings.Cut(first.stdout, "to see it again: motehound ")
	line, _, _ := strings.Cut(command, "\n")
	if again := motehound(t, strings.Fields(line)...); again.status == exitUsage || !strings.Contains(again.stdout, "wait: read_once") {
		t.Errorf("exit status %d\n%s%s", again.status, again.stdout, again.stderr)
	}
	second := motehound(t, append(args, "--json")...)
	var d document.Hunted
	if err := json.Unmarshal([]byte(second.stdout), &d); err != nil || second.status != exitFound {
		t.Fatalf("exit status %d: %v", second.status, err)
	}
	if len(d.Findings) != 1 || d.Findings[0].State != "confirmed" || len(d.Changes.Still) != 1 {
		t.Errorf("%+v", d.Changes)
	}
	if fixed := motehound(t, strings.Fields("hunt --quiet --budget 0 --total 1000 --threads 1 --engine run example:novolatile_fixed")...); fixed.status != exitFine {
		t.Errorf("exit status %d\n%s%s", fixed.status, fixed.stdout, fixed.stderr)
	}
}
