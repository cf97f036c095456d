package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project is a folder with a scenario and the firmware beside it.
func project(t *testing.T, scene string, elves ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.MkdirAll(filepath.Join(dir, "build"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range elves {
		data, err := os.ReadFile(filepath.Join("../../examples/elf", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "build", name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "scene.star"), []byte(scene), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// edited is a recipe in which one value is another one.
func edited(t *testing.T, file, section, key string, value any) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	part := doc[section].(map[string]any)
	if _, ok := part[key]; !ok {
		t.Fatalf("%s has no %s.%s", file, section, key)
	}
	part[key] = value
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(file), "edited-"+key+".json")
	if err := os.WriteFile(other, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return other
}

// A finding moves with its project, and is refused if it says something else than what shows.
func TestFindingsMove(t *testing.T) {
	t.Parallel()
	const radio = `network(motes = [mote(id = i, board = "micaz", firmware = "build/readings-micaz.elf") for i in range(2)], links = full(2))
run(time = "60s", seed = 1)
always("few readings", lambda net: net[1].var("ReadingsC__reading") < 6)
`
	const lost = `network(motes = [mote(id = i + 1, board = "micaz", firmware = "build/counter-micaz.elf") for i in range(2)], links = full(2), faults = [lose(max = 1)])
run(time = "3s", seed = 1)
always("counts are heard", lambda net: net[2].var("CounterC__heard") == 0 or net[2].var("CounterC__lastHeard") < 2)
`
	plain := lost[:strings.Index(lost, "always")]
	for _, c := range []struct {
		name, scene, elf, section string
		command                   []string
		keys                      map[string]any // and other values
	}{
		{"check", radio, "readings-micaz.elf", "explored", strings.Fields("check --budget 0 --mode walk --any-order"),
			map[string]any{"property": "memory: null", "mote": 0, "line": 1}},
		{"symbolic", lost, "counter-micaz.elf", "symbolic", strings.Fields("symbolic --budget 0"),
			map[string]any{"property": "nobody knows", "at_ps": 1000}},
		{"a property of check", lost, "counter-micaz.elf", "explored", strings.Fields("check --budget 0 --mode walk --events 5000"),
			map[string]any{"file": "another.star", "line": 1}},
		{"a failure of check", plain, "counter-micaz.elf", "explored", strings.Fields("check --budget 0 --mode walk --events 5000 --failure RadioC__receive"),
			map[string]any{"function": "main"}},
		{"a failure of symbolic", plain, "counter-micaz.elf", "symbolic", strings.Fields("symbolic --budget 0 --failure RadioC__receive"),
			map[string]any{"function": "main", "mote": -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := project(t, c.scene, c.elf)
			out := filepath.Join(dir, "found")
			if r := motehound(t, append(c.command, "--out", out, filepath.Join(dir, "scene.star"))...); r.status != exitFound {
				t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
			}
			moved := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.Rename(dir, moved); err != nil {
				t.Fatal(err)
			}
			recipe := filepath.Join(moved, "found", "finding-1.json")
			if r := motehound(t, "replay", recipe); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
				t.Errorf("moved: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
			}
			for key, value := range c.keys {
				if r := motehound(t, "replay", edited(t, recipe, c.section, key, value)); r.status == exitFine || strings.Contains(r.stdout, "the same run:") {
					t.Errorf("another %s: exit status %d\n%s%s", key, r.status, r.stdout, r.stderr)
				}
			}
			if err := os.Remove(filepath.Join(moved, "scene.star")); err != nil {
				t.Fatal(err)
			}
			if r := motehound(t, "replay", recipe); r.status != exitUsage || !strings.Contains(r.stderr, "nothing is proven") {
				t.Errorf("without its scenario: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
			}
		})
	}
}
