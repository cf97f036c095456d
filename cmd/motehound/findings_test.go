package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exampleProject is a folder with a scenario of the examples, with other values at its beginning, and with all firmware beside it.
func exampleProject(t *testing.T, file string, values map[string]string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", file))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range values {
		line := regexp.MustCompile(`(?m)^` + name + ` = "\w*"`)
		if !line.Match(text) {
			t.Fatalf("%s does not set %s", file, name)
		}
		text = line.ReplaceAll(text, fmt.Appendf(nil, "%s = %q", name, value))
	}
	dir := filepath.Join(t.TempDir(), "project")
	for _, folder := range []string{filepath.Dir(file), "elf"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
		t.Fatal(err)
	}
	elves, err := filepath.Glob("../../examples/elf/" + filepath.Dir(file) + "*-micaz.elf")
	if err != nil || len(elves) == 0 {
		t.Fatalf("no firmware, %v", err)
	}
	for _, elf := range elves {
		data, err := os.ReadFile(elf)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "elf", filepath.Base(elf)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// proven tells whether a replay has said that it shows the same.
func proven(r result) bool {
	return r.status == exitFine && strings.Contains("\n"+r.stdout, "\nthe same run: ") && !strings.Contains(r.stdout, "NOT")
}

// lie is a change of a finding's recipe, and what replay must say of it.
type lie struct {
	name string
	tell func(recipe, finding map[string]any)
	want string
}

// lies are the changes that every recipe is refused with.
func lies(section string) []lie {
	changed := []lie{
		{"property", func(_, f map[string]any) {
			was := f["property"]
			f["property"] = "memory: stack"
			if was == "memory: stack" {
				f["property"] = "memory: null"
			}
		}, ""},
		{"mote", func(_, f map[string]any) {
			if m := f["mote"].(float64); m == 0 {
				f["mote"] = 1
			} else {
				f["mote"] = 0
			}
		}, ""},
		{"line", func(_, f map[string]any) {
			was, _ := f["line"].(float64)
			f["line"] = was + 1
		}, ""},
		{"state", func(r, _ map[string]any) {
			r["hash"] = strings.Map(func(c rune) rune {
				if c == '0' {
					return '1'
				}
				return '0'
			}, r["hash"].(string))
		}, "ends in another state"},
		{"firmware", func(r, _ map[string]any) {
			motes := r["motes"].([]any)
			motes[len(motes)-1].(map[string]any)["sha256"] = strings.Repeat("0", 64)
		}, "find that build"},
	}
	if section == "symbolic" {
		changed = append(changed, lie{"input", func(_, f map[string]any) {
			inputs, _ := f["inputs"].([]any)
			if len(inputs) == 0 {
				f["inputs"] = []any{"port = 7, mote 1"}
				return
			}
			inputs[0] = strings.Replace(inputs[0].(string), " = ", " = 1", 1)
		}, "the run has no input"})
		return append(changed, lie{"moment", func(_, f map[string]any) { f["at_ps"] = f["at_ps"].(float64) + 1000 }, ""})
	}
	later := func(name string, by float64) lie {
		return lie{fmt.Sprintf("%s (%+g)", name, by), func(_, f map[string]any) {
			was, _ := f[name].(float64)
			f[name] = was + by
		}, ""}
	}
	changed = append(changed, later("critical", 1), later("critical", -1), later("cycle", 1))
	return append(changed, lie{"moment", func(_, f map[string]any) {
		events := f["events"].([]any)
		f["events"] = events[:len(events)-1]
	}, ""})
}

// refuted writes a recipe that lies, and looks that it is refused.
func refuted(t *testing.T, path, section string, l lie) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	l.tell(doc, doc[section].(map[string]any))
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(path), "lie.json")
	if err := os.WriteFile(other, data, 0o644); err != nil {
		t.Fatal(err)
	}
	r := motehound(t, "replay", other)
	if r.status != exitUsage || proven(r) || !strings.Contains(r.stderr, "lie.json") || !strings.Contains(r.stderr, l.want) {
		t.Errorf("%s with another %s: exit status %d, want %q in\n%s%s", filepath.Base(path), l.name, r.status, l.want, r.stdout, r.stderr)
	}
}

// Every finding of every example replays from another folder and, alone, from its bundle; and a recipe that was changed is refused.
func TestEveryFinding(t *testing.T) {
	walk, live := "check --any-order --mode walk --events 20000 --shorten 10000", "check --any-order --mode walk --events 6000 --threshold 1500 --prefix 300 --shorten 10000"
	for _, c := range []struct {
		file, build, command string
		findings             int // at least
	}{
		{"serialbuf/reversed.star", "", walk, 1},
		{"serialbuf/locked.star", "", live, 1},
		{"readings/readings.star", "", walk, 1},
		{"dissem/dissem.star", "_null", walk, 1},
		{"dissem/dissem.star", "_step", walk, 1},
		{"dissem/dissem.star", "_end", walk, 1},
		{"dissem/dissem.star", "_rest", walk, 1},
		{"bitvector/bitvector.star", "", walk, 1},
		{"versions/versions.star", "", walk, 2},
		{"orphan/orphan.star", "", live, 1},
		{"tinytcp/port.star", "", "symbolic", 1},
		{"tinytcp/loss.star", "", "symbolic", 2},
		{"tinytcp/stuck.star", "", "symbolic", 2},
		{"tinytcp/duplicate.star", "", "symbolic", 3},
		{"tinytcp/outage.star", "", "symbolic", 1},
	} {
		t.Run(c.file+c.build, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && !slices.Contains([]string{"serialbuf/reversed.star", "readings/readings.star", "tinytcp/port.star"}, c.file) {
				t.Skip("takes some seconds")
			}
			values := map[string]string{}
			if c.build != "" {
				values["build"] = c.build
			}
			dir := exampleProject(t, c.file, values)
			found := command(t, slices.Concat(strings.Fields(c.command), []string{"--quiet", "--budget", "0", "--out", "found", "--bundle", c.file})...)
			found.Dir = dir
			if r := finish(t, found); r.status > exitFound {
				t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
			}
			moved := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.Rename(dir, moved); err != nil {
				t.Fatal(err)
			}
			section := "explored"
			if c.command == "symbolic" {
				section = "symbolic"
			}
			recipes, _ := filepath.Glob(filepath.Join(moved, "found", "finding-*.json"))
			bundles, _ := filepath.Glob(filepath.Join(moved, "found", "finding-*.zip"))
			if len(recipes) < c.findings || len(recipes) != len(bundles) {
				t.Fatalf("%d findings, %d bundles", len(recipes), len(bundles))
			}
			for _, recipe := range recipes {
				if r := motehound(t, "replay", recipe); !proven(r) {
					t.Errorf("moved: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
				}
				for _, l := range lies(section) {
					refuted(t, recipe, section, l)
				}
			}
			alone := t.TempDir()
			for _, bundle := range bundles {
				if err := os.Rename(bundle, filepath.Join(alone, filepath.Base(bundle))); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.RemoveAll(moved); err != nil {
				t.Fatal(err)
			}
			for _, bundle := range bundles {
				again := command(t, "replay", filepath.Base(bundle))
				again.Dir = alone
				if r := finish(t, again); !proven(r) {
					t.Errorf("alone: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
				}
			}
		})
	}
}
