package check

import (
	"slices"
	"testing"

	"motehound/study/finding"
)

// A goal that may only be late, and that in a run that hardware hardly makes, is counted and not shown. One reason to doubt is not enough.
func TestDoubted(t *testing.T) {
	r := &runner{report: &Report{}, base: newToy(randomProgram(1))}
	r.o.Meter = new(Meter)
	for name, f := range map[string]Finding{"plain": {}, "strained": {Strain: 1}, "late": {Suspected: true}, "both": {Strain: 1, Suspected: true}} {
		f.Violation = finding.Violation{Property: name, Kind: finding.Liveness}
		r.catalog.add(&f)
	}
	var shown []string
	for _, f := range r.finish().Findings {
		shown = append(shown, f.Property)
	}
	slices.Sort(shown)
	if want := []string{"late", "plain", "strained"}; !slices.Equal(shown, want) {
		t.Errorf("shown are %q, not %q", shown, want)
	}
	if d := r.report.Doubted; len(d) != 1 || d[0].Property != "both" {
		t.Errorf("doubted are %v", d)
	}
}
