package kernel_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/world"
)

// expected is what a comment of a program says of its line: "want storm TIMER1_COMPA", where the subject may be left out, and a
// text that is in the message may follow; "want halted @_exit" is about a function without lines.
type expected struct {
	line     int
	kind     string
	function string
	subject  string
	text     string
}

var comment = regexp.MustCompile(`want (\w+)(?: @(\w+)| ([^"]+?))?(?: "(.*)")?$`)

// program is a source, what is to be found in it and how long it runs.
type program struct {
	source string
	want   []expected
	until  uint64
	not    string // a chip on which its kernel does not run
}

func read(t *testing.T, source string) program {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	p := program{source: source, until: world.Second / 10}
	for i, line := range strings.Split(string(text), "\n") {
		_, note, found := strings.Cut(line, "// ")
		if !found {
			continue
		}
		if s, ok := strings.CutPrefix(note, "run "); ok {
			d, err := time.ParseDuration(s)
			if err != nil {
				t.Fatal(err)
			}
			p.until = uint64(d.Nanoseconds()) * 1000
		}
		if s, ok := strings.CutPrefix(note, "not "); ok {
			p.not = s
		}
		if m := comment.FindStringSubmatch(note); m != nil {
			p.want = append(p.want, expected{i + 1, m[1], m[2], m[3], m[4]})
		}
	}
	return p
}

// fits tells whether a finding is the expected one: in a header's inlined function, at the line that calls it.
func (p program) fits(e expected, f builtin.Finding) bool {
	if f.Kind.String() != e.kind || e.subject != "" && f.Subject != e.subject || !strings.Contains(f.Message, e.text) {
		return false
	}
	if e.function != "" {
		return f.Function == e.function
	}
	for _, at := range append([]builtin.Place{f.Place}, f.Chain...) {
		if strings.HasSuffix(at.File, filepath.Base(p.source)) {
			return at.Line == e.line
		}
	}
	return false
}

// judge compares what was found with what is expected.
func (p program) judge(t *testing.T, found []builtin.Finding) {
	t.Helper()
	for _, f := range found {
		if !slices.ContainsFunc(p.want, func(e expected) bool { return p.fits(e, f) }) {
			t.Errorf("invented: %v (pc %#x)%s", f, f.PC, chain(f))
		}
	}
	for _, e := range p.want {
		if n := countFits(p, e, found); n != 1 {
			t.Errorf("line %d: %s %s found %d times", e.line, e.kind, e.subject, n)
		}
	}
}

func countFits(p program, e expected, found []builtin.Finding) (n int) {
	for _, f := range found {
		if p.fits(e, f) {
			n++
		}
	}
	return n
}

func chain(f builtin.Finding) string {
	var b strings.Builder
	for _, p := range f.Chain {
		fmt.Fprintf(&b, "\n\tfrom %v", p)
	}
	return b.String()
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

func kindOf(t *testing.T, elf string, c *chip.Chip) *mote.Kind {
	t.Helper()
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.On(t, board.Bare(c, 8_000_000), im)
}

func attach(t *testing.T, w *world.World, opt builtin.Options) *builtin.Watch {
	t.Helper()
	return attachCheck(t, w, kernel.Check{}, opt)
}

func attachCheck(t *testing.T, w *world.World, c kernel.Check, opt builtin.Options) *builtin.Watch {
	t.Helper()
	set, err := prepare(w, c, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set.Attach(w)
}

// prepare prepares the check for the motes of a world.
func prepare(w *world.World, c kernel.Check, opt builtin.Options) (*builtin.Set, error) {
	var kinds []*mote.Kind
	for _, m := range w.Motes() {
		kinds = append(kinds, m.Kind)
	}
	return builtin.Prepare([]builtin.Check{c}, kinds, &opt)
}

// alone puts one mote into a world.
func alone(t *testing.T, k *mote.Kind) *world.World {
	t.Helper()
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// run watches a program, and looks that watching makes no difference.
func (p program) run(t *testing.T, k *mote.Kind, opt builtin.Options) []builtin.Finding {
	t.Helper()
	return p.runWith(t, k, kernel.Check{}, opt)
}

func (p program) runWith(t *testing.T, k *mote.Kind, c kernel.Check, opt builtin.Options) []builtin.Finding {
	t.Helper()
	w, plain := alone(t, k), alone(t, k)
	watch := attachCheck(t, w, c, opt)
	w.RunUntil(p.until)
	plain.RunUntil(p.until)
	if w.Hash() != plain.Hash() {
		t.Error("watching changed the run")
	}
	return watch.Findings()
}

var builds = []struct {
	mcu   string
	chip  *chip.Chip
	flags []string
}{
	{"atmega128", &chip.ATmega128, []string{"-Os"}},
	{"atmega128", &chip.ATmega128, []string{"-O2"}},
	{"atmega328p", &chip.ATmega328P, []string{"-Os"}},
	{"atmega2560", &chip.ATmega2560, []string{"-Os"}},
}

// TestPrograms runs the programs of testdata, each compiled in several ways: what their comments say is found, each once, and
// nothing else.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for folder, opt := range map[string]builtin.Options{"": {}, "posts": {FailedPosts: true}, "named": {Failures: []string{"oops_*"}}} {
		sources, err := filepath.Glob(filepath.Join("testdata", folder, "*.c"))
		if err != nil || len(sources) == 0 {
			t.Fatal("no programs: ", err)
		}
		for _, source := range sources {
			p := read(t, source)
			if clean := strings.HasPrefix(filepath.Base(source), "clean_"); clean != (len(p.want) == 0) {
				t.Errorf("%s wants %v", source, p.want)
			}
			for i, b := range builds {
				if i > 0 && testing.Short() {
					break
				}
				if b.mcu == p.not {
					continue
				}
				t.Run(strings.TrimSuffix(filepath.Base(source), ".c")+"/"+b.mcu+strings.Join(b.flags, ""), func(t *testing.T) {
					t.Parallel()
					p.judge(t, p.run(t, kindOf(t, build(t, source, b.mcu, b.flags...), b.chip), opt))
				})
			}
		}
	}
}

// TestAsked has what is found only when it is asked for.
func TestAsked(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"testdata/posts/waiting.c", "testdata/named/oops.c"} {
		p := read(t, source)
		p.want = nil
		p.judge(t, p.run(t, kindOf(t, build(t, source, "atmega128", "-Os"), &chip.ATmega128), builtin.Options{}))
	}
}

// TestEveryKind has a program for each kind of finding.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("testdata/*/*.c")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, source := range append(sources, more...) {
		for _, e := range read(t, source).want {
			if !slices.Contains(kernel.Check{}.Kinds(), builtin.Kind("kernel: "+e.kind)) {
				t.Errorf("%s: no check %s", source, e.kind)
			}
			seen[e.kind] = true
		}
	}
	for _, k := range (kernel.Check{}).Kinds() {
		if !seen[k.String()] {
			t.Errorf("no program has %v", k)
		}
	}
}
