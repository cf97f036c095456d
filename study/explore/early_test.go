package explore_test

import (
	"testing"

	"motehound/study/finding"
)

// What went wrong while the motes booted is the first event, also of a walk that looks at what it reaches.
func TestEarly(t *testing.T) {
	s := counting(t, "[]", "")
	s.Early(finding.Violation{Property: "kernel: watchdog", Kind: finding.Safety, Harmless: true})
	s.Scout(true)
	list := s.Enabled(nil)
	if len(list) != 1 {
		t.Fatalf("%d events, not the one", len(list))
	}
	step, err := s.Fire(list[0])
	if err != nil || len(step.Violations) != 1 {
		t.Fatalf("%+v, %v", step, err)
	}
	first := len(s.Seen(nil))
	naturally(t, s, bothMotes, new(once).more)
	if then := len(s.Seen(nil)); first == 0 || then == 0 || first > then {
		t.Errorf("%d things are seen at the start, %d behind the first event", first, then)
	}
}
