package finding_test

import (
	"slices"
	"testing"

	"motehound/study/finding"
)

// One cause on one mote is listed once, as the harmful one of two.
func TestOnce(t *testing.T) {
	at := func(line int, mote int16, harmless bool) finding.Violation {
		return finding.Violation{Property: "p", Kind: finding.Safety, Mote: mote, Line: line, Harmless: harmless}
	}
	var list []finding.Violation
	for _, v := range []finding.Violation{at(2, 0, true), at(2, 1, true), at(1, 0, true), at(2, 0, false), at(2, 0, true)} {
		list = finding.Once(list, v)
	}
	if want := []finding.Violation{at(2, 0, false), at(2, 1, true), at(1, 0, true)}; !slices.Equal(list, want) {
		t.Errorf("%+v, want %+v", list, want)
	}
	if !finding.Harmful(list) || finding.Harmful(list[1:]) {
		t.Errorf("of %+v the first alone is harmful", list)
	}
	if list[0].Cause() != list[1].Cause() || list[2].Cause().Compare(list[0].Cause()) >= 0 {
		t.Error("a mote is part of a cause, or line 2 comes before line 1")
	}
}

// The violation of a goal is about that goal.
func TestMissed(t *testing.T) {
	g := finding.Goal{Property: "p", Mote: 3}
	if v := g.Missed("late"); v.Goal() != g || v.Kind != finding.Liveness || v.Detail != "late" {
		t.Errorf("%+v", v)
	}
}
