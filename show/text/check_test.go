package text

import (
	"fmt"
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/study/check"
	"motehound/study/verdict"
)

// What a finding needs is told with the bound that it exceeds.
func TestNeeds(t *testing.T) {
	x := &document.Found{Needs: []document.Late{{Mote: 1, What: "frame from mote 0", Early: 3600}, {Mote: 2, What: "interrupt ADC", Late: 0.105, Bound: 0.0002}}}
	if got, want := needs(x), "frame from mote 0 to reach mote 1 3600.0 s early, interrupt ADC of mote 2 to wait 105.0 ms (at most 0.2 ms)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A finding that may be none takes a screen at most, and an event that changed everything does not fill it. All is there for those who ask.
func TestEnds(t *testing.T) {
	x := &document.Found{Property: "p", Mote: -1, Story: document.Story{Columns: []string{"mote 0"}}}
	for n := range 100 {
		x.Story.Rows = append(x.Story.Rows, document.StoryRow{Number: n + 1, Class: "interrupt", Title: fmt.Sprintf("interrupt %d", n), From: -1})
	}
	for n := range 100 {
		x.Story.Rows[99].Changed = append(x.Story.Rows[99].Changed, fmt.Sprintf("v%d: 0 -> 1", n))
	}
	lines := func(counts, full bool) int {
		var b strings.Builder
		x.Counts = counts
		Finding(&b, 1, x, full)
		if got := strings.Contains(b.String(), "v99"); got != full {
			t.Errorf("full %t: all that changed is shown: %t", full, got)
		}
		return strings.Count(b.String(), "\n")
	}
	if n := lines(false, false); n > 45 {
		t.Errorf("%d lines for a finding that may be none", n)
	}
	if short, long, whole := lines(false, false), lines(true, false), lines(false, true); short >= long || whole < 200 {
		t.Errorf("%d, %d and %d lines", short, long, whole)
	}
}

// A property that holds where nothing can happen holds for a poor reason, and that is said.
func TestNothingHappens(t *testing.T) {
	for events, want := range map[uint64]bool{0: true, 7: false} {
		d := &document.Checked{Verdict: verdict.Holds, Search: &document.Searched{Complete: true, Exhausted: true}}
		d.Explored.Events = events
		if got := CheckVerdict(&check.Report{}, d, false); strings.Contains(got, "nothing can happen") != want {
			t.Errorf("%d events: %s", events, got)
		}
	}
}
