package mining

import (
	"testing"

	"motehound/observe/intervals"
	"motehound/study/outlier"
)

// An interval's timeline is what executed between its start and its end, and nothing before or after.
func TestTimelineCut(t *testing.T) {
	var l timeline
	at := func(cycle, serial uint64, instance uint32, open bool) {
		l.add(cycle, intervals.Active{Vector: 5, Instance: instance, Serial: serial}, open)
	}
	at(10, 1, 1, false)
	at(20, 2, 1, false)
	at(30, 3, 1, true) // the interval's own
	at(40, 4, 1, true) // one that comes in between
	at(50, 3, 1, true)
	at(60, 0, 0, true) // nothing
	at(70, 3, 1, true)
	at(90, 5, 1, true)
	got := l.cut(&intervals.Interval{Serial: 3, Start: 30, End: 80})
	want := []struct {
		from, to uint64
		own      bool
	}{{30, 40, true}, {40, 50, false}, {50, 60, true}, {60, 70, false}, {70, 80, true}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		if s := got[i]; s.From != w.from || s.To != w.to || s.Own != w.own {
			t.Errorf("step %d is %+v, want %+v", i, s, w)
		}
	}
}

// What is remembered is bounded, whether or not intervals are open.
func TestTimelineBounds(t *testing.T) {
	var l timeline
	for i := range uint64(3 * maxSwitches) {
		if l.add(i, intervals.Active{Instance: 1, Serial: i}, true); len(l.switches) > maxSwitches {
			t.Fatalf("%d switches are remembered", len(l.switches))
		}
	}
	if n := len(l.cut(&intervals.Interval{End: 1 << 40})); n != maxSteps {
		t.Errorf("%d steps", n)
	}
	last := l.switches[len(l.switches)-1].cycle
	l.add(last+1, intervals.Active{}, false)
	if len(l.switches) != 2 || l.switches[0].cycle != last {
		t.Errorf("without an open interval, %d are remembered", len(l.switches))
	}
}

// Intervals with equal counters share one.
func TestKeepShares(t *testing.T) {
	var c Collection
	for i := range uint32(4) {
		c.Keep(&Interval{Counts: outlier.Vector{{Feature: 1, N: 1 + i%2}, {Feature: 7, N: 3}}})
	}
	var got []outlier.Vector
	for iv := range c.All() {
		got = append(got, iv.Counts)
	}
	same := func(a, b int) bool { return &got[a][0] == &got[b][0] }
	if !same(0, 2) || !same(1, 3) || same(0, 1) || got[1][0].N != 2 || got[2][0].N != 1 {
		t.Errorf("got %v", got)
	}
}
