package examples

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"motehound/internal/need"
)

// The committed firmware is what its sources make: to the byte with the compiler that made it, else with the same global variables.
func TestFirmwareIsFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every example")
	}
	need.Tools(t, "make", "avr-gcc")
	room := t.TempDir()
	dir := filepath.Join(room, "examples")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "build")); err != nil { // what an earlier make has left here
		t.Fatal(err)
	}
	built, err := filepath.Glob(filepath.Join(dir, "elf", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range built {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// The tracer's sources are named from here.
	if err := os.Symlink(filepath.Join(root, "firmware"), filepath.Join(room, "firmware")); err != nil {
		t.Fatal(err)
	}
	motehound := filepath.Join(os.Getenv("MOTEHOUND_BUILT"), "motehound") // by make, from these sources
	if !filepath.IsAbs(motehound) {
		motehound = filepath.Join(room, "motehound")
		run(t, root, "go", "build", "-o", motehound, "./cmd/motehound")
	}
	run(t, dir, "make", "-s", "-j2", "GO=true", "MOTEHOUND="+motehound)

	version := strings.TrimSpace(run(t, dir, "avr-gcc", "-dumpversion"))
	for _, name := range built {
		fresh, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("the Makefile does not make it: %v", err)
			continue
		}
		base := filepath.Base(name)
		committed, err := os.ReadFile(filepath.Join("elf", base))
		switch {
		case err != nil:
			t.Fatal(err)
		case bytes.Equal(fresh, committed):
		case filepath.Ext(base) != ".elf" || bytes.Contains(committed, []byte("GCC: (GNU) "+version+"\x00")):
			t.Errorf("%s is not what its sources make with avr-gcc %s: run make firmware", base, version)
		case !reflect.DeepEqual(variables(t, fresh), variables(t, committed)):
			t.Errorf("%s does not have the variables of its sources, built with avr-gcc %s: run make firmware", base, version)
		default:
			t.Logf("%s was made by another compiler than avr-gcc %s: only variables were compared", base, version)
		}
	}
}

// variables is the global variables of an ELF file with their sizes.
func variables(t *testing.T, data []byte) map[string]uint64 {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]uint64{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			sizes[s.Name] = s.Size
		}
	}
	return sizes
}

// run runs a command in a folder and gives what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PWD="+dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
	return string(out)
}
