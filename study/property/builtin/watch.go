package builtin

import (
	"slices"

	"motehound/mote"
	"motehound/study/verdict"
	"motehound/world"
)

// Set is checks that are prepared for the motes of a Config.
type Set struct {
	checks   []Check
	prepared []Prepared // by check; nil for those that are left out
	motes    int
}

// Prepare works out what the checks look at in motes of these kinds, one for each mote.
func Prepare(checks []Check, kinds []*mote.Kind, opt *Options) (*Set, error) {
	if err := validate(opt.Silence); err != nil {
		return nil, err
	}
	s := &Set{checks: checks, prepared: make([]Prepared, len(checks)), motes: len(kinds)}
	for i, c := range checks {
		if slices.Contains(opt.Without, c.Name()) {
			continue
		}
		var err error
		if s.prepared[i], err = c.Prepare(kinds, opt); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// LeftOut is what was asked for and cannot be looked at, for people.
func (s *Set) LeftOut() []string {
	var list []string
	for _, p := range s.prepared {
		if p != nil {
			list = append(list, p.LeftOut()...)
		}
	}
	return list
}

// Learn runs a world as it is, and has the checks learn from it until something is found after which a mote's state makes no sense: from there on
// they might learn what is wrong.
func (s *Set) Learn(cfg *world.Config, opt *Options) error {
	learn := opt.Learn
	if learn == 0 && opt.Explore {
		const usual, most = 10 * world.Second, 80 * world.Second // the most for all motes together
		learn = min(usual, most/uint64(max(1, len(cfg.Motes))))
	}
	learners := &Set{motes: s.motes}
	for i, p := range s.prepared {
		if _, ok := p.(Learner); ok {
			learners.checks, learners.prepared = append(learners.checks, s.checks[i]), append(learners.prepared, p)
		}
	}
	if len(learners.prepared) == 0 || learn == 0 {
		return nil
	}
	w, err := world.New(cfg, world.Natural{})
	if err != nil {
		return err
	}
	watch := learners.Attach(w)
	for _, t := range watch.trackers {
		if t != nil {
			t.Common().mending = nil // what harms the program ends this
		}
	}
	const slice, glance = world.Second / 4, world.Second / 100
	for !watch.harmed() && w.Now() < learn {
		watch.teach()
		for end := min(learn, w.Now()+slice); w.Now() < end; {
			w.RunUntil(min(end, w.Now()+glance))
			if opt.Stop != nil && opt.Stop() {
				return verdict.ErrInterrupted
			}
		}
	}
	if !watch.harmed() {
		watch.teach()
	}
	return nil
}

// Watch is the checks of a Set on the motes of one world.
type Watch struct {
	set      *Set
	world    *world.World
	trackers []Tracker // by check, then by mote; nil for checks that are left out
	mending  []mending // what is to be mended
}

// Mend gives back to registers what Base.Mend was asked for. It is called between instructions, whenever a mote pauses.
func (w *Watch) Mend() {
	for _, x := range w.mending {
		x.core.R[x.reg] = x.was
	}
	w.mending = w.mending[:0]
}

// Saved is what a Watch remembers, without a world: what a snapshot of the world is kept together with. It never changes, and shares
// with others what they have in common.
type Saved []*rest

// Attach looks at the motes of a world from now on.
func (s *Set) Attach(w *world.World) *Watch {
	watch := &Watch{set: s, world: w, trackers: make([]Tracker, len(s.prepared)*s.motes)}
	w.Observe(world.Observer{}) // it must not be used again as if nobody looked
	// The last one first: the first, of memory, marks most of the program, and over the hooks of the others it does so once.
	for i, p := range slices.Backward(s.prepared) {
		if p != nil {
			copy(watch.trackers[i*s.motes:], p.Begin(w))
		}
	}
	for _, t := range watch.trackers {
		if t != nil {
			t.Common().mending = &watch.mending
		}
	}
	return watch
}

// CopyFrom puts the watch into the state of another one, as World.CopyFrom does for the worlds.
func (w *Watch) CopyFrom(from *Watch) {
	for i, t := range w.trackers {
		if t == nil {
			continue
		}
		b, x := t.Common(), from.trackers[i].Common()
		if !b.Changed && !x.Changed && b.rest == x.rest {
			continue
		}
		t.CopyFrom(from.trackers[i])
		b.findings = append(b.findings[:0], x.findings...)
		b.rest, b.Changed = x.rest, x.Changed
	}
}

// Save gives the watch's state. For a mote that has not run since the watch was last saved or put back it costs next to nothing.
func (w *Watch) Save() Saved {
	to := make(Saved, len(w.trackers))
	for i, t := range w.trackers {
		if t == nil {
			continue
		}
		b := t.Common()
		if b.Changed {
			var last State
			if b.rest != nil {
				last = b.rest.State
			}
			b.rest = &rest{State: t.Freeze(last), findings: slices.Clone(b.findings)}
			b.Changed = false
		}
		to[i] = b.rest
	}
	return to
}

// Restore puts back what Save gave, of this watch or another one of the same Set.
func (w *Watch) Restore(from Saved) {
	for i, t := range w.trackers {
		if t == nil {
			continue
		}
		b, r := t.Common(), from[i]
		if !b.Changed && b.rest == r {
			continue
		}
		t.Thaw(r.State)
		b.findings = append(b.findings[:0], r.findings...)
		b.rest, b.Changed = r, false
	}
}

// Take moves what was found on a mote out of the watch, except for what is silenced, and ends a step. From then on the watch knows nothing
// of it: the same cause is found again.
func (w *Watch) Take(mote int) []Finding {
	var list []Finding
	for i := mote; i < len(w.trackers); i += w.set.motes {
		t := w.trackers[i]
		if t == nil {
			continue
		}
		b := t.Common()
		for _, f := range b.findings {
			if !f.silent {
				list = append(list, f)
			}
		}
		if len(b.findings) > 0 {
			b.findings, b.Changed = b.findings[:0], true
		}
	}
	return list
}

// Findings lists what was found so far, one for each cause, in the order of motes and then of time. What is found on several
// motes that run the same firmware is listed once, for the first of them.
func (w *Watch) Findings() []Finding {
	var list []Finding
	for _, t := range w.trackers {
		if t == nil {
			continue
		}
		for _, f := range t.Common().findings {
			list = w.merge(list, f)
		}
		if f, ok := t.Pending(); ok {
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
	motes := w.world.Motes()
	for i := range list {
		if g := &list[i]; g.same(&f) && motes[g.Mote].Kind == motes[f.Mote].Kind {
			g.Count += f.Count
			return list
		}
	}
	return append(list, f)
}

// harmed reports that a mote's state makes no sense any more.
func (w *Watch) harmed() bool {
	return slices.ContainsFunc(w.Findings(), func(f Finding) bool { return !f.Harmless })
}

// teach has the checks learn from their trackers.
func (w *Watch) teach() {
	for i, p := range w.set.prepared {
		p.(Learner).Learn(w.trackers[i*w.set.motes : (i+1)*w.set.motes])
	}
}

// Marks are those of all checks for a mote, and how many bits they have: the same ones whatever is left out.
func (w *Watch) Marks(mote int) (marks uint64, bits int) {
	return w.set.marks(mote, func(i int) State { return w.trackers[i] })
}

// Marks are the Watch's, as they were when the state was saved.
func (s *Set) Marks(saved Saved, mote int) (marks uint64, bits int) {
	return s.marks(mote, func(i int) State { return saved[i] })
}

func (s *Set) marks(mote int, at func(i int) State) (marks uint64, bits int) {
	for i, c := range s.checks {
		if s.prepared[i] != nil {
			marks |= at(i*s.motes+mote).Mark() << bits
		}
		bits += c.Marks()
	}
	return marks, bits
}
