package explore_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
)

// noting is a System that notes the hash of every state that is reached, by whichever of its clones.
type noting struct {
	*explore.System
	notes *notes
}

type notes struct {
	sync.Mutex
	states map[[2]uint64]bool
	end    uint32 // if not 0, only states in which mote 0 is not in the middle of something, and its variables, which end there
}

func (n noting) Clone() check.System { return noting{n.System.Clone().(*explore.System), n.notes} }

func (n noting) CopyFrom(other check.System) { n.System.CopyFrom(other.(noting).System) }

func (n noting) Fire(e check.Event) (check.Step, error) {
	step, err := n.System.Fire(e)
	if err == nil && len(step.Violations) == 0 && !(n.notes.end != 0 && n.System.Mid()) { // a search goes no further behind one
		h := n.System.Hash()
		if n.notes.end != 0 {
			h = n.System.Variables(0, n.notes.end)
		}
		n.notes.Lock()
		n.notes.states[h] = true
		n.notes.Unlock()
	}
	return step, err
}

// searched is what a search gave.
type searched struct {
	states map[[2]uint64]bool
	causes []finding.Cause
	events uint64
}

func search(t testing.TB, from *explore.System, o check.SearchOptions) searched {
	t.Helper()
	o.Meter = new(check.Meter)
	n := noting{from, &notes{states: map[[2]uint64]bool{}}}
	r, err := check.Search(n, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("the search is not complete: %+v", r)
	}
	got := searched{states: n.notes.states, events: o.Meter.Stats().Events}
	for _, f := range r.Findings {
		got.causes = append(got.causes, f.Cause())
	}
	return got
}

// same compares a search with the one without any reduction.
func (want searched) same(t *testing.T, name string, got searched) {
	t.Helper()
	if !maps.Equal(got.states, want.states) {
		t.Errorf("%s reaches %d states, but there are %d", name, len(got.states), len(want.states))
	}
	if !slices.Equal(got.causes, want.causes) {
		t.Errorf("%s finds %v, not %v", name, got.causes, want.causes)
	}
}

// subject is what is searched in a test, and how deep.
type subject struct {
	name, file, board, build string
	motes, steady, depth     int
}

var subjects = []subject{
	{"readings", "readings/readings.star", "micaz", "", 2, 0, 7},
	{"readings, steady", "readings/readings.star", "micaz", "", 2, 400, 5},
	{"null", "dissem/dissem.star", "micaz", "_null", 2, 0, 5},
	{"null, steady", "dissem/dissem.star", "micaz", "_null", 2, 30, 3},
	{"reversed", "serialbuf/reversed.star", "micaz", "_reversed", 2, 280, 6},
	{"orphan", "orphan/orphan.star", "micaz", cases.Fixed, 2, 300, 5},
	{"three motes of readings", "readings/readings.star", "micaz", cases.Fixed, 3, 200, 4},
	{"readings on mica2", "readings/readings.star", "mica2", "", 2, 100, 5},
}

// Reductions leave out orders, never states, nor what is found in them.
func TestReductionsKeepAll(t *testing.T) {
	for _, x := range subjects {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			from := after(t, stage(t, x.file, x.board, x.build, x.motes), x.steady)
			want := search(t, from, check.SearchOptions{Depth: x.depth, Stateless: true, Reduce: check.None})
			for _, reduce := range []check.Reduction{check.None, check.Static, check.Dynamic} {
				for _, stateless := range []bool{false, true} {
					if reduce == check.None && stateless {
						continue // as above
					}
					got := search(t, from, check.SearchOptions{Depth: x.depth, Stateless: stateless, Reduce: reduce})
					if got.events > want.events || reduce != check.None && stateless && got.events == want.events {
						t.Errorf("%v, stateless %v: %d events instead of %d", reduce, stateless, got.events, want.events)
					}
					want.same(t, fmt.Sprintf("%v, stateless %v", reduce, stateless), got)
				}
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("%d events, %d states, %d causes", want.events, len(want.states), len(want.causes))
			}
		})
	}
}

// Some of the searches above must find something, or nothing is compared.
func TestSearchFinds(t *testing.T) {
	from := stage(t, "dissem/dissem.star", "micaz", "_null", 2)
	for _, threads := range []int{1, 2} {
		r, err := check.Search(from, check.SearchOptions{Depth: 12, Reduce: check.Dynamic, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Property != "memory: null" || len(r.Findings[0].Trace) != 12 {
			t.Errorf("with %d threads: %v", threads, r.Findings)
		}
	}
}

// Two threads find what one does, in walks event for event.
func TestThreadsMakeNoDifference(t *testing.T) {
	from := stage(t, "readings/readings.star", "micaz", "", 2)
	var first []*check.Finding
	for _, threads := range []int{1, 2} {
		r, err := check.Walks(from, check.WalkOptions{Walks: 6, Events: 4000, Prefix: 500, Seed: 1, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) == 0 {
			t.Fatal("the walks find nothing")
		}
		if first == nil {
			first = r.Findings
			continue
		}
		for i, f := range r.Findings {
			if i >= len(first) || f.Cause() != first[i].Cause() || f.Walk != first[i].Walk || !slices.Equal(f.Trace, first[i].Trace) {
				t.Errorf("finding %d differs: %v", i, f)
			}
		}
	}
}
