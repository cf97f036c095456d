package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/study/explore"
)

// Passing over bytes of silence leads to the very states that hearing them does, in fewer instructions.
func TestSilence(t *testing.T) {
	for _, x := range []struct{ name, file, build string }{
		{"readings", "readings/readings.star", cases.Fixed}, {"dissem", "dissem/dissem.star", cases.Fixed},
		{"orphan", "orphan/orphan.star", cases.Fixed}, {"bitvector", "bitvector/bitvector.star", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			quiet, loud := stage(t, x.file, "mica2", x.build, 2), stage(t, x.file, "mica2", x.build, 2)
			loud.Loud()
			together(t, quiet, loud, 400, (*explore.System).Forget)
			if n, all := quiet.Executed(), loud.Executed(); quiet.Habits() == 0 || n >= all {
				t.Errorf("with %d habits %d instructions were executed, of %d", quiet.Habits(), n, all)
			}
		})
	}
	t.Run("counters", func(t *testing.T) {
		t.Parallel()
		text := strings.ReplaceAll(strings.Replace(counters, "FAULTS", "[]", 1), "micaz", "mica2")
		quiet, loud := written(t, "mica2", text), written(t, "mica2", text)
		loud.Loud()
		together(t, quiet, loud, 400, (*explore.System).Forget)
	})
}

// What is enabled does not depend on which habits are known.
func TestForgetful(t *testing.T) {
	for _, x := range []struct{ name, file string }{{"readings", "readings/readings.star"}, {"dissem", "dissem/dissem.star"}} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			knows, forgets := stage(t, x.file, "mica2", cases.Fixed, 2), stage(t, x.file, "mica2", cases.Fixed, 2)
			together(t, knows, forgets, 1500, (*explore.System).Forget)
		})
	}
}

// What is enabled does not depend on what else was looked at.
func TestDetours(t *testing.T) {
	for _, app := range []string{"starve", "surge", "timesync"} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf(`network(motes = [mote(id = i, board = "mica2", firmware = "../elf/%s-mica2.elf") for i in range(2)], links = full(2))
run(time = "10s", seed = 1)`, app)
			r := rand.New(rand.NewPCG(1, 3))
			straight, detours := written(t, "mica2", text), written(t, "mica2", text)
			together(t, straight, detours, 1500, func(s *explore.System) {
				if r.IntN(20) > 0 {
					return
				}
				back := s.Clone()
				defer back.Release()
				wander(t, s, r, r.IntN(30))
				s.CopyFrom(back)
			})
		})
	}
}

// wander fires events at random.
func wander(t *testing.T, s *explore.System, r *rand.Rand, events int) {
	t.Helper()
	for range events {
		list := s.Enabled(nil)
		if len(list) == 0 {
			return
		}
		if _, err := s.Fire(list[r.IntN(len(list))]); err != nil {
			t.Fatal(err)
		}
	}
}

// together walks two systems along the same events, and compares them. Before each event something is done to the second that must make no
// difference.
func together(t *testing.T, a, b *explore.System, events int, disturb func(*explore.System)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for k := range events {
		disturb(b)
		list := a.Enabled(nil)
		if !slices.Equal(list, b.Enabled(nil)) {
			t.Fatalf("after %d events other ones are enabled", k)
		}
		if len(list) == 0 {
			return
		}
		for _, e := range list {
			if a.Due(e) != b.Due(e) {
				t.Fatalf("after %d events %q comes at %d, not %d", k, a.Describe(e), a.Due(e), b.Due(e))
			}
		}
		e := list[r.IntN(len(list))]
		x, err := a.Fire(e)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Fire(e)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x.Violations, y.Violations) {
			t.Fatalf("after %d events %v is violated, not %v", k+1, x.Violations, y.Violations)
		}
		if len(x.Violations) > 0 {
			return
		}
		for i := range int16(2) {
			if a.Clock(i) != b.Clock(i) || a.Everything(int(i)) != b.Everything(int(i)) {
				t.Fatalf("after %d events, the last %q, mote %d is in another state", k+1, a.Describe(e), i)
			}
		}
		if a.Hash() != b.Hash() {
			t.Fatalf("after %d events, the last %q, the hashes differ", k+1, a.Describe(e))
		}
	}
}
