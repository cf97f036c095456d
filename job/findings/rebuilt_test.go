package findings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job"
	"motehound/job/findings"
)

// A bug of an example has the same key whatever the optimisation, and with ten lines more before it.
func TestRebuilt(t *testing.T) {
	for _, c := range []struct{ app, input, mode, property, function string }{
		{"ring", "hello", "search", "race: lost update of count", "main"},
		{"nested", "hello", "search", "race: lost update of state", "take"}, // which is inlined, or not
		{"overrun", strings.Repeat("0123456789", 4), "walk", "memory: bounds", "__vector_18"},
	} {
		t.Run(c.app, func(t *testing.T) {
			want := ""
			for lines, flag := range []string{"-O1", "-Os", "-O2"} {
				list := checked(t, c.app, c.input, c.mode, 10*lines, flag)
				if len(list) != 1 || list[0].Property != c.property || list[0].Function != c.function {
					t.Fatalf("%s: %+v", flag, list)
				}
				key := list[0].Cause().Key()
				if want == "" {
					want = key
				}
				if key != want {
					t.Errorf("%s: the key is %s, and was %s", flag, key, want)
				}
			}
		})
	}
}

// checked compiles an example, with some lines put before its text, and checks it.
func checked(t *testing.T, app, input, mode string, lines int, flags ...string) (list []findings.Finding) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", app, app+".c"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, elf := filepath.Join(dir, app+".c"), filepath.Join(dir, app+".elf")
	if err := os.WriteFile(source, append([]byte(strings.Repeat("// one more line\n", lines)), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu99", "-mmcu=atmega328p", "-gdwarf-4", "-I../../examples", "-o", elf, source}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc: %v\n%s", err, out)
	}
	walk := 200
	f := job.NewCheck(elf)
	f.Board, f.Budget, f.Depth, f.Walks, f.Events, f.Threads = "uno", 0, 3, 1, &walk, 1
	f.Mode = mode
	if input != "" {
		f.SerialIn = []string{input}
	}
	d, err := f.Do(t.Context(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range d.Document.Findings {
		y := findings.Finding{Grade: findings.Violation, Property: x.Property, Function: x.Function, File: x.File, Line: x.Line}
		if x.Race != nil {
			y.Grade, y.Variable = findings.Race, x.Race.Variable
		}
		list = append(list, y)
	}
	return list
}
