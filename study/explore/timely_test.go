package explore

import (
	"testing"

	"motehound/study/finding"
)

// That a handler is entered while it is active counts only where nothing has waited for too long. Other things count in any order.
func TestTimely(t *testing.T) {
	both := func() []finding.Violation {
		return []finding.Violation{{Property: "kernel: reentry"}, {Property: "memory: null"}}
	}
	if got := (&System{}).timely(both()); len(got) != 2 {
		t.Errorf("in a natural order %v is left", got)
	}
	if got := (&System{strained: 1}).timely(both()); len(got) != 1 || got[0].Property != "memory: null" {
		t.Errorf("in an odd order %v is left", got)
	}
}
