package property_test

import (
	"testing"

	"motehound/mote/digest"
	"motehound/study/property"
	"motehound/world"
)

// A property that cannot be evaluated is dropped on the way where that happened, and on no other: what is found there does not depend on which
// way is gone first.
func TestDroppedOnOneWay(t *testing.T) {
	st := newStage(t, `always("picky", lambda net: [True, False][net[0].var("ticks")])`, property.Options{}, fine)
	first, late := st.open(t)
	second, soon := st.open(t)
	look := func(s *property.Suite) (names []string) {
		t.Helper()
		list, err := s.Look(-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			names = append(names, v.Property)
		}
		return names
	}
	for _, s := range []*property.Suite{late, soon} {
		if got := look(s); got != nil {
			t.Fatalf("broken at the start: %q", got)
		}
	}
	sum := func(s *property.Suite) [2]uint64 {
		h := digest.New()
		s.AppendHash(&h)
		return h.Sum()
	}
	before := sum(late)
	first.RunUntil(10 * world.Millisecond)
	if got := look(late); got != nil || len(st.prepared.Dropped()) != 1 {
		t.Fatalf("broken where it cannot be evaluated: %q, dropped: %v", got, st.prepared.Dropped())
	}
	if sum(late) == before {
		t.Error("states are taken for equal although a property is not asked any more in one of them")
	}
	var state property.State
	late.Save(&state)
	ticks, err := second.Motes()[0].Kind.Image.Lookup("ticks")
	if err != nil {
		t.Fatal(err)
	}
	at := uint16(ticks.Addr)
	for second.Motes()[0].Peek(at) == 0 {
		second.RunUntil(second.Now() + world.Millisecond/100)
	}
	if got := look(soon); len(got) != 1 || got[0] != "picky" {
		t.Errorf("broken on the other way, where ticks is %d: %q", second.Motes()[0].Peek(at), got)
	}
	// Put back, it is dropped as it was.
	soon.Restore(&state)
	second.CopyFrom(first)
	if got := look(soon); got != nil || sum(soon) != sum(late) {
		t.Errorf("broken after it was put back: %q", got)
	}
}
