// Package builtin has check look for bugs that its built-in checks know without a property: it finds each, and nothing where they are fixed. It is apart
// from package found because both take minutes.
package builtin

import (
	"fmt"
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/internal/need"
	"motehound/study/check"
	"motehound/study/verdict"
)

// plainly is what check finds in a program without a kernel, with its default settings. Events are bounded, not time, and less is done to make traces short.
func plainly(t *testing.T, p cases.Plain, build string, seed uint64, events uint64) *check.Report {
	t.Helper()
	s, err := p.System(build)
	if err != nil {
		t.Fatal(err)
	}
	o := cases.Defaults()
	o.Search.Events, o.Walk.Events, o.Walk.Total, o.Seed = events/4, int(events), events, seed
	o.Minimise.Events, o.Minimise.Changes = 2_000, 20
	r, err := check.Run(s.Clone(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plainEvents is how many events walks, and a quarter of that a search, may fire until they have found a bug.
const plainEvents = 4_000

// Each bug of a small program is found, whatever the seed, and named at its line; where it is fixed, nothing is, in twice as many events, with
// MOTEHOUND_LONG=1 in four times as many.
func TestPlain(t *testing.T) {
	more := uint64(2)
	if need.Long() {
		more = 4
	}
	for _, p := range cases.Plains {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", p.Name, seed+1), func(t *testing.T) {
				t.Parallel()
				r := plainly(t, p, "", seed+1, plainEvents)
				if r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 {
					t.Fatalf("%s: %s, %v", r.Case().Verdict(), r.Because(), r.Findings)
				}
				f, want := r.Findings[0], fmt.Sprintf("examples/%s/%s.c:%d", p.Name, p.Name, p.Line)
				if at := fmt.Sprintf("%s:%d", f.File, f.Line); f.Property != p.Property || at != want || !f.Replayed || !strings.HasPrefix(f.Detail, p.Value) {
					t.Errorf("%q at %s, want %q at %s; replayed: %v; %s", f.Property, at, p.Property, want, f.Replayed, f.Detail)
				}
				t.Logf("%d events, a trace of %d", r.Stats.Events, len(f.Trace))
			})
		}
		t.Run(p.Name+cases.Fixed, func(t *testing.T) {
			t.Parallel()
			if r := plainly(t, p, cases.Fixed, 1, more*plainEvents); len(r.Findings) != 0 {
				t.Errorf("found %v", r.Findings)
			}
		})
	}
}
