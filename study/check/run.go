package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"motehound/study/finding"
)

// Mode says how to explore.
type Mode string

// The modes.
const (
	ModeWalk   Mode = "walk"
	ModeSearch Mode = "search"
	// ModeBoth is the paper's Figure 1: go to a steady state at random, search from there to a depth, and walk on at random from
	// the states at that depth.
	ModeBoth Mode = "both"
)

// Options say what Run does. Seed, Threads, Stop and Meter hold for all parts of it, whatever is said there.
type Options struct {
	Mode Mode
	// Identity says what is explored: a log goes on only with the same.
	Identity string
	// Steady is how many events lead to the state from which the search starts. Nothing fails in them.
	Steady int
	// From, if its Clock is not 0, is where the search and the walks start instead: everything before comes in its natural order. The System must be a Pacer.
	From     Moment
	Search   SearchOptions
	Walk     WalkOptions
	Critical CriticalOptions
	Minimise MinimiseOptions
	// Graph bounds the states among which lassos are looked for. That is done if the search saw all states, or if
	// Graph.States is given.
	Graph   GraphOptions
	Seed    uint64
	Threads int
	Stop    func() bool
	// Interrupted, if not nil, tells that nobody waits any more. Stop is true then, too; what was found and would take long to
	// replay is left out.
	Interrupted func() bool
	// SearchStop, if not nil, ends the search alone: walks go on from the states that it has reached.
	SearchStop func() bool
	// Enough, if not nil, tells whether to look no further once something was found behind which walks go on: to ease it takes time, too. Ruined tells that hardware hardly makes
	// it, and that it ended a walk.
	Enough func(ruined bool) bool
	// WalkEvents, if not nil, is asked before the walks begin for the most events of one, instead of Walk.Events. Shorter walks are the
	// beginnings of longer ones, unless they are so short that their prefix is shorter, too.
	WalkEvents func() int
	Meter      *Meter
	// Log, if not nil, keeps findings, and is gone on from.
	Log *Log
	// Found, if not nil, is told of each new cause, as soon as it is in the log. It is called by one goroutine at a time.
	Found func(*Finding)

	part *Part // nil for all
}

// Moment is when the clock of a mote shows a time, in picoseconds.
type Moment struct {
	Mote  int16
	Clock uint64
}

// Report is what Run found.
type Report struct {
	Findings []*Finding
	// Complete says that every state was seen that was asked for, and if there are goals, that every cycle of them was.
	Complete bool
	// Refuted are goals that were late, but in reach all the same when that was looked at.
	Refuted []*Finding
	// Doubted are goals that were not reached in time, but only in runs that hardware hardly makes: see Finding.doubted.
	Doubted []*Finding
	// Unproven were found, but there was no time to replay them.
	Unproven []*Finding
	// Contradicted were found, but do not happen when their traces are replayed. That is a bug of ours: nobody is shown them, but everybody is told.
	Contradicted []Contradicted
	Stats        Stats
	Search       *SearchResult // nil if there was none
	Lassos       *LassoResult  // nil if they were not looked for
	Walks        int
	Walked       uint64 // events of walks
	Lead         int    // events before the state from which the search started
	Stopped      bool
	// Corpus is lists of made-up inputs that led to something new.
	Corpus  [][]MadeInput
	options Options
}

// Contradicted is a finding that cannot be replayed, and why.
type Contradicted struct {
	*Finding
	Err error
}

// Run explores a system from its state, which is left as it was, and explains what it finds: every finding is made short, gets its
// critical transition if it is one of liveness, and is replayed.
func Run(base System, o Options) (*Report, error) {
	if err := o.spread(); err != nil {
		return nil, err
	}
	if err := o.Log.begin(o.identity()); err != nil {
		return nil, err
	}
	r := &runner{o: o, base: base, progress: o.Log.progress(), report: &Report{options: o}}
	r.recall()
	o.Meter.set(r.progress.stats)
	for _, phase := range []func() error{r.steady, r.search, r.lassos, r.walkOn} {
		if err := phase(); errors.Is(err, errStopped) {
			r.report.Stopped = true
		} else if err != nil {
			return nil, err
		}
	}
	r.proof.drop()
	r.report.Corpus = r.corpus()
	if r.start != nil {
		r.start.Release()
	}
	return r.finish(), nil
}

// spread gives the common options to all parts, and checks what only Run knows.
func (o *Options) spread() error {
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
	if o.Mode != ModeWalk && o.Mode != ModeSearch && o.Mode != ModeBoth {
		return fmt.Errorf("unknown mode %q: use walk, search or both", o.Mode)
	}
	if o.Steady < 0 {
		return fmt.Errorf("a steady state after %d events: give 0 or more", o.Steady)
	}
	if o.Mode != ModeWalk {
		if err := o.Search.check(); err != nil {
			return err
		}
	}
	s, w, c, m, g := &o.Search, &o.Walk, &o.Critical, &o.Minimise, &o.Graph
	s.Seed, s.Threads, s.Stop, s.Meter = o.Seed, o.Threads, o.Stop, o.Meter
	w.Seed, w.Threads, w.Stop, w.Meter = o.Seed, o.Threads, o.Stop, o.Meter
	c.Seed, c.Threads, c.Stop, c.Meter = o.Seed, o.Threads, o.Stop, o.Meter
	m.Seed, m.Threads, m.Stop, m.Meter, m.interrupted = o.Seed, o.Threads, o.Stop, o.Meter, o.Interrupted
	g.Stop, g.Meter = o.Stop, o.Meter
	if o.Mode == ModeBoth && s.Frontier == 0 {
		s.Frontier = max(1, w.Walks)
	}
	if c.Events == 0 {
		c.Events = w.Threshold
	}
	if m.Reach == 0 {
		m.Reach = w.Threshold
	}
	return nil
}

// identity is what has to be equal for a log to go on: whatever decides what is explored in which order.
func (o *Options) identity() string {
	s, w := &o.Search, &o.Walk
	text := ""
	if w.Unguided {
		text = " unguided"
	}
	if o.From.Clock > 0 {
		text += fmt.Sprintf(" from=%d@%d", o.From.Mote, o.From.Clock)
	}
	return fmt.Sprintf("%s mode=%s seed=%d steady=%d depth=%d deepen=%t stateless=%t reduce=%v events=%d prefix=%d threshold=%d heal=%t%s",
		o.Identity, o.Mode, o.Seed, o.Steady, s.Depth, s.Deepen, s.Stateless, s.Reduce, w.Events, w.Prefix, w.Threshold, w.Heal, text)
}

// runner is one Run.
type runner struct {
	o        Options
	base     System
	start    System  // from where the search starts
	lead     []Event // the way there
	catalog  catalog
	final    map[finding.Cause]bool // analysed by an earlier run
	progress progress
	told     map[*Finding]bool      // explained already
	which    string                 // the finding that is being explained, for people
	length   int                    // of the longest walk, if Options.WalkEvents was asked
	busy     atomic.Bool            // something was found that takes time to explain, and walks go on behind it
	ruined   atomic.Bool            // hardware hardly makes it, and it ended a walk
	cut      bool                   // there would have been more walks
	denied   map[finding.Cause]int  // how often a finding could not be replayed
	looked   map[finding.Cause]bool // goals of which a doubted finding was looked at: others like it say nothing new
	proof    proof
	guides   *guides // nil if there are none, or not yet
	report   *Report
}

// stopped notes and tells whether the caller wants an end.
func (r *runner) stopped() bool {
	r.report.Stopped = r.report.Stopped || r.o.Stop != nil && r.o.Stop()
	return r.report.Stopped
}

// found keeps and reports a finding whose trace starts where the search does.
func (r *runner) found(lead []Event) reporter {
	return func(f *Finding, _ news) error {
		// The one who found it goes on with a finding of its own, whose trace starts elsewhere.
		g := *f
		g.Trace = slices.Concat(lead, f.Trace)
		g.Before, g.Since = len(g.Trace), f.Since+len(lead)
		g.Motes, g.Replayed = slices.Clone(f.Motes), false
		known := r.catalog.byCause[g.Cause()]
		switch {
		case known != nil && known.doubted() && !g.doubted():
			delete(r.final, g.Cause()) // that one says more
		case r.final[g.Cause()] || r.looked[g.Cause()] && g.doubted() || r.denied[g.Cause()] == mostDenied:
			return nil
		}
		best, n := r.catalog.add(&g)
		if best.Strain > 0 || r.o.Walk.Patient {
			r.busy.Store(true)
		}
		if best.Strain > 0 && endsWalk(best.Violation) {
			r.ruined.Store(true)
		}
		if n == old {
			return nil
		}
		// Nobody is shown what cannot be replayed. Whoever calls this holds a lock, so nobody else clones the base meanwhile.
		if best != known {
			if err := r.proof.confirm(r.base, best, r.o.Interrupted); err != nil {
				err = r.cannotReplay(best, err)
				if known != nil {
					r.catalog.byCause[known.Cause()] = known
				}
				return err // nil if the search can go on
			}
		}
		if err := r.o.Log.write(record{Finding: best}, true); err != nil {
			return err
		}
		if n == fresh && r.o.Found != nil {
			r.o.Found(best)
		}
		return nil
	}
}

// steady goes to the state from which the search starts.
func (r *runner) steady() error {
	r.start = r.base.Clone()
	track(r.start, false)
	if r.o.From.Clock == 0 && (r.o.Mode == ModeWalk || r.o.Steady == 0) {
		return nil
	}
	r.o.Meter.does("going to where it starts")
	choose := chooser{rng: generator(r.o.Seed, 1<<63), weight: r.o.Walk.Weight}
	more := func() bool { return len(r.lead) < r.o.Steady }
	among := func(enabled []Event) []Event { return enabled }
	if p, ok := r.start.(Pacer); ok && r.o.From.Clock > 0 {
		order := newStrategy(r.start, choose.rng).settled()
		more = func() bool { return p.Clock(r.o.From.Mote) < r.o.From.Clock }
		among = func(enabled []Event) []Event { return order.among(easily(r.start, enabled, nil)) }
	}
	var enabled []Event
	for more() && !r.stopped() {
		enabled = r.start.Enabled(enabled[:0])
		e, ok := choose.natural(among(enabled))
		if !ok {
			break
		}
		step, err := fire(r.start, e)
		if err != nil {
			return err
		}
		r.o.Meter.events.Add(1)
		if len(step.Violations) > 0 {
			return r.unsteady(e, step)
		}
		r.lead = append(r.lead, e)
	}
	r.report.Lead = len(r.lead)
	return nil
}

// unsteady books violations on the way to the steady state. The search starts from before them.
func (r *runner) unsteady(e Event, step Step) error {
	for i, v := range step.Violations {
		n := len(r.lead) + 1
		f := &Finding{Violation: v, Trace: append(slices.Clone(r.lead), e), Before: n, Since: n, Rank: i}
		if err := r.found(nil)(f, fresh); err != nil {
			return err
		}
	}
	r.start.CopyFrom(r.base)
	track(r.start, false)
	r.report.Lead = len(r.lead)
	return follow(r.start, r.lead, nil)
}

func (r *runner) search() error {
	if r.o.Mode == ModeWalk || r.stopped() {
		return nil
	}
	if done := r.progress.searched; done != nil {
		r.report.Search = &done.Result
		return nil
	}
	o := r.o.Search
	if end := r.o.SearchStop; end != nil {
		o.Stop = func() bool { return end() || r.o.Stop != nil && r.o.Stop() }
	}
	o.found = r.found(r.lead)
	o.finish = func(depth, item int, so round) error {
		return r.o.Log.write(record{Item: &doneItem{Round: so, Depth: depth, Item: item, Stats: r.o.Meter.Stats()}}, false)
	}
	r.o.Meter.does("searching")
	first := o.Depth
	if o.Deepen {
		first = 1
	}
	if r.progress.items != nil {
		first = r.progress.depth
		// The log does not have the states at the bound, nor, where states are kept, which of them were explored all the same.
		// What is small is therefore done again as a whole; of what is large the parts that are done are skipped.
		if o.Stateless && o.Frontier == 0 || r.progress.stats.States >= o.small() {
			o.done, o.before = r.progress.items, r.progress.round
		}
	}
	result, err := searchFrom(r.start, o, first)
	if err != nil {
		return err
	}
	r.report.Search = result
	if !result.Complete {
		r.report.Stopped = r.report.Stopped || r.o.Stop != nil && r.o.Stop()
		return nil
	}
	kept := *result
	kept.Findings = nil // the log has them
	return r.o.Log.write(record{Searched: &searched{Result: kept, Stats: r.o.Meter.Stats()}}, true)
}

// lassos looks for proofs among all states.
func (r *runner) lassos() error {
	s := r.report.Search
	if len(goalsOf(r.base)) == 0 || r.stopped() || r.o.Graph.States == 0 && (s == nil || !s.Exhausted) {
		return nil
	}
	r.o.Meter.does("looking for cycles")
	result, err := findLassos(r.start, r.o.Graph)
	if err != nil {
		return err
	}
	r.report.Lassos = result
	for _, f := range result.Findings {
		if err := r.found(r.lead)(f, fresh); err != nil {
			return err
		}
	}
	return nil
}

// walkOn walks and explains what was found. Where walks were ended by a goal that was only late, or is doubted, others follow.
func (r *runner) walkOn() error {
	for {
		refuted, doubted := len(r.report.Refuted), r.doubts()
		err := r.walk()
		if err != nil && !errors.Is(err, errStopped) {
			return err
		}
		if err := errors.Join(err, r.explain()); err != nil {
			return err
		}
		counts := slices.ContainsFunc(r.catalog.list(), (*Finding).Counts)
		doubts := r.doubts()
		r.busy.Store(len(r.catalog.byCause) > doubts) // what was dismissed is nothing to wait for
		r.ruined.Store(r.ruined.Load() && r.busy.Load())
		// A goal that was doubted may be refuted now: then there is one more of these and one less of those.
		same := len(r.report.Refuted) == refuted && doubts == doubted
		if same || counts || !r.o.Walk.First || r.enough() || r.stopped() {
			return nil
		}
	}
}

// walk walks: from the start, or from where the search ended.
func (r *runner) walk() error {
	s := r.report.Search
	if r.o.Mode == ModeSearch || r.stopped() {
		return nil
	}
	starts := [][]Event{nil}
	if s != nil && len(s.Frontier) > 0 {
		starts = s.Frontier
	}
	if s != nil && s.Exhausted && (len(goalsOf(r.base)) == 0 || r.report.Lassos != nil && r.report.Lassos.Whole) {
		return nil // there is nothing that walks could see
	}
	o := r.o.Walk
	if r.o.WalkEvents != nil {
		r.length = cmp.Or(r.length, r.o.WalkEvents())
		o.Events = r.length
		o.Prefix = min(o.Prefix, r.length/10) // where events take long, it would be all that a walk is
	}
	o.found = r.found(r.lead)
	o.done = r.walked
	o.doubts = r.looked
	o.timed = r.o.Enough != nil && o.Inputs == nil // time says when they end, but not in a hunt: a finding that takes no input comes again in every walk there, and the program would get no input
	o.Stop = func() bool { return r.o.Stop != nil && r.o.Stop() || r.enough() }
	if w := r.progress.walked; w != nil {
		o.skip, o.spent = min(w.Walks, o.Walks), w.Events
	} else if p := r.o.part; p != nil {
		o.skip = min(p.From, o.Walks)
	}
	if o.skip == o.Walks && o.skip > 0 || o.Total > 0 && o.spent >= o.Total || o.First && r.foundLast(o.skip) {
		return nil
	}
	if r.busy.Load() {
		for _, f := range r.catalog.list() {
			switch {
			case f.doubted():
			case f.Kind == finding.Liveness:
				o.odd = ruinous // that ended a walk
			default:
				o.odd = max(o.odd, o.oddityOf(f.Violation, f.Strain, f.Inputs))
			}
		}
	}
	if err := r.guide(&o); err != nil {
		return err
	}
	r.o.Meter.does("walking")
	before := r.o.Meter.events.Load()
	result, err := walksFrom(r.start, starts, o)
	if err != nil {
		return err
	}
	r.report.Walks = result.Walks
	r.report.Walked += r.o.Meter.events.Load() - before
	r.cut = !result.Complete
	return nil
}

// foundLast tells whether the last walk of an earlier run ended the walks, since it found something.
func (r *runner) foundLast(walks int) bool {
	return slices.ContainsFunc(r.catalog.list(), func(f *Finding) bool {
		return walks > 0 && f.Walk == walks && r.o.Walk.ends(f.Violation, f.Strain, f.Inputs)
	})
}

// enough tells whether the rest of the time is for what was found.
func (r *runner) enough() bool {
	return r.busy.Load() && r.o.Enough != nil && r.o.Enough(r.ruined.Load())
}

// explain makes findings short, finds critical transitions and replays.
func (r *runner) explain() error {
	if p := r.o.part; p != nil && len(p.Known) == 0 {
		return nil
	}
	var told []explained
	all := r.catalog.list()
	for n, f := range all {
		r.which = fmt.Sprintf("finding %d of %d", n+1, len(all))
		r.o.Meter.does("shortening %s", r.which)
		if r.final[f.Cause()] || r.told[f] {
			continue
		}
		if r.stopped() && f.Replayed {
			continue // it stands as it was found, and was replayed then
		}
		found := f.Trace
		if r.together(f, told) {
			if err := r.o.Log.write(record{Finding: f, Final: true}, true); err != nil {
				return err
			}
			continue
		}
		if r.told == nil {
			r.told = make(map[*Finding]bool)
		}
		r.told[f] = true
		late, err := r.explainOne(f)
		if err == nil && !late {
			err = r.proveCritical(f)
		}
		told = append(told, explained{found, f})
		switch {
		case errors.Is(err, errStopped):
			// The finding stands as it was found: there was no time to look closer.
			r.report.Stopped = true
			if !f.Replayed {
				if err := confirmed(r.base, f, r.o.Interrupted); err != nil {
					if err = r.cannotReplay(f, err); err != nil {
						return err
					}
				}
			}
		case err != nil:
			err = r.cannotReplay(f, err)
		case late:
			r.report.Refuted = append(r.report.Refuted, f)
			delete(r.catalog.byCause, f.Cause())
			err = r.o.Log.write(record{Refuted: f}, true)
		case !r.stopped(): // else it may become better
			err = r.o.Log.write(record{Finding: f, Final: true}, true)
		}
		if err != nil && !errors.Is(err, errStopped) {
			return err
		}
	}
	return nil
}

// explained is a finding, and the trace that it was found with.
type explained struct {
	found []Event
	*Finding
}

// together tells whether something was broken by the same transition as another finding, and still is by that one's trace, now that
// it is short. Then it gets that trace.
func (r *runner) together(f *Finding, told []explained) bool {
	for _, x := range told {
		if f.Kind != finding.Safety || x.Kind != finding.Safety || !slices.Equal(f.Trace, x.found) {
			continue
		}
		g := *f
		g.Trace, g.Minimal, g.Since = slices.Clone(x.Trace), x.Minimal, x.Since
		if confirmed(r.base, &g, r.o.Interrupted) == nil {
			*f = g
			return true
		}
	}
	return false
}

// mostDenied is how many findings of a cause are replayed of which none can be.
const mostDenied = 3

// cannotReplay notes that a finding is not to be trusted, or that there was no time to replay it. Only the latter is an error.
func (r *runner) cannotReplay(f *Finding, err error) error {
	cause := f.Cause()
	delete(r.catalog.byCause, cause)
	if errors.Is(err, errStopped) {
		r.report.Unproven = append(r.report.Unproven, f)
		return err
	}
	if r.denied == nil {
		r.denied = make(map[finding.Cause]int)
	}
	if r.denied[cause]++; r.denied[cause] == 1 {
		r.report.Contradicted = append(r.report.Contradicted, Contradicted{f, err})
	}
	return nil
}

// explainOne explains a finding, and tells whether the goal was only late.
func (r *runner) explainOne(f *Finding) (late bool, err error) {
	if f.Kind == finding.Safety {
		return false, r.explainSafety(f)
	}
	if f.Evidence == Sampled {
		return r.explainSampled(f)
	}
	if err := minimise(r.base, f, r.o.Minimise); err != nil {
		return false, err
	}
	f.Critical, err = findCritical(r.base, f.Trace[:len(f.Trace)-f.Cycle], f.Goal(), r.o.Critical)
	return false, err
}

// ease is eased, and says what it does.
func (r *runner) ease(f *Finding) (bool, error) {
	r.o.Meter.does("easing %s", r.which)
	defer r.o.Meter.does("shortening %s", r.which)
	return eased(r.base, f, r.o.Minimise)
}

func (r *runner) finish() *Report {
	p := r.report
	p.Stopped = r.stopped() || r.cut
	for _, f := range r.catalog.list() {
		if f.doubted() {
			p.Doubted = append(p.Doubted, f)
		} else {
			p.Findings = append(p.Findings, f)
		}
	}
	p.Stats = r.o.Meter.Stats()
	s, goals := p.Search, len(goalsOf(r.base)) > 0
	p.Complete = s != nil && s.Complete && (!goals || p.Lassos != nil && p.Lassos.Whole)
	return p
}
