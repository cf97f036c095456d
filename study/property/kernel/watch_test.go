package kernel_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	life "motehound/firmware/kernel"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/chip"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/world"
	"motehound/world/medium"
)

// network makes motes that all hear each other, some of the time.
func network(t *testing.T, k *mote.Kind, n int) *world.World {
	t.Helper()
	return testkit.Network(t, k, n, medium.Full(n, -60, 0.1), world.Config{Stagger: 1000}, 1)
}

// TestExamples runs every example, as a network where it has a radio. None has a bug of these kinds in an ordinary run, and
// watching changes nothing.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, f := range examples.All {
		t.Run(f.File(), func(t *testing.T) {
			k := testkit.Kind(t, f)
			motes, until := 1, uint64(4*world.Second)
			if k.Board.Radio != nil {
				motes = 3
			}
			w, plain := network(t, k, motes), network(t, k, motes)
			watch := attach(t, w, builtin.Options{})
			w.RunUntil(until)
			program{}.judge(t, watch.Findings())
			plain.RunUntil(until)
			if w.Hash() != plain.Hash() {
				t.Error("watching changed the run")
			}
		})
	}
}

func kindFrom(t *testing.T, source string) (*mote.Kind, program) {
	t.Helper()
	p := read(t, source)
	return kindOf(t, build(t, source, "atmega128", "-Os"), &chip.ATmega128), p
}

// TestClones copies a watch in the middle of a run: both go on to find the same as a run without a break, and a watch that is
// put back finds it again.
func TestClones(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"storm_tasks", "reentry_sei", "watchdog_loop", "queue_contiki", "failure_tail", "bad_interrupt", "dead_disabled"} {
		k, p := kindFrom(t, "testdata/"+source+".c")
		w := alone(t, k)
		whole := attach(t, w, builtin.Options{})
		w.RunUntil(p.until)
		want := whole.Findings()
		if len(want) != 1 {
			t.Fatalf("%s: %d findings, want 1", source, len(want))
		}
		clock := want[0].Cycle * 125_000 // picoseconds, at 8 MHz
		for _, part := range []uint64{1, 50, 95, 150} {
			if clock*part/100 >= p.until {
				continue
			}
			w := alone(t, k)
			first := attach(t, w, builtin.Options{})
			w.RunUntil(clock * part / 100)
			c, start := w.Clone(), w.Clone()
			second := attach(t, c, builtin.Options{})
			second.CopyFrom(first)
			saved := attach(t, start, builtin.Options{})
			saved.CopyFrom(first)
			c.RunUntil(p.until)
			w.RunUntil(p.until)
			for _, watch := range []*builtin.Watch{second, first} {
				if got := watch.Findings(); !reflect.DeepEqual(got, want) {
					t.Errorf("%s copied at %d%%: %v, want %v", source, part, got, want)
				}
			}
			state := saved.Save()
			for _, back := range []func(){func() { first.CopyFrom(saved) }, func() { first.Restore(state) }} {
				w.CopyFrom(start)
				back()
				w.RunUntil(p.until)
				if got := first.Findings(); !reflect.DeepEqual(got, want) {
					t.Errorf("%s put back to %d%%: %v, want %v", source, part, got, want)
				}
			}
		}
	}
}

// TestOrdered resets motes from outside, which is no finding: by their buttons and by their power, whether or not the program has
// left the watchdog's flag set.
func TestOrdered(t *testing.T) {
	t.Parallel()
	for _, s := range []struct {
		source string
		counts int // watchdog resets among the others
	}{{"clean_watchdog", 0}, {"watchdog_loop", 1}} {
		k, p := kindFrom(t, "testdata/"+s.source+".c")
		p.until = world.Second / 20
		cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k}}}
		for i := range uint64(8) {
			at := (3 + 5*i) * world.Millisecond
			if i%3 == 2 {
				cfg.Events = append(cfg.Events, world.Event{At: at, Kind: world.PowerCycle})
			} else {
				cfg.Resets = append(cfg.Resets, world.Reset{At: at})
			}
		}
		w, err := world.New(cfg, world.Natural{})
		if err != nil {
			t.Fatal(err)
		}
		watch := attach(t, w, builtin.Options{})
		w.RunUntil(p.until)
		if n := w.Motes()[0].Resets(); n < 9 {
			t.Fatalf("%s: only %d resets", s.source, n)
		}
		if got := watch.Findings(); len(got) != 0 {
			t.Errorf("%s, which is reset before the watchdog can: %v", s.source, got)
		}
		w.RunUntil(2 * p.until)
		if got := watch.Findings(); len(got) != s.counts {
			t.Errorf("%s, left alone: %v", s.source, got)
		}
	}
}

// TestFlags presses the button of a mote that the watchdog has reset, and whose program leaves the flags as they are: only the
// watchdog's reset counts.
func TestFlags(t *testing.T) {
	t.Parallel()
	k, _ := kindFrom(t, "testdata/watchdog_loop.c")
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k}}}
	cfg.Resets = []world.Reset{{At: 25 * world.Millisecond}, {At: 30 * world.Millisecond}}
	w, err := world.New(cfg, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	watch := attach(t, w, builtin.Options{})
	for _, s := range []struct{ ms, resets uint64 }{{24, 2}, {29, 3}, {34, 4}} {
		w.RunUntil(s.ms * world.Millisecond)
		got := watch.Findings()
		if n := w.Motes()[0].Resets(); n != uint32(s.resets) || len(got) != 1 || got[0].Count != 1 {
			t.Errorf("after %d ms and %d resets: %+v", s.ms, n, got)
		}
	}
}

// TestAgain counts what happens again, on all motes of a firmware together.
func TestAgain(t *testing.T) {
	t.Parallel()
	k, p := kindFrom(t, "testdata/watchdog_loop.c")
	w := network(t, k, 2)
	watch := attach(t, w, builtin.Options{})
	w.RunUntil(p.until)
	resets := int(w.Motes()[0].Resets() + w.Motes()[1].Resets())
	got := watch.Findings()
	if len(got) != 1 || got[0].Count != resets-2 || got[0].Count < 4 || got[0].Mote != 0 {
		t.Errorf("%+v after %d resets", got, resets)
	}
}

// TestSilence leaves out what the user has accepted.
func TestSilence(t *testing.T) {
	t.Parallel()
	k, p := kindFrom(t, "testdata/failure_text.c")
	for _, s := range []struct {
		silence builtin.Silence
		left    int
	}{
		{builtin.Silence{Check: "kernel: failure", Reason: "known"}, 0},
		{builtin.Silence{Function: "look", Reason: "known"}, 0},
		{builtin.Silence{Subject: "panic", Reason: "known"}, 0},
		{builtin.Silence{Check: "kernel: failure", Function: "look", Subject: "panic", Reason: "known"}, 0},
		{builtin.Silence{Check: "kernel: halted", Function: "look", Reason: "another"}, 1},
		{builtin.Silence{Function: "main", Reason: "another"}, 1},
		{builtin.Silence{Subject: "abort", Reason: "another"}, 1},
	} {
		if got := p.run(t, k, builtin.Options{Silence: []builtin.Silence{s.silence}}); len(got) != s.left {
			t.Errorf("%+v leaves %v", s.silence, got)
		}
	}
}

// TestOptions has options that make no sense.
func TestOptions(t *testing.T) {
	t.Parallel()
	k, _ := kindFrom(t, "testdata/clean_done.c")
	for _, bad := range []struct {
		check kernel.Check
		opt   builtin.Options
		want  string
	}{
		{kernel.Check{}, builtin.Options{Silence: []builtin.Silence{{Reason: "all"}}}, "neither a check, a function nor a subject"},
		{kernel.Check{}, builtin.Options{Silence: []builtin.Silence{{Check: "kernel: storm", Function: "main"}}}, "storm main gives no reason"},
		{kernel.Check{}, builtin.Options{Failures: []string{"oops["}}, "not a pattern"},
		{kernel.Check{}, builtin.Options{Failures: []string{""}}, "not a pattern"},
		{kernel.Check{StormPercent: 101}, builtin.Options{}, "101%"},
	} {
		if _, err := prepare(alone(t, k), bad.check, bad.opt); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: %v", bad.opt, err)
		}
	}
}

// TestBounds moves the bound of what a storm is.
func TestBounds(t *testing.T) {
	t.Parallel()
	k, p := kindFrom(t, "testdata/clean_stuck.c")
	for _, s := range []struct {
		check kernel.Check
		want  int
	}{
		{kernel.Check{StormTime: world.Second / 5}, 1},
		{kernel.Check{StormTime: 2 * world.Second}, 0},
	} {
		if got := p.runWith(t, k, s.check, builtin.Options{}); len(got) != s.want {
			t.Errorf("%+v: %v", s.check, got)
		}
	}
	k, p = kindFrom(t, "testdata/clean_storm.c")
	if got := p.runWith(t, k, kernel.Check{StormPercent: 50}, builtin.Options{}); len(got) != 1 {
		t.Errorf("half of the time: %v", got)
	}
}

// TestFinding is what a finding says.
func TestFinding(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"failure_text":  "failure: calls panic: state is zero, in look at failure_text.c:19 from [main at failure_text.c:26]",
		"halted_sleep":  "halted: sleeps with interrupts off and no watchdog: only a reset wakes it; they were switched off in main at halted_sleep.c:15, in main at halted_sleep.c:17 from []",
		"queue_contiki": "queue_full: the kernel's queue refuses sink: event 7: it is full, in process_thread_source_process at queue_contiki.c:14",
		"restart_call":  "restart: the program calls through a null pointer and gets to address 0, and starts over without a reset, in main at restart_call.c:9 from []",
		"watchdog_loop": "watchdog: the watchdog resets the mote; the last WDR was in main at watchdog_loop.c:13, ",
	} {
		k, p := kindFrom(t, "testdata/"+source+".c")
		got := p.run(t, k, builtin.Options{})
		if len(got) != 1 {
			t.Fatalf("%s: %v", source, got)
		}
		var up []string
		for _, at := range got[0].Chain {
			up = append(up, at.String())
		}
		text := got[0].String() + " from [" + strings.Join(up, ", ") + "]"
		text = strings.ReplaceAll(text, "testdata/", "")
		for _, s := range strings.Fields(text) { // the compiler's folders
			if i := strings.LastIndex(s, "/"); i >= 0 {
				text = strings.ReplaceAll(text, s[:i+1], "")
			}
		}
		if !strings.HasPrefix(text, want) {
			t.Errorf("%s\n got %s\nwant %s", source, text, want)
		}
	}
}

// TestWithoutDWARF has what symbols alone tell.
func TestWithoutDWARF(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"failure_text": "failure: calls panic: state is zero, in look", "failure_tail": "failure: calls deputy_fail_noreturn_fast, in look",
		"bad_interrupt": "bad_interrupt: TIMER1_COMPB is served, but has no handler: the program starts over, in main", "clean_failure": "",
	} {
		p := read(t, "testdata/"+source+".c")
		k := kindOf(t, build(t, p.source, "atmega128", "-Os", "-Wl,--strip-debug"), &chip.ATmega128)
		if k.Image.HasDWARF() {
			t.Fatal("there is DWARF left")
		}
		var text []string
		for _, f := range p.run(t, k, builtin.Options{}) {
			text = append(text, f.String())
		}
		if got := strings.Join(text, "; "); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestDescribed watches a kernel that the user describes: a post that is refused while the task does not wait is work lost, one of
// a task that waits is not.
func TestDescribed(t *testing.T) {
	t.Parallel()
	d, err := life.ParseDescription("slots.json", []byte(`{"name": "slots",
		"post": [{"at": "slot_post", "task": "r24", "fails": "r24 != 0"}], "run": [{"at": "slot_run", "task": "r24"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const source = "testdata/described/slots.c"
	k, p := kindFrom(t, source)
	p.judge(t, p.run(t, k, builtin.Options{Kernels: life.Descriptions{k.Image.Hash: d}}))
}

// TestWithoutSymbols has what needs no names at all.
func TestWithoutSymbols(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"bad_interrupt", "halted_loop", "halted_exit", "dead_deep", "watchdog_loop", "restart_call", "reentry_sei", "clean_sleep",
		"clean_noblock", "clean_done"} {
		p := read(t, "testdata/"+source+".c")
		elf := build(t, p.source, "atmega128", "-Os")
		hex := strings.TrimSuffix(elf, ".elf") + ".hex"
		if out, err := need.Command(t, "avr-objcopy", "-O", "ihex", "-j", ".text", "-j", ".data", elf, hex).CombinedOutput(); err != nil {
			t.Fatalf("avr-objcopy (package binutils-avr): %v\n%s", err, out)
		}
		var got, want []string
		for _, f := range p.run(t, kindOf(t, hex, &chip.ATmega128), builtin.Options{}) {
			got = append(got, f.Kind.String()+" "+f.Function)
		}
		for _, e := range p.want {
			want = append(want, e.kind+" code without a name")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

// TestCost counts how often a mote is stopped to be looked at: seldom.
func TestCost(t *testing.T) {
	t.Parallel()
	for _, board := range []string{"micaz", "mica2"} {
		f, _ := examples.Find("counter", board)
		w := network(t, testkit.Kind(t, f), 2)
		attach(t, w, builtin.Options{})
		var looks uint64
		w.Observe(world.Observer{
			Code:      func(int, uint64, uint32) bool { looks++; return false },
			CodeAt:    func(*mote.Kind) []uint32 { return nil },
			Interrupt: func(int, uint64, uint8) { looks++ },
		})
		w.RunUntil(4 * world.Second)
		n := w.Motes()[0].Core().Instructions + w.Motes()[1].Core().Instructions
		if looks == 0 || looks*25 > n {
			t.Errorf("%s: %d looks in %d instructions", board, looks, n)
		}
	}
}

// TestWaits watches each program twice: iterations of loops that only wait are skipped, and not. What is found, and the states, are the same.
func TestWaits(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		k, p := kindFrom(t, source)
		var found [2][]builtin.Finding
		var w [2]*world.World
		for i := range w {
			w[i] = alone(t, k)
			w[i].Motes()[0].SkipWaits(i == 0)
			watch := attach(t, w[i], builtin.Options{})
			for part := range uint64(7) {
				w[i].RunUntil(p.until * (part + 1) / 7)
			}
			found[i] = watch.Findings()
		}
		if !reflect.DeepEqual(found[0], found[1]) || w[0].Hash() != w[1].Hash() {
			t.Errorf("%s: %+v with skipping, %+v without", source, found[0], found[1])
		}
		m := w[0].Motes()[0]
		if strings.Contains(source, "clean_contiki") && m.Skipped() < m.Core().Instructions*9/10 {
			t.Errorf("%s: %d of %d instructions were skipped", source, m.Skipped(), m.Core().Instructions)
		}
	}
}
