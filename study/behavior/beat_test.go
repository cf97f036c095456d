package behavior

import (
	"testing"

	"motehound/observe/calltree"
)

// An overflow that only counts comes at regular times and interleaves nobody; the same handler at any time does, and so
// does one that calls something.
func TestClocksThatOnlyCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tree string
		gap        func(i int) uint64
		background bool
		library    bool // all of it is, and it is a timer's
	}{
		{"clock", "int: TIMER1_OVF", func(int) uint64 { return 100 }, true, false},
		{"a little off", "int: TIMER1_OVF", func(i int) uint64 { return 100 + uint64(i%2) }, true, false},
		{"at any time", "int: TIMER1_OVF", func(i int) uint64 { return 60 + uint64(i*37%80) }, false, false},
		{"calls", "int: TIMER1_OVF\n  tick @ t.c:1", func(int) uint64 { return 100 }, false, false},
		{"a timer's, at any time", "int: TIMER1_OVF\n  tick @ t.c:1", func(i int) uint64 { return 60 + uint64(i*37%80) }, true, true},
		{"a timer's that posts", "int: TIMER1_OVF\n  tick @ t.c:1\n    post: fired @ t.c:2", func(int) uint64 { return 100 }, false, true},
		{"a timer's with a task", "int: TIMER1_OVF\ntask: fired @ t.c:2", func(int) uint64 { return 100 }, false, true},
	} {
		b := calltree.NewBook()
		trees, _ := stage(t, b)
		tick := tree(t, b, c.tree)
		plan := Plan{Depth: 2 * 2}
		for _, f := range b.Funcs() {
			f.Library = c.library
		}
		if c.library {
			plan.Timers = []uint16{15}
		}
		var run []calltree.Instance
		next, ticks := uint64(0), uint32(0)
		add := func(vector uint16, number uint32, at uint64, n *calltree.Node) {
			run = append(run, calltree.Instance{Vector: vector, Number: number, Serial: uint64(len(run)), Start: at, End: at + 2, Complete: true, Tree: n})
		}
		for i := range uint32(60) {
			at := 50 * uint64(i+1)
			for next < at {
				ticks++
				add(15, ticks, next, tick)
				next += c.gap(int(ticks))
			}
			add(22, i+1, at, trees[[]rune("rrs")[i%3]])
		}
		f, mined := mineRuns(t, b, plan, []uint16{22}, run)
		if mined[0].Vector != 15 || mined[0].Background != c.background || f.Vectors[0].Idle != c.background {
			t.Errorf("%s: background %v, in the file %v, want %v", c.name, mined[0].Background, f.Vectors[0].Idle, c.background)
		}
		if got := len(f.Vectors[1].Flows[0].Interleaved) == 0; got != c.background {
			t.Errorf("%s: interleaves nobody: %v", c.name, got)
		}
	}
}
