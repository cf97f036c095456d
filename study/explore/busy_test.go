package explore_test

import (
	"testing"

	"motehound/world"
)

// A mote whose channel is busy cannot send until that is over by its own clock, and nothing has to wait for it longer than on real hardware. It still hears.
func TestBusy(t *testing.T) {
	s := counting(t, `[busy(mote = 0, max = 2, length = "2s")]`, `
eventually("0 misses turns", lambda net: net[0].var("CounterC__notSent") >= 5)
eventually("1 misses a turn", lambda net: net[1].var("CounterC__notSent") > 0)
`)
	const gets = "channel becomes busy"
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") && !can(s, 1, "frame from mote 0") })
	if can(s, 1, gets) {
		t.Error("the channel of mote 1 can become busy")
	}
	strained := s.Strained()
	do(t, s, 0, gets)
	if can(s, 0, gets) {
		t.Error("a busy channel can become busy")
	}
	began, heard := s.Clock(0), false
	naturally(t, s, bothMotes, func() bool {
		if can(s, 1, "frame from mote 0") {
			t.Fatalf("mote 0 sends after %d ms", (s.Clock(0)-began)/world.Millisecond)
		}
		heard = heard || can(s, 0, "frame from mote 1")
		return s.Clock(0) > began+1900*world.Millisecond
	})
	if !heard || !holds(t, s, "0 misses turns") || holds(t, s, "1 misses a turn") {
		t.Errorf("after 1.9 s: mote 0 hears %v, misses turns %v; mote 1 does %v", heard, holds(t, s, "0 misses turns"), holds(t, s, "1 misses a turn"))
	}
	naturally(t, s, bothMotes, func() bool { return can(s, 1, "frame from mote 0") })
	if over := s.Clock(0); over < began+2*world.Second || over > began+2500*world.Millisecond || !can(s, 0, gets) {
		t.Errorf("mote 0 sends after %d ms; its channel can become busy again: %v", (over-began)/world.Millisecond, can(s, 0, gets))
	}
	if by := s.Strained(); by > strained {
		t.Errorf("something has waited for %d ps too long, %d before", by, strained)
	}
}
