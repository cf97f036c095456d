package memory_test

import (
	"reflect"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/property/builtin"
	"motehound/study/property/memory"
	"motehound/world"
	"motehound/world/medium"
)

// network makes motes that all hear each other.
func network(t *testing.T, k *mote.Kind, n int) *world.World {
	t.Helper()
	return testkit.Network(t, k, n, medium.Full(n, -60, 0.1), world.Config{Stagger: 1000}, 1)
}

// prepare prepares the check for the motes of a world.
func prepare(w *world.World, opt builtin.Options) (*builtin.Set, error) {
	var kinds []*mote.Kind
	for _, m := range w.Motes() {
		kinds = append(kinds, m.Kind)
	}
	return builtin.Prepare([]builtin.Check{memory.Check{}}, kinds, &opt)
}

func attach(t *testing.T, w *world.World, opt builtin.Options) *builtin.Watch {
	t.Helper()
	set, err := prepare(w, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set.Attach(w)
}

// TestExamples runs every example, as a network where it has a radio. None uses memory wrongly, and watching changes nothing.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, f := range examples.All {
		t.Run(f.File(), func(t *testing.T) {
			k := testkit.Kind(t, f)
			motes, until := 1, uint64(2*world.Second)
			if k.Board.Radio != nil {
				motes = 2
			}
			w := network(t, k, motes)
			watch := attach(t, w, builtin.Options{})
			w.RunUntil(until)
			judge(t, nil, watch.Findings())
			plain := network(t, k, motes)
			plain.RunUntil(until)
			if w.Hash() != plain.Hash() {
				t.Error("watching changed the run")
			}
		})
	}
}

// overrun is a program that writes behind an array a while after its start.
func overrun(t *testing.T) *mote.Kind {
	t.Helper()
	return kindOf(t, build(t, "testdata/over_ring.c", "atmega128", "-Os"), board.Bare(&chip.ATmega128, 8_000_000))
}

// TestClones copies a watch in the middle of a run: both halves find the same as a run without a break, and a watch that is put
// back finds it again.
func TestClones(t *testing.T) {
	t.Parallel()
	k := overrun(t)
	w := network(t, k, 1)
	whole := attach(t, w, builtin.Options{})
	w.RunUntil(world.Second / 10)
	want := whole.Findings()
	if len(want) != 1 {
		t.Fatalf("%d findings, want 1", len(want))
	}
	clock := want[0].Cycle // at 8 MHz
	for _, part := range []uint64{1, 50, 95, 100, 150} {
		w := network(t, k, 1)
		first := attach(t, w, builtin.Options{})
		w.RunUntil(clock * part / 100 * 125_000)
		c := w.Clone()
		second := attach(t, c, builtin.Options{})
		second.CopyFrom(first)
		start := w.Clone()
		saved := attach(t, start, builtin.Options{})
		saved.CopyFrom(first)
		for _, run := range []struct {
			w     *world.World
			watch *builtin.Watch
		}{{c, second}, {w, first}} {
			run.w.RunUntil(world.Second / 10)
			if got := run.watch.Findings(); !reflect.DeepEqual(got, want) {
				t.Errorf("copied at %d%%: %v, want %v", part, got, want)
			}
		}
		state := saved.Save()
		for _, back := range []func(){func() { first.CopyFrom(saved) }, func() { first.Restore(state) }} {
			w.CopyFrom(start)
			back()
			w.RunUntil(world.Second / 10)
			if got := first.Findings(); !reflect.DeepEqual(got, want) {
				t.Errorf("put back to %d%%: %v, want %v", part, got, want)
			}
		}
	}
}

// TestHooks watches a mote whose every instruction somebody else watches and counts too.
func TestHooks(t *testing.T) {
	t.Parallel()
	k := overrun(t)
	plain := network(t, k, 1)
	watch := attach(t, plain, builtin.Options{})
	plain.RunUntil(world.Second / 10)
	want := watch.Findings()
	for _, before := range []bool{true, false} {
		w := network(t, k, 1)
		var hooks uint64
		observe := func() {
			all := func(k *mote.Kind) (at []uint32) {
				for pc := range uint32(len(k.Image.Flash) / 2) {
					at = append(at, pc)
				}
				return at
			}
			w.Observe(world.Observer{CodeAt: all, BlocksAt: all, Code: func(int, uint64, uint32) bool { hooks++; return false }})
		}
		if before {
			observe()
		}
		watch := attach(t, w, builtin.Options{})
		if !before {
			observe()
		}
		w.RunUntil(world.Second / 10)
		if got := watch.Findings(); !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		var counted uint64
		for _, n := range w.Counts(0).N {
			counted += uint64(n)
		}
		if n := w.Motes()[0].Core().Instructions; hooks != n || counted != n {
			t.Errorf("%d instructions, but %d hooks and %d counts", n, hooks, counted)
		}
	}
}

// TestSilence leaves out what the user has accepted.
func TestSilence(t *testing.T) {
	t.Parallel()
	k := overrun(t)
	for _, s := range []struct {
		silence builtin.Silence
		left    int
	}{
		{builtin.Silence{Function: "put", Reason: "known"}, 0},
		{builtin.Silence{Subject: "ring", Reason: "known"}, 0},
		{builtin.Silence{Function: "put", Subject: "ring", Reason: "known"}, 0},
		{builtin.Silence{Function: "get", Reason: "another"}, 1},
		{builtin.Silence{Function: "put", Subject: "log_buffer", Reason: "another"}, 1},
	} {
		if got := run(t, k, builtin.Options{Silence: []builtin.Silence{s.silence}}).Findings(); len(got) != s.left {
			t.Errorf("%+v leaves %v", s.silence, got)
		}
	}
	for _, bad := range []struct {
		silence builtin.Silence
		want    string
	}{
		{builtin.Silence{Reason: "all"}, "neither a check, a function nor a subject"},
		{builtin.Silence{Function: "put"}, "no reason"},
	} {
		w := network(t, k, 1)
		if _, err := prepare(w, builtin.Options{Silence: []builtin.Silence{bad.silence}}); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: %v", bad.silence, err)
		}
	}
}

// TestFinding is what a finding says: both names, the innermost inlined function, and how control came there.
func TestFinding(t *testing.T) {
	t.Parallel()
	k := kindOf(t, build(t, "testdata/over_memcpy.c", "atmega128", "-Os"), board.Bare(&chip.ATmega128, 8_000_000))
	w := network(t, k, 2)
	watch := attach(t, w, builtin.Options{})
	w.RunUntil(world.Second / 10)
	got := watch.Findings()
	if len(got) != 1 {
		t.Fatalf("%v, want one for both motes", got)
	}
	f := got[0]
	if f.Kind != memory.Bounds || f.Function != "memcpy" || f.Subject != "to" || f.Count != 8 || f.Message != "to[8] writes "+f.Accessed {
		t.Errorf("%+v", f)
	}
	if len(f.Chain) != 1 || f.Chain[0].Function != "main" || f.Chain[0].Line != 11 || !strings.HasSuffix(f.Chain[0].File, "over_memcpy.c") {
		t.Errorf("chain %v", f.Chain)
	}
}
