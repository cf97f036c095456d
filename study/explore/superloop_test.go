package explore_test

import (
	"slices"
	"strings"
	"testing"

	"motehound/study/check"
)

// Main loops of several jobs, each of which takes what it needs with interrupts off. What comes between two of them is seen by the later one in this round, and by the earlier one in the next: that is no race. Without the
// atomic sections there is one.
func TestSuperloops(t *testing.T) {
	for name, c := range map[string]struct{ want, detail string }{
		"flagset": {"race: lost update of events", "events is 0, would be 3"},   // two flags are set at once, and taken one after the other
		"purse":   {"race: lost update of credit", "credit is "},                // a part of a sum is moved before it is spent
		"worked":  {"race: lost update of changed", "changed is 0, would be 1"}, // a flag is cleared after the work
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, optimise := range []string{"-Os", "-O1", "-O2"} {
				r, err := check.Search(racing(t, name, optimise), check.SearchOptions{Depth: 2, Deepen: true, Reduce: check.Dynamic})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Findings) != 1 || r.Findings[0].Property != c.want || r.Findings[0].Line != buggy(t, name) || !strings.HasPrefix(r.Findings[0].Detail, c.detail) {
					t.Errorf("%s: %q", optimise, details(r.Findings))
				}
				r, err = check.Search(racing(t, name, optimise, "-DFIXED"), check.SearchOptions{Depth: 6, Reduce: check.Dynamic})
				if err != nil || len(r.Findings) > 0 || !r.Complete {
					t.Errorf("%s, fixed: %q, %v", optimise, details(r.Findings), err)
				}
			}
		})
	}
}

// A program that sleeps is woken by a character, and the next one comes while it works. It does not come while a program works that is done long before.
func TestServed(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"-Os"}, {"-O1"}, {"-Os", "-DFAST"}, {"-Os", "-DFIXED"}, {"-Os", "-DFIXED", "-DFAST"}} {
		r, err := check.Search(racing(t, "served", flags...), check.SearchOptions{Depth: 4, Deepen: true, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(flags, "-DFIXED") {
			if len(r.Findings) > 0 || !r.Complete {
				t.Errorf("%s: %q", flags, details(r.Findings))
			}
			continue
		}
		lost := func(f *check.Finding) bool {
			return f.Property == "race: lost update of changed" && f.Line == buggy(t, "served") && (f.Strain > 0) == slices.Contains(flags, "-DFAST")
		}
		if !slices.ContainsFunc(r.Findings, lost) {
			t.Errorf("%s: %q, strain %v", flags, details(r.Findings), r.Findings)
		}
	}
}
