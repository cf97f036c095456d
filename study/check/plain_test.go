package check

import (
	"slices"
	"testing"

	"motehound/study/finding"
)

// paced is a toy with clocks: every event takes a mote one tick, and the events of one queue come late in nature.
type paced struct {
	*toy
	late uint16
}

func (s *paced) Clone() System        { return &paced{s.toy.Clone().(*toy), s.late} }
func (s *paced) CopyFrom(from System) { s.toy.CopyFrom(from.(*paced).toy) }

func (s *paced) Clock(mote int16) uint64 {
	n := uint64(0)
	for key, serial := range s.serials {
		if int16(key>>24) == mote {
			n += uint64(serial)
		}
	}
	return n
}

func (s *paced) Late(e Event) uint64 {
	if e.Class == Interrupt && e.Source == s.late {
		return 100
	}
	return 0
}

func (s *paced) Due(e Event) uint64 { return s.Clock(e.Mote) + s.Late(e) }

// Nothing waits for too long.
func (s *paced) Overdue(Event, func(Event, uint64)) {}
func (s *paced) Finite(Event) bool                  { return false }
func (s *paced) Strained() uint64                   { return 0 }

// A goal that is lost because something failed, and in another way if an event comes at an odd time: the first is what is shown.
func TestPlainer(t *testing.T) {
	const timeout = 7
	const joined, alive, lost, noise = 0, 1, 2, 3
	p := &program{values: 3, motes: 4, healed: alive, initial: []uint8{0, 1, 0, 0}}
	p.actions = []action{
		act(1, Fault, 0, 0, []guard{{alive, 1}}, put(alive, 0), put(joined, 0)),
		act(2, Frame, 1, 0, []guard{{alive, 1}, {lost, 0}}, put(joined, 1)),
		act(2, Interrupt, timeout, 0, []guard{{joined, 1}}, put(lost, 1), put(joined, 0)),
		act(3, Interrupt, 0, 0, nil, assign{v: noise, x: noise, a: 1, c: 1}),
	}
	p.goals = []goalState{{finding.Goal{Property: "in the tree", Mote: 2}, joined, 1}}
	odd := 0 // found as something else
	for seed := range uint64(20) {
		o := Options{Mode: ModeWalk, Seed: seed, Walk: WalkOptions{Walks: 30, Events: 4000, Threshold: 1000, NoLasso: true, First: true},
			Critical: CriticalOptions{Events: 300, Walks: 3}, Minimise: MinimiseOptions{Events: 50_000}}
		failed := false
		o.Found = func(f *Finding) {
			failed = slices.ContainsFunc(f.Trace, func(e Event) bool { return e.Class == Fault })
			if failed && slices.ContainsFunc(f.Trace, func(e Event) bool { return e.Class == Interrupt && e.Source == timeout }) {
				odd++
			}
		}
		r, err := Run(&paced{newToy(p), timeout}, o)
		if err != nil || len(r.Findings) != 1 {
			t.Fatal(seed, r, err)
		}
		f := r.Findings[0]
		if !failed {
			continue
		}
		if f.Critical == nil || f.Critical.After == 0 || f.Trace[f.Critical.After-1].Class != Fault {
			t.Errorf("seed %d: critical %+v in %v", seed, f.Critical, f.Trace)
		}
	}
	if odd < 5 {
		t.Errorf("only %d of 20 were found by an odd order: that proves little", odd)
	}
}
