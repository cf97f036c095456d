// Package generated runs generated C programs with and without instrumentation, on the host and on motes, and compares the recorded paths with
// those that were really taken.
package generated

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/need"
)

// harness is what generated programs run on: it writes down markers and, where the program is instrumented, what that records.
const harness = `#include <stdio.h>
static unsigned seed, fuel;
int M(int n) { if (n) printf("M %d\n", n); return n & 1; }
int R(int n) { seed = seed * 1103515245u + 12345u; return (int)(seed >> 16) % n; }
int F(void) { return fuel > 0 ? (int)fuel-- : 0; }
void mh_test_enter(int p) { printf("E %d\n", p); }
void mh_test_path(int p, unsigned v) { printf("P %d %u\n", p, v); }
void mh_test_leave(int p, unsigned v) { printf("L %d %u\n", p, v); }
void mh_test_more(int n) { printf("N %d\n", n); }
void begin(int program, int run) { seed = 7919u * program + run; fuel = 40; printf("G %d %d\n", program, run); }
`

const testDeclarations = "void mh_test_enter(int p); void mh_test_path(int p, unsigned v); void mh_test_leave(int p, unsigned v); void mh_test_more(int n);\n"

var testCalls = instrument.Calls{
	Enter: "mh_test_enter(%p)",
	Path8: "mh_test_path(%p, %v)", Path16: "mh_test_path(%p, %v)",
	Leave8: "mh_test_leave(%p, %v)", Leave16: "mh_test_leave(%p, %v)",
	Round8: testRound, Round16: testRound, More: testMore,
}

// The macros of the runtime's header, in a program that nothing interrupts.
const (
	testMore  = "((unsigned char)(__mh_more + 1) > 1 ? mh_test_more(__mh_more) : (void)0)"
	testRound = "(__mh_more < 254 && __mh_last == (%v) ? (void)__mh_more++ : (" + testMore + ", __mh_last = (%v), __mh_more = 0, mh_test_path(%p, __mh_last)))"
)

// silent is what programs call that is not theirs.
var silent = []string{"M", "R", "F"}

// batch is programs in one file: each some functions, of which main calls the last with several seeds.
func batch(r *rand.Rand, programs int) string {
	g := &generator{Rand: r}
	var entries []string
	g.f("%s", prelude)
	for p := range programs {
		g.callees = nil
		for f := range 1 + r.IntN(3) {
			size := 2 + r.IntN(10)
			if r.IntN(25) == 0 {
				size = 80 // more paths than a register holds
			}
			g.callees = append(g.callees, g.function(fmt.Sprintf("p%d_f%d", p, f), size))
		}
		entries = append(entries, g.callees[len(g.callees)-1])
	}
	// With assembly in main, any function may run with interrupts off.
	g.f("extern void begin(int, int);\nint main(void) __attribute__((no_instrument_function));\nint main(void) { __asm__ (\"\");\n")
	for p, call := range entries {
		g.f(" for (int i = 0; i < 4; i++) { begin(%d, i); (void)%s; }\n", p, call)
	}
	g.f(" return 0; }\n")
	return g.out.String()
}

// compile makes a program of a source and runs it.
func compileAndRun(t *testing.T, dir, name, source string, options ...string) []byte {
	t.Helper()
	file, exe := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu99", "-w", "-o", exe, "-x", "cpp-output", file, "-x", "none", filepath.Join(dir, "harness.o")}, options...)
	if out, err := need.Command(t, "cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.3000s", name, err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

func TestRecordedPathsAreTheTakenOnes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "harness.c"), []byte(harness), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "cc", "-c", "-o", filepath.Join(dir, "harness.o"), filepath.Join(dir, "harness.c")).CombinedOutput(); err != nil {
		t.Fatalf("this test needs a C compiler, cc: %v\n%s", err, out)
	}
	batches, programs := 10, 100
	if testing.Short() {
		batches = 2
	}
	var total tally
	for n := range batches {
		source := batch(rand.New(rand.NewPCG(8, uint64(n))), programs)
		optimise := []string{"-O0", "-O2", "-O0", "-O0", "-O0"}[n%5]
		plain := compileAndRun(t, dir, fmt.Sprint("plain", n), source, optimise)

		u, err := cflow.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		plan := instrument.Prepare(u, "batch", instrument.Choice{All: true, Silent: silent})
		m := instrument.New()
		if err := m.Add("batch", plan); err != nil {
			t.Fatal(err)
		}
		traced := compileAndRun(t, dir, fmt.Sprint("traced", n), testDeclarations+string(plan.Rewrite(testCalls)), optimise)
		if got := withoutRecords(traced); !bytes.Equal(got, plain) {
			t.Fatalf("batch %d: the instrumented programs behave otherwise: %s", n, firstDifference(plain, got))
		}
		for _, l := range plan.Left {
			if l.Why != unsequencedForTest && l.Name != "main" {
				t.Errorf("batch %d: %s was left: %s", n, l.Name, l.Why)
			}
			total.left++
		}
		var written bytes.Buffer
		if err := m.Write(&written); err != nil {
			t.Fatal(err)
		}
		if m, err = instrument.Read(&written); err != nil {
			t.Fatal(err)
		}
		follow(t, u, m, traced, &total)
	}
	t.Logf("%d programs, %d invocations, %d paths, %d blocks, %d by cut edges, %d counted; %d procedures with 16 bits, %d functions left",
		batches*programs, total.invocations, total.paths, total.blocks, total.cuts, total.counted, total.wide, total.left)
	if total.counted < 100*batches/10 || total.invocations < 2000*batches/10 || total.cuts < 2000*batches/10 || total.wide < 10*batches/10 || total.left > total.invocations/20 {
		t.Error("too little was tried")
	}
}

const unsequencedForTest = "a loop or jump in an expression, and a decision in another operand, may run in any order"

type tally struct{ invocations, paths, blocks, cuts, counted, wide, left, lost, unknown int }

func withoutRecords(log []byte) []byte {
	var out []byte
	for line := range bytes.Lines(log) {
		if line[0] == 'M' || line[0] == 'G' {
			out = append(out, line...)
		}
	}
	return out
}

func firstDifference(a, b []byte) string {
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("event %d is %q, was %q", i, bs[i], as[i])
		}
	}
	return fmt.Sprintf("%d events, were %d", len(bs), len(as))
}

// An invocation is a procedure that is running.
type invocation struct {
	proc    *instrument.Proc
	took    []int // markers, as they came
	decoded []int // markers of the blocks of the recorded paths
	at      int   // the block that the next path begins in; -1 at the begin
	path    int   // that was recorded last
}

// follow reads what programs wrote down, and compares, invocation by invocation, the markers that came with those of the
// blocks that the recorded paths say.
func follow(t *testing.T, u *cflow.Unit, m *instrument.Map, log []byte, total *tally) {
	t.Helper()
	markers := markersOf(u)
	var stack []*invocation
	traced := map[string]bool{}
	for _, p := range m.Procs {
		traced[p.Name] = true
		if p.Bits == 16 {
			total.wide++
		}
	}
	in := bufio.NewScanner(bytes.NewReader(log))
	// Something was lost in this run: those that are open then are not known. All that is entered behind it is compared again.
	lost := false
	for in.Scan() {
		var kind string
		var a, b int
		fields := strings.Fields(in.Text())
		kind = fields[0]
		a, _ = strconv.Atoi(fields[1])
		if len(fields) > 2 {
			b, _ = strconv.Atoi(fields[2])
		}
		if lost && len(stack) == 0 && strings.ContainsAny(kind, "PLN") {
			total.unknown++
			continue
		}
		switch kind {
		case "X":
			lost, stack = true, nil
			total.lost++
		case "G":
			lost = false
			if len(stack) != 0 {
				t.Fatalf("program %d begins while %s runs", a, stack[len(stack)-1].proc.Name)
			}
		case "E":
			total.invocations++
			stack = append(stack, &invocation{proc: m.Proc(a), at: -1})
		case "M":
			// A function that was left has no records: then its markers are nobody's.
			if n := len(stack); n > 0 && markers.of(stack[n-1].proc, a) {
				stack[n-1].took = append(stack[n-1].took, a)
			}
		case "N":
			for range a {
				stack[len(stack)-1].recordLater(t, markers, total)
			}
		case "+P":
			if i := stack[len(stack)-1]; i.proc.ID != a || i.path != b {
				t.Fatalf("path %d of %d is counted while path %d of %s runs", b, a, i.path, i.proc.Name)
			}
			stack[len(stack)-1].recordLater(t, markers, total)
		case "P", "L":
			i := stack[len(stack)-1]
			if i.proc.ID != a {
				t.Fatalf("%d records while %s runs", a, i.proc.Name)
			}
			i.record(t, b, markers, total)
			if kind == "L" {
				if i.at != -1 {
					t.Fatalf("%s: its last path ends at a cut edge", i.proc.Name)
				}
				stack = stack[:len(stack)-1]
			} else if i.at == -1 {
				t.Fatalf("%s: a path to the exit was recorded at a cut edge", i.proc.Name)
			}
		}
	}
	if len(stack) != 0 {
		t.Fatalf("%s never left", stack[0].proc.Name)
	}
}

// recordLater takes the path that was recorded last once more, for a round that may be some time ago.
func (i *invocation) recordLater(t *testing.T, markers markerTable, total *tally) {
	t.Helper()
	took := i.took
	p, err := i.proc.Decode(i.path)
	if err != nil {
		t.Fatalf("%s: %v", i.proc.Name, err)
	}
	n := len(i.decoded)
	for _, b := range p.Blocks {
		n += len(markers[i.proc.Name][b])
	}
	i.took = took[:min(n, len(took))]
	i.record(t, i.path, markers, total)
	i.took = took
	total.counted++
}

// record takes one path of an invocation.
func (i *invocation) record(t *testing.T, number int, markers markerTable, total *tally) {
	t.Helper()
	p, err := i.proc.Decode(number)
	if err != nil {
		t.Fatalf("%s: %v", i.proc.Name, err)
	}
	if p.Begins != (i.at == -1) || !p.Begins && p.Blocks[0] != i.at {
		t.Fatalf("%s: path %d begins in %v, not behind the one before, at %d", i.proc.Name, number, p.Blocks, i.at)
	}
	for _, b := range p.Blocks {
		i.decoded = append(i.decoded, markers[i.proc.Name][b]...)
		total.blocks++
	}
	if !slices.Equal(i.decoded, i.took) {
		t.Fatalf("%s, path %d of %d: ran %v\ndecoded %v, blocks %v", i.proc.Name, number, i.proc.Paths, i.took, i.decoded, p.Blocks)
	}
	i.at, i.path = -1, number
	if !p.Ends {
		i.at = i.proc.Edges[p.Edges[len(p.Edges)-1]].To
		total.cuts++
	}
	total.paths++
}

// markerTable is the markers of each block, by procedure.
type markerTable map[string][][]int

func (m markerTable) of(p *instrument.Proc, marker int) bool {
	return slices.ContainsFunc(m[p.Name], func(block []int) bool { return slices.Contains(block, marker) })
}

var markerCall = regexp.MustCompile(`^M\((\d+)\)`)

func markersOf(u *cflow.Unit) markerTable {
	table := markerTable{}
	for _, f := range u.Funcs {
		blocks := make([][]int, len(f.Blocks))
		for b, block := range f.Blocks {
			for _, c := range block.Calls {
				if m := markerCall.FindSubmatch(u.Text[c.At:min(c.At+20, len(u.Text))]); m != nil {
					n, _ := strconv.Atoi(string(m[1]))
					if n != 0 {
						blocks[b] = append(blocks[b], n)
					}
				}
			}
		}
		table[f.Name] = blocks
	}
	return table
}
