package memory_test

import (
	"fmt"
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
	"motehound/world"
)

// expected is what a comment of a program says of its line: "want bounds buf", "may bounds values" (depends on the compiler).
// What is found in a function of the library, which has no lines, belongs to the line that calls it.
type expected struct {
	line   int
	must   bool
	kind   string
	object string // one of several, separated by |; "" for any
}

var comment = regexp.MustCompile(`(want|may) (\w+)(?: ([\w|]+))?`)

func expectations(t *testing.T, source string) []expected {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	var list []expected
	for i, line := range strings.Split(string(text), "\n") {
		_, note, found := strings.Cut(line, "// ")
		if !found {
			continue
		}
		for _, m := range comment.FindAllStringSubmatch(note, -1) {
			list = append(list, expected{i + 1, m[1] == "want", m[2], m[3]})
		}
	}
	return list
}

// fits tells whether a finding is the expected one.
func (e expected) fits(f builtin.Finding) bool {
	at := f.Place
	if at.File == "" && len(f.Chain) > 0 {
		at = f.Chain[0]
	}
	return at.Line == e.line && f.Kind.String() == e.kind && (e.object == "" || slices.Contains(strings.Split(e.object, "|"), f.Subject))
}

// build compiles a program.
func build(t *testing.T, source, mcu string, flags ...string) string {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "program.elf")
	args := append([]string{"-mmcu=" + mcu, "-gdwarf-4", "-std=gnu99", "-w", "-o", elf}, flags...)
	if out, err := need.Command(t, "avr-gcc", append(args, source)...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	return elf
}

func kindOf(t *testing.T, elf string, b *board.Board) *mote.Kind {
	t.Helper()
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.On(t, b, im)
}

// run watches a program for a tenth of a second.
func run(t *testing.T, k *mote.Kind, opt builtin.Options) *builtin.Watch {
	t.Helper()
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	watch := attach(t, w, opt)
	w.RunUntil(world.Second / 10)
	return watch
}

// judge compares what was found with what is expected.
func judge(t *testing.T, want []expected, found []builtin.Finding) {
	t.Helper()
	for _, f := range found {
		if !slices.ContainsFunc(want, func(e expected) bool { return e.fits(f) }) {
			t.Errorf("invented: %v (pc %#x)%s", f, f.PC, chain(f))
		}
	}
	for _, e := range want {
		if e.must && !slices.ContainsFunc(found, e.fits) {
			t.Errorf("line %d: %s %s not found", e.line, e.kind, e.object)
		}
	}
}

func chain(f builtin.Finding) string {
	var b strings.Builder
	for _, p := range f.Chain {
		fmt.Fprintf(&b, "\n\tfrom %v", p)
	}
	return b.String()
}

// compilation is a way to compile a program.
type compilation struct {
	mcu   string
	chip  *chip.Chip
	flags []string
}

// builds are the ways in which each program is compiled.
var builds = []compilation{
	{"atmega128", &chip.ATmega128, []string{"-O0"}},
	{"atmega128", &chip.ATmega128, []string{"-O1"}},
	{"atmega128", &chip.ATmega128, []string{"-O2"}},
	{"atmega128", &chip.ATmega128, []string{"-O3"}},
	{"atmega128", &chip.ATmega128, []string{"-Os"}},
	{"atmega2560", &chip.ATmega2560, []string{"-Os"}},
	{"atmega128", &chip.ATmega128, []string{"-Os", "-Wl,--emit-relocs"}},
	{"atmega128", &chip.ATmega128, []string{"-Os", "-mcall-prologues"}},
}

// chosen are the builds to run: before a commit the least and the most usual one.
func chosen() []compilation {
	if testing.Short() {
		return []compilation{builds[0], builds[4]}
	}
	return builds
}

func programs(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no programs: ", err)
	}
	return sources
}

// TestPrograms runs the programs of testdata, each compiled in several ways, with a known bug or none: all must be found, none
// invented.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, source := range programs(t) {
		want := expectations(t, source)
		for _, b := range chosen() {
			name := strings.TrimSuffix(filepath.Base(source), ".c") + "/" + b.mcu + strings.Join(b.flags, "")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				k := kindOf(t, build(t, source, b.mcu, b.flags...), board.Bare(b.chip, 8_000_000))
				judge(t, want, run(t, k, builtin.Options{}).Findings())
			})
		}
	}
}

// TestCount wants at least 200 programs, compiled from -O0 to -Os, with each kind of bug, or none, among them. A program with a bug
// says which finding must come of it in every build.
func TestCount(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{"over": "overflow", "local": "overflow", "under": "underflow", "null": "null", "smash": "stack smash", "stack": "stack smash",
		"clean": "none", "jump": "other", "io": "other"}
	count, total := map[string]int{}, 0
	for _, source := range programs(t) {
		name := filepath.Base(source)
		prefix, _, _ := strings.Cut(name, "_")
		kind, ok := kinds[prefix]
		if !ok {
			t.Errorf("%s is of no kind", name)
		}
		must := slices.ContainsFunc(expectations(t, source), func(e expected) bool { return e.must })
		if must == (kind == "none") {
			t.Errorf("%s should have a bug: %v", name, !must)
		}
		count[kind] += len(builds)
		total += len(builds)
	}
	if total < 200 {
		t.Errorf("only %d programs", total)
	}
	for _, kind := range kinds {
		if kind != "other" && count[kind] < 20 {
			t.Errorf("only %d programs with %s", count[kind], kind)
		}
	}
	for _, level := range []string{"-O0", "-O1", "-O2", "-O3", "-Os"} {
		if !slices.ContainsFunc(builds, func(b compilation) bool { return slices.Contains(b.flags, level) }) {
			t.Errorf("nothing is compiled with %s", level)
		}
	}
	t.Logf("%d programs: %v", total, count)
}

// TestRelocations has what only relocations tell.
func TestRelocations(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/relocs/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no programs: ", err)
	}
	for _, source := range sources {
		for _, level := range []string{"-O0", "-O1", "-O2", "-O3", "-Os"} {
			t.Run(filepath.Base(source)+level, func(t *testing.T) {
				k := kindOf(t, build(t, source, "atmega128", level, "-Wl,--emit-relocs"), board.Bare(&chip.ATmega128, 8_000_000))
				if len(k.Image.Relocs) == 0 {
					t.Fatal("the linker left no relocations")
				}
				judge(t, expectations(t, source), run(t, k, builtin.Options{}).Findings())
			})
		}
	}
}

// TestUnwritten has reads of memory that nothing wrote, which are found only when asked for.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	const source = "testdata/unwritten/kept.c"
	for _, level := range []string{"-O0", "-O1", "-O2", "-O3", "-Os"} {
		k := kindOf(t, build(t, source, "atmega128", level), board.Bare(&chip.ATmega128, 8_000_000))
		judge(t, expectations(t, source), run(t, k, builtin.Options{Unwritten: true}).Findings())
		judge(t, nil, run(t, k, builtin.Options{}).Findings())
	}
}

// TestWithoutSymbols runs the programs without a bug, and some with one that needs no names, from files that have none.
func TestWithoutSymbols(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{"null_read.c": "null", "null_call.c": "null", "jump_wild.c": "jump", "io_reserved.c": "reserved", "smash_loop.c": "return"}
	for _, source := range sources {
		want := kinds[filepath.Base(source)]
		if want == "" && !strings.HasPrefix(filepath.Base(source), "clean_") {
			continue
		}
		elf := build(t, source, "atmega128", "-Os")
		hex := strings.TrimSuffix(elf, ".elf") + ".hex"
		if out, err := need.Command(t, "avr-objcopy", "-O", "ihex", "-j", ".text", "-j", ".data", elf, hex).CombinedOutput(); err != nil {
			t.Fatalf("avr-objcopy (package binutils-avr): %v\n%s", err, out)
		}
		var got []string
		for _, f := range run(t, kindOf(t, hex, board.Bare(&chip.ATmega128, 8_000_000)), builtin.Options{}).Findings() {
			got = append(got, f.Kind.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %q", source, got, want)
		}
	}
}
