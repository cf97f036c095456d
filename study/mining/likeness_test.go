package mining

import (
	"testing"

	"motehound/observe/intervals"
	"motehound/study/outlier"
)

// Packets are compared with packets, those that the application got with each other, and not with one that stands out.
func TestLikeness(t *testing.T) {
	f := &Firmware{own: []int{0, 1, 1, 2}} // block 0 is the driver's, 1 and 2 one function of the application, 3 another
	const aByte, overheard, dropped, forwarded, ticked = 0, 1, 2, 3, 4
	samples := []outlier.Sample{
		aByte:     {Counts: outlier.Vector{{Feature: 0, N: 1}}},
		overheard: {Counts: outlier.Vector{{Feature: 0, N: 9}}},
		dropped:   {Counts: outlier.Vector{{Feature: 0, N: 9}, {Feature: 1, N: 1}}},
		forwarded: {Counts: outlier.Vector{{Feature: 0, N: 9}, {Feature: 1, N: 1}, {Feature: 2, N: 1}}},
		ticked:    {Counts: outlier.Vector{{Feature: 0, N: 9}, {Feature: 3, N: 1}}},
	}
	var r Ranking
	var tasks []int
	for i := range samples {
		iv := &Interval{}
		if i != aByte {
			iv.Tasks = []intervals.Task{{ID: 4}, {ID: uint16(i)}}
		}
		tasks = append(tasks, firstTask(iv))
		r.Suspects = append(r.Suspects, Suspect{Interval: iv, Sample: i, StandsOut: i == dropped})
	}
	like := f.likeness(&r, samples, tasks)
	for i := range samples {
		if like.Bad(i) != (i == dropped) {
			t.Errorf("sample %d: bad is %v", i, like.Bad(i))
		}
	}
	for other, want := range map[int][2]bool{aByte: {false, false}, overheard: {false, true}, forwarded: {true, true}, ticked: {false, true}} {
		for tier, f := range like.Tiers {
			if got := f(dropped, other); got != want[tier] {
				t.Errorf("tier %d: dropped is like sample %d: %v", tier, other, got)
			}
		}
	}
	if like.Tiers[0](overheard, forwarded) || like.Tiers[0](overheard, aByte) {
		t.Error("a packet that the application did not get is like one that it got")
	}
}
