package memory

import (
	"motehound/mote"
	"motehound/world"
)

// Watch is the checks of a world's motes.
type Watch struct {
	opt   Options
	motes []*tracker
}

// Attach watches the motes of a world from now on. Attach before the world runs: what happened before is not known. Tables
// hold what was worked out for kinds of motes that were seen before, and may be nil.
func Attach(w *world.World, tables []*Table, opt Options) (*Watch, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	watch := &Watch{opt: opt}
	for i, m := range w.Motes() {
		t, err := tableOf(m.Kind, &tables)
		if err != nil {
			return nil, err
		}
		watch.motes = append(watch.motes, &tracker{state: newState(t), t: t, watch: watch, mote: i})
	}
	w.Observe(world.Observer{}) // it must not be used again as if nobody looked
	for i, m := range w.Motes() {
		m.SetShadow(watch.motes[i])
	}
	return watch, nil
}

// tableOf finds the table of a kind, or makes it.
func tableOf(k *mote.Kind, tables *[]*Table) (*Table, error) {
	for _, t := range *tables {
		if t.kind == k {
			return t, nil
		}
	}
	t, err := NewTable(k)
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

// CopyFrom puts the watch into the state of another one, as World.CopyFrom does for the worlds.
func (w *Watch) CopyFrom(from *Watch) {
	for i, m := range w.motes {
		m.copyFrom(&from.motes[i].state)
	}
}

// Findings lists what was found so far, one for each cause, in the order of motes and then of time. What is found on several
// motes that run the same firmware is listed once, for the first of them.
func (w *Watch) Findings() []Finding {
	var list []Finding
	for _, m := range w.motes {
	next:
		for _, f := range m.findings {
			if f.silent {
				continue
			}
			for i := range list {
				if g := &list[i]; g.cause == f.cause && w.motes[g.Mote].t == m.t {
					g.Count += f.Count
					continue next
				}
			}
			list = append(list, f)
		}
	}
	return list
}

// Undecided is how many accesses could not be judged.
func (w *Watch) Undecided() uint64 {
	var n uint64
	for _, m := range w.motes {
		n += m.undecided
	}
	return n
}
