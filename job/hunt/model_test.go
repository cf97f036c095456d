package hunt

import (
	"slices"
	"testing"

	"motehound/internal/cases"
	"motehound/job/document"
	"motehound/job/findings"
)

// A mote that takes a path of its own is the first finding; in the fixed build only the sink does, and it rather has a part of its own.
func TestOddMote(t *testing.T) {
	all := cases.Hunts()
	router := all[slices.IndexFunc(all, func(h cases.Hunted) bool { return h.Name == "router" })]
	for _, fixed := range []bool{false, true} {
		file, err := router.Subject("../../examples", t.TempDir(), fixed)
		if err != nil {
			t.Fatal(err)
		}
		r := New(file)
		r.Engines = []string{engineModel}
		d := hunting(t, r, 100_000)
		if d.Verdict != document.Unknown || len(d.Findings) == 0 {
			t.Fatalf("fixed %t: %s, %d findings", fixed, d.Verdict, len(d.Findings))
		}
		first := d.Findings[0]
		if bug := router.Is(first.Property, first.Function); bug == fixed || first.Grade != findings.Difference || (first.Mote == 0) == fixed {
			t.Errorf("fixed %t: %s", fixed, first.Title)
		}
	}
}
