package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
)

// debug has avr-gdb do some commands in a motehound that waits for it, and gives what it printed.
func (s *started) debug(commands ...string) string {
	s.t.Helper()
	addr := strings.TrimSuffix(s.await("target remote "), "'")
	args := []string{"-nx", "-batch", "-ex", "set width 0", "-ex", "set schedule-multiple on", "-ex", "target remote " + addr}
	for _, c := range commands {
		args = append(args, "-ex", c)
	}
	out, err := need.Command(s.t, "avr-gdb", args...).CombinedOutput()
	if err != nil {
		s.t.Errorf("avr-gdb: %v\n%s", err, out)
	}
	return string(out)
}

// A run that was debugged, forwards and backwards, ends as one that was not.
func TestRunGDB(t *testing.T) {
	t.Parallel()
	need.Tools(t, "avr-gdb")
	args := []string{"run", "--json", "--nodes", "3", "--time", "1s", "example:counter-micaz"}
	plain := motehound(t, args...).report(t)
	s := start(t, append(args, "--gdb", "0")...)
	said := s.debug("break CounterC__Timer__fired", "continue", "stepi", "reverse-stepi", "continue", "reverse-continue", "monitor goto end", "monitor hash", "monitor quit")
	if !strings.Contains(said, "CounterC__Timer__fired () at counter/counter.c") || !strings.Contains(said, "\n"+plain.Hash+"\n") {
		t.Errorf("gdb does not end in %s:\n%s", plain.Hash, said)
	}
	if r := s.wait(); r.status != exitFine || r.report(t).Hash != plain.Hash {
		t.Errorf("exit status %d, hash %s instead of %s\n%s", r.status, r.report(t).Hash, plain.Hash, r.stderr)
	}
}

// A recipe is the same run after debugging; gdb that is killed, or a motehound that is interrupted, does no harm.
func TestReplayGDB(t *testing.T) {
	t.Parallel()
	need.Tools(t, "avr-gdb")
	_, out := keep(t)
	recipe := filepath.Join(out, "recipe.json")
	s := start(t, "replay", "--gdb", "127.0.0.1:0", recipe)
	said := s.debug("tbreak main", "continue", "set var TOS_NODE_ID = 7", "print TOS_NODE_ID", "monitor quit")
	if !strings.Contains(said, "main () at kernel/main.c") || !strings.Contains(said, "Cannot access memory") || strings.Contains(said, "= 7\n") {
		t.Errorf("gdb says\n%s", said)
	}
	if r := s.wait(); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	s = start(t, "replay", "--gdb", "0", recipe)
	s.debug("kill")
	s.await("waits for the next one")
	if r := s.interrupt(); r.status == exitInternal || strings.Contains(r.stderr, "panic") {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
}

// A finding of check has no common clock, and gdb goes to and fro in its events.
func TestExploredGDB(t *testing.T) {
	t.Parallel()
	need.Tools(t, "avr-gdb")
	out := filepath.Join(t.TempDir(), "race")
	motehound(t, strings.Fields("check --quiet --budget 0 --walks 1 --events 1000 --threads 1 --serial-in hello --out "+out+" example:ring")...)
	s := start(t, "replay", "--gdb", "0", filepath.Join(out, "finding-1.json"))
	said := s.debug("monitor finding", "maintenance flush register-cache", "watch count", "reverse-continue", "monitor time", "reverse-continue", "monitor time", "monitor quit")
	rest := said
	for _, want := range []string{"race: lost update of count", "Old value = 1", "New value = 0", "__vector_18 () at ring/ring.c:19", "in event 1, of 2", "No more reverse-execution history",
		"before event 1, of 2"} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("gdb does not print %q there:\n%s", want, said)
		}
		rest = after
	}
	if r := s.wait(); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// What docs/debugging.md shows of gdb is what it prints.
func TestDocumentedGDB(t *testing.T) {
	t.Parallel()
	need.Tools(t, "avr-gdb")
	text, err := os.ReadFile("../../docs/debugging.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## With gdb\n")
	_, first, _ := strings.Cut(section, "```\n")
	first, _, _ = strings.Cut(first, "\n")
	_, script, _ := strings.Cut(section, "```gdb\n")
	script, _, _ = strings.Cut(script, "```")
	call := strings.Fields(first)
	call[slices.Index(call, "--gdb")+1] = "0"
	var commands, shown []string
	for line := range strings.Lines(script) {
		if c, ok := strings.CutPrefix(strings.TrimSpace(line), "(gdb) "); ok {
			commands = append(commands, c)
		} else {
			shown = append(shown, strings.TrimSpace(line))
		}
	}
	s := start(t, call[1:]...)
	said := s.debug(commands...)
	rest := said
	for _, line := range shown {
		_, after, ok := strings.Cut(rest, line)
		if !ok {
			t.Fatalf("gdb does not print %q there:\n%s", line, said)
		}
		rest = after
	}
	if r := s.wait(); r.status == exitInternal {
		t.Errorf("exit status %d\n%s", r.status, r.stderr)
	}
	if len(commands) < 8 || len(shown) < 8 {
		t.Errorf("the document is not understood: %q %q", commands, shown)
	}
}

// What Visual Studio Code asks of gdb: its machine interface says that the target goes backwards, and it does.
func TestGDBMachineInterface(t *testing.T) {
	t.Parallel()
	s := start(t, "run", "--gdb", "0", "--time", "100ms", "example:blink-micaz")
	addr := strings.TrimSuffix(s.await("target remote "), "'")
	c := need.Command(t, "avr-gdb", "-nx", "--interpreter=mi2")
	c.Stdin = strings.NewReader("1-gdb-set schedule-multiple on\n2-target-select remote " + addr + "\n3-list-target-features\n4-break-insert main\n5-exec-continue\n" +
		"6-thread-info\n7-stack-list-frames\n8-exec-step-instruction --reverse\n9-gdb-exit\n")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	rest := string(out)
	for _, want := range []string{"1^done", "2^connected", `3^done,features=["reverse"]`, "4^done,bkpt=", "5^running", `name="mote 1 (example:blink-micaz)"`,
		"8^running", `reason="end-stepping-range",frame={addr="0x000000c2"`} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %s in\n%s", want, out)
		}
		rest = after
	}
	s.interrupt()
}

func TestGDBFlags(t *testing.T) {
	t.Parallel()
	for _, x := range [][]string{
		{"--gdb-anyone", "--gdb", "0.0.0.0:0"},
		{"write --gdb [HOST:]PORT", "--gdb", "1:2:3"},
		{"only --gdb listens", "--gdb-anyone"},
		{"use replay --gdb", "--gdb", "0", "--serial", "pty"},
	} {
		r := motehound(t, append(append([]string{"run"}, x[1:]...), "example:blink-micaz")...)
		if r.status != exitUsage || !strings.Contains(r.stderr, x[0]) {
			t.Errorf("%v: exit status %d\n%s", x[1:], r.status, r.stderr)
		}
	}
}
