package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"motehound/study/finding"
)

// WalkResult is what walks found.
type WalkResult struct {
	Findings []*Finding
	Walks    int // that were finished
	Complete bool
}

func (o *WalkOptions) check(s System) error {
	switch {
	case o.Walks < 0 || o.Events < 0 || o.Threshold < 0 || o.Prefix < 0:
		return fmt.Errorf("numbers of walks and of events must not be negative")
	case o.Heal && len(goalsOf(s)) == 0:
		return fmt.Errorf("healing tests whether goals are reached: give the system an \"eventually\" property")
	}
	if _, ok := s.(Healer); o.Heal && !ok {
		return fmt.Errorf("the system cannot be healed")
	}
	return nil
}

// Walks walks at random from the state of the system, which is left as it was.
func Walks(base System, o WalkOptions) (*WalkResult, error) {
	return walksFrom(base, [][]Event{nil}, o)
}

// walksFrom walks from the states to which traces lead, in turn.
func walksFrom(base System, starts [][]Event, o WalkOptions) (*WalkResult, error) {
	if err := o.check(base); err != nil {
		return nil, err
	}
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
	clone := base.Clone()
	track(clone, false)
	if o.guided(clone) {
		clone.(Scout).Scout(true)
		o.guides = cmp.Or(o.guides, newGuides(clone))
		before := o.odd
		if !o.First {
			before = notOdd
		}
		o.guides.begin(o.skip, before)
	}
	defer clone.Release()
	crew := newCrew(&origin{sys: clone}, o.Threads)
	defer crew.release()
	b := &book{o: &o, result: WalkResult{Walks: o.skip}, total: o.spent}
	if o.odd == ruinous {
		b.ruined = o.spent + 1
	}
	inOrder(o.Threads, o.skip, o.Walks, func(thread, piece int, cancelled func() bool) outcome {
		stop := func() bool { return cancelled() || o.Stop != nil && o.Stop() }
		if stop() { // a walk of a few events does not look
			return outcome{aborted: true}
		}
		sys := crew.start(thread)
		scouting := o.guides.scouting(sys, piece, crew.from)
		bound, start, mine := keepsBounds(piece), starts[piece%len(starts)], o
		if scouting != nil {
			bound = scouting.bound
		}
		if scouting != nil && scouting.short { // many short ones see more: others are as short, since they find something soon
			mine.Events /= oddly
		}
		if bound {
			start = nil // traces of a search need not be what hardware can do
		}
		made := newFeeding(sys, o.Inputs, generator(o.Seed^madeSalt, uint64(piece)))
		long := false
		if scouting != nil {
			mine.Events, long = scouting.climb.plan(piece, mine.Events, made.sys != nil, len(goalsOf(sys)) > 0, scouting.odd)
		}
		stroll := func() outcome {
			crew.start(thread)
			made.anew()
			if err := follow(sys, start, nil); err != nil {
				return outcome{err: err}
			}
			choose := chooser{rng: generator(o.Seed, uint64(piece)), weight: o.Weight}
			amid := newIntrusions(sys, generator(^o.Seed, uint64(piece)))
			return walk(sys, &mine, choose, amid, generator(o.Seed^meetSalt, uint64(piece)), made, scouting.begin(), start, bound, stop)
		}
		roam := func() outcome { return tour(sys, &mine, made, scouting, piece, bound, stop) }
		var out outcome
		if long {
			out = roam()
		} else if len(goalsOf(sys)) > 0 { // a walk that loses a goal takes long: nothing delays it
			if out = stroll(); len(out.hits) == 0 && !out.over() {
				out = out.and(roam())
			}
		} else if out = roam(); !out.over() {
			out = stroll().and(out)
		}
		out.lesson = scouting.lesson(out.hits)
		made.done(o.Meter, &out)
		b.live.Add(uint64(out.fired))
		if len(out.hits) == 0 {
			out.trace = nil // it need not wait in memory for its turn
		}
		return out
	}, b.commit)
	o.guides.end()
	if b.err != nil {
		return nil, b.err
	}
	b.result.Complete = b.over || b.result.Walks == o.Walks
	if b.result.Complete {
		o.Meter.events.Add(b.total - o.spent - b.live.Load()) // what was begun and then not needed does not count
	}
	b.result.Findings = b.catalog.list()
	return &b.result, nil
}

// oddly is how much shorter walks are that look for a run within what hardware can do, to something that was found beyond.
const oddly = 8

// keepsBounds tells whether the walk with a number keeps to what hardware can do, all the way. One in three does, and more if all that was found is what hardware hardly makes.
func keepsBounds(piece int) bool { return piece%3 == 2 }

// book books walks in their order.
type book struct {
	o       *WalkOptions
	catalog catalog
	result  WalkResult
	total   uint64        // events of walks that count
	live    atomic.Uint64 // events of all walks
	over    bool          // enough was found, or enough events were fired
	ruined  uint64        // if not 0, so many events had been fired, plus 1, when something ruinous was found that hardware hardly makes
	err     error
}

// commit books a walk, and tells whether to go on.
func (b *book) commit(piece int, out outcome) bool {
	defer func() {
		if b.over || b.err != nil || out.aborted {
			b.o.guides.end() // nobody waits for more
		}
	}()
	if out.err != nil {
		b.err = out.err
		return false
	}
	out.hits = slices.DeleteFunc(out.hits, func(h hit) bool { return h.doubted() && b.o.doubts[h.Cause()] })
	for _, h := range out.hits {
		if h.trace == nil {
			h.trace = slices.Clone(out.trace[:h.length])
		}
		f := &Finding{Violation: h.Violation, Trace: h.trace, Inputs: h.inputs, Before: h.length, Evidence: h.evidence, Rank: h.rank,
			Cycle: h.cycle, Since: h.since, Walk: piece + 1, Strain: h.strain, Suspected: h.evidence == Sampled}
		if b.err = b.o.found.book(&b.catalog, f); b.err != nil {
			if errors.Is(b.err, errStopped) {
				b.err = nil // the walk is not done
			}
			return false
		}
	}
	if out.aborted {
		return false // what it has found counts all the same
	}
	b.total += uint64(out.fired)
	enough := b.o.First && b.enough(out.hits)
	if out.lesson != nil && b.o.First {
		for _, h := range out.hits {
			out.lesson.Odd = max(out.lesson.Odd, b.o.oddityOf(h.Violation, h.strain, h.inputs))
		}
	}
	b.result.Walks++
	b.o.Meter.walks.Add(1)
	b.o.guides.learn(piece, out.lesson)
	if out.lesson != nil {
		b.o.Meter.news.Add(uint64(len(out.lesson.Places)))
	}
	if b.o.done != nil {
		b.err = b.o.done(b.result.Walks, b.total, out.lesson)
	}
	b.over = enough || b.o.Total > 0 && b.total >= b.o.Total
	return !b.over && b.err == nil
}

// settles tells whether a finding is what walks are for: hardware can make it, and where inputs are made up, one led to it.
func (o *WalkOptions) settles(strain uint64, inputs []MadeInput) bool {
	return strain == 0 && (o.Inputs == nil || len(inputs) > 0)
}

// oddityOf is how odd a violation is. A goal that is lost says nothing about other things.
func (o *WalkOptions) oddityOf(v finding.Violation, strain uint64, inputs []MadeInput) oddity {
	switch {
	case o.settles(strain, inputs):
		return settled
	case strain == 0 || v.Kind != finding.Safety:
		return notOdd
	case endsWalk(v):
		return ruinous
	}
	return mild
}

// endsWalk tells whether a walk that meets a violation is over, so that nobody sees what comes behind it.
func endsWalk(v finding.Violation) bool { return v.Kind != finding.Safety || !v.Harmless }

// ends tells whether nobody walks on behind such a violation.
func (o *WalkOptions) ends(v finding.Violation, strain uint64, inputs []MadeInput) bool {
	return o.settles(strain, inputs) && (!o.Patient || endsWalk(v))
}

// enough reports whether what was found will do. What ends walks, but needs longer waits than hardware has, will do once as many events again have brought nothing better, unless there is
// a budget of time for that.
func (b *book) enough(hits []hit) bool {
	const least = 300_000
	for _, h := range hits {
		if b.o.ends(h.Violation, h.strain, h.inputs) {
			return true
		}
		if b.ruined == 0 && endsWalk(h.Violation) {
			b.ruined = b.total + 1
		}
	}
	return !b.o.timed && b.ruined > 0 && b.total > 2*b.ruined+least
}
