package explore_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/study/check"
)

// A walk draws interrupts in the middle of code where they can come, and finds what is lost there.
func TestDrawnRaces(t *testing.T) {
	for name, want := range map[string]string{"ring": "race: lost update of count", "tick": "race: torn read of ticks"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := check.Walks(racing(t, name), check.WalkOptions{Walks: 60, Events: 2000, First: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != 1 || r.Findings[0].Property != want {
				t.Errorf("walks find %+v, not %s", r.Findings, want)
			}
			r, err = check.Walks(racing(t, name, "-DFIXED"), check.WalkOptions{Walks: 60, Events: 2000})
			if err != nil || len(r.Findings) > 0 {
				t.Errorf("fixed, walks find %+v, %v", r.Findings, err)
			}
		})
	}
}

// What is drawn can be fired, in a clone as well; what is no place cannot.
func TestDrawn(t *testing.T) {
	fired := 0
	for seed := range uint64(20) {
		s := generated(t, seed, seed%2 == 0, 2)
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 200 {
			list := s.Enabled(nil)
			e := list[rng.IntN(len(list))]
			if e.Intrudes() {
				t.Fatal("such an event is listed, though nobody has asked for it")
			}
			if x, ok := s.Intrude(e, rng); ok {
				wrong := x
				wrong.Serial ^= 1 << 20
				if s.Intrudes(wrong) {
					t.Fatalf("program %d: %s can come at another instruction", seed, s.Title(x))
				}
				c := s.Clone()
				if _, err := c.Fire(x); err != nil {
					t.Fatal(err)
				}
				title := s.Title(x)
				if !strings.Contains(title, "in the middle of") {
					t.Errorf("a drawn interrupt is called %q", title)
				}
				if _, err := s.Fire(x); err != nil {
					t.Fatal(err)
				}
				if c.Hash() != s.Hash() {
					t.Fatalf("program %d: %s does something else in a clone", seed, title)
				}
				c.Release()
				fired++
				continue
			}
			if _, err := s.Fire(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if fired < 100 {
		t.Errorf("only %d interrupts were drawn", fired)
	}
}
