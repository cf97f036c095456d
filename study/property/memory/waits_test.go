package memory_test

import (
	"reflect"
	"testing"

	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/property/builtin"
	"motehound/world"
)

// TestWaits watches a mote that waits in a loop, whose iterations are skipped or not: what is found is the same, at the same cycle.
func TestWaits(t *testing.T) {
	k := kindOf(t, build(t, "testdata/waits/late.c", "atmega128", "-Os"), board.Bare(&chip.ATmega128, 8_000_000))
	var found [2][]builtin.Finding
	var state [2]any
	for i, skip := range []bool{true, false} {
		w := network(t, k, 1)
		m := w.Motes()[0]
		m.SkipWaits(skip)
		watch := attach(t, w, builtin.Options{})
		w.RunUntil(world.Second / 4)
		found[i], state[i] = watch.Findings(), w.Hash()
		if part := m.Skipped() * 100 / m.Core().Instructions; skip && part < 90 || !skip && part != 0 {
			t.Errorf("skipping %v: %d%% of the instructions were skipped", skip, part)
		}
	}
	if len(found[0]) != 1 || !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("found %v with skipping, %v without", found[0], found[1])
	}
	if state[0] != state[1] {
		t.Error("the states differ")
	}
}
