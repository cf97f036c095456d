package wait_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/property/builtin"
	"motehound/study/property/wait"
	"motehound/world"
)

// expected is what a comment of a program says of its line: "want read_once done", and a text that is in the message may follow.
type expected struct {
	line    int
	kind    string
	subject []string
	text    string
}

var comment = regexp.MustCompile(`// want (\w+) ([\w.|]+)(?: "(.*)")?$`)

func expectations(t *testing.T, source string) (list []expected) {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if m := comment.FindStringSubmatch(line); m != nil {
			list = append(list, expected{i + 1, m[1], strings.Split(m[2], "|"), m[3]})
		}
	}
	return list
}

func (e expected) fits(f builtin.Finding) bool {
	return f.Kind.String() == e.kind && f.Line == e.line && slices.Contains(e.subject, f.Subject) && strings.Contains(f.Message, e.text)
}

func build(t *testing.T, source string, c *chip.Chip, flags ...string) *mote.Kind {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "program.elf")
	args := append([]string{"-mmcu=" + strings.ToLower(c.Name), "-gdwarf-4", "-std=gnu99", "-w", "-o", elf, source}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.On(t, board.Bare(c, 8_000_000), im)
}

// run runs a program for some time, and gives what is found.
func run(t *testing.T, k *mote.Kind, w *world.World) []builtin.Finding {
	t.Helper()
	set, err := builtin.Prepare([]builtin.Check{wait.Check{}}, []*mote.Kind{k}, &builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	watch := set.Attach(w)
	w.RunUntil(world.Second / 10)
	return watch.Findings()
}

// builds are the ways in which each program is compiled. With -O3 the compiler counts such loops to the line before.
var builds = []struct {
	chip  *chip.Chip
	level string
}{{&chip.ATmega328P, "-O1"}, {&chip.ATmega328P, "-O2"}, {&chip.ATmega328P, "-Os"}, {&chip.ATmega128, "-Os"}}

// TestPrograms runs the programs of testdata, each compiled in several ways: what a comment says is found, and nothing is invented. Looking
// changes nothing.
func TestPrograms(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil || len(sources) < 15 {
		t.Fatal("too few programs: ", err)
	}
	for _, source := range sources {
		want := expectations(t, source)
		if clean := strings.HasPrefix(filepath.Base(source), "clean_"); clean != (len(want) == 0) {
			t.Errorf("%s should have a bug: %v", source, !clean)
		}
		for n, b := range builds {
			if testing.Short() && n != 2 {
				continue
			}
			t.Run(filepath.Base(source)+"/"+b.chip.Name+b.level, func(t *testing.T) {
				t.Parallel()
				k := build(t, source, b.chip, b.level)
				w, plain := testkit.Alone(t, k, 0), testkit.Alone(t, k, 0)
				found := run(t, k, w)
				for _, f := range found {
					if !slices.ContainsFunc(want, func(e expected) bool { return e.fits(f) }) {
						t.Errorf("invented: %v", f)
					}
				}
				for _, e := range want {
					if !slices.ContainsFunc(found, e.fits) {
						t.Errorf("line %d: %s of %v not found", e.line, e.kind, e.subject)
					}
				}
				plain.RunUntil(world.Second / 10)
				if w.Hash() != plain.Hash() {
					t.Error("looking changes the run")
				}
			})
		}
	}
}

// TestUnoptimised has the compiler read everything again: nobody waits for ever for what is read once.
func TestUnoptimised(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"once_flag", "once_count", "once_field"} {
		k := build(t, "testdata/"+name+".c", &chip.ATmega328P, "-O0")
		if found := run(t, k, testkit.Alone(t, k, 0)); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Rounds of a loop that is watched are skipped, which changes neither what is found nor the state.
func TestSkipped(t *testing.T) {
	k := build(t, "testdata/clean_full.c", &chip.ATmega128, "-Os")
	var hash [2]any
	for i, skip := range []bool{true, false} {
		w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
		if err != nil {
			t.Fatal(err)
		}
		m := w.Motes()[0]
		m.SkipWaits(skip)
		if found := run(t, k, w); len(found) > 0 {
			t.Errorf("skipping %v: found %v", skip, found)
		}
		hash[i] = w.Hash()
		if part := m.Skipped() * 100 / m.Core().Instructions; skip && part < 90 || !skip && part != 0 {
			t.Errorf("skipping %v: %d%% of the instructions were skipped", skip, part)
		}
	}
	if hash[0] != hash[1] {
		t.Error("the states differ")
	}
}
