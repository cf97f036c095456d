package guide

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// states are those of the entries of an archive.
func states(a *Archive[string]) (all []string) {
	for _, e := range a.View().Entries {
		all = append(all, e.State)
	}
	return all
}

func wantStates(t *testing.T, a *Archive[string], want ...string) {
	t.Helper()
	if got := states(a); !slices.Equal(got, want) {
		t.Errorf("the archive has %q, want %q", got, want)
	}
}

// What shows nothing new is not kept; what shows the same with much less work replaces what is there, and that is dropped once it has nothing
// left of its own.
func TestCheapest(t *testing.T) {
	a := New[string](10, NewCounts())
	a.Add("far", 100, []Feature{1, 2}, 0)
	if a.Add("as far", 90, []Feature{1, 2}, 1) != nil {
		t.Error("a state that shows nothing new was kept")
	}
	wantStates(t, a, "far")
	a.Add("near", 5, []Feature{1}, 2)
	wantStates(t, a, "far", "near")
	a.Add("nearer", 1, []Feature{2, 3}, 3)
	wantStates(t, a, "near", "nearer")
	if a.Features() != 3 {
		t.Errorf("%d features are known, want 3", a.Features())
	}
}

// An archive is bounded. A feature stays known if the entry is dropped that showed it.
func TestBounded(t *testing.T) {
	a := New[string](16, NewCounts())
	for n := range 100 {
		a.Add("state", 10, []Feature{Feature(n)}, n)
		if a.Len() > 16 {
			t.Fatalf("%d entries, want at most 16", a.Len())
		}
	}
	for n := range 100 {
		if !a.Known(Feature(n), 10, 100) {
			t.Errorf("feature %d is not known", n)
		}
	}
	if a.Add("again", 10, []Feature{0}, 101) != nil {
		t.Error("a feature is new again")
	}
}

// What promises least is dropped first: what shows only common things, and what was picked in vain.
func TestDropsWeak(t *testing.T) {
	a := New[string](3, NewCounts())
	vain := a.Add("in vain", 10, []Feature{1}, 0)
	a.Add("common", 10, []Feature{2}, 0)
	a.Heed([]Feature{2}, []int{200})
	a.Add("rare", 10, []Feature{3}, 0)
	a.Book(vain, 5, 0)
	a.Add("new", 10, []Feature{4}, 0)
	wantStates(t, a, "in vain", "rare", "new")
	a.Add("newer", 10, []Feature{5}, 0)
	wantStates(t, a, "rare", "new", "newer")
}

// Somebody who knows what was learned up to a step does not know what came later.
func TestKnown(t *testing.T) {
	a := New[string](10, NewCounts())
	a.Add("state", 100, []Feature{7}, 3)
	for _, c := range []struct {
		f          Feature
		cost, step int
		want       bool
	}{{7, 100, 4, true}, {7, 100, 3, false}, {8, 100, 4, false}, {7, 24, 4, false}, {7, 25, 4, true}} {
		if got := a.Known(c.f, c.cost, c.step); got != c.want {
			t.Errorf("feature %d for %d in step %d: known %t, want %t", c.f, c.cost, c.step, got, c.want)
		}
	}
}

// What is rare, and what something came of, is picked more often. A view does not change when the archive does.
func TestPick(t *testing.T) {
	a := New[string](10, NewCounts())
	a.Add("common", 10, []Feature{1}, 0)
	a.Heed([]Feature{1}, []int{9})
	a.Add("rare", 10, []Feature{2}, 0)
	good := a.Add("good", 10, []Feature{3}, 0)
	a.Book(good, 1, 34)
	v := a.View()
	a.Add("late", 1, []Feature{1, 2, 3, 4}, 0)
	// Energies are 1/10, 1 and 18/17.
	wantPicks(t, v, 100+1000+1059, map[string]int{"common": 100, "rare": 1000, "good": 1059, "late": 0})
	if New[string](1, NewCounts()).View().Pick(rand.New(rand.NewPCG(1, 2))) != nil {
		t.Error("an empty archive gave something")
	}
}

// Each kind of features gets its share, however many there are of it.
func TestPickByKind(t *testing.T) {
	a := New[string](10, NewCounts())
	a.Add("few", 10, []Feature{Feature(1).Of(1)}, 0)
	for n := range 5 {
		a.Add("many", 10, []Feature{Feature(n).Of(3), Feature(100 + n).Of(3)}, 0)
	}
	wantPicks(t, a.View(), 2000, map[string]int{"few": 1000, "many": 1000})
}

// wantPicks draws from a view, and compares how often each state comes.
func wantPicks(t *testing.T, v *View[string], n int, want map[string]int) {
	t.Helper()
	times := make(map[string]int)
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		times[v.Pick(rng).State]++
	}
	for state, want := range want {
		if got := times[state]; got < want*4/5 || got > want*6/5 {
			t.Errorf("%s was picked %d times, want about %d", state, got, want)
		}
	}
}

// The same calls give the same archive.
func TestSame(t *testing.T) {
	run := func() []string {
		a := New[string](20, NewCounts())
		rng := rand.New(rand.NewPCG(3, 4))
		for n := range 2000 {
			features := make([]Feature, 1+rng.IntN(5))
			for i := range features {
				features[i] = Feature(rng.IntN(300))
			}
			a.Add(string(rune('a'+n%26)), 1+rng.IntN(1000), features, n)
			if e := a.View().Pick(rng); e != nil {
				a.Book(e, 1, rng.IntN(2))
			}
		}
		return states(a)
	}
	if a, b := run(), run(); !slices.Equal(a, b) || len(a) < 10 {
		t.Errorf("one run kept %q, another one %q", a, b)
	}
}

// Features are counted, and hardly ever taken for others.
func TestCounts(t *testing.T) {
	c := NewCounts()
	wrong := 0
	for n := range uint64(20_000) {
		f := Hash(n, 1, 2, 3).Of(int(n % kinds))
		if !c.Add(f) {
			wrong++
		}
		if c.Add(f) {
			t.Fatalf("%d was added twice", n)
		}
	}
	if wrong > 300 {
		t.Errorf("%d of 20000 features were taken for others", wrong)
	}
	f := Hash(1<<40, 0, 0, 0)
	for range 1 << 17 {
		c.Add(f)
	}
	if got := c.Of(f); got != 1<<16-1 {
		t.Errorf("it was seen %d times", got)
	}
}
