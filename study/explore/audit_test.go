package explore_test

import (
	"os"
	"testing"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/explore"
)

var sources = os.DirFS("../../examples")

// stage is an example's scenario, ready to be explored.
func stage(t testing.TB, file, board, build string, motes int) *explore.System {
	t.Helper()
	s, err := cases.System(sources, file, cases.Network{Board: board, Build: build, Motes: motes})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// written is a scenario of the test's own.
func written(t testing.TB, board, text string) *explore.System {
	t.Helper()
	s, err := cases.Load("test/test.star", text, board)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// after fires so many events, chosen by a simple rule, natural ones only.
func after(t testing.TB, s *explore.System, events int) *explore.System {
	t.Helper()
	var list []check.Event
	for k := range events {
		list = list[:0]
		for _, e := range s.Enabled(nil) {
			if e.Class != check.Fault && e.Option == 0 {
				list = append(list, e)
			}
		}
		if len(list) == 0 {
			t.Fatalf("nothing can happen any more after %d events", k)
		}
		if _, err := s.Fire(list[k*7919%len(list)]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// What the reductions, the hashes and the replays rest on holds along walks through each example.
func TestAudit(t *testing.T) {
	for _, b := range cases.Bugs {
		for _, build := range []string{b.Build, cases.Fixed} {
			if build == "_null" {
				continue // its walks soon go through null, and behind that nothing is promised
			}
			t.Run(b.Name+build, func(t *testing.T) {
				t.Parallel()
				audit(t, stage(t, b.File, "micaz", build, 2))
			})
		}
	}
	t.Run("mica2", func(t *testing.T) {
		t.Parallel()
		audit(t, stage(t, "readings/readings.star", "mica2", cases.Fixed, 2))
	})
}

func audit(t *testing.T, s *explore.System) {
	for _, events := range []int{0, 1500} {
		from := after(t, s, events).Clone()
		from.(check.Tracker).Track(true)
		if err := check.Audit(from, check.AuditOptions{Events: 120, Every: 3, Seed: uint64(events)}); err != nil {
			t.Errorf("after %d events: %v", events, err)
		}
		from.Release()
	}
}
