package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The life of a mote, on the terminal and in files; watching changes nothing.
func TestLifecycle(t *testing.T) {
	plain := runJSON(t, "example:blink-micaz", "--time", "300ms")
	text := filepath.Join(t.TempDir(), "life.txt")
	if doc := runJSON(t, "example:blink-micaz", "--time", "300ms", "--lifecycle", text); doc.Hash != plain.Hash {
		t.Error("watched, it ends in another state")
	}
	got, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(got)), "\n")
	if lines[0] != "0.000000000 s mote 1 reset, cycle 0" {
		t.Errorf("the first line is %q", lines[0])
	}
	for _, want := range []string{" mote 1 int TIMER0_COMP, cycle ", " mote 1 post VirtualizeTimerC.updateFromTimer, cycle "} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no line with %q in\n%s", want, got)
		}
	}

	shown := motehound(t, "run", "example:blink-micaz", "--time", "300ms", "--lifecycle", "-")
	if shown.status != 0 || !strings.HasPrefix(shown.stdout, string(got)) || !strings.Contains(shown.stderr, "kernel TinyOS 2: ") {
		t.Errorf("status %d, on the terminal\n%s\n%s", shown.status, shown.stdout, shown.stderr)
	}

	asJSON := filepath.Join(t.TempDir(), "life.jsonl")
	runJSON(t, "example:blink-micaz", "--time", "300ms", "--lifecycle", asJSON)
	got, err = os.ReadFile(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	records := strings.Split(strings.TrimSpace(string(got)), "\n")
	if len(records) != len(lines) {
		t.Errorf("%d lines of text, %d of JSON", len(lines), len(records))
	}
	for _, r := range records {
		var x map[string]any
		if err := json.Unmarshal([]byte(r), &x); err != nil || x["mote"] != 1.0 || x["kind"] == "" {
			t.Errorf("%s: %v", r, err)
		}
	}
}

func TestLifecycleErrors(t *testing.T) {
	kernel := filepath.Join(t.TempDir(), "kernel.json")
	if err := os.WriteFile(kernel, []byte(`{"post": [{"at": "nowhere", "task": "r24"}], "run": [{"at": "main", "task": "r24"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--kernel", kernel}, "only --lifecycle uses it"},
		{[]string{"--kernel", kernel, "--lifecycle", "-"}, `no function "nowhere"`},
		{[]string{"--kernel", "missing.json", "--lifecycle", "-"}, "missing.json"},
		{[]string{"--lifecycle", filepath.Join("missing", "life.txt")}, "life.txt"},
	} {
		r := motehound(t, append([]string{"run", "example:blink-micaz", "--time", "1ms"}, c.args...)...)
		if r.status != 2 || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d, %s; want 2 and %q", c.args, r.status, r.stderr, c.want)
		}
	}
}
