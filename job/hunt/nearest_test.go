package hunt

import (
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/job/findings"
	"motehound/study/behavior"
)

// Each kind of finding says how a good run differs, as far as that is known.
func TestNearest(t *testing.T) {
	t.Parallel()
	place := document.Place{Function: "Net.send", File: "net.c", Line: 7}
	for want, f := range map[string]document.HuntFinding{
		"": {Ran: &document.RunFinding{}},
		"before or after that code and not in it (count is 0, would be 1)": {Finding: findings.Finding{Grade: findings.Race, Detail: "count is 0, would be 1: interrupt TIMER0"},
			Explored: &document.Found{}},
		"the same up to event 4; with event 5 (mote 1 dies) the goal is out of reach": {Explored: &document.Found{Critical: 5, CriticalS: "mote 1 dies"}},
		"without the last of its inputs (mote 0 hears b)":                             {Explored: &document.Found{Minimal: true, Inputs: []string{"mote 0 hears a", "mote 0 hears b"}}},
		"of its 3 events, such as event 2 (b)":                                        {Explored: &document.Found{Minimal: true, Trace: []string{"a", "b", "c"}}},
		"a usual interval, in which Net.send (net.c:7) runs 2 times, and not 0":       {Mined: &document.MinedEntry{Why: []document.Why{{Place: place, Usual: 2}}}},
		"what the other motes do: first in f, g follows; elsewhere nothing follows": {Modelled: &document.VerifiedViolation{Violation: &behavior.Violation{
			Leaves: &behavior.Leave{In: behavior.PathFunction{Function: "f"}, Got: &behavior.PathFunction{Function: "g"}}}}},
	} {
		if got := nearest(&f); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := nearest(&document.HuntFinding{Explored: &document.Found{Trace: []string{"a", "b"}}}); got != "" {
		t.Errorf("a trace that may be shorter: %q", got)
	}
}
