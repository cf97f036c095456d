package examples

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"path"
	"strings"
	"testing"
)

// Every file has one row, every row one file.
func TestAllListsEachFileOnce(t *testing.T) {
	entries, err := files.ReadDir("elf")
	if err != nil {
		t.Fatal(err)
	}
	unlisted := map[string]bool{}
	for _, e := range entries {
		unlisted[e.Name()] = true
	}
	for _, f := range All {
		if !unlisted[f.File()] {
			t.Errorf("%s is listed twice, or there is no such file", f.File())
		}
		delete(unlisted, f.File())
		if (f.Board == "") == (f.Chip == "") || f.About == "" {
			t.Errorf("%s must have one of board and chip, and say what it is about", f.File())
		}
		if got, ok := Find(f.Name, f.Board+f.Chip); !ok || got != f {
			t.Errorf("Find(%q, %q) = %v, %v", f.Name, f.Board+f.Chip, got, ok)
		}
	}
	for name := range unlisted {
		t.Errorf("elf/%s is not listed", name)
	}
}

// What tools rely on: the kernel's variables and functions, and the ids that
// are patched, in the apps; the result in the programs that only compute.
func TestSymbols(t *testing.T) {
	app := []string{
		"SchedulerBasicP__m_head", "SchedulerBasicP__m_tail", "SchedulerBasicP__m_next",
		"SchedulerBasicP__TaskBasic__postTask", "SchedulerBasicP__TaskBasic__runTask",
		"TOS_NODE_ID", "ActiveMessageAddressC__addr",
	}
	for _, f := range All {
		want := app
		if f.Board == "" {
			want = []string{"result", "done"}
		}
		symbols, err := open(t, f).Symbols()
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for _, s := range symbols {
			has[s.Name] = true
		}
		for _, name := range want {
			if !has[name] {
				t.Errorf("%s has no symbol %s", f.File(), name)
			}
		}
	}
}

// The debug information names the sources as the repository does, and nothing
// of the machine that built them.
func TestSourcesAreRelative(t *testing.T) {
	for _, f := range All {
		d, err := open(t, f).DWARF()
		if err != nil {
			t.Fatal(err)
		}
		r := d.Reader()
		for {
			unit, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if unit == nil {
				break
			}
			r.SkipChildren()
			// avr-libc's start-up object describes the chip's registers in a
			// unit without name or directory.
			name, _ := unit.Val(dwarf.AttrName).(string)
			dir, _ := unit.Val(dwarf.AttrCompDir).(string)
			if name != "" && dir != "examples" {
				t.Errorf("%s: %s was compiled in %q, want %q", f.File(), name, dir, "examples")
			}
			lines, err := d.LineReader(unit)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range lines.Files() {
				if file != nil && (path.IsAbs(file.Name) || strings.Contains(file.Name, "..")) {
					t.Errorf("%s: source %q is not relative to the repository", f.File(), file.Name)
				}
			}
		}
	}
}

func open(t *testing.T, f Firmware) *elf.File {
	t.Helper()
	e, err := elf.NewFile(bytes.NewReader(f.ELF()))
	if err != nil {
		t.Fatalf("%s: %v", f.File(), err)
	}
	if e.Machine != elf.EM_AVR {
		t.Fatalf("%s is for %v", f.File(), e.Machine)
	}
	return e
}
