package memory

import (
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
// hold what was worked out for kinds of motes that were seen before, and may be nil.
func Attach(w *world.World, tables []*Table, opt Options) (*Watch, error) {
	if err := builtin.Validate(opt.Silence); err != nil {
		return nil, err
	}
	watch := &Watch{opt: opt, world: w}
	for i, m := range w.Motes() {
		t, err := builtin.TableOf(m.Kind, &tables, NewTable)
		if err != nil {
			return nil, err
		}
		watch.motes = append(watch.motes, &tracker{state: newState(t, opt.Lessons), t: t, watch: watch, mote: i})
	}
	w.Observe(world.Observer{}) // it must not be used again as if nobody looked
	for i, m := range w.Motes() {
		m.SetShadow(watch.motes[i])
	}
	return watch, nil
}

// CopyFrom puts the watch into the state of another one, as World.CopyFrom does for the worlds.
func (w *Watch) CopyFrom(from *Watch) {
	for i, m := range w.motes {
		m.copyFrom(&from.motes[i].state)
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
	if len(m.findings) > 0 {
		m.findings, m.changed = m.findings[:0], true
	}
	return dst
}

// Lost tells that a mote has gone astray by something that was found: nothing more is found on it until it starts anew.
func (w *Watch) Lost(mote int) bool { return w.motes[mote].lost }

// Lost is the Watch's, as it was when the state was saved.
func (s *State) Lost(mote int) bool { return s.motes[mote].lost }

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
