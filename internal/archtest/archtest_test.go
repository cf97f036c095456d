package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestHouse checks this repository, rule by rule.
func TestHouse(t *testing.T) {
	found, err := Check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, v := range found {
				if v.Rule == r.name {
					t.Error(v)
				}
			}
		})
	}
}

// TestHouseIsRead guards against a check that passes because it looks at nothing.
func TestHouseIsRead(t *testing.T) {
	packages, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, p := range packages {
		dirs = append(dirs, p.dir)
	}
	for _, want := range []string{"isa/avr", "firmware/image", "mote/periph", "internal/archtest"} {
		if !slices.Contains(dirs, want) {
			t.Errorf("package %s was not read; read were %v", want, dirs)
		}
	}
}

// TestPlanted runs every case of testdata, and wants every rule to fail in one of them.
func TestPlanted(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]bool{"size": true} // by TestSize: long files make poor reading
	for _, name := range names {
		c := readCase(t, name)
		for _, w := range c.want {
			failed[w[strings.LastIndex(w, " ")+1:]] = true
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			found, err := Check(c.tree)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range found {
				got = append(got, fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Rule))
				if v.What == "" || v.Do == "" {
					t.Errorf("%v does not say what is wrong and what to do", v)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s:\n got %q\nwant %q", c.purpose, got, c.want)
			}
		})
	}
	for _, r := range rules {
		if !failed[r.name] {
			t.Errorf("no case in testdata shows that rule %s can fail", r.name)
		}
	}
}

// TestSize plants files around the limit. Tests and testdata may be longer.
func TestSize(t *testing.T) {
	text := "// Package avr is long.\npackage avr\n"
	for lines, want := range map[int]int{maxLines: 0, maxLines + 1: 1} {
		padded := text + strings.Repeat("\n", lines-strings.Count(text, "\n"))
		found, err := Check(fstest.MapFS{
			"go.mod":                  {Data: []byte("module planted\n")},
			"isa/avr/exec.go":         {Data: []byte(padded)},
			"isa/avr/exec_test.go":    {Data: []byte(padded + "\n")},
			"isa/avr/testdata/big.go": {Data: []byte(padded + "\n")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != want {
			t.Errorf("%d lines: got %v, want %d violations", lines, found, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		tree       fstest.MapFS
	}{
		{"no go.mod", "go.mod", fstest.MapFS{}},
		{"no module line", "no module line", fstest.MapFS{"go.mod": {Data: []byte("go 1.26\n")}}},
		{"syntax", "isa/avr/broken.go:2:1", fstest.MapFS{
			"go.mod":            {Data: []byte("module planted\n")},
			"isa/avr/broken.go": {Data: []byte("package avr\n}\n")},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Check(c.tree); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one that names %q", err, c.want)
			}
		})
	}
}

// planted is one case: a tree of files, and the violations in it as "file:line: rule".
type planted struct {
	purpose string
	want    []string
	tree    fstest.MapFS
}

// readCase reads a case: the lines "Purpose: ..." and "Want: file:line: rule" (or "Want: nothing"), then the files,
// each after a line "-- path --". Every tree is a module named planted.
func readCase(t *testing.T, name string) planted {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := planted{tree: fstest.MapFS{"go.mod": {Data: []byte("module planted\n")}}}
	var current *fstest.MapFile
	wants := 0
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(trimmed, "-- "); ok && strings.HasSuffix(path, " --") {
			current = &fstest.MapFile{}
			c.tree[strings.TrimSuffix(path, " --")] = current
		} else if current != nil {
			current.Data = append(current.Data, line...)
		} else if purpose, ok := strings.CutPrefix(trimmed, "Purpose: "); ok {
			c.purpose = purpose
		} else if want, ok := strings.CutPrefix(trimmed, "Want: "); ok {
			wants++
			if want != "nothing" {
				c.want = append(c.want, want)
			}
		} else if trimmed != "" {
			t.Fatalf("%s: do not understand %q", name, trimmed)
		}
	}
	if c.purpose == "" || wants == 0 || len(c.tree) == 1 {
		t.Fatalf("%s: a case has a Purpose, a Want and files", name)
	}
	return c
}
