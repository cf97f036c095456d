package driver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/need"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		command  string
		compiles bool
		sources  string // with the names of their outputs
		deps     string
	}{
		{"-c a.c", true, "a.c:a.o", ""},
		{"-Os -c -o build/x.o src/a.c -MMD", true, "src/a.c:build/x.o", "-MMD -MF build/x.d -MQ build/x.o"},
		{"-c a.c -MD -MF d -MT t", true, "a.c:a.o", "-MD -MF d -MT t"},
		{"-S a.c", true, "a.c:a.s", ""},
		{"-o app a.c b.c -lm lib.a", true, "a.c:a.o b.c:b.o", ""},
		{"-oapp a.c -I inc -Dx=1 -include y.h", true, "a.c:a.o", ""},
		{"-x c strange", true, "strange:strange.o", ""},
		{"-x assembler a.c", false, "", ""},
		{"a.o b.o -o app", false, "", ""},
		{"-E a.c", false, "a.c:a", ""},
		{"-fsyntax-only a.c", false, "a.c:a", ""},
		{"-M a.c", false, "a.c:a", ""},
		{"--version", false, "", ""},
		{"-print-prog-name=ld", false, "", ""},
		{"-c -", false, "", ""},
		{"@options a.c", false, "a.c:a.o", ""},
		{"-c a.c b.c -o x.o", false, "a.c:x.o b.c:x.o", ""},
		{"-specs=x -o main.exe AppC.nc", false, "", ""},
		{"-c a.S", false, "", ""},
		{"--param max=3 -c a.c", true, "a.c:a.o", ""},
	} {
		a := parseArguments(strings.Fields(c.command))
		var sources []string
		deps := ""
		for _, i := range a.sources {
			name := a.list[i].text[0]
			sources = append(sources, name+":"+a.target(name))
			deps = strings.Join(a.dependencies(name), " ")
		}
		if got := strings.Join(sources, " "); a.compiles() != c.compiles || got != c.sources || c.deps != "" && deps != c.deps {
			t.Errorf("%s: compiles %v, sources %s, dependencies %s", c.command, a.compiles(), got, deps)
		}
		var back []string
		for _, x := range a.list {
			back = append(back, x.text...)
		}
		if strings.Join(back, " ") != c.command {
			t.Errorf("%s came back as %v", c.command, back)
		}
	}
}

func TestLongOptions(t *testing.T) {
	long := parseArguments(strings.Fields("--compile --include-directory=inc --define-macro A=1 --write-user-dependencies --std=c99 a.c --output=b.o"))
	short := parseArguments(strings.Fields("-c -I inc -D A=1 -MMD --std=c99 a.c -o b.o"))
	if !reflect.DeepEqual(long, short) {
		t.Errorf("%+v, want %+v", long, short)
	}
}

// logger stands for the runtime: it prints every call.
const logger = `#include <stdio.h>
#define KIND (sizeof(L) == 1 ? 6 : 14)
#define F(w, L) \
void mh_trace_enter_##w(L l) { printf("E %d\n", l & ~(3 << KIND)); } \
void mh_trace_path8_##w(L l, unsigned char v) { printf("%c %d %d\n", "EPL"[l >> KIND], l & ~(3 << KIND), v); } \
void mh_trace_path16_##w(L l, unsigned short v) { printf("%c %d %d\n", "EPL"[l >> KIND], l & ~(3 << KIND), v); }
#undef KIND
#define KIND (8 * (int)sizeof(l) - 2)
F(narrow, unsigned char) F(wide, unsigned short)
`

// stage is a folder with files, and driver options for it.
type stage struct {
	*testing.T
	dir            string
	options        Options
	stdout, stderr bytes.Buffer
}

func newStage(t *testing.T, files map[string]string) *stage {
	t.Helper()
	need.Tools(t, "cc")
	s := &stage{T: t, dir: t.TempDir()}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(s.dir)
	s.options = Options{Map: "map.json", Runtime: None, Note: &s.stderr, Stdout: &s.stdout, Stderr: &s.stderr}
	return s
}

func (s *stage) run(compiler, command string) int {
	s.Helper()
	s.stdout.Reset()
	s.stderr.Reset()
	status, err := Run(context.Background(), s.options, append(strings.Fields(compiler), strings.Fields(command)...))
	if err != nil {
		s.Fatalf("%s: %v", command, err)
	}
	return status
}

func (s *stage) must(compiler, command string) {
	s.Helper()
	if status := s.run(compiler, command); status != 0 {
		s.Fatalf("%s: status %d\n%s", command, status, s.stderr.String())
	}
}

func (s *stage) readMap() *instrument.Map {
	s.Helper()
	m, err := load(s.options.Map)
	if err != nil {
		s.Fatal(err)
	}
	return m
}

// calls runs a program and names the procedures whose ends it records, with the lines of their last paths.
func (s *stage) calls(program string) string {
	s.Helper()
	out, err := exec.Command("./" + program).Output()
	if err != nil {
		s.Fatal(err)
	}
	m := s.readMap()
	var list []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		id, _ := strconv.Atoi(f[1])
		if f[0] != "L" {
			continue
		}
		number, _ := strconv.Atoi(f[2])
		p := m.Proc(id)
		path, err := p.Decode(number)
		if err != nil {
			s.Fatal(err)
		}
		var lines []int
		for _, b := range path.Blocks {
			for _, l := range p.Blocks[b].Lines {
				lines = append(lines, l[1])
			}
		}
		list = append(list, fmt.Sprint(p.Name, slices.Compact(lines)))
	}
	return strings.Join(list, " ")
}

var program = map[string]string{
	"a.h": "int other(int a);\n",
	"a.c": "#include \"a.h\"\nint helper(int a)\n{\n if (a)\n  return 1;\n return 2;\n}\nint main(void)\n{\n if (helper(0) == 2)\n  other(1);\n return 0;\n}\n",
	"b.c": "#include \"a.h\"\nint other(int a)\n{\n switch (a)\n {\n case 1:\n  return 5;\n default:\n  return 6;\n }\n}\n",
	"r.c": logger,
}

const wantCalls = "helper[4 6] other[4 7] main[10 11 12]"

func TestInOneStep(t *testing.T) {
	s := newStage(t, program)
	s.options.Choice.Except = []string{"r.c"}
	s.must("cc", "-O1 -g -o app a.c b.c r.c -lm")
	if got := s.calls("app"); got != wantCalls {
		t.Errorf("recorded %s, want %s", got, wantCalls)
	}
	if m := s.readMap(); len(m.Procs) != 3 || len(m.Units) != 3 {
		t.Errorf("%d procedures in %d units, want 3 and 3", len(m.Procs), len(m.Units))
	}
}

// TestFileByFile: objects, files for make, and names are those of the plain compiler; a file that is compiled again keeps its ids.
func TestFileByFile(t *testing.T) {
	s := newStage(t, program)
	s.options.Choice.Except = []string{"r.c"}
	s.options.Keep = "kept"
	for _, c := range []string{"-c a.c -MMD", "-c -o b.o b.c -MMD -g3", "-c r.c", "-c a.c -MMD"} {
		s.must("cc", c)
	}
	s.must("nice cc", "-o app a.o b.o r.o")
	if got := s.calls("app"); got != wantCalls {
		t.Errorf("recorded %s, want %s", got, wantCalls)
	}
	deps, err := os.ReadFile("a.d")
	if err != nil || strings.TrimSpace(string(deps)) != "a.o: a.c a.h" {
		t.Errorf("a.d is %q, %v", deps, err)
	}
	kept, err := os.ReadFile("kept/b.c.i")
	if err != nil || !bytes.Contains(kept, []byte("mh_trace_enter_wide")) || !bytes.HasPrefix(kept, []byte("# ")) {
		t.Errorf("kept source: %.200s, %v", kept, err)
	}
	if !strings.Contains(string(kept), "# 1 \"b.c\"") && !strings.Contains(string(kept), "# 0 \"b.c\"") {
		t.Errorf("kept source does not begin with its file: %.200s", kept)
	}
}

// TestLeftAlone: what does not compile C runs as it is, and the compiler's word is the last.
func TestLeftAlone(t *testing.T) {
	s := newStage(t, program)
	s.must("cc", "-E a.c")
	if !strings.Contains(s.stdout.String(), "int helper(int a)") || strings.Contains(s.stdout.String(), "mh_") {
		t.Errorf("-E gives %.200s", s.stdout.String())
	}
	s.must("cc", "--version")
	if s.stdout.Len() == 0 {
		t.Error("no version")
	}
	if err := os.WriteFile("bad.c", []byte("int f(void) { return 1 +; }\nint g(int *) { *}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status := s.run("cc", "-c bad.c"); status == 0 || !strings.Contains(s.stderr.String(), "bad.c:1:") {
		t.Errorf("status %d: %s", status, s.stderr.String())
	}
	if status := s.run("cc", "-c missing.c"); status == 0 || !strings.Contains(s.stderr.String(), "missing.c") {
		t.Errorf("status %d: %s", status, s.stderr.String())
	}
	if _, err := os.Stat("map.json"); err == nil {
		t.Error("there is a map of nothing")
	}
	if _, err := Run(context.Background(), s.options, []string{"no-such-compiler", "-c", "a.c"}); err == nil {
		t.Error("a compiler that does not exist gives no error")
	}
}

// TestWarnings: a source's warnings are shown once, and are errors if the command says so; our code causes none.
func TestWarnings(t *testing.T) {
	s := newStage(t, map[string]string{
		"a.c": "int f(int a)\n{\n int unused;\n while (a) a--;\n return a ? 1 : 2;\n}\n",
		"b.c": "int f(int a)\n{\n while (a) a--;\n return a ? 1 : 2;\n}\n",
	})
	s.must("cc", "-Wall -c a.c")
	if n := strings.Count(s.stderr.String(), "a.c:3:"); n != 1 {
		t.Errorf("line 3 was mentioned %d times: %s", n, s.stderr.String())
	}
	if status := s.run("cc", "-Wall -Werror -c a.c"); status == 0 || !strings.Contains(s.stderr.String(), "a.c:3:") {
		t.Errorf("status %d: %s", status, s.stderr.String())
	}
	s.must("nice cc", "-Wall -Wextra -Wconversion -Wshadow -Werror -c b.c")
	if m := s.readMap(); s.stderr.Len() > 0 || len(m.Procs) != 2 {
		t.Errorf("%d procedures, and %s", len(m.Procs), s.stderr.String())
	}
}

// TestFallsBack: a function that the compiler takes only without our code is compiled without it, and the map says so.
func TestFallsBack(t *testing.T) {
	s := newStage(t, map[string]string{"a.c": "typedef int word;\nvoid g(void) { }\nword f(int word) { g(); return word; }\nint main(void) { f(1); return 0; }\n"})
	s.options.Choice.All = true
	s.must("cc", "-c a.c")
	if !strings.Contains(s.stderr.String(), "compiled unchanged") {
		t.Errorf("no note: %s", s.stderr.String())
	}
	if err := os.WriteFile("r.c", []byte(logger), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "cc", "-w", "-o", "a", "a.o", "r.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := s.calls("a"), "g[] main[4]"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	m := s.readMap()
	if len(m.Procs) != 2 || len(m.Units) != 1 || len(m.Units[0].Left) != 1 || m.Units[0].Left[0].Name != "f" {
		t.Errorf("the map has %d procedures, units %+v", len(m.Procs), m.Units)
	}
}

// TestBound: files that agree on a bound share short labels; one procedure too many is an error that says what to do.
func TestBound(t *testing.T) {
	s := newStage(t, program)
	s.options.Choice.Except, s.options.Procs = []string{"r.c"}, 3
	for _, c := range []string{"-c a.c", "-c b.c", "-c r.c", "-o app a.o b.o r.o"} {
		s.must("cc", c)
	}
	if got := s.calls("app"); got != wantCalls {
		t.Errorf("recorded %s, want %s", got, wantCalls)
	}
	if out, err := exec.Command("nm", "b.o").Output(); err != nil || !strings.Contains(string(out), "mh_trace_enter_narrow") {
		t.Errorf("b.o calls %s, %v", out, err)
	}
	if err := os.WriteFile("c.c", []byte("int more(int a) { return a ? 1 : 2; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), s.options, []string{"cc", "-c", "c.c"}); err == nil || !strings.Contains(err.Error(), "--procs 3") {
		t.Errorf("error %v", err)
	}
}

// TestAtTheSameTime: compilers that run together give no id twice.
func TestAtTheSameTime(t *testing.T) {
	const n = 8
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%d.c", i)] = fmt.Sprintf("int f%d(int a) { return a ? 1 : 2; }\nint g%d(int a) { return a ? 1 : 2; }\n", i, i)
	}
	s := newStage(t, files)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			o := s.options
			o.Note, o.Stdout, o.Stderr = nil, &bytes.Buffer{}, &bytes.Buffer{}
			if status, err := Run(context.Background(), o, []string{"cc", "-c", fmt.Sprintf("f%d.c", i)}); status != 0 || err != nil {
				t.Errorf("file %d: status %d, %v", i, status, err)
			}
		})
	}
	all.Wait()
	if m := s.readMap(); len(m.Procs) != 2*n || m.Procs[2*n-1].ID != 2*n-1 {
		t.Errorf("%d procedures, want %d without gaps", len(m.Procs), 2*n)
	}
}

// TestRuntimeComesAlong: on a mote's compiler, the object with main brings the runtime, so that any command links it.
func TestRuntimeComesAlong(t *testing.T) {
	need.Tools(t, "avr-gcc")
	s := newStage(t, program)
	s.options.Runtime = AT45DB
	s.options.Choice.Except = []string{"a.c"} // it still has main
	s.must("avr-gcc", "-mmcu=atmega128 -Os -mrelax -c a.c")
	s.must("avr-gcc", "-mmcu=atmega128 -Os -c b.c")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-mrelax", "-o", "app.elf", "a.o", "b.o").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Without main of ours, linking by us finds out.
	if err := os.WriteFile("main.c", []byte("int other(int); int main(void) { return other(1); }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-c", "main.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.must("avr-gcc", "-mmcu=atmega128 -Os -o app2.elf main.o b.o")
	// Who has forgotten functions for a flash is told so, and nothing else.
	s.options.Runtime = Own
	if status := s.run("avr-gcc", "-mmcu=atmega128 -Os -c a.c"); status != 0 {
		t.Fatalf("status %d\n%s", status, s.stderr.String())
	}
	if status := s.run("avr-gcc", "-mmcu=atmega128 a.o b.o -o no.elf"); status == 0 || strings.Contains(s.stderr.String(), "multiple") ||
		!strings.Contains(s.stderr.String(), "mh_trace_store_start") {
		t.Errorf("status %d\n%s", status, s.stderr.String())
	}
	s.options.Runtime = AT45DB
	// In one step with one file: few procedures, short labels.
	s.must("avr-gcc", "-mmcu=atmega128 -Os -o app3.elf a.c b.c")
	for elf, want := range map[string]string{"app.elf": "mh_trace_enter_wide", "app2.elf": "mh_trace_enter_wide", "app3.elf": "mh_trace_enter_narrow"} {
		out, err := need.Command(t, "avr-nm", elf).Output()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s has no %s, %v", elf, want, err)
		}
	}
}

// TestEarlyCode: what runs before main still does in an object that brings the runtime, and where the linker throws away what
// nobody calls: the tracer's own start, and the program's.
func TestEarlyCode(t *testing.T) {
	s := newStage(t, map[string]string{"a.c": `#include <avr/io.h>
volatile char early, data = 1;
__attribute__((naked, used, section(".init3"))) void first(void) { PORTB = 1; }
__attribute__((constructor)) static void before(void) { early = data; }
int main(void) { if (early) PORTB = 2; return 0; }
`})
	s.options.Runtime = AT45DB
	s.must("avr-gcc", "-mmcu=atmega128 -Os -ffunction-sections -c a.c")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Wl,--gc-sections", "-o", "app.elf", "a.o").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := need.Command(t, "avr-nm", "app.elf").Output()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int64{}
	for line := range strings.Lines(string(out)) {
		var value int64
		var kind, name string
		if n, _ := fmt.Sscanf(line, "%x %s %s", &value, &kind, &name); n == 3 {
			at[name] = value
		}
	}
	if n := (at["__ctors_end"] - at["__ctors_start"]) / 2; n != 2 {
		t.Errorf("%d functions are called before main, want the tracer's start and the program's own", n)
	}
	if at["first"] == 0 || at["first"] > at["__do_copy_data"] {
		t.Errorf(".init3 is at %#x, behind what comes after it, at %#x", at["first"], at["__do_copy_data"])
	}
}

// TestLittleRoom: the programmer is told if there is little room for the stack; where there is too little, nothing is linked.
func TestLittleRoom(t *testing.T) {
	s := newStage(t, map[string]string{"a.c": "char big[SIZE]; int main(void) { return big[1]; }\n"})
	s.options.Runtime = AT45DB
	for _, c := range []struct {
		size, stack int
		told, built bool
	}{{3000, LeastStack, false, true}, {3600, LeastStack, true, true}, {3700, LeastStack, true, false}, {3700, 20, true, true}, {3790, 20, true, false}, {3000, 900, true, false}} {
		s.options.Stack = c.stack
		s.stderr.Reset()
		status := s.run("avr-gcc", fmt.Sprintf("-mmcu=atmega128 -Os -DSIZE=%d -o app.elf a.c", c.size))
		_, err := os.Stat("app.elf")
		if told := strings.Contains(s.stderr.String(), "left for the stack"); told != c.told || (status == 0) != c.built || (err == nil) != c.built {
			t.Errorf("with %d bytes of data: status %d, %v, %q", c.size, status, err, s.stderr.String())
		}
	}
	// Who links what others have compiled is told, too.
	s.options.Stack = LeastStack
	s.must("avr-gcc", "-mmcu=atmega128 -Os -DSIZE=3700 -c a.c")
	if status := s.run("avr-gcc", "-mmcu=atmega128 a.o -o app.elf"); status == 0 || !strings.Contains(s.stderr.String(), "left for the stack") {
		t.Errorf("status %d, %q", status, s.stderr.String())
	}
}

// TestSameTwice: what comes out does not depend on when it was built.
func TestSameTwice(t *testing.T) {
	s := newStage(t, program)
	s.options.Runtime = AT45DB
	var built [2][]byte
	for i := range built {
		s.must("avr-gcc", "-mmcu=atmega128 -Os -gdwarf-4 -o app.elf a.c b.c")
		var err error
		if built[i], err = os.ReadFile("app.elf"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(built[0], built[1]) {
		t.Error("the same command gave two programs")
	}
}
