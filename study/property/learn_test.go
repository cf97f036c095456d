package property_test

import (
	"testing"

	"motehound/study/property"
	"motehound/world"
)

// TestLearn has a constant whose first use is wrong: only a run ahead can tell whose it is.
func TestLearn(t *testing.T) {
	const found = "memory: bounds on 0 in __vector_16 (steps.c:@header): ring[4] writes behind, in set"
	for _, c := range []struct {
		what string
		opt  property.Options
		mode int64
		want []string
	}{
		{"nothing learned", property.Options{}, fine, nil},
		{"learned", property.Options{Learn: world.Second / 2}, fine, []string{found}},
		{"learned before exploring", property.Options{Explore: true}, fine, []string{found}},
		{"learned up to a bug", property.Options{Explore: true}, overrun, nil}, // which comes in the first piece of the run ahead
		{"no memory checks", property.Options{Explore: true, Without: []string{"memory"}}, fine, nil},
	} {
		w, suite := newStage(t, "", c.opt, c.mode).open(t)
		step(t, w, suite)
		set(t, w, "0 where 4") // before the first tick
		var got []string
		for range 10 {
			for _, v := range step(t, w, suite) {
				got = append(got, show(v))
			}
		}
		t.Log(c.what)
		equal(t, got[:min(1, len(got))], marked(t, c.want)...)
	}
}

// TestLearnedStates has what was learned of memory go with the states: it is known behind what was learned from, and not before.
func TestLearnedStates(t *testing.T) {
	s := newStage(t, "", property.Options{}, fine)
	w, suite := s.open(t)
	step(t, w, suite)
	early := w.Clone()
	var before, behind property.State
	suite.Save(&before)
	for range 10 {
		step(t, w, suite)
	}
	suite.Save(&behind)
	_, naive := s.open(t)
	for _, c := range []struct {
		what string
		back func(*property.Suite)
		want bool
	}{
		{"before", func(x *property.Suite) { x.Restore(&before) }, false},
		{"behind", func(x *property.Suite) { x.Restore(&behind) }, true},
		{"before, again", func(x *property.Suite) { x.Restore(&before) }, false},
		{"of one that has learned", func(x *property.Suite) { x.CopyFrom(suite) }, true},
		{"of one that has not", func(x *property.Suite) { x.CopyFrom(naive) }, false},
	} {
		w, x := s.open(t)
		for range 2 { // the second time over what the first has left
			w.CopyFrom(early)
			c.back(x)
			set(t, w, "0 where 4")
			found := false
			for range 5 {
				found = found || len(step(t, w, x)) > 0
			}
			if found != c.want {
				t.Errorf("%s: found %v", c.what, found)
			}
		}
	}
}
