package text

import (
	"testing"

	"motehound/job/document"
)

// What a finding needs is told with the bound that it exceeds.
func TestNeeds(t *testing.T) {
	x := &document.Found{Needs: []document.Late{{Mote: 1, What: "frame from mote 0", Early: 3600}, {Mote: 2, What: "interrupt ADC", Late: 0.105, Bound: 0.0002}}}
	if got, want := needs(x), "frame from mote 0 to reach mote 1 3600.0 s early, interrupt ADC of mote 2 to wait 105.0 ms (at most 0.2 ms)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
