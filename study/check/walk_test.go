package check

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"motehound/study/finding"
)

// Walks give the same result, down to every event and count, with any number of threads.
func TestWalksThreads(t *testing.T) {
	for seed := range uint64(60) {
		p := randomProgram(seed)
		var first string
		for threads := 1; threads <= 4; threads++ {
			meter := new(Meter)
			r, err := Walks(newToy(p), WalkOptions{Walks: 40, Events: 50, Total: 600 + 10*seed, Threshold: 20, Prefix: 5, First: seed%3 == 0,
				Seed: seed, Threads: threads, Meter: meter})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d %+v", r.Walks, meter.Stats())
			for _, f := range r.Findings {
				got += fmt.Sprintf("%+v", *f)
			}
			if threads == 1 {
				first = got
			} else if got != first {
				t.Fatalf("seed %d, %d threads:\n%s\nwant\n%s", seed, threads, got, first)
			}
		}
	}
}

// Walks end when nobody waits any more, however short they are.
func TestWalksStop(t *testing.T) {
	p := &program{values: 2, motes: 1, healed: -1, initial: []uint8{0}}
	p.actions = []action{act(0, Interrupt, 0, 0, []guard{{0, 0}}, assign{v: 0, c: 1})} // once
	asked := 0
	r, err := Walks(newToy(p), WalkOptions{Walks: 1000, Events: 100, Threads: 1, Stop: func() bool { asked++; return asked > 10 }})
	if err != nil || r.Complete || r.Walks != 10 {
		t.Errorf("%d walks, complete: %v, %v", r.Walks, r.Complete, err)
	}
}

// A goal that does not hold for one event more than the threshold is violated, one that holds in between is not; each mote has its own
// count.
func TestThreshold(t *testing.T) {
	p := &program{values: 10, motes: 2, healed: -1, initial: []uint8{0, 0}}
	p.actions = []action{act(0, Interrupt, 0, 0, nil, assign{v: 0, x: 0, a: 1, c: 1})} // 1, 2, ... 9, 0, 1, ...
	p.goals = []goalState{{finding.Goal{Property: "round", Mote: 0}, 0, 0}}
	for _, c := range []struct {
		threshold int
		violated  bool
	}{{8, true}, {9, false}} {
		r, err := Walks(newToy(p), WalkOptions{Walks: 1, Events: 100, Threshold: c.threshold, NoLasso: true})
		if err != nil || (len(r.Findings) > 0) != c.violated {
			t.Errorf("threshold %d: %v %v", c.threshold, r.Findings, err)
		}
		if c.violated && (len(r.Findings[0].Trace) != 9 || r.Findings[0].Since != 0 || r.Findings[0].Evidence != Sampled) {
			t.Errorf("threshold %d: %+v", c.threshold, r.Findings[0])
		}
	}
	// Without a variable that ever holds, on the other mote.
	p.goals = append(p.goals, goalState{finding.Goal{Property: "never", Mote: 1}, 1, 1})
	r, err := Walks(newToy(p), WalkOptions{Walks: 1, Events: 100, Threshold: 20, NoLasso: true})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Mote != 1 || len(r.Findings[0].Trace) != 21 {
		t.Errorf("%v %v", r.Findings, err)
	}
	if r, _ = Walks(newToy(p), WalkOptions{Walks: 1, Events: 99_999}); r.Findings[0].Evidence != Lasso {
		t.Errorf("no lasso: %+v", r.Findings[0])
	}
}

// First a mote is chosen, then one of its events: a mote with many events is not favoured. Weights change the latter.
func TestChoice(t *testing.T) {
	var enabled []Event
	for i := range 9 {
		enabled = append(enabled, Event{Mote: 0, Source: uint16(i)})
	}
	enabled = append(enabled, Event{Mote: 1}, Event{Mote: 2, Class: Fault}, Event{Mote: 2, Class: Task})
	count := func(c chooser, n int) map[Event]float64 {
		c.rng = generator(1, 1)
		share := make(map[Event]float64)
		for range n {
			e, ok := c.pick(enabled)
			if !ok {
				t.Fatal("nothing chosen")
			}
			share[e] += 1 / float64(n)
		}
		return share
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s: %.3f, want %.3f", what, got, want)
		}
	}
	uniform := count(chooser{}, 100_000)
	near("mote 1", uniform[enabled[9]], 1.0/3)
	near("an event of mote 0", uniform[enabled[4]], 1.0/27)
	near("a fault", uniform[enabled[10]], 1.0/6)
	weighted := count(chooser{weight: func(e Event) uint32 {
		switch {
		case e.Mote == 1:
			return 0
		case e.Class == Fault:
			return 9
		}
		return 1
	}}, 100_000)
	near("mote 1, weighted", weighted[enabled[9]], 0)
	near("a fault, weighted", weighted[enabled[10]], 0.45)
	favoured := count(chooser{favour: 1, favoured: true}, 100_000)
	near("mote 1, favoured", favoured[enabled[9]], 0.5+0.5/3)
	c := chooser{rng: generator(1, 1), weight: func(Event) uint32 { return 0 }}
	if _, ok := c.pick(enabled); ok {
		t.Error("an event without weight is chosen")
	}
	n := chooser{rng: generator(2, 1)}
	for range 1000 {
		if e, ok := n.natural(enabled); !ok || e.Class == Fault {
			t.Fatal("a fault where nothing fails")
		}
	}
}

// The race of the readings is found by walks, whatever the seed.
func TestWalksFindRace(t *testing.T) {
	for seed := range uint64(25) {
		r, err := Walks(newToy(readings(2, 3)), WalkOptions{Walks: 50, Events: 1000, Seed: seed, First: true, Threads: 2})
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Property != "past the end" {
			t.Fatalf("seed %d: %v %v", seed, r.Findings, err)
		}
		if err := confirmed(newToy(readings(2, 3)), r.Findings[0], nil); err != nil {
			t.Error(err)
		}
	}
}

// Healed, the network has to come back: the fixed protocol does, one whose mote is lost for ever after a fault does not.
func TestHeal(t *testing.T) {
	good := orphans(true) // the bug needs a dead mote, which healing brings back
	o := WalkOptions{Walks: 30, Events: 5000, Threshold: 1000, Prefix: 40, Heal: true, Seed: 3}
	r, err := Walks(newToy(good), o)
	if err != nil || len(r.Findings) != 0 {
		t.Errorf("healed: %v %v", r.Findings, err)
	}
	lost := orphans(true)
	lost.actions[0].sets = append(lost.actions[0].sets, put(orphanGap, 1)) // the fault leaves a mark,
	lost.actions[1].guards = append(lost.actions[1].guards, guard{orphanGap, 0})
	lost.actions[5].sets = []assign{put(orphanMature, 0)} // which nothing takes away
	r, err = Walks(newToy(lost), o)
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("lost: %v %v", r.Findings, err)
	}
	if err := confirmed(newToy(lost), r.Findings[0], nil); err != nil {
		t.Error(err)
	}
	healed := 0
	for _, e := range r.Findings[0].Trace {
		if e == Healing {
			healed++
		} else if healed > 0 && e.Class == Fault {
			t.Error("a fault after healing")
		}
	}
	if healed != 1 {
		t.Errorf("healed %d times", healed)
	}
	if _, err := Walks(newToy(readings(1, 1)), WalkOptions{Heal: true}); err == nil {
		t.Error("healing without a goal is taken")
	}
}

// An error of the system ends everything.
func TestWalkError(t *testing.T) {
	p := readings(1, 2)
	s := &broken{toy: newToy(p), after: 10}
	if _, err := Walks(s, WalkOptions{Walks: 3, Events: 100, Threads: 2}); err == nil {
		t.Error("walks go on")
	}
	if _, err := Search(&broken{toy: newToy(p), after: 10}, SearchOptions{Depth: 20, Stateless: true, Threads: 2}); err == nil {
		t.Error("the search goes on")
	}
	if _, err := findLassos(&broken{toy: newToy(orphans(true)), after: 3}, GraphOptions{}); err == nil {
		t.Error("the graph is built")
	}
}

// broken is a toy that fails after some events.
type broken struct {
	*toy
	fired, after int
}

func (b *broken) Fire(e Event) (Step, error) {
	if b.fired++; b.fired > b.after {
		return Step{}, fmt.Errorf("the machine is on fire")
	}
	return b.toy.Fire(e)
}

func (b *broken) Clone() System { return &broken{b.toy.Clone().(*toy), b.fired, b.after} }
func (b *broken) CopyFrom(s System) {
	f := s.(*broken)
	b.toy.CopyFrom(f.toy)
	b.fired = f.fired
}

// inOrder commits in order, and exactly what comes before the refusal.
func TestInOrder(t *testing.T) {
	for threads := 1; threads <= 5; threads++ {
		var got []int
		inOrder(threads, 3, 100, func(_, piece int, _ func() bool) int { return piece * piece }, func(piece, r int) bool {
			if r != piece*piece {
				t.Errorf("piece %d gave %d", piece, r)
			}
			got = append(got, piece)
			return piece < 50
		})
		var want []int
		for i := 3; i <= 50; i++ {
			want = append(want, i)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %v", threads, got)
		}
	}
}
