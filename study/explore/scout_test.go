package explore_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/study/explore"
	"motehound/study/guide"
)

// To look at what events show changes nothing, and what they show depends on the state and the event alone, not on the clone or on what was done before.
func TestScout(t *testing.T) {
	plain, base := counting(t, "[lose(max = 3), reboot(max = 1)]", ""), counting(t, "[lose(max = 3), reboot(max = 1)]", "")
	sees := base.Clone().(*explore.System)
	sees.Scout(true)
	rng := rand.New(rand.NewPCG(1, 2))
	all, holds := make(map[guide.Feature]bool), make(map[guide.Feature]bool)
	var repeats int
	for n := range 400 {
		list := plain.Enabled(nil)
		e := list[rng.IntN(len(list))]
		other, executed := sees.Clone().(*explore.System), plain.Executed()
		for _, s := range []*explore.System{plain, sees, other} {
			if _, err := s.Fire(e); err != nil {
				t.Fatal(err)
			}
		}
		if plain.Hash() != sees.Hash() {
			t.Fatalf("event %d: to look at it changes the state", n)
		}
		shown := sees.Seen(nil)
		if len(plain.Seen(nil)) > 0 || len(plain.Ran(nil)) > 0 {
			t.Fatal("something is shown though nobody has asked for it")
		}
		if !slices.Equal(shown, other.Seen(nil)) {
			t.Fatalf("event %d: a clone shows something else", n)
		}
		if held := sees.Holds(nil); len(held) == 0 || !slices.Equal(held, other.Holds(nil)) || len(plain.Holds(nil)) > 0 {
			t.Fatalf("event %d: %v holds, in a clone %v", n, held, other.Holds(nil))
		}
		for _, f := range sees.Holds(nil) {
			holds[f] = true
		}
		if runs := plain.Executed() > executed; runs != (len(sees.Ran(nil)) > 0) {
			t.Errorf("event %d, %s: code runs %t, which is not what is shown", n, plain.Describe(e), runs)
		}
		news := 0
		for _, f := range shown {
			if !all[f] {
				news++
			}
			all[f] = true
		}
		if news == 0 {
			repeats++
		}
	}
	if repeats < 100 || len(all) < 500 {
		t.Errorf("%d of 400 events show nothing new, of %d features: too few to guide anybody", repeats, len(all))
	}
	told := 0
	for f := range holds {
		if all[f] {
			told++
		}
	}
	if told < len(holds)/3 {
		t.Errorf("of %d things that hold, %d were told when they came to be so", len(holds), told)
	}
}

// Motes with the same firmware show the same: who does something makes no difference.
func TestScoutMotes(t *testing.T) {
	var shown [2][]guide.Feature
	for m := range shown {
		s := counting(t, "[]", "").Clone().(*explore.System)
		s.Scout(true)
		do(t, s, int16(m), titles(s, int16(m))[0])
		shown[m] = s.Seen(nil)
	}
	if !slices.Equal(shown[0], shown[1]) {
		t.Errorf("mote 0 shows %v, mote 1 %v", shown[0], shown[1])
	}
}
