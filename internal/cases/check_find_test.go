package cases_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/verdict"
)

// enough is how many events walks may fire until they have found a bug. Fixed builds are walked through for as many.
const enough = 1_500_000

// explored is what check finds with its default settings and --any-order, but for two things: events are bounded, not time, and less is done to
// make traces short, which takes longest.
func explored(t *testing.T, b cases.Bug, build string, motes int) *check.Report {
	t.Helper()
	return exploredFrom(t, b, build, motes, 1)
}

func exploredFrom(t *testing.T, b cases.Bug, build string, motes int, seed uint64) *check.Report {
	t.Helper()
	return exploring(t, b, cases.Network{Board: "micaz", Build: build, Motes: motes, AnyOrder: true}, seed)
}

func exploring(t *testing.T, b cases.Bug, n cases.Network, seed uint64) *check.Report {
	t.Helper()
	s, err := cases.System(os.DirFS("../../examples"), b.File, n)
	if err != nil {
		t.Fatal(err)
	}
	o := cases.Defaults()
	o.Walk.Total, o.Threads, o.Seed = enough, 2, seed
	o.Minimise.Events, o.Minimise.Changes = 20_000, 20
	r, err := check.Run(s.Clone(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// quick are those that -short tries.
func quick(name string, motes int) bool {
	return motes == 2 && slices.Contains([]string{"reversed", "readings", "null"}, name)
}

// Each bug is found, on two motes and on eight, and shown by a trace that was replayed.
func TestCheckFinds(t *testing.T) {
	for _, b := range cases.Bugs {
		for _, motes := range []int{2, 8} {
			if testing.Short() && !quick(b.Name, motes) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", b.Name, motes), func(t *testing.T) {
				t.Parallel()
				r := explored(t, b, b.Build, motes)
				t.Logf("%d events, %d walks: %v", r.Stats.Events, r.Stats.Walks, r.Findings)
				if r.Case().Verdict() != verdict.Violated {
					t.Fatalf("%s: %s", r.Case().Verdict(), r.Because())
				}
				if !slices.ContainsFunc(r.Findings, b.Is) {
					t.Error("none of these is the bug")
				}
				if b.Name == "orphan" {
					dies(t, r.Findings[0], motes)
				}
				for _, f := range r.Findings {
					if !f.Replayed {
						t.Errorf("%v was not replayed", f)
					}
				}
			})
		}
	}
}

// dies tells whether the critical transition is the death of the parent: mote 1, or if there are but two motes, the root.
func dies(t *testing.T, f *check.Finding, motes int) {
	t.Helper()
	parent := int16(1)
	if motes == 2 {
		parent = 0
	}
	if f.Critical == nil || f.Critical.After == 0 {
		t.Fatalf("%v has no critical transition", f)
	}
	if e := f.Trace[f.Critical.After-1]; e.Class != check.Fault || e.Mote != parent {
		t.Errorf("the critical transition is %v", e)
	}
}

// The critical transition is the death of the parent whatever the seed: walks with other seeds find the bug in other ways.
func TestCheckCritical(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	b := cases.Bugs[slices.IndexFunc(cases.Bugs, func(b cases.Bug) bool { return b.Name == "orphan" })]
	for _, motes := range []int{2, 8} {
		for seed := uint64(2); seed < 4; seed++ {
			t.Run(fmt.Sprintf("%d/%d", motes, seed), func(t *testing.T) {
				t.Parallel()
				r := exploredFrom(t, b, b.Build, motes, seed)
				if r.Case().Verdict() != verdict.Violated {
					t.Fatalf("%s: %s", r.Case().Verdict(), r.Because())
				}
				dies(t, r.Findings[0], motes)
			})
		}
	}
}

// In the fixed builds nothing is found.
func TestCheckFixed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	done := map[string]bool{}
	for _, b := range cases.Bugs {
		if done[b.File] {
			continue
		}
		done[b.File] = true
		for _, motes := range []int{2, 8} {
			t.Run(fmt.Sprintf("%s/%d", b.File, motes), func(t *testing.T) {
				t.Parallel()
				r := explored(t, b, cases.Fixed, motes)
				if r.Case().Verdict() == verdict.Violated {
					t.Errorf("%v", r.Findings)
				}
				for _, f := range r.Refuted {
					t.Logf("late: %v", f)
				}
				if r.Stats.Events < enough {
					t.Errorf("only %d events were explored", r.Stats.Events)
				}
			})
		}
	}
}

// Some of them hardware can make. In the others something has to wait longer than it can while its mote sleeps: these are found all the
// same, and are no violations.
func TestCheckNatural(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for name, counts := range map[string]bool{"reversed": true, "step": true, "bitvector": true, "null": true, "readings": false} {
		b := cases.Bugs[slices.IndexFunc(cases.Bugs, func(b cases.Bug) bool { return b.Name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := exploring(t, b, cases.Network{Board: "micaz", Build: b.Build, Motes: 2}, 1)
			i := slices.IndexFunc(r.Findings, b.Is)
			if i < 0 {
				t.Fatalf("it is not found: %s: %v", r.Because(), r.Findings)
			}
			f := r.Findings[i]
			t.Logf("%d events, %d walks: %v", r.Stats.Events, r.Stats.Walks, f)
			if f.Counts() != counts || (r.Case().Verdict() == verdict.Violated) != counts || (f.Strain == 0) != counts {
				t.Errorf("%s: it needs something to wait for %d ps more than it can", r.Case().Verdict(), f.Strain)
			}
		})
	}
}
