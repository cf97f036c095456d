package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"motehound/examples"
	"motehound/job/document"
)

// campaignArgs is a campaign of some small items, about a firmware file of its own.
func campaignArgs(store string, more ...string) []string {
	return append([]string{"campaign", "start", "check", "--json", "--store", store, "--mode", "walk", "--walks", "60", "--item-walks", "1", "--events", "50", "--shorten", "2000",
		"--serial-in", "hello", "app.elf"}, more...)
}

// A campaign whose command is killed goes on when it is started again, and its workers do not stay behind.
func TestCampaignKilled(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f, ok := examples.Find("ring", "uno")
	if !ok {
		t.Fatal("there is no ring")
	}
	if err := os.WriteFile("app.elf", f.ELF(), 0o644); err != nil {
		t.Fatal(err)
	}
	straight := motehound(t, campaignArgs("a", "--workers", "1", "--out", "kept")...)
	if straight.status != exitFound || !strings.Contains(straight.stdout, "lost update of count") {
		t.Fatalf("exit status %d\n%s%s", straight.status, straight.stdout, straight.stderr)
	}
	if r := motehound(t, "replay", filepath.Join("kept", "finding-1.json")); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	c := command(t, campaignArgs("b", "--workers", "2", "--metrics", "127.0.0.1:0")...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for done := 0; done < 3; time.Sleep(50 * time.Millisecond) {
		var list document.CampaignList
		if r := motehound(t, "campaign", "status", "--json", "--store", "b"); r.status == exitFine && json.Unmarshal([]byte(r.stdout), &list) == nil && len(list.Campaigns) == 1 {
			done = list.Campaigns[0].Done
		}
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	again := motehound(t, campaignArgs("b", "--workers", "2")...)
	if want := strings.ReplaceAll(straight.stdout, `"recipe": "kept/finding-1.json",`, ""); strip(again.stdout) != strip(want) {
		t.Errorf("killed and started again:\n%s%s\nstraight:\n%s", again.stdout, again.stderr, straight.stdout)
	}
}

// strip leaves out what lines begin with, and empty lines.
func strip(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}

// Bad input gets an answer that says what to do.
func TestCampaignRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jobs.json"), []byte(`{"jobs": [{"job": "dance", "request": {"file": "example:ring"}}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"start check /nowhere/app.elf":                       "as seen from this folder",
		"start check nothing.elf":                            "nothing.elf",
		"start check --item-walks 0 example:ring":            "at least one walk",
		"start check --item-events 10 example:ring":          "at least 1000",
		"start check --listen nowhere example:ring":          "write HOST:PORT",
		"start check --nats nats://127.0.0.1:1 example:ring": "no server for campaigns",
		"start jobs " + filepath.Join(dir, "jobs.json"):      `no job "dance"`,
		"start jobs " + filepath.Join(dir, "missing.json"):   "missing.json",
		"result abc": "there is no such campaign",
		"watch":      "there is no such campaign",
	} {
		r := motehound(t, append(append([]string{"campaign"}, strings.Fields(args)...), "--store", filepath.Join(dir, "store", fmt.Sprint(len(args))))...)
		if r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("campaign %s: exit status %d, want %q\n%s", args, r.status, want, r.stderr)
		}
	}
}

// The numbers are what Prometheus reads.
func TestMetrics(t *testing.T) {
	t.Parallel()
	m, err := newMetrics("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	m.set(7, 10, 2, 1, 3)
	answer, err := http.Get("http://" + m.address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), "# TYPE motehound_items_done_total counter\nmotehound_items_done_total 7\n") || !strings.Contains(string(text), "motehound_findings 3\n") {
		t.Errorf("%v\n%s", err, text)
	}
}
