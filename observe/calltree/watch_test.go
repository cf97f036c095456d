package calltree_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/observe/calltree"
	"motehound/observe/intervals"
	"motehound/world"
)

// watch runs a world and gives what was seen.
func watch(t testing.TB, w *world.World, until uint64, opt calltree.Options) ([]calltree.Instance, *calltree.Watcher) {
	t.Helper()
	var got []calltree.Instance
	h, err := calltree.Watch(w, calltree.NewBook(), opt, func(i calltree.Instance) { got = append(got, i) })
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(until)
	h.Close()
	return got, h
}

// network is two motes with an example that hear each other.
func network(t testing.TB, app, boardName string) *world.World {
	t.Helper()
	return testkit.Pair(t, testkit.Example(t, app, boardName))
}

func timer1(body string) string {
	return `#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <setjmp.h>
#include <stdint.h>
volatile uint8_t in, out, count;
uint8_t table[8];
` + body + `
int main(void) {
	TCCR1B = _BV(WGM12) | _BV(CS10); OCR1A = 30000; TIMSK = _BV(OCIE1A);
	sleep_enable();
	sei();
	for (;;) sleep_cpu();
}
`
}

// treesOf are the outlines of the first complete instances of timer 1's handler.
func treesOf(t testing.TB, source string, flags ...string) ([]string, *calltree.Watcher) {
	t.Helper()
	got, h := watch(t, bare(t, compile(t, timer1(source), flags...)), 50*world.Millisecond, calltree.Options{Vectors: []uint16{13}})
	var trees []string
	for _, i := range got {
		if i.Complete {
			trees = append(trees, outline(i.Tree.Calls[0]).String())
		}
	}
	if len(trees) < 8 {
		t.Fatalf("only %d handlers", len(trees))
	}
	return trees, h
}

const relay = `
static void led(uint8_t n) { out ^= n; }
static uint8_t check(uint8_t x) { if (x & 1) led(1); return x >> 1; }
static uint8_t weigh(uint8_t x) { uint8_t s = 0; for (uint8_t i = in & 3; i; i--) s += check(x + i); return s; }
static void keep(uint8_t x) { table[x & 7] = x; if (x & 4) led(4); }
static void forward(uint8_t x) { switch (in & 7) { case 0: keep(1); break; case 1: keep(x); led(2); break; case 3: led(8); case 5: keep(x + 1); } }
static void receive(uint8_t x) { uint8_t w = weigh(x); if (w > 3) forward(w); else keep(w); }
ISR(TIMER1_COMPA_vect) { in = in * 5 + 3; receive(in); }
`

// However a program is built, its trees name the functions that the programmer wrote, in the same order. Only where GCC
// shares the code of two equal calls, as -Os does, both seem to be one caller's.
func TestInliningMakesNoDifference(t *testing.T) {
	t.Parallel()
	want, _ := treesOf(t, relay, "-Os", "-fno-inline")
	if all := strings.Join(want, ""); !strings.Contains(all, "  receive\n    weigh\n      check\n      check\n        led\n") || !strings.Contains(all, "    forward\n      keep\n") {
		t.Fatalf("the program does not do what it should:\n%s", all)
	}
	for _, c := range []struct {
		flags string
		order bool // only the order is the same
	}{{"-Os -fno-crossjumping", false}, {"-O2", false}, {"-O1", false}, {"-O0", false}, {"-Os", true}, {"-Os -mcall-prologues", true}} {
		got, _ := treesOf(t, relay, strings.Fields(c.flags)...)
		for i := range want {
			if got[i] != want[i] && !(c.order && strings.ReplaceAll(got[i], " ", "") == strings.ReplaceAll(want[i], " ", "")) {
				t.Errorf("%s: instance %d is\n%s, without inlining\n%s", c.flags, i, got[i], want[i])
				break
			}
		}
	}
}

// A jump out of several functions ends them all; one that never returned is not a caller afterwards.
func TestLongjmp(t *testing.T) {
	t.Parallel()
	trees, _ := treesOf(t, `
jmp_buf env;
__attribute__((noinline)) void after(void) { out++; }
__attribute__((noinline)) void inner(void) { out += 2; longjmp(env, 1); }
__attribute__((noinline)) void outer(void) { inner(); out++; }
ISR(TIMER1_COMPA_vect) { if (!setjmp(env)) outer(); after(); }
`, "-Os")
	want := "TIMER1_COMPA\n  setjmp\n  outer\n    inner\n      longjmp\n  after\n"
	for _, tree := range trees {
		if tree != want {
			t.Fatalf("got\n%swant\n%s", tree, want)
		}
	}
}

// Recursion is followed to a depth, then it is said that there was more; what comes behind is right again.
func TestDeepRecursion(t *testing.T) {
	t.Parallel()
	trees, h := treesOf(t, `
__attribute__((noinline)) uint8_t down(uint8_t n) { if (n) return down(n - 1) + 1 + in; return 0; }
__attribute__((noinline)) void after(void) { out++; }
ISR(TIMER1_COMPA_vect) { if (++count == 3) down(250); after(); }
`, "-O1", "-fno-optimize-sibling-calls")
	if trees[0] != "TIMER1_COMPA\n  after\n" || trees[4] != trees[0] {
		t.Errorf("got\n%s", trees[0])
	}
	if n := strings.Count(trees[2], "down\n"); n < 150 || n > 250 || !strings.HasSuffix(trees[2], "\n  after\n") {
		t.Errorf("%d calls deep, and then %q", n, trees[2][len(trees[2])-20:])
	}
	if h.Stats().Deep == 0 {
		t.Error("nobody says that calls are missing")
	}
}

// A loop that calls very often is cut, and says so.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	trees, h := treesOf(t, `
__attribute__((noinline)) void f(void) { out++; }
ISR(TIMER1_COMPA_vect) { if (count++ == 2) for (uint16_t i = 0; i < 5000; i++) f(); f(); }
`, "-Os")
	if trees[0] != "TIMER1_COMPA\n  f\n" || trees[3] != trees[0] {
		t.Errorf("got\n%s", trees[0])
	}
	if n := strings.Count(trees[2], "  f\n"); n != 4096 || !strings.HasSuffix(trees[2], "f\n  …\n") {
		t.Errorf("%d calls, and then %q", n, trees[2][len(trees[2])-20:])
	}
	if got := h.Stats().Cut; got != 5001-4096 {
		t.Errorf("%d calls are said to be missing", got)
	}
}

// A tail call is a call of the function that jumps, of its own kind, with the place of the jump.
func TestTailCall(t *testing.T) {
	t.Parallel()
	got, _ := watch(t, bare(t, compile(t, timer1(`
__attribute__((noinline)) uint8_t last(uint8_t x) { out = x; return x; }
__attribute__((noinline)) uint8_t first(uint8_t x) { in++;
	return last(x); }
ISR(TIMER1_COMPA_vect) { first(1);
	last(2); }
`), "-Os")), 20*world.Millisecond, calltree.Options{Vectors: []uint16{13}})
	handler := got[0].Tree.Calls[0]
	if s := outline(handler).String(); s != "TIMER1_COMPA\n  first\n    last\n  last\n" {
		t.Fatalf("got\n%s", s)
	}
	first, second := handler.Calls[0], handler.Calls[1]
	last := first.Calls[0]
	if handler.Kind != calltree.Interrupt || first.Kind != calltree.Call || last.Kind != calltree.Tail || second.Kind != calltree.Call {
		t.Errorf("kinds %v, %v, %v, %v", handler.Kind, first.Kind, last.Kind, second.Kind)
	}
	lines := []int{first.Func.Line, last.Site.Line, first.Site.Line, second.Site.Line}
	if want := []int{first.Func.Line, first.Func.Line + 1, first.Func.Line + 2, first.Func.Line + 3}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
	if filepath.Base(last.Site.File) != "a.c" || filepath.Base(last.Func.File) != "a.c" {
		t.Errorf("files %s, %s", last.Site.File, last.Func.File)
	}
}

// The examples' kernel: tasks are nodes of layer 1, posts are leaves, and the kernel's own functions are not there.
func TestTasks(t *testing.T) {
	t.Parallel()
	for _, boardName := range []string{"micaz", "mica2"} {
		got, h := watch(t, network(t, "counter", boardName), 5*world.Second, calltree.Options{})
		if s := h.Stats(); s != (calltree.Stats{}) {
			t.Errorf("%s: %+v", boardName, s)
		}
		if notes := h.Notes(); notes != nil {
			t.Errorf("%s: %q", boardName, notes)
		}
		tasks, posts := map[string]bool{}, map[string]bool{}
		for _, i := range got {
			checkTree(t, i, tasks, posts)
		}
		if !tasks["VirtualizeTimerC.updateFromTimer"] || !posts["post(VirtualizeTimerC.updateFromTimer)"] || len(tasks) != len(posts) {
			t.Errorf("%s: tasks %v, posts %v", boardName, tasks, posts)
		}
	}
}

func checkTree(t *testing.T, i calltree.Instance, tasks, posts map[string]bool) {
	if i.Tree.Kind != calltree.Root || len(i.Tree.Calls) == 0 || !slices.IsSorted(i.Within) || slices.Contains(i.Within, i.Serial) {
		t.Fatalf("%+v", i)
	}
	var walk func(n *calltree.Node, depth int)
	walk = func(n *calltree.Node, depth int) {
		switch layer1 := n.Kind == calltree.Interrupt || n.Kind == calltree.Task; {
		case layer1 != (depth == 1):
			t.Fatalf("%s at layer %d", n.Func.Name, depth)
		case n.Kind == calltree.Task:
			tasks[n.Func.Name] = true
		case n.Kind == calltree.Post:
			posts[n.Func.Name] = true
			if n.Calls != nil || n.Site.Line == 0 {
				t.Fatalf("%+v", n)
			}
		case depth > 2 && n.Site.Line == 0:
			t.Fatalf("nobody knows where %s was called", n.Func.Name)
		case strings.HasPrefix(n.Func.Name, "SchedulerBasicP") || strings.HasPrefix(n.Func.Name, "__") || n.Func.Name == "post":
			t.Fatalf("%s is shown", n.Func.Name)
		}
		for _, c := range n.Calls {
			walk(c, depth+1)
		}
	}
	for _, c := range i.Tree.Calls {
		walk(c, 1)
	}
}

// Watching changes nothing, and what is seen does not depend on how the run is cut into pieces.
func TestWatchingChangesNothing(t *testing.T) {
	t.Parallel()
	plain := network(t, "collect", "micaz")
	plain.RunUntil(8 * world.Second)
	whole := network(t, "collect", "micaz")
	got, _ := watch(t, whole, 8*world.Second, calltree.Options{})
	if whole.Hash() != plain.Hash() {
		t.Error("a watched world ends in another state")
	}
	pieces := network(t, "collect", "micaz")
	var again []calltree.Instance
	h, err := calltree.Watch(pieces, calltree.NewBook(), calltree.Options{}, func(i calltree.Instance) { again = append(again, i) })
	if err != nil {
		t.Fatal(err)
	}
	for at := uint64(0); at <= 8*world.Second; at += 13 * world.Millisecond {
		pieces.RunUntil(at)
	}
	pieces.RunUntil(8 * world.Second)
	h.Close()
	for m := range 2 {
		a, b := ofMote(got, m), ofMote(again, m)
		if len(a) != len(b) || len(a) < 100 {
			t.Fatalf("mote %d: %d and %d instances", m, len(a), len(b))
		}
		for i := range a {
			if outline(a[i].Tree).String() != outline(b[i].Tree).String() || !slices.Equal(a[i].Within, b[i].Within) || a[i].End != b[i].End {
				t.Fatalf("mote %d: instance %d differs", m, i)
			}
		}
	}
}

func ofMote(list []calltree.Instance, mote int) []calltree.Instance {
	return slices.DeleteFunc(slices.Clone(list), func(i calltree.Instance) bool { return i.Mote != mote })
}

// Options choose motes, vectors, and the order.
func TestOptions(t *testing.T) {
	t.Parallel()
	all, _ := watch(t, network(t, "collect", "mica2"), 4*world.Second, calltree.Options{})
	some, _ := watch(t, network(t, "collect", "mica2"), 4*world.Second, calltree.Options{Motes: []int{1}, Vectors: []uint16{16}, ByStart: true})
	want := slices.DeleteFunc(ofMote(all, 1), func(i calltree.Instance) bool { return i.Vector != 16 })
	slices.SortFunc(want, func(a, b calltree.Instance) int { return int(a.Serial) - int(b.Serial) })
	if len(some) != len(want) || len(want) < 10 {
		t.Fatalf("%d instances, want %d", len(some), len(want))
	}
	overlaps := false
	for i := range some {
		if some[i].Serial != want[i].Serial || outline(some[i].Tree).String() != outline(want[i].Tree).String() || !slices.Equal(some[i].Within, want[i].Within) {
			t.Fatalf("instance %d is %+v, want %+v", i, some[i], want[i])
		}
		overlaps = overlaps || len(want[i].Within) > 0
	}
	if !overlaps {
		t.Error("no instance executed while another one was open: the test says nothing of Within")
	}
	late, _ := watch(t, network(t, "collect", "micaz"), 2*world.Second, calltree.Options{Skip: world.Second})
	for _, i := range late {
		if i.Vector == 1 {
			t.Error("starting up was not skipped")
		}
	}
	for _, opt := range []calltree.Options{{Motes: []int{2}}, {Filter: calltree.Filter{Include: []string{""}}}} {
		if _, err := calltree.Watch(network(t, "collect", "micaz"), calltree.NewBook(), opt, func(calltree.Instance) {}); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}

// What a function that is left out calls is called by its caller, at the place where that called it.
func TestHiddenFunctions(t *testing.T) {
	t.Parallel()
	source := timer1(relay)
	opt := calltree.Options{Vectors: []uint16{13}, Filter: calltree.Filter{Exclude: []string{"weigh", "forward"}}}
	for _, flags := range [][]string{{"-Os"}, {"-Os", "-fno-inline"}} {
		im := compile(t, source, flags...)
		all, _ := watch(t, bare(t, im), 50*world.Millisecond, calltree.Options{Vectors: []uint16{13}})
		some, _ := watch(t, bare(t, im), 50*world.Millisecond, opt)
		for i := range all {
			want := outline(all[i].Tree)
			want.hide("weigh", "forward")
			if got := outline(some[i].Tree); got.String() != want.String() {
				t.Fatalf("%v: instance %d is\n%s, want\n%s", flags, i, got, want)
			}
		}
		receive := some[0].Tree.Calls[0].Calls[0]
		if c := receive.Calls[0]; c.Func.Name != "check" || c.Site.Line != receive.Func.Line {
			t.Errorf("%v: %s is called at line %d, want %d", flags, c.Func.Name, c.Site.Line, receive.Func.Line)
		}
	}
}

func (c *call) hide(names ...string) {
	var list []*call
	for _, x := range c.calls {
		x.hide(names...)
		if slices.Contains(names, x.name) {
			list = append(list, x.calls...)
		} else {
			list = append(list, x)
		}
	}
	c.calls = list
}

// Without DWARF the symbols' functions are shown, and a note says what is missing.
func TestSymbolsOnly(t *testing.T) {
	t.Parallel()
	elf := filepath.Join(t.TempDir(), "a.elf")
	c := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(c, []byte(timer1(relay)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := need.Command(t, "avr-gcc", "-std=gnu99", "-mmcu=atmega128", "-Os", "-fno-inline", "-o", elf, c).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	if out, err := need.Command(t, "avr-strip", "-g", elf).CombinedOutput(); err != nil {
		t.Fatalf("avr-strip (package binutils-avr): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	got, h := watch(t, bare(t, im), 50*world.Millisecond, calltree.Options{Vectors: []uint16{13}})
	if notes := h.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "symbol table") || !strings.Contains(notes[0], "-gdwarf-4") {
		t.Errorf("notes %q", notes)
	}
	want, _ := treesOf(t, relay, "-Os", "-fno-inline")
	for i := range want {
		if s := outline(got[i].Tree.Calls[0]).String(); s != want[i] {
			t.Fatalf("instance %d is\n%s, want\n%s", i, s, want[i])
		}
	}
}

// A reset in the middle of a handler ends it, and what was called; the next handlers are followed from scratch.
func TestReset(t *testing.T) {
	t.Parallel()
	im := compile(t, timer1(`
__attribute__((noinline)) void inner(void) { for (uint16_t i = 0; i < 5000; i++) out++; }
__attribute__((noinline)) void outer(void) { inner(); in++; }
__attribute__((noinline)) void after(void) { out = 0; }
ISR(TIMER1_COMPA_vect) { outer(); after(); }
`), "-Os")
	k, err := mote.NewKind(board.Bare(&chip.ATmega128, 7_372_800), im, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The handler lasts longer than its timer's period, so that the reset hits one, and inner is most of it.
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 1}}, Resets: []world.Reset{{At: 20 * world.Millisecond}}}, world.Natural{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, h := watch(t, w, 100*world.Millisecond, calltree.Options{})
	if s := h.Stats(); s != (calltree.Stats{}) {
		t.Errorf("%+v", s)
	}
	cut := 0
	for i, x := range got[:len(got)-2] { // the run's end cuts main and maybe a handler
		tree := outline(x.Tree.Calls[0]).String()
		switch {
		case x.Vector == 1:
			if tree != "RESET\n  main\n" {
				t.Errorf("main is\n%s", tree)
			}
		case x.Vector == intervals.LoopVector:
			if tree != "main loop\n" || x.Complete {
				t.Errorf("the round that a handler came into is\n%s", tree)
			}
		case x.Complete:
			if tree != "TIMER1_COMPA\n  outer\n    inner\n  after\n" {
				t.Errorf("instance %d is\n%s", i, tree)
			}
		default:
			cut++
			if tree != "TIMER1_COMPA\n  outer\n    inner\n" {
				t.Errorf("the handler that was cut is\n%s", tree)
			}
		}
	}
	if cut != 1 {
		t.Errorf("%d handlers were cut by the reset", cut)
	}
}

// Equal runs give equal ids, in one Book for two motes.
func TestIdsAreDeterministic(t *testing.T) {
	t.Parallel()
	var books [2]*calltree.Book
	for i := range books {
		books[i] = calltree.NewBook()
		w := network(t, "collect", "mica2")
		h, err := calltree.Watch(w, books[i], calltree.Options{}, func(calltree.Instance) {})
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(2 * world.Second)
		h.Close()
	}
	a, b := books[0].Nodes(), books[1].Nodes()
	if len(a) != len(b) || len(a) < 100 {
		t.Fatalf("%d and %d nodes", len(a), len(b))
	}
	for i := range a {
		if a[i].Func.ID != b[i].Func.ID || a[i].Func.Name != b[i].Func.Name || a[i].Site != b[i].Site || outline(a[i]).String() != outline(b[i]).String() {
			t.Fatalf("node %d is %s, and %s", i, outline(a[i]), outline(b[i]))
		}
	}
}
