package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/world/recipe"
)

// keep runs an example from a file, with a sensor left to chance, and gives the folders of firmware and recipe.
func keep(t *testing.T) (firmware, out string) {
	t.Helper()
	f, ok := examples.Find("sense", "micaz")
	if !ok {
		t.Fatal("no example")
	}
	home := t.TempDir()
	firmware, out = filepath.Join(home, "build", "app.elf"), filepath.Join(home, "kept")
	if err := os.Mkdir(filepath.Dir(firmware), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(firmware, f.ELF(), 0o644); err != nil {
		t.Fatal(err)
	}
	c := command(t, "run", "--board", "micaz", "--out", "kept", "--time", "1s", "--seed", "99", "build/app.elf")
	c.Dir = home
	if r := finish(t, c); r.status != exitFine || !strings.Contains(r.stdout, "motehound replay kept/recipe.json") {
		t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	return firmware, out
}

// A kept run is made again from anywhere, and its report is the same but for the speed.
func TestReplay(t *testing.T) {
	_, out := keep(t)
	replays(t, out)
	r := motehound(t, "replay", "--json", filepath.Join(out, "recipe.json"))
	var again struct {
		Same     bool   `json:"same"`
		Expected string `json:"expected_hash"`
		Hash     string `json:"hash"`
		Motes    any    `json:"motes"`
	}
	var first struct {
		Motes any `json:"motes"`
	}
	kept, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(kept, &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(r.stdout), &again); err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(first.Motes)
	two, _ := json.Marshal(again.Motes)
	if !again.Same || again.Hash != again.Expected || string(one) != string(two) {
		t.Errorf("same %v, hash %s, expected %s\n%s\n%s", again.Same, again.Hash, again.Expected, one, two)
	}
}

// What is not the same run is not called one.
func TestReplayDiffers(t *testing.T) {
	firmware, out := keep(t)
	path := filepath.Join(out, "recipe.json")
	edit := func(change func(r *recipe.Recipe)) string {
		r, err := recipe.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		to := filepath.Join(out, "edited.json")
		if err := r.Write(to); err != nil {
			t.Fatal(err)
		}
		return to
	}
	check := func(what, path string, status int, wants ...string) {
		t.Helper()
		r := motehound(t, "replay", path)
		for _, want := range wants {
			if r.status != status || !strings.Contains(r.stdout+r.stderr, want) {
				t.Errorf("%s: exit status %d, want %d and %q in\n%s%s", what, r.status, status, want, r.stdout, r.stderr)
			}
		}
	}
	check("another seed", edit(func(r *recipe.Recipe) { r.Seed++ }), exitUsage, "NOT the same run", "is refused: the run ends in another state")
	check("no hash of the firmware", edit(func(r *recipe.Recipe) { r.Motes[0].SHA256 = "" }), exitUsage, "no hash of mote 1's firmware")
	check("no hash", edit(func(r *recipe.Recipe) { r.Hash = "" }), exitUsage, "no hash")
	good, err := recipe.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := examples.Find("blink", "micaz")
	if err := os.WriteFile(firmware, other.ELF(), 0o644); err != nil {
		t.Fatal(err)
	}
	check("another build", path, exitUsage, "app.elf", good.Motes[0].SHA256)
	if err := os.Remove(firmware); err != nil {
		t.Fatal(err)
	}
	check("no firmware", path, exitUsage, "app.elf", "no such file")
}
