package kernel

import (
	life "motehound/firmware/kernel"
	"motehound/mote"
	"motehound/world"
)

// Watch is the checks of a world's motes.
type Watch struct {
	opt   Options
	motes []*tracker
}

// Attach watches the motes of a world from now on. Attach before the world runs: what happened before is not known. Tables
// hold what NewTable worked out, with the same options, for kinds of motes that were seen before, and may be nil.
func Attach(w *world.World, tables []*Table, opt Options) (*Watch, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	watch := &Watch{opt: opt}
	for i, m := range w.Motes() {
		t, err := tableOf(m.Kind, opt, &tables)
		if err != nil {
			return nil, err
		}
		watch.motes = append(watch.motes, newTracker(t, watch, i, m))
	}
	w.Observe(world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) {
			m := watch.motes[i]
			for _, it := range m.life.Interrupt(cycle, vector) {
				m.item(it)
			}
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			watch.motes[i].reached(cycle, pc)
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 {
			t, err := tableOf(k, opt, &tables)
			if err != nil {
				panic("BUG: a kind of motes without a mote: " + err.Error())
			}
			return t.at
		},
	})
	return watch, nil
}

// tableOf finds the table of a kind, or makes it.
func tableOf(k *mote.Kind, opt Options, tables *[]*Table) (*Table, error) {
	for _, t := range *tables {
		if t.kind == k {
			return t, nil
		}
	}
	t, err := NewTable(k, opt)
	if err != nil {
		return nil, err
	}
	*tables = append((*tables)[:len(*tables):len(*tables)], t)
	return t, nil
}

// Clone watches another world of the same Config, which must be a clone of this watch's at this moment.
func (w *Watch) Clone(of *world.World) (*Watch, error) {
	var tables []*Table
	for _, m := range w.motes {
		tables = append(tables, m.t)
	}
	c, err := Attach(of, tables, w.opt)
	if err != nil {
		return nil, err
	}
	c.CopyFrom(w)
	return c, nil
}

// CopyFrom puts the watch into the state of another one, as World.CopyFrom does for the worlds. It is much faster than Clone, which
// has to put hooks into a program.
func (w *Watch) CopyFrom(from *Watch) {
	for i, m := range w.motes {
		m.state.copyFrom(&from.motes[i].state)
		m.life.Tracker = from.motes[i].life.Tracker
	}
}

// State is what a Watch remembers, without a world: what a snapshot of the world is kept together with.
type State struct{ motes []saved }

type saved struct {
	state   state
	tracker life.Tracker
}

// Save puts the watch's state into a State that is empty, or of a watch of the same Config.
func (w *Watch) Save(to *State) {
	if len(to.motes) != len(w.motes) {
		to.motes = make([]saved, len(w.motes))
	}
	for i, m := range w.motes {
		to.motes[i].state.copyFrom(&m.state)
		to.motes[i].tracker = m.life.Tracker
	}
}

// Restore puts back what Save gave, of this watch or another one of the same Config.
func (w *Watch) Restore(from *State) {
	for i, m := range w.motes {
		m.state.copyFrom(&from.motes[i].state)
		m.life.Tracker = from.motes[i].tracker
	}
}

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
