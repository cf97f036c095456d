package kernel

import (
	life "motehound/firmware/kernel"
	"motehound/mote"
	"motehound/study/property/builtin"
	"motehound/world"
)

// Watch is the checks of a world's motes.
type Watch struct {
	opt   Options
	world *world.World
	motes []*tracker
}

// Attach watches the motes of a world from now on. Attach before the world runs: what happened before is not known. Tables
// hold what NewTable worked out, with the same options, for kinds of motes that were seen before, and may be nil.
func Attach(w *world.World, tables []*Table, opt Options) (*Watch, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	watch := &Watch{opt: opt, world: w}
	table := func(k *mote.Kind) (*Table, error) { return NewTable(k, opt) }
	for i, m := range w.Motes() {
		t, err := builtin.TableOf(m.Kind, &tables, table)
		if err != nil {
			return nil, err
		}
		watch.motes = append(watch.motes, newTracker(t, watch, i, m))
	}
	w.Observe(world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) {
			m := watch.motes[i]
			m.changed = true
			for _, it := range m.life.Interrupt(cycle, vector) {
				m.item(it)
			}
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			watch.motes[i].reached(cycle, pc)
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 {
			t, err := builtin.TableOf(k, &tables, table)
			if err != nil {
				panic("BUG: a kind of motes without a mote: " + err.Error())
			}
			return t.at
		},
	})
	return watch, nil
}

// CopyFrom puts the watch into the state of another one, as World.CopyFrom does for the worlds.
func (w *Watch) CopyFrom(from *Watch) {
	for i, m := range w.motes {
		m.become(from.motes[i])
	}
}

// State is what a Watch remembers, without a world: what a snapshot of the world is kept together with. States share what they have in
// common, never change, and can be copied by assignment.
type State struct{ motes []*rest }

// Save puts the watch's state into a State. For a mote that has not run since the watch was last saved or put back it costs
// next to nothing.
func (w *Watch) Save(to *State) {
	to.motes = make([]*rest, len(w.motes))
	for i, m := range w.motes {
		to.motes[i] = m.save()
	}
}

// Restore puts back what Save gave, of this watch or another one of the same Config.
func (w *Watch) Restore(from *State) {
	for i, m := range w.motes {
		m.restore(from.motes[i])
	}
}

// Take moves what was found on a mote out of the watch, but for what is silenced. From then on the watch knows nothing of it: the same
// cause is found again.
func (w *Watch) Take(mote int, dst []Finding) []Finding {
	m := w.motes[mote]
	for _, f := range m.findings {
		if !f.silent {
			dst = append(dst, f)
		}
	}
	if len(m.findings) > 0 || m.kicked {
		m.findings, m.kicked, m.changed = m.findings[:0], false, true
	}
	return dst
}

// Mark is what decides about findings to come, and is no part of a mote's state.
type Mark struct {
	Failed bool // it is in a failure routine: nothing more is found on it until that returns, or the mote starts anew
	Served bool // it was interrupted since its reset: only then it is wrong that it sleeps for ever
}

func (s *state) mark() Mark { return Mark{s.failed, s.served} }

// Mark is that of a mote.
func (w *Watch) Mark(mote int) Mark { return w.motes[mote].mark() }

// Mark is the Watch's, as it was when the state was saved.
func (s *State) Mark(mote int) Mark { return s.motes[mote].state.mark() }

// Findings lists what was found so far, one for each cause, in the order of motes and then of time. What is found on several
// motes that run the same firmware is listed once, for the first of them.
func (w *Watch) Findings() []Finding {
	var list []Finding
	for _, m := range w.motes {
		for _, f := range m.findings {
			list = w.merge(list, f)
		}
		if f, ok := m.stuck(); ok {
			list = w.merge(list, f)
		}
	}
	return list
}

// merge adds a finding to a list, or to its cause if that is there.
func (w *Watch) merge(list []Finding, f Finding) []Finding {
	if f.silent {
		return list
	}
	for i := range list {
		if g := &list[i]; g.Kind == f.Kind && g.cause == f.cause && g.arg == f.arg && w.motes[g.Mote].t == w.motes[f.Mote].t {
			g.Count += f.Count
			return list
		}
	}
	return append(list, f)
}

// cpu is a mote as a kernel's watch looks at it.
type cpu struct{ *mote.Mote }

func (c cpu) Reg(n int) uint8 { return c.Core().R[n] }
func (c cpu) SP() uint16      { return c.Core().SP }

var _ life.CPU = cpu{}
