package check

import (
	"fmt"
	"testing"
)

// Whatever the reduction, with states kept or not, with any number of threads: same states, same deadlocks, same causes, same shortest
// traces as breadth-first search has. Thousands of small systems are tried.
func TestSearchKeepsEverything(t *testing.T) {
	programs := 1500
	if testing.Short() {
		programs = 200
	}
	for seed := range uint64(programs) {
		p := randomProgram(seed)
		depth := 1 + int(seed%6)
		want := bruteForce(p, depth)
		for _, stateless := range []bool{false, true} {
			for _, reduce := range []Reduction{None, Static, Dynamic} {
				threads := 1 + int(seed+uint64(reduce))%4
				name := fmt.Sprintf("seed %d, depth %d, stateless %t, %v, %d threads", seed, depth, stateless, reduce, threads)
				compareSearch(t, name, p, want, SearchOptions{Depth: depth, Stateless: stateless, Reduce: reduce, Threads: threads})
				if t.Failed() {
					t.Fatal(name)
				}
			}
		}
	}
}

func compareSearch(t *testing.T, name string, p *program, want *truth, o SearchOptions) {
	t.Helper()
	s := newToy(p)
	r, err := Search(s, o)
	if err != nil {
		t.Fatal(name, err)
	}
	s.leaks(t, name)
	sameStates(t, "states", s.seen.states, want.states)
	sameStates(t, "deadlocks", s.seen.dead, want.dead)
	if r.Deadlocks != len(want.dead) || !r.Complete || !o.Stateless && r.States != uint64(len(want.states)) {
		t.Errorf("%d deadlocks, %d states, complete %t; want %d, %d", r.Deadlocks, r.States, r.Complete, len(want.dead), len(want.states))
	}
	if !o.Stateless && r.Exhausted != want.whole {
		t.Errorf("exhausted %t, want %t", r.Exhausted, want.whole)
	}
	if len(r.Findings) != len(want.shortest) {
		t.Errorf("%d causes, want %d", len(r.Findings), len(want.shortest))
	}
	for _, f := range r.Findings {
		if len(f.Trace) != want.shortest[f.Property] {
			t.Errorf("%s after %d events, shortest is %d", f.Property, len(f.Trace), want.shortest[f.Property])
		}
		if err := confirmed(newToy(p), f, nil); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
}

// Without a bound on depth, and with large ones, on larger systems: there a state comes again with other events asleep.
func TestSearchDeep(t *testing.T) {
	programs := 1600
	if testing.Short() {
		programs = 400
	}
	for seed := range uint64(programs) {
		p := []func(uint64) *program{looseProgram, cyclicProgram}[seed%2](seed)
		for _, depth := range []int{0, 3 + int(seed%9)} {
			bound := depth
			if depth == 0 {
				bound = 1 << 30
			}
			want := bruteForce(p, bound)
			for _, reduce := range []Reduction{None, Static, Dynamic} {
				threads := 1 + int(seed/3+uint64(reduce))%4
				name := fmt.Sprintf("seed %d, depth %d, %v, %d threads", seed, depth, reduce, threads)
				compareSearch(t, name, p, want, SearchOptions{Depth: depth, Reduce: reduce, Threads: threads})
				if t.Failed() {
					t.Fatal(name)
				}
			}
		}
	}
}

func mustSearch(t *testing.T, p *program, o SearchOptions) (*SearchResult, Stats) {
	t.Helper()
	o.Meter = new(Meter)
	s := newToy(p)
	r, err := Search(s, o)
	if err != nil {
		t.Fatal(err)
	}
	s.leaks(t, "search")
	for _, f := range r.Findings {
		if err := confirmed(newToy(p), f, nil); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
	return r, o.Meter.Stats()
}

// Every philosopher can end with one fork: after as many events as there are philosophers, and no sooner.
func TestPhilosophers(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for _, reduce := range []Reduction{None, Static, Dynamic} {
			for threads := 1; threads <= 4; threads++ {
				r, _ := mustSearch(t, philosophers(n), SearchOptions{Depth: 3 * n, Deepen: true, Reduce: reduce, Threads: threads})
				if len(r.Findings) != 1 || len(r.Findings[0].Trace) != n || r.Deadlocks != 1 || r.Findings[0].Evidence != Stuck {
					t.Fatalf("%d philosophers, %v, %d threads: %v, %d deadlocks", n, reduce, threads, r.Findings, r.Deadlocks)
				}
				if got := len(r.Findings[0].Motes); got != n {
					t.Errorf("%d of %d philosophers starve", got, n)
				}
			}
		}
	}
}

// Motes that ignore each other are where a reduction pays, and where one inside motes pays more.
func TestReductionPays(t *testing.T) {
	fired := make(map[string]uint64)
	for _, stateless := range []bool{true, false} {
		for _, reduce := range []Reduction{None, Static, Dynamic} {
			r, stats := mustSearch(t, readings(2, 3), SearchOptions{Depth: 9, Stateless: stateless, Reduce: reduce})
			if len(r.Findings) != 1 || len(r.Findings[0].Trace) != 8 {
				t.Errorf("stateless %t, %v: %v", stateless, reduce, r.Findings)
			}
			fired[fmt.Sprintf("%t %v", stateless, reduce)] = stats.Events
		}
	}
	t.Log(fired)
	if fired["true none"] < 10*fired["true static"] || fired["false none"] <= fired["false static"] {
		t.Errorf("no savings: %v", fired)
	}
	// Two independent queues in one mote: only the dynamic reduction sees it.
	one := &program{values: 2, healed: -1, initial: make([]uint8, 6)}
	for v := range uint8(6) {
		one.actions = append(one.actions, act(0, Interrupt, int(v), 0, []guard{{v, 0}}, put(v, 1)))
	}
	none, all := mustSearch(t, one, SearchOptions{Stateless: true, Reduce: None})
	static, same := mustSearch(t, one, SearchOptions{Stateless: true, Reduce: Static})
	dynamic, least := mustSearch(t, one, SearchOptions{Stateless: true, Reduce: Dynamic})
	// 6 + 6*5 + ... + 6! transitions, and 2^6 - 1.
	if all.Events != 1956 || same.Events != all.Events || least.Events != 63 {
		t.Errorf("none %d, static %d, dynamic %d transitions", all.Events, same.Events, least.Events)
	}
	if none.Deadlocks != 1 || static.Deadlocks != 1 || dynamic.Deadlocks != 1 || !dynamic.Exhausted {
		t.Error("the end is missing")
	}
}

func TestElection(t *testing.T) {
	for _, losses := range []int{0, 1, 2} {
		for _, reduce := range []Reduction{None, Static, Dynamic} {
			p := election(4, losses)
			r, _ := mustSearch(t, p, SearchOptions{Reduce: reduce, Threads: 2})
			if (len(r.Findings) > 0) != (losses > 0) || !r.Exhausted {
				t.Errorf("%d losses, %v: %v", losses, reduce, r.Findings)
			}
			want := bruteForce(p, 1<<30)
			if losses > 0 && len(r.Findings[0].Trace) < want.shortest["a leader"] || r.States != uint64(len(want.states)) {
				t.Errorf("%d losses, %v: %v, shortest is %d", losses, reduce, r.Findings, want.shortest["a leader"])
			}
		}
	}
}

// Deepening stops at the first depth with a violation, and knows when there is nothing deeper.
func TestDeepen(t *testing.T) {
	for seed := range uint64(600) {
		p := randomProgram(seed)
		want := bruteForce(p, 8)
		shortest := 9
		for _, n := range want.shortest {
			shortest = min(shortest, n)
		}
		for _, reduce := range []Reduction{None, Static, Dynamic} {
			r, _ := mustSearch(t, p, SearchOptions{Depth: 8, Deepen: true, Reduce: reduce, Threads: 1 + int(seed%4)})
			if shortest == 0 { // a goal that is violated where nothing ever happens
				shortest = 1
			}
			if (len(r.Findings) > 0) != (shortest < 9) || len(r.Findings) > 0 && r.Depth != shortest {
				t.Fatalf("seed %d, %v: %d findings at depth %d, shortest is %d", seed, reduce, len(r.Findings), r.Depth, shortest)
			}
		}
	}
}

// A search that is told to stop says so, and what it has stands.
func TestSearchBudget(t *testing.T) {
	r, stats := mustSearch(t, readings(3, 6), SearchOptions{Depth: 30, Stateless: true, Events: 5000, Threads: 2})
	if r.Complete || r.Exhausted || stats.Events < 5000 || stats.Events > 5500 {
		t.Errorf("%+v after %d events", r, stats.Events)
	}
	r, stats = mustSearch(t, readings(3, 6), SearchOptions{Depth: 30, Deepen: true, Stateless: true, Reduce: None, Events: 5000})
	if r.Complete || r.Depth < 3 || stats.Events > 5100 {
		t.Errorf("all rounds together: %d events, depth %d", stats.Events, r.Depth)
	}
	calls := 0
	r, _ = mustSearch(t, readings(3, 6), SearchOptions{Depth: 30, Stateless: true, Stop: func() bool { calls++; return calls > 3 }})
	if r.Complete {
		t.Error("not stopped")
	}
	for _, o := range []SearchOptions{{Depth: -1}, {Deepen: true}, {Reduce: 9}} {
		if _, err := Search(newToy(readings(1, 1)), o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
