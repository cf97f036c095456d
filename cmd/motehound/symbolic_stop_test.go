package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"motehound/study/verdict"
)

// fakeZ3 is a folder with a program in z3's place.
func fakeZ3(t *testing.T, script string) (path string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "z3"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

// A solver that does not answer, or not as it should, holds up nothing: the budget is kept, and the verdict says what is not known.
func TestSymbolicSolverFails(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"hangs", "exec tail -f /dev/null", "the solver was stopped"},
		{"hangs with a child", "tail -f /dev/null", "the solver was stopped"},
		{"says nonsense", "exec yes maybe", `unexpected answer "maybe"`},
		{"says too much", "exec tr '\\0' x < /dev/zero", "longer than"},
		{"ends", "exit 1", "it ended"},
		{"knows no model", "while read line; do case $line in *check-sat*) echo sat;; *get-value*) echo '((x 1))';; esac; done", "values asked for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, "symbolic", "--json", "--budget", "3s", "--solver", "z3", tinytcp(t, "port", "", ""))
			cmd.Env = append(cmd.Env, "PATH="+fakeZ3(t, c.script))
			r := finish(t, cmd)
			var d judged
			if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != exitFine || d.Verdict != verdict.Unknown {
				t.Fatalf("exit status %d, %v, %s\n%s%s", r.status, err, d.Verdict, r.stdout, r.stderr)
			}
			if !slices.ContainsFunc(d.LeftOut, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("left out %q, want %q", d.LeftOut, c.want)
			}
		})
	}
}

// Ctrl-C ends the wait for a solver that hangs.
func TestSymbolicSolverInterrupted(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	if err := syscall.Mkfifo(asked, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fakeZ3(t, "echo > '"+asked+"'; exec tail -f /dev/null"))
	s := start(t, "symbolic", "--json", "--budget", "0", "--solver", "z3", tinytcp(t, "port", "", ""))
	if _, err := os.ReadFile(asked); err != nil { // waits until the program runs
		t.Fatal(err)
	}
	r := s.interrupt()
	var d judged
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != exitStopped || d.Verdict != verdict.Unknown || !slices.Contains(d.LeftOut, verdict.Interrupted) {
		t.Errorf("exit status %d, %v, %s, left out %q\n%s", r.status, err, d.Verdict, d.LeftOut, r.stderr)
	}
}
