package explore_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// overdue is what would wait for too long if an event were fired, by title.
func overdue(s *explore.System, e check.Event) map[string]uint64 {
	list := make(map[string]uint64)
	s.Overdue(e, func(what check.Event, by uint64) { list[s.Describe(what)] = by })
	return list
}

// As long as nothing waits for too long, something can be done that keeps to that; and a copy knows what has waited.
func TestNoStrain(t *testing.T) {
	for _, c := range []struct{ file, board, build string }{
		{"readings/readings.star", "micaz", ""}, {"orphan/orphan.star", "micaz", ""}, {"readings/readings.star", "mica2", ""},
		{"serialbuf/locked.star", "micaz", "_locked"},
	} {
		goEasy(t, c.file+" on "+c.board, stage(t, c.file, c.board, c.build, 2))
	}
}

// The same holds of characters on a wire: they come when they were sent, and what has to be answered in time is.
func TestNoStrainOnWires(t *testing.T) {
	goEasy(t, "tinytcp", tcp(t, `[duplicate(max = 1)]`))
}

// The second copy of a frame comes whenever it likes. But what comes behind it on the same wire cannot wait for it for seconds.
func TestStrainBehindCopy(t *testing.T) {
	s := tcp(t, `[duplicate(max = 1)]`)
	const twice = "frame on wire 0, which arrives twice"
	naturally(t, s, []int16{0, 1}, func() bool { return can(s, 1, twice) })
	do(t, s, 1, twice)
	naturally(t, s, []int16{0, 1}, func() bool {
		return len(peek(t, s.Mote(1), "TcpP__received")) > 0 && peek(t, s.Mote(1), "TcpP__received")[0] == 1
	})
	if s.Strained() != 0 {
		t.Fatalf("something has waited for %d ps before", s.Strained())
	}
	for start := s.Clock(1); s.Clock(1) < start+5*world.Second; {
		next, found := check.Event{}, false
		for _, e := range s.Enabled(nil) {
			if natural := e.Class != check.Fault && e.Option == 0; natural && !(e.Class == check.Frame && e.Mote == 1) && (!found || s.Due(e) < s.Due(next)) {
				next, found = e, true
			}
		}
		if _, err := s.Fire(next); err != nil {
			t.Fatal(err)
		}
	}
	if by := s.Strained(); by < world.Second {
		t.Errorf("a message waits for five seconds behind the copy of another one, and that counts as %d ps", by)
	}
}

// goEasy fires events at random with which nothing waits for too long. There must always be one.
func goEasy(t *testing.T, name string, s *explore.System) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 7))
	for range 3000 {
		enabled := s.Enabled(nil)
		var easy []check.Event
		for _, e := range enabled {
			if len(overdue(s, e)) == 0 {
				easy = append(easy, e)
			}
		}
		if len(easy) == 0 && len(enabled) > 0 {
			t.Fatalf("%s: of %d events none can come in nature", name, len(enabled))
		}
		if len(easy) == 0 {
			break
		}
		if step, err := s.Fire(easy[r.IntN(len(easy))]); err != nil || len(step.Violations) > 0 {
			break
		}
	}
	if s.Strained() != 0 {
		t.Errorf("%s: something has waited for %d ps", name, s.Strained())
	}
}

// A mote that sleeps although the ADC could be served keeps it waiting. That adds up, a copy has it too, and it is over when the interrupt is served.
func TestStrain(t *testing.T) {
	s := stage(t, "readings/readings.star", "micaz", "", 2)
	naturally(t, s, []int16{1}, func() bool { return can(s, 1, "interrupt ADC") })
	adc, timer := event(t, s, 1, "interrupt ADC"), event(t, s, 1, "interrupt TIMER0_COMP")
	if late := overdue(s, adc); len(late) > 0 {
		t.Errorf("the ADC's own interrupt keeps waiting: %v", late)
	}
	by := overdue(s, timer)["mote 1: interrupt ADC"]
	if by < 10*world.Millisecond {
		t.Fatalf("a timer before the ADC: %v", overdue(s, timer))
	}
	if _, err := s.Fire(timer); err != nil {
		t.Fatal(err)
	}
	if s.Strained() != by || s.Clone().(*explore.System).Strained() != by {
		t.Errorf("strained by %d, a copy by %d, not by %d", s.Strained(), s.Clone().(*explore.System).Strained(), by)
	}
	for _, e := range s.Enabled(nil) {
		if more := overdue(s, e)["mote 1: interrupt ADC"]; e.Class == check.Interrupt && e.Mote == 1 && e != adc && more > 0 && more <= by {
			t.Errorf("%s: the ADC waits for %d ps more, %d before", s.Describe(e), more, by)
		}
	}
	do(t, s, 1, "interrupt ADC")
	for _, e := range s.Enabled(nil) {
		if late := overdue(s, e)["mote 1: interrupt ADC"]; late >= by {
			t.Errorf("%s: the ADC still waits, for %d ps", s.Describe(e), late)
		}
	}
}

// A mote that has heard another one does not sleep for seconds while the other one stands still. Before, nobody knows who was switched on first;
// and whoever had no power may be behind.
func TestLagging(t *testing.T) {
	s := stage(t, "orphan/orphan.star", "micaz", "", 2)
	behind := func(of int16) (most uint64) {
		for _, e := range s.Enabled(nil) {
			if e.Mote != of || e.Class != check.Interrupt {
				continue
			}
			s.Overdue(e, func(what check.Event, by uint64) {
				if what.Mote != of && what.Class != check.Frame {
					most = max(most, by)
				}
			})
		}
		return most
	}
	start := s.Clock(1)
	naturally(t, s, []int16{1}, func() bool { return s.Clock(1) > start+5*world.Second })
	if by := behind(1); by != 0 {
		t.Errorf("mote 1 has heard nobody, and keeps others waiting for %d ps", by)
	}
	naturally(t, s, []int16{0, 1}, func() bool {
		return slices.ContainsFunc(s.Enabled(nil), func(e check.Event) bool { return e.Mote == 1 && e.Class == check.Frame })
	})
	naturally(t, s, []int16{1}, func() bool {
		return !slices.ContainsFunc(s.Enabled(nil), func(e check.Event) bool { return e.Mote == 1 && e.Class == check.Frame })
	})
	heard := s.Clock(1)
	naturally(t, s, []int16{1}, func() bool { return s.Clock(1) > heard+5*world.Second })
	if by := behind(1); by < 3*world.Second {
		t.Errorf("mote 1 is 5 s ahead of mote 0, which it has heard, and that keeps waiting for %d ps only", by)
	}
	if by := s.Strained(); by < 3*world.Second {
		t.Errorf("strained by %d ps", by)
	}
}

// A frame whose sender is far ahead says so itself: what its receiver should have done until then has not waited so long.
func TestStrainAhead(t *testing.T) {
	s := stage(t, "versions/versions.star", "micaz", "", 2)
	naturally(t, s, []int16{0, 1}, func() bool { return can(s, 1, "frame from mote 0") })
	do(t, s, 1, "frame from mote 0")
	naturally(t, s, []int16{0, 1}, func() bool { return s.Clock(0) > 5*world.Second })
	naturally(t, s, []int16{0}, func() bool { return s.Clock(0) > 65*world.Second })
	do(t, s, 1, "frame from mote 0, which is lost")
	frame := event(t, s, 1, "frame from mote 0")
	most, early := uint64(0), uint64(0)
	tell := func(b explore.Beat) {
		for _, w := range b.Overdue {
			switch {
			case w.Event != b.Event:
				most = max(most, w.Idle-min(w.Idle, w.Ahead))
			case w.Idle == 0:
				early = w.Ahead
			}
		}
	}
	timer, trace := overdue(s, frame)["mote 1: interrupt TIMER0_COMP"], []check.Event{frame}
	for _, e := range s.Enabled(nil) {
		if e.Mote == 1 && s.Title(e) == "interrupt TIMER0_COMP" {
			trace = append(trace, e)
		}
	}
	if err := s.Clone().(*explore.System).Tell(trace, func(_ int, b explore.Beat, _ check.Step) error { tell(b); return nil }); err != nil {
		t.Fatal(err)
	}
	if timer < world.Second || early < timer || most > 500*world.Millisecond {
		t.Errorf("the frame is early by %d ps, which keeps the timer waiting for %d; without that something waits for %d", early, timer, most)
	}
}

// event is the enabled event of a mote with a title.
func event(t *testing.T, s *explore.System, mote int16, title string) check.Event {
	t.Helper()
	for _, e := range s.Enabled(nil) {
		if e.Mote == mote && s.Title(e) == title {
			return e
		}
	}
	t.Fatalf("mote %d cannot %q, only %q", mote, title, titles(s, mote))
	return check.Event{}
}
