package check

import (
	"testing"

	"motehound/study/guide"
)

// watch is a lookout with clocks.
type watch struct {
	*paced
	on bool
}

func (l *watch) Scout(on bool)                             { l.on = on }
func (l *watch) Seen(dst []guide.Feature) []guide.Feature  { return (&lookout{l.toy, l.on}).Seen(dst) }
func (l *watch) Holds(dst []guide.Feature) []guide.Feature { return dst }
func (l *watch) Values(dst []guide.Rung) []guide.Rung      { return dst }
func (l *watch) Bulk() int                                 { return len(l.vars) }
func (l *watch) Clone() System                             { return &watch{l.paced.Clone().(*paced), l.on} }
func (l *watch) CopyFrom(other System)                     { l.toy.CopyFrom(other.(*watch).toy); l.on = other.(*watch).on }

func newWatch(p *program) System { return &watch{paced: &paced{toy: newToy(p), late: 99}} }

// eitherLookout is a lookout, every other one with clocks.
func eitherLookout(p *program, seed uint64) System {
	if seed%2 == 0 {
		return newLookout(p)
	}
	return newWatch(p)
}

// Something begins, and others take some steps in order before it is done, though as a rule it is done at once. Each value was seen many times when it was done, so none of the states
// in which it is not is kept: only a detour on the way to the last step holds it back.
func TestDetour(t *testing.T) {
	const steps, begin, done = 10, 8, 9
	const step, busy = 0, 1
	p := &program{values: steps + 1, motes: 1, healed: -1, initial: []uint8{0, 0}}
	p.actions = append(p.actions,
		act(0, Interrupt, begin, 0, []guard{{step, 0}, {busy, 0}}, put(step, 1), put(busy, 1)),
		act(0, Task, done, 0, []guard{{busy, 1}}, put(busy, 0)))
	for n := range 6 {
		if n == 0 {
			for i := uint8(1); i < steps; i++ {
				p.actions = append(p.actions, act(0, Interrupt, 0, 0, []guard{{step, i}}, put(step, i+1)))
			}
		} else {
			p.actions = append(p.actions, act(0, Interrupt, n, 0, nil, put(step, 0), put(busy, 0)))
		}
	}
	p.bad = []badState{{name: "not done", v: step, is: steps, w: busy, also: 1}}
	found := 0
	for seed := range uint64(10) {
		r, err := Walks(newWatch(p), WalkOptions{Walks: 1000, Events: 2000, Total: 200_000, First: true, Seed: seed, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) > 0 {
			found++
		}
	}
	if found < 9 {
		t.Errorf("found with %d of 10 seeds", found)
	}
}
