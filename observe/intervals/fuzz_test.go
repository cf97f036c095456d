package intervals

import (
	"testing"

	"motehound/firmware/kernel"
)

// auditor hears all that an Anatomist tells and checks what holds whatever the items.
type auditor struct {
	t        *testing.T
	opt      Options
	open     map[uint64]*Interval // by serial
	numbers  map[uint16]uint32
	serial   uint64
	latest   uint64 // highest serial reported, except for main's
	active   Active
	since    uint64
	ran      map[uint64]uint64 // by serial, from switches
	reported map[uint64]uint64 // Ran, by serial
	busy     map[uint64]bool   // cycles in spans
}

func (u *auditor) started(iv *Interval) {
	u.numbers[iv.Vector]++
	if iv.Serial != u.serial || iv.Instance != u.numbers[iv.Vector] {
		u.t.Fatalf("%s began with serial %d, want instance %d, serial %d", describe(iv), iv.Serial, u.numbers[iv.Vector], u.serial)
	}
	u.serial++
	iv.Tag = int(iv.Serial) + 5
	u.open[iv.Serial] = iv
}

func (u *auditor) switched(cycle uint64, now Active) {
	if now == u.active || cycle < u.since {
		u.t.Fatalf("switched at %d from %+v since %d to %+v", cycle, u.active, u.since, now)
	}
	if u.active.Instance > 0 {
		u.ran[u.active.Serial] += cycle - u.since
	}
	u.active, u.since = now, cycle
}

func (u *auditor) ended(iv *Interval) {
	if u.open[iv.Serial] != iv || iv.Tag != int(iv.Serial)+5 {
		u.t.Fatalf("%s ended, which was not open", describe(iv))
	}
	delete(u.open, iv.Serial)
	u.reported[iv.Serial] = iv.Ran
	if iv.End < iv.Start || iv.EndItem < iv.StartItem || iv.Start+iv.Ran > iv.End && !u.opt.PaperEnd {
		u.t.Fatalf("%s lasts %d cycles and ran for %d", describe(iv), iv.End-iv.Start, iv.Ran)
	}
	if len(iv.Tasks) > u.opt.MaxList || len(iv.Spans) > u.opt.MaxList {
		u.t.Fatalf("%s has too long a list", describe(iv))
	}
	if u.opt.ByStart && iv.Vector != ResetVector {
		if iv.Serial < u.latest {
			u.t.Fatalf("%s is not in order of start", describe(iv))
		}
		u.latest = iv.Serial
	}
	u.tasks(iv)
	var ran uint64
	for _, s := range iv.Spans {
		ran += s.To - s.From
		for c := s.From; c < s.To; c++ {
			if u.busy[c] {
				u.t.Fatalf("%s executed in cycle %d, as did another one", describe(iv), c)
			}
			u.busy[c] = true
		}
	}
	if ran > iv.Ran || iv.MoreSpans == 0 && ran != iv.Ran {
		u.t.Fatalf("%s ran for %d cycles, its spans for %d", describe(iv), iv.Ran, ran)
	}
}

func (u *auditor) tasks(iv *Interval) {
	for i, k := range iv.Tasks {
		if iv.Complete && k.State != Done || k.Depth == 0 || int(k.Parent) >= i || k.Posted < iv.Start ||
			k.State != Waiting && (k.Start < k.Posted || k.End < k.Start) {
			u.t.Fatalf("%s: task %d is %+v", describe(iv), i, k)
		}
	}
	if iv.Posts != len(iv.Tasks)+iv.MoreTasks {
		u.t.Fatalf("%s: %d posts", describe(iv), iv.Posts)
	}
}

// FuzzAnatomist: whatever the items, every instance is reported once, memory is bounded, and times add up.
func FuzzAnatomist(f *testing.F) {
	f.Add([]byte{0, 0, 22, 2, 1, 1, 1, 0, 3, 1, 2, 1, 4, 0})
	f.Add([]byte{0xff, 6, 0, 0, 22, 0, 16, 2, 1, 1, 0, 3, 1, 3, 2, 4, 0, 4, 0, 1, 0, 6, 0, 3, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		o := data[0]
		u := &auditor{
			t: t, open: map[uint64]*Interval{}, numbers: map[uint16]uint32{}, ran: map[uint64]uint64{},
			reported: map[uint64]uint64{}, busy: map[uint64]bool{},
			opt: Options{
				ByStart: o&1 != 0, PaperEnd: o&2 != 0, Spans: o&4 != 0,
				MaxDepth: 1 + int(o>>3&7), MaxQueue: 1 + int(o>>6), MaxList: 3,
			},
		}
		u.opt.Started, u.opt.Switched = u.started, u.switched
		if !u.opt.Spans {
			u.opt.MaxList = 1
		}
		a := New(func(iv *Interval) {
			if !u.opt.Spans {
				iv.MoreSpans = 1 // none are listed
			}
			u.ended(iv)
		}, u.opt)
		var cycle uint64
		for data = data[1:]; len(data) >= 2; data = data[2:] {
			cycle += uint64(data[0] >> 4)
			it := kernel.Item{Kind: kernel.Kind(data[0] & 7), Arg: uint16(data[1] & 31), Cycle: cycle}
			if data[1] >= 0xf8 {
				it.Cycle -= min(cycle, 9)
			}
			a.Take(it)
			iv, task := a.Executes()
			if a.Depth() > u.opt.MaxDepth+1 || a.Depth() == 0 && iv != nil || a.Active() != u.active || iv != nil != (u.active.Instance != 0) ||
				iv != nil && (iv.Serial != u.active.Serial || iv.Vector != u.active.Vector || task != 0 != u.active.Running || task != 0 && task != u.active.Task+1) {
				t.Fatalf("active is %+v, told %+v, %+v executes task %d, %d deep", a.Active(), u.active, iv, task, a.Depth())
			}
			if bound := u.opt.MaxDepth + u.opt.MaxQueue + 1; !u.opt.ByStart && len(u.open) > bound {
				t.Fatalf("%d instances are open, at most %d could be", len(u.open), bound)
			}
		}
		a.Close(cycle + 3)
		if len(u.open) > 0 || a.Active() != (Active{}) {
			t.Fatalf("after the end %d instances are open, active is %+v", len(u.open), a.Active())
		}
		for serial := range u.serial {
			if u.ran[serial] != u.reported[serial] {
				t.Fatalf("instance %d ran for %d cycles by its switches, %d by itself", serial, u.ran[serial], u.reported[serial])
			}
		}
	})
}
