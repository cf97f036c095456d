// Package lifecycle watches the motes of a running world through the profiles of their kernels, and reports interrupts,
// posts and tasks as lifecycle items.
//
// Invariants: observing changes nothing in the world; the items of one mote come in the order of their cycles, those of
// different motes in the order in which the world happened to run them; the state of a Recorder is plain data, which can be
// saved and restored together with the world's state.
package lifecycle

import (
	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/world"
)

// Recorder watches motes of a world.
type Recorder struct {
	watches  []*kernel.Watch // by mote; nil for those that are not wanted
	profiles []profiled
}

type profiled struct {
	kind    *mote.Kind
	profile *kernel.Profile
}

// Record has sink called with every item of every mote, from now on: best from the world's start, for a Recorder believes
// that no handler and no task is active. Mote is the index in the world. Each firmware's kernel is found by kernel.Detect.
func Record(w *world.World, sink func(mote int, it kernel.Item)) (*Recorder, error) {
	return RecordSome(w, nil, nil, sink)
}

// RecordSome is Record for motes whose kernel may be described, and only for those that are wanted; nil means all.
func RecordSome(w *world.World, d kernel.Descriptions, wanted func(mote int) bool, sink func(mote int, it kernel.Item)) (*Recorder, error) {
	r := &Recorder{watches: make([]*kernel.Watch, len(w.Motes()))}
	for i, m := range w.Motes() {
		if wanted != nil && !wanted(i) {
			continue
		}
		p, err := r.profile(m.Kind, d)
		if err != nil {
			return nil, err
		}
		r.watches[i] = p.Watch(cpu{m})
	}
	w.Observe(world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) {
			if r.watches[i] == nil {
				return
			}
			for _, it := range r.watches[i].Interrupt(cycle, vector) {
				sink(i, it)
			}
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			if r.watches[i] == nil {
				return false
			}
			for _, it := range r.watches[i].At(cycle, pc) {
				sink(i, it)
			}
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 {
			for _, p := range r.profiles {
				if p.kind == k {
					return p.profile.Hooks()
				}
			}
			return nil // no mote of this kind is wanted
		},
	})
	return r, nil
}

// profile finds the profile of a kind of motes, once.
func (r *Recorder) profile(k *mote.Kind, d kernel.Descriptions) (*kernel.Profile, error) {
	for _, p := range r.profiles {
		if p.kind == k {
			return p.profile, nil
		}
	}
	p, err := d.Profile(k.Image, k.Program())
	if err != nil {
		return nil, err
	}
	r.profiles = append(r.profiles, profiled{k, p})
	return p, nil
}

// Profile is the kernel of a mote that is wanted, which names its tasks.
func (r *Recorder) Profile(mote int) *kernel.Profile { return r.watches[mote].Profile() }

// cpu is a mote as a kernel.Watch looks at it.
type cpu struct{ m *mote.Mote }

func (c cpu) Reg(n int) uint8        { return c.m.Core().R[n] }
func (c cpu) SP() uint16             { return c.m.Core().SP }
func (c cpu) Peek(addr uint16) uint8 { return c.m.Peek(addr) }
