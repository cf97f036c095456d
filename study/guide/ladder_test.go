package guide

import (
	"math/rand/v2"
	"testing"
)

func newLadders(most int) (*Ladders[int], *rand.Rand) {
	return NewLadders[int](most), rand.New(rand.NewPCG(1, 2))
}

// climb has a variable get a value, and keeps the state if it should be kept.
func (l *Ladders[T]) climb(r Rung, state T) bool {
	keep := l.See(r)
	if keep {
		l.Keep(r, state)
	}
	return keep
}

// A state is kept for a new value, and for the ground never.
func TestLaddersSee(t *testing.T) {
	l, _ := newLadders(8)
	for _, c := range []struct {
		value uint8
		want  bool
	}{{1, true}, {0, false}, {1, false}, {2, true}, {0, false}, {2, false}, {63, true}} {
		if got := l.climb(Rung{3, c.value}, 0); got != c.want {
			t.Errorf("value %d: keep %v, want %v", c.value, got, c.want)
		}
	}
	if !l.See(Rung{4, 1}) {
		t.Error("the first value of another variable is not new")
	}
}

// Most trips go on from the newest value. From where many were made, another state takes over.
func TestLaddersPick(t *testing.T) {
	l, rng := newLadders(8)
	if _, aim := l.Pick(rng); aim != nil {
		t.Fatal("an aim without a variable")
	}
	for v := range uint8(3) {
		l.climb(Rung{0, v + 1}, int(v)+1)
	}
	from := map[int]int{}
	for range tiresome {
		state, aim := l.Pick(rng)
		aim.Book(10)
		from[state]++
	}
	if from[3] <= from[1] || from[0] != 0 {
		t.Errorf("trips from %v, want most from 3", from)
	}
	for l.list[0].rungs[2].trips < tiresome {
		l.Pick(rng)
	}
	if !l.climb(Rung{0, 3}, 7) {
		t.Error("a state that many trips were made from keeps its place")
	}
	if r := l.list[0].rungs[2]; r.state != 7 || r.trips != 0 || len(l.list[0].rungs) != 3 {
		t.Errorf("%+v took over", r)
	}
}

// A trip is on its way as long as the variable gets later values and new ones.
func TestAimLost(t *testing.T) {
	l, _ := newLadders(16)
	for _, v := range []uint8{5, 2, 9} {
		l.climb(Rung{1, v}, 0)
	}
	aim := &Aim[int]{l.list[1], 1, 2}
	for r, want := range map[Rung]bool{{1, 9}: false, {1, 2}: true, {1, 5}: true, {1, 0}: true, {1, 7}: true, {0, 5}: false} {
		if aim.Lost(r) != want {
			t.Errorf("%+v: lost %v, want %v", r, !want, want)
		}
	}
	l.climb(Rung{1, 7}, 0)
	if aim.Lost(Rung{1, 7}) {
		t.Error("a new value is none")
	}
}

// Variables get trips in turn; one that got further gets more than one that never did.
func TestLaddersTurn(t *testing.T) {
	l, rng := newLadders(64)
	l.climb(Rung{0, 1}, 0)
	l.climb(Rung{1, 1}, 1)
	trips := [2]int{}
	next := uint8(1)
	for range 400 {
		of, aim := l.Pick(rng)
		trips[of]++
		aim.Book(20)
		if of == 1 && trips[1]%10 == 0 && next < 40 {
			next++
			l.climb(Rung{1, next}, 1)
		}
	}
	if trips[0] < 4 || trips[1] < 2*trips[0] {
		t.Errorf("%v trips, want more for the second, and some for the first", trips)
	}
	if n := len(l.list[1].rungs); n != lastRungs {
		t.Errorf("%d values of one variable, want %d", n, lastRungs)
	}
}

// There are never more states than wanted, and the last of a variable goes last.
func TestLaddersBound(t *testing.T) {
	const most = 10
	l, _ := newLadders(most)
	for v := range 4 {
		for n := range uint8(5) {
			l.climb(Rung{v, n + 1}, v)
		}
	}
	kept := 0
	for v, x := range l.list {
		kept += len(x.rungs)
		if len(x.rungs) == 0 || x.rungs[len(x.rungs)-1].value != 5 {
			t.Errorf("variable %d has lost its newest value: %+v", v, x.rungs)
		}
	}
	if kept != most || l.kept != most {
		t.Errorf("%d states, %d counted, want %d", kept, l.kept, most)
	}
}
