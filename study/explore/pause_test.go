package explore_test

import (
	"slices"
	"testing"

	"motehound/study/check"
)

// What comes from outside comes just before something else if that is what it takes: a race is found in a run that hardware can make; nothing if the program is right.
func TestMeetings(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"-Os"}, {"-O1"}, {"-Os", "-DFIXED"}, {"-Os", "-DLOOKS"}, {"-O1", "-DLOOKS"}} {
		s := racing(t, "phase", append(flags, "-I../property/kernel/testdata")...)
		r, err := check.Walks(s, check.WalkOptions{Walks: 60, Events: 200, Seed: 1, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(flags) > 1 {
			if len(r.Findings) > 0 {
				t.Errorf("%v: %+v", flags, r.Findings)
			}
			continue
		}
		n := slices.IndexFunc(r.Findings, func(f *check.Finding) bool { return f.Strain == 0 && f.Line == buggy(t, "phase") })
		if n < 0 || !slices.ContainsFunc(r.Findings[n].Trace, check.Event.Pauses) {
			t.Fatalf("%v: %+v", flags, r.Findings)
		}
		var last check.Step
		for _, e := range r.Findings[n].Trace {
			if last, err = s.Fire(e); err != nil {
				t.Fatal(err)
			}
		}
		if len(last.Violations) == 0 || last.Violations[0].Cause() != r.Findings[n].Cause() || s.Strained() != 0 {
			t.Errorf("%v: again it breaks %v and strains by %d", flags, last.Violations, s.Strained())
		}
	}
}

// A pause takes the time that it says, up to what comes next, and keeps nobody waiting.
func TestPause(t *testing.T) {
	t.Parallel()
	s := racing(t, "phase", "-I../property/kernel/testdata")
	pause := func(us uint32) check.Event { return check.Event{Class: check.Task, Source: check.Pause, Serial: us} }
	began := s.Clock(0)
	for _, c := range []struct {
		us   uint32
		fits bool
	}{{0, false}, {1, true}, {50_000, true}, {79_000, true}, {81_000, false}, {check.Place - 1, false}} {
		if s.Pauses(pause(c.us)) != c.fits {
			t.Errorf("%d us: that it can pause is not %v", c.us, c.fits)
		}
	}
	read, err := check.ParseEvent(pause(50_000).Text())
	if err != nil || read != pause(50_000) {
		t.Errorf("%q is read as %+v, %v", pause(50_000).Text(), read, err)
	}
	if _, err := s.Fire(pause(81_000)); err == nil {
		t.Error("it pauses while an interrupt comes")
	}
	if _, err := s.Fire(pause(50_000)); err != nil {
		t.Fatal(err)
	}
	const microsecond = 1e6
	if took := s.Clock(0) - began; took < 50_000*microsecond || took > 50_001*microsecond || s.Strained() != 0 {
		t.Errorf("it took %d ps and strains by %d", took, s.Strained())
	}
	if s.Pauses(pause(31_000)) || !s.Pauses(pause(29_000)) {
		t.Error("what is left of the time is not known")
	}
}
