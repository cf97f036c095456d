package hunt

import (
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/study/behavior"
)

// Hints say what is usual instead, as far as that is known.
func TestUsual(t *testing.T) {
	t.Parallel()
	place := document.Place{Function: "Net.send", File: "net.c", Line: 7}
	for want, f := range map[string]document.HuntFinding{
		"": {Ran: &document.RunFinding{}},
		"a usual interval, in which Net.send (net.c:7) runs 2 times, and not 0": {Mined: &document.MinedEntry{Why: []document.Why{{Place: place, Usual: 2}}}},
		"what the other motes do: first in f, g follows; elsewhere nothing follows": {Modelled: &document.VerifiedViolation{Violation: &behavior.Violation{
			Leaves: &behavior.Leave{In: behavior.PathFunction{Function: "f"}, Got: &behavior.PathFunction{Function: "g"}}}}},
	} {
		if got := usual(&f); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
