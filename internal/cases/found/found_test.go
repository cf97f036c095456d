// Package found has check look for T-Check's bugs in the example firmware: it finds each, and nothing where they are fixed. It is apart from package
// cases because it takes as long as all else there.
package found

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"motehound/internal/cases"
	"motehound/internal/need"
	"motehound/study/check"
	"motehound/study/verdict"
)

// enough is how many events walks may fire until they have found a bug.
const enough = 1_500_000

// inAnyOrder is a network in which a finding counts whatever the order of events.
func inAnyOrder(build string, motes int) cases.Network {
	return cases.Network{Board: "micaz", Build: build, Motes: motes, AnyOrder: true}
}

// exploring is what check finds with its default settings, except for a few things: events are bounded, not time; less is done to make traces short,
// which takes longest; they are searched for less; and there is one thread, as these tests run side by side. Edit, if not nil, changes more.
func exploring(t *testing.T, b cases.Bug, n cases.Network, seed uint64, edit func(*check.Options)) *check.Report {
	t.Helper()
	s, err := cases.System(os.DirFS("../../../examples"), b.File, n)
	if err != nil {
		t.Fatal(err)
	}
	o := cases.Defaults()
	o.Walk.Total, o.Threads, o.Seed = enough, 1, seed
	o.Minimise.Events, o.Minimise.Changes = 20_000, 20
	o.Search.Events = 4_000 // five times as many get one event deeper
	if edit != nil {
		edit(&o)
	}
	r, err := check.Run(s.Clone(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Contradicted {
		t.Errorf("%s cannot be replayed: %v", x.Tell(s), x.Err)
	}
	return r
}

// sooner has a goal be missed sooner than by default, and so be waited for in shorter walks. TestCritical does as check does on two motes.
func sooner(o *check.Options) {
	if !need.Long() {
		o.Walk.Threshold = 40_000
	}
}

// natural are bugs that TestNatural finds on two motes, and whether they count as violations there.
var natural = map[string]bool{"reversed": true, "step": true, "bitvector": true, "null": true, "readings": false, "locked": true}

// quick are those that -short tries.
var quick = []string{"reversed", "readings", "null"}

// Each bug is found, on two motes and on eight, and shown by a trace that was replayed. What TestNatural and TestCritical find, in orders that hardware
// can make, need not be looked for in others as well.
func TestFinds(t *testing.T) {
	for _, b := range cases.Bugs {
		for _, motes := range []int{2, 8} {
			if testing.Short() || motes == 2 && natural[b.Name] || b.Name == "orphan" && !need.Long() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", b.Name, motes), func(t *testing.T) {
				t.Parallel()
				isFound(t, b, exploring(t, b, inAnyOrder(b.Build, motes), 1, sooner))
			})
		}
	}
}

// isFound wants the bug among the findings, all of which were replayed.
func isFound(t *testing.T, b cases.Bug, r *check.Report) {
	t.Helper()
	t.Logf("%d events, %d walks: %v", r.Stats.Events, r.Stats.Walks, r.Findings)
	if r.Case().Verdict() != verdict.Violated {
		t.Fatalf("%s: %s", r.Case().Verdict(), r.Because())
	}
	if !slices.ContainsFunc(r.Findings, b.Is) {
		t.Error("none of these is the bug")
	}
	for _, f := range r.Findings {
		if !f.Replayed {
			t.Errorf("%v was not replayed", f)
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

// The critical transition is the death of the parent whatever the seed: walks with other seeds find the bug in other ways. That is so in orders which
// hardware can make. In others, acknowledgements that come too late make a mote give its parent up as well.
func TestCritical(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	b := cases.Bugs[slices.IndexFunc(cases.Bugs, func(b cases.Bug) bool { return b.Name == "orphan" })]
	for motes, seed := range map[int]uint64{2: 2, 8: 3} {
		t.Run(fmt.Sprintf("%d/%d", motes, seed), func(t *testing.T) {
			t.Parallel()
			edit := sooner
			if motes == 2 {
				edit = nil
			}
			r := exploring(t, b, cases.Network{Board: "micaz", Build: b.Build, Motes: motes}, seed, edit)
			isFound(t, b, r)
			dies(t, r.Findings[0], motes)
		})
	}
}

// fixedWalks makes walks through a fixed build shorter; the search gets deeper than where bugs are looked for. Where a goal is missed after a number of events, one is a little longer than that; elsewhere they
// are three, as the walks are that find most bugs in the wrong builds.
func fixedWalks(o *check.Options, goals bool) {
	o.Search.Events = 20_000
	o.Walk.Events, o.Walk.Total = 35_000, 105_000
	if goals {
		o.Walk.Events, o.Walk.Total = check.DefaultThreshold+5_000, check.DefaultThreshold+5_000
	}
	if need.Long() {
		o.Walk.Events, o.Walk.Total = 300_000, enough
	}
}

// In the fixed builds nothing is found.
func TestFixed(t *testing.T) {
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
				script, err := os.ReadFile("../../../examples/" + b.File)
				if err != nil {
					t.Fatal(err)
				}
				goals := bytes.Contains(script, []byte("eventually("))
				r := exploring(t, b, inAnyOrder(cases.Fixed, motes), 1, func(o *check.Options) { fixedWalks(o, goals) })
				if r.Case().Verdict() == verdict.Violated {
					t.Errorf("%v", r.Findings)
				}
				for _, f := range r.Refuted {
					t.Logf("late: %v", f)
				}
				if r.Stats.Events < 105_000 {
					t.Errorf("only %d events were explored, in %d walks", r.Stats.Events, r.Stats.Walks)
				}
			})
		}
	}
}

// Some of them hardware can make. In the others something has to wait longer than it can while its mote sleeps: these are found all the
// same, and are no violations.
func TestNatural(t *testing.T) {
	for name, counts := range natural {
		if testing.Short() && !slices.Contains(quick, name) {
			continue
		}
		b := cases.Bugs[slices.IndexFunc(cases.Bugs, func(b cases.Bug) bool { return b.Name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := exploring(t, b, cases.Network{Board: "micaz", Build: b.Build, Motes: 2}, 1, sooner)
			i := slices.IndexFunc(r.Findings, b.Is)
			if i < 0 {
				t.Fatalf("it is not found: %s: %v", r.Because(), r.Findings)
			}
			f := r.Findings[i]
			t.Logf("%d events, %d walks: %v", r.Stats.Events, r.Stats.Walks, f)
			if !f.Replayed {
				t.Error("it was not replayed")
			}
			if f.Counts() != counts || (r.Case().Verdict() == verdict.Violated) != counts || (f.Strain == 0) != counts {
				t.Errorf("%s: it needs something to wait for %d ps more than it can", r.Case().Verdict(), f.Strain)
			}
		})
	}
}
