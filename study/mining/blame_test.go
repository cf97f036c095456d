package mining

import (
	"slices"
	"testing"

	"motehound/firmware/cfg"
	"motehound/observe/intervals"
	"motehound/study/outlier"
)

// Which interval is to blame for a loss. Block 0 is the application's, block 1 the driver's. There are three intervals of vector 5:
// instances with the serials 10 (cycles 100 to 400, task 7 from 200 on), 11 (cycles 150 to 160, nested in it) and 12 (cycles 500 to
// 900, task 7 from 600 on), and one in which only the driver ran: 13 (cycles 1000 to 1100, task 7 from 1050 on).
func TestBlame(t *testing.T) {
	field := &Firmware{own: []int{1, 0}, Blocks: []cfg.Block{{Start: 0, End: 4}, {Start: 4, End: 8}}, strays: strays{first: 2}}
	suspect := func(serial, from, to, task uint64, block uint32) Suspect {
		iv := &Interval{Interval: intervals.Interval{Vector: 5, Serial: serial, Start: from, End: to}, Counts: outlier.Vector{{Feature: block, N: 1}}}
		if task > 0 {
			iv.Tasks = []intervals.Task{{ID: 7, Start: task}}
		}
		return Suspect{Interval: iv}
	}
	m := ofMote{field, []Suspect{suspect(10, 100, 400, 200, 0), suspect(11, 150, 160, 0, 0), suspect(12, 500, 900, 600, 0), suspect(13, 1000, 1100, 1050, 1)},
		[]int{0, 1, 2, 3}}
	at := func(pc uint32, cycle uint64, serial uint32) access {
		return access{PC: pc, Cycle: cycle, by: actor{serial: serial + 1, vector: 5}}
	}
	task7 := actor{vector: 5, task: 8}
	handler := actor{vector: 9}
	for _, c := range []struct {
		name string
		loss lostValue
		want []int
	}{
		{"mixed while another waits", lostValue{Mixed: true, Wrote: at(2, 90, 1), Over: at(2, 155, 11)}, []int{0}},
		{"mixed while none waits", lostValue{Mixed: true, Wrote: at(2, 90, 1), Over: at(2, 700, 12)}, []int{2}},
		{"passed over", lostValue{Wrote: at(2, 450, 1), Over: at(2, 950, 1), reader: task7}, []int{2}},
		{"passed over by a task that runs already", lostValue{Wrote: at(2, 300, 1), Over: at(2, 450, 1), reader: task7}, nil},
		{"passed over by a task of another interrupt", lostValue{Wrote: at(2, 450, 1), Over: at(2, 950, 1), reader: actor{vector: 9, task: 8}}, nil},
		{"passed over by a driver", lostValue{Wrote: at(2, 990, 1), Over: at(2, 2000, 1), reader: task7}, nil},
		{"passed over by who wrote it", lostValue{Wrote: at(2, 610, 12), Over: at(2, 950, 1), reader: actor{vector: 5, task: 8, serial: own}}, []int{2}},
		{"let go", lostValue{Wrote: at(2, 450, 1), Over: at(2, 950, 1), reader: handler, handled: at(4, 620, 12)}, []int{2}},
		{"let go before it was written", lostValue{Wrote: at(2, 650, 1), Over: at(2, 950, 1), reader: handler, handled: at(4, 620, 12)}, nil},
		{"tried by who made it", lostValue{Wrote: at(2, 610, 12), Over: at(2, 950, 1), reader: handler, handled: at(4, 620, 12)}, nil},
		{"tried again", lostValue{Wrote: at(2, 450, 1), Over: at(2, 630, 12), reader: handler, handled: at(4, 620, 12)}, nil},
		{"another use of the place", lostValue{Wrote: at(2, 450, 1), Over: at(6, 950, 1), reader: task7}, nil},
		{"forgotten", lostValue{Wrote: at(2, 610, 12), Over: access{Cycle: 9000}, reader: handler}, []int{2}},
		{"forgotten from the start, and made by the application", lostValue{Wrote: at(2, 610, 12), Over: access{Cycle: 9000}, reader: handler, never: true}, []int{2}},
		{"forgotten from the start, and made by a driver", lostValue{Wrote: at(10, 610, 12), Over: access{Cycle: 9000}, reader: handler, never: true}, nil},
		{"forgotten by a driver", lostValue{Wrote: at(2, 1060, 13), Over: access{Cycle: 9000}, reader: handler}, nil},
		{"forgotten by somebody else", lostValue{Wrote: at(2, 610, 77), Over: access{Cycle: 9000}, reader: handler}, nil},
	} {
		if got := m.toBlame(c.loss, 5); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
