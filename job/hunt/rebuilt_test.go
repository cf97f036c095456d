package hunt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job/document"
	"motehound/job/findings"
)

// A bug is the same one after a build with another optimisation and with moved lines. A fix in such a build is seen, and so is the bug when it is put back.
func TestRebuilt(t *testing.T) {
	for _, c := range []struct {
		app, engine, property string
		total                 uint64
	}{
		{"overrun", engineFuzz, "memory: bounds", 20_000},
		{"nested", engineCheck, "race: ", 60_000},
	} {
		t.Run(c.app, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			r := New(filepath.Join(folder, "app.elf"))
			r.Board, r.Store, r.Engines = "uno", filepath.Join(folder, "store"), []string{c.engine}
			key := ""
			for n, build := range []struct {
				flags []string
				lines int
				state findings.State
				list  func(*findings.Outcome) []findings.Finding
			}{
				{[]string{"-Os"}, 0, findings.New, func(o *findings.Outcome) []findings.Finding { return o.New }},
				{[]string{"-O2"}, 10, findings.Confirmed, func(o *findings.Outcome) []findings.Finding { return o.Still }},
				{[]string{"-O2", "-DFIXED"}, 10, findings.Fixed, func(o *findings.Outcome) []findings.Finding { return o.Fixed }},
				{[]string{"-O1"}, 5, findings.CameBack, func(o *findings.Outcome) []findings.Finding { return o.CameBack }},
				{[]string{"-Os", "-DFIXED"}, 0, findings.Fixed, func(o *findings.Outcome) []findings.Finding { return o.Fixed }},
			} {
				compile(t, r.File, c.app, build.lines, build.flags...)
				d := hunting(t, r, c.total)
				list := build.list(d.Changes)
				i := slices.IndexFunc(list, func(f findings.Finding) bool { return strings.HasPrefix(f.Property, c.property) })
				if i < 0 || key != "" && list[i].Key != key || list[i].State != build.state {
					t.Fatalf("build %d, %v: %s is not %s: %+v", n, build.flags, c.property, build.state, list)
				}
				key = list[i].Key
				if (d.Verdict == document.Violated) == (build.state == findings.Fixed) {
					t.Errorf("build %d, %v: %s", n, build.flags, d.Verdict)
				}
			}
		})
	}
}

// compile builds an example, with some lines before its text.
func compile(t *testing.T, elf, app string, lines int, flags ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", app, app+".c"))
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(filepath.Dir(elf), app+".c")
	if err := os.WriteFile(source, append([]byte(strings.Repeat("// one more line\n", lines)), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu99", "-mmcu=atmega328p", "-gdwarf-4", "-I../../examples", "-o", elf, source}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc: %v\n%s", err, out)
	}
}
