package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/job/findings"
)

// keptFinding makes a store with a finding, and gives its key.
func keptFinding(t *testing.T, folder string) string {
	t.Helper()
	s, err := findings.Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Begin(findings.Hunt{Subject: "app.elf", Firmware: "0123456789abcdef", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Saw(h, findings.Finding{Grade: findings.Race, Severity: findings.High, Confidence: findings.Certain, Why: "it was replayed", Title: "count is wrong\x1b[31m", Property: "race: lost update of count",
		Kind: "safety", Function: "main", Variable: "count", File: "ring.c", Line: 42, Engines: []string{"check"}, Last: findings.Sight{Spent: 12345}})
	if err != nil {
		t.Fatal(err)
	}
	return f.Key
}

// What the commands say and with which status.
func TestFindingsCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	if r := motehound(t, "findings", "list"); r.status != exitUsage || !strings.Contains(r.stderr, "motehound hunt makes them") {
		t.Errorf("without a store: exit status %d\n%s", r.status, r.stderr)
	}
	key := keptFinding(t, findings.Folder)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"list", exitFine, key + "  new        high    race: count is wrong [31m\n1 finding: 1 new\n"},
		{"list --state fixed", exitFine, "1 finding: 1 new\n"},
		{"list --state odd", exitUsage, "choose one of open, all, new"},
		{"show " + key[:6], exitFine, "  first         hunt 1, firmware 0123456789ab, after 12,345 events\n"},
		{"show zz", exitUsage, "has no finding zz"},
		{"show", exitUsage, "give a key"},
		{"dismiss " + key, exitUsage, "say with --reason"},
		{"dismiss --undo " + key, exitUsage, "is not dismissed"},
		{"dismiss --reason debugging " + key, exitFine, "dismissed: debugging"},
		{"list", exitFine, "1 finding: 1 dismissed\n"},
		{"list --state all", exitFine, key},
		{"export --format html", exitUsage, "choose one of sarif, junit, github, markdown, json"},
		{"export --format markdown", exitFine, "0 known, 1 dismissed, 0 hints."},
		{"export --format json --output base.json", exitFine, ""},
		{"dismiss --undo " + key, exitFine, "confirmed"},
		{"export --format github", exitFine, "::error file=ring.c,line=42,"},
		{"export --format github --baseline base.json", exitFine, "::warning file=ring.c,line=42,"},
		{"export --format github --baseline missing.json", exitUsage, "--baseline"},
	} {
		r := motehound(t, append([]string{"findings"}, strings.Fields(c.args)...)...)
		if r.status != c.status || !strings.Contains(r.stdout+r.stderr, c.want) {
			t.Errorf("%s: exit status %d, want %d and %q in\n%s%s", c.args, r.status, c.status, c.want, r.stdout, r.stderr)
		}
	}
	if list, _ := completed(t, "findings", "show", key[:3]); len(list) != 1 || list[0] != key {
		t.Errorf("completed: %v", list)
	}
	s, err := findings.Open(findings.Folder)
	if err != nil {
		t.Fatal(err)
	}
	if r := motehound(t, "findings", "list"); r.status != exitUsage || !strings.Contains(r.stderr, "is in use by process") {
		t.Errorf("in use: exit status %d\n%s", r.status, r.stderr)
	}
	s.Close()
	if err := os.WriteFile(filepath.Join(findings.Folder, "store.db"), []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := motehound(t, "findings", "list"); r.status != exitFine || !strings.Contains(r.stderr, "note: the store was damaged") || !strings.Contains(r.stderr, "store.db.damaged-1") {
		t.Errorf("damaged: exit status %d\n%s", r.status, r.stderr)
	}
}
