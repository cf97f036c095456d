package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/study/property/builtin"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Check asks for orders of events, losses and reboots that break a property.
type Check struct {
	World
	File        string        `json:"file"` // firmware or scenario
	Kernels     []string      `json:"kernels,omitempty"`
	Mode        string        `json:"mode"`   // walk, search or both
	Reduce      string        `json:"reduce"` // none, static or dynamic
	Budget      time.Duration `json:"budget_ns"`
	Skew        time.Duration `json:"skew_ns,omitempty"`
	Preempt     int           `json:"preempt"` // how many interrupts of a run may come in the middle of something
	AnyOrder    bool          `json:"any_order,omitempty"`
	Events      *int          `json:"events,omitempty"` // of a walk; nil for what fits into the budget
	Total       uint64        `json:"total,omitempty"`
	Shorten     uint64        `json:"shorten"` // events to spend on making a finding short
	Depth       int           `json:"depth"`
	Walks       int           `json:"walks"`
	Threads     int           `json:"threads"`
	Threshold   int           `json:"threshold"`
	Prefix      int           `json:"prefix"`
	Steady      int           `json:"steady,omitempty"`
	From        *Moment       `json:"from,omitempty"` // from where everything is tried; from the start if nil
	Heal        bool          `json:"heal,omitempty"`
	Unguided    bool          `json:"unguided,omitempty"` // walks do not learn from each other
	Stateless   bool          `json:"stateless,omitempty"`
	All         bool          `json:"all,omitempty"`
	NoMemory    bool          `json:"no_memory,omitempty"`
	Unwritten   bool          `json:"unwritten,omitempty"`
	FailedPosts bool          `json:"failed_posts,omitempty"`
	Failures    []string      `json:"failures,omitempty"`
	Benign      []string      `json:"benign,omitempty"`
	Out         string        `json:"out,omitempty"` // the folder for recipes, the report, and what Resume needs
	Bundle      bool          `json:"bundle,omitempty"`
	Resume      bool          `json:"resume,omitempty"`
	NoRepair    bool          `json:"no_repair,omitempty"` // do not work out how races can be repaired

	// loaded, if not nil, keeps what File is for the next time.
	loaded *loaded
	// feed, if not nil, has inputs made up: see Fuzz.
	feed func(context.Context, *subject, *check.Options, Host) error
	// explore, if not nil, is what is done instead of check.Run.
	explore func(check.System, check.Options) (*check.Report, error)
}

// UsualBudget stands for the budget of those who give none. It is longer for a network than for one mote.
const (
	UsualBudget   time.Duration = -1
	usualAlone                  = 25 * time.Second
	usualNetworks               = time.Minute
)

// UsualEvents is how many events a walk has at most, if nothing is said.
const UsualEvents = 300_000

// NewCheck is the usual request for a file.
func NewCheck(file string) Check {
	f := Check{World: NewWorld(), File: file, Mode: string(check.ModeBoth), Reduce: "dynamic", Budget: UsualBudget, Depth: 12, Walks: 10_000,
		Threads: runtime.NumCPU(), Threshold: check.DefaultThreshold, Shorten: 300_000, Prefix: 3_000, Preempt: explore.UsualPreempt}
	f.Stagger = 0 // any mote may be the first
	return f
}

// Checked is what check found.
type Checked struct {
	Document *document.Checked
	Report   *check.Report
	Builds   []document.Built
	Faults   bool // some may happen
	subject  *subject
}

// Moment is when a mote has run for so many cycles.
type Moment struct {
	Mote  int    `json:"mote"` // its node id
	Cycle uint64 `json:"cycle"`
}

// from is where exploring starts.
func (s *subject) from(m *Moment) (check.Moment, error) {
	if m == nil {
		return check.Moment{}, nil
	}
	for i, c := range s.cfg.Motes {
		if int(c.ID) == m.Mote {
			return check.Moment{Mote: int16(i), Clock: uint64(float64(m.Cycle) / float64(c.Kind.Board.Hertz) * float64(world.Second))}, nil
		}
	}
	return check.Moment{}, fmt.Errorf("there is no mote %d to start from", m.Mote)
}

// ID is the node id of a mote of the report.
func (c *Checked) ID(mote int16) int { return c.subject.id(mote) }

// Do explores.
func (f Check) Do(ctx context.Context, h Host) (*Checked, error) {
	h = h.oneAtATime()
	h.collect(check.Collect)
	s, opt, err := f.ready(ctx, h)
	if err != nil {
		return nil, err
	}
	if s.bundler, err = NewBundler(f.Bundle, f.Out, s.recipe); err != nil {
		return nil, err
	}
	if f.explore == nil {
		if opt.Log, err = f.log(); err != nil {
			return nil, err
		}
	}
	if opt.Log != nil {
		defer opt.Log.Close()
	}
	start := h.now()
	since := func() time.Duration { return h.now().Sub(start) }
	opt.Stop = func() bool { return ctx.Err() != nil || f.Budget > 0 && since() > f.Budget }
	opt.Interrupted = Over(h.Patience(ctx))
	f.pace(&opt, since, len(s.cfg.Motes), s.system)
	var findings atomic.Int64
	opt.Found = func(found *check.Finding) {
		more := ""
		if found.Suspected {
			more = "; it may only be late: looking closer"
		}
		text := fmt.Sprintf("found after %s: %s%s", since().Round(time.Millisecond), found.Tell(s.base), more)
		findings.Add(1)
		x := opt.Meter.Stats()
		h.tell(Progress{Kind: Note, Text: text, Events: x.Events, Inputs: x.Inputs})
	}
	stop := h.exploring(opt.Meter, func(p *Progress) {
		p.Findings = int(findings.Load())
		if s.fed {
			p.Blocks = s.blocksReached()
		}
	})
	explore := check.Run
	if f.explore != nil {
		explore = f.explore
	}
	report, err := explore(s.base, opt)
	stop()
	if err != nil {
		return nil, err
	}
	h.collect(100) // what is told of long traces is much, and it is no longer time that matters
	told, err := s.describe(ctx, report.Findings, h)
	if err != nil {
		return nil, err
	}
	judged := s.judge(report, ctx.Err() != nil)
	if s.fed {
		judged.Miss(someInputs)
	}
	doc, err := f.document(s, report, told, judged, since())
	if err != nil {
		return nil, err
	}
	return &Checked{doc, report, builtOf(s.recipe), len(s.cfg.Faults) > 0, s}, nil
}

// ready makes what is asked for ready to be explored.
func (f *Check) ready(ctx context.Context, h Host) (*subject, check.Options, error) {
	s, err := f.subject(ctx, h)
	var opt check.Options
	if err == nil {
		opt, err = f.options(s)
	}
	if err == nil && s.fed {
		err = f.feed(ctx, s, &opt, h)
	}
	if errors.Is(err, verdict.ErrInterrupted) {
		err = &Unfinished{}
	}
	return s, opt, err
}

// unseenStates is what a search leaves out that does not see every state.
const unseenStates = "whether goals are reached again and again: not every state was seen"

// someInputs is what fuzz always leaves out.
const someInputs = "inputs: some were made up, out of very many"

// blocksReached is how many blocks of code inputs have reached. Motes with the same firmware count once.
func (s *subject) blocksReached() (n int) {
	for i, m := range s.cfg.Motes {
		if slices.IndexFunc(s.cfg.Motes, func(x world.MoteConfig) bool { return x.Kind == m.Kind }) == i {
			s.system.Reached(i, func(int) { n++ })
		}
	}
	return n
}

// exploring tells how far the exploration is, now and then, until the function that it gives is called. More adds what the meter does not know.
func (h Host) exploring(m *check.Meter, more func(*Progress)) (stop func()) {
	if h.After == nil || h.Progress == nil {
		return func() {}
	}
	h.tell(Progress{Kind: Exploring})
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		var news [3]uint64
		last := h.now()
		for {
			select {
			case <-done:
				return
			case <-h.After(200 * time.Millisecond):
			}
			x := m.Stats()
			p := Progress{Kind: Exploring, Text: m.Doing(), Events: x.Events, States: x.States, Depth: x.Depth, Walks: x.Walks, Inputs: x.Inputs}
			more(&p)
			if now := [...]uint64{x.News, uint64(p.Blocks), uint64(p.Findings)}; now != news {
				news, last = now, h.now()
			}
			p.Since = uint64(h.now().Sub(last).Seconds())
			h.tell(p)
		}
	}()
	return func() {
		close(done)
		<-gone
		h.done()
	}
}

// subject is what is checked.
type subject struct {
	recipe   *recipe.Recipe
	cfg      *world.Config
	scenario *scenario.Scenario // nil if there is none
	plan     *property.Prepared
	system   *explore.System
	base     check.System // its first state
	skew     uint64
	preempt  int
	anyOrder bool
	repairs  time.Duration // how long repairs of races may be tried; 0 for no limit
	noRepair bool          // they are not tried
	names    []string      // of the motes
	bundler  *Bundler
	leftOut  []string // what of the scenario is not heeded
	fed      bool     // inputs are made up
	loaded   *loaded  // of the request; nil if nothing is kept
}

// subject makes what the arguments ask for ready to be explored.
func (f *Check) subject(ctx context.Context, h Host) (*subject, error) {
	rec, cfg, watch, err := f.load(ctx, h)
	if err != nil {
		return nil, err
	}
	s := &subject{recipe: rec, cfg: cfg, skew: uint64(f.Skew.Nanoseconds()) * 1000, preempt: f.Preempt, anyOrder: f.AnyOrder, fed: f.feed != nil, noRepair: f.NoRepair, loaded: f.loaded}
	if watch != nil {
		s.scenario, s.leftOut = watch.Scenario, watch.Unheeded
	}
	if rec.Checks, err = f.asked(); err != nil {
		return nil, err
	}
	switch {
	case f.Budget >= 0:
	case len(cfg.Motes) > 1:
		f.Budget = usualNetworks
	default:
		f.Budget = usualAlone
	}
	if f.Budget > 0 {
		s.repairs = max(5*time.Second, f.Budget/2)
	}
	return s, s.prepare(ctx, f.NoMemory, h)
}

// loaded is what a file is: nothing changes it.
type loaded struct {
	recipe *recipe.Recipe
	cfg    *world.Config
	watch  *Watch
	taught *builtin.Set // nil before the first time
}

// load loads the file, unless that was done before. The recipe is the caller's own.
func (f *Check) load(ctx context.Context, h Host) (*recipe.Recipe, *world.Config, *Watch, error) {
	l := f.loaded
	if l == nil {
		l = new(loaded)
	}
	if l.recipe == nil {
		rec, w, watch, err := f.Load(ctx, f.File, h)
		if err != nil {
			return nil, nil, nil, err
		}
		*l = loaded{recipe: rec, cfg: w.Config(), watch: watch}
	}
	rec := *l.recipe
	return &rec, l.cfg, l.watch, nil
}

// asked is what the flags say is to be checked besides the usual; nil for nothing.
func (f *Check) asked() (*recipe.Checks, error) {
	if !f.Unwritten && !f.FailedPosts && len(f.Failures) == 0 && len(f.Benign) == 0 && len(f.Kernels) == 0 {
		return nil, nil
	}
	kernels, err := NamedKernels(f.Kernels)
	return &recipe.Checks{Unwritten: f.Unwritten, FailedPosts: f.FailedPosts, Failures: f.Failures, Benign: f.Benign, Kernels: kernels}, err
}

// without is the built-in checks that are left out.
func without(noMemory bool) []string {
	if noMemory {
		return []string{"memory"}
	}
	return nil
}

// prepare makes the system.
func (s *subject) prepare(ctx context.Context, noMemory bool, h Host) error {
	opt, err := ChecksOf(s.recipe, s.cfg)
	if err != nil {
		return err
	}
	opt.Explore, opt.Without, opt.Stop = true, without(noMemory), func() bool { return ctx.Err() != nil }
	h.doing("learning normal behaviour from an ordinary run")
	defer h.done()
	if s.loaded != nil {
		opt.Taught = s.loaded.taught
	}
	if s.plan, err = property.Prepare(s.cfg, s.scenario, opt); err != nil {
		return err
	}
	if s.loaded != nil {
		s.loaded.taught = s.plan.BuiltIn()
	}
	h.doing("booting %s", phrase.Counted(len(s.cfg.Motes), "mote"))
	s.system, err = explore.New(s.cfg, explore.Options{Kernels: opt.Kernels, Skew: s.skew, Preempt: s.preempt, AnyOrder: s.anyOrder, Inputs: s.fed, Benign: s.benign(), Plan: s.plan, Stop: opt.Stop})
	if err != nil {
		return err
	}
	s.base, s.preempt = s.system.Clone(), s.system.Preempt()
	for _, m := range s.cfg.Motes {
		s.names = append(s.names, fmt.Sprintf("mote %d", m.ID))
	}
	return nil
}

// options are what the flags ask of package check.
func (f *Check) options(s *subject) (check.Options, error) {
	reduction, err := check.ParseReduction(f.Reduce)
	if err != nil {
		return check.Options{}, fmt.Errorf("--reduce: %w", err)
	}
	if f.Threads < 1 {
		return check.Options{}, fmt.Errorf("--threads %d: give at least 1", f.Threads)
	}
	from, err := s.from(f.From)
	if err != nil {
		return check.Options{}, err
	}
	reach := max(1, min(f.Threshold, 10_000))
	return check.Options{
		Mode: check.Mode(f.Mode), Identity: s.identity(), Steady: f.Steady, From: from, Seed: f.seed(), Threads: f.Threads, Meter: new(check.Meter),
		Search: check.SearchOptions{Depth: f.Depth, Stateless: f.Stateless, Reduce: reduction, Deepen: f.Depth > 0, Events: f.searchEvents()},
		Walk: check.WalkOptions{Walks: f.Walks, Events: f.walkEvents(), Total: f.Total, Threshold: f.Threshold, Prefix: f.Prefix, Heal: f.Heal,
			First: !f.All, Patient: len(s.cfg.Motes) > 1 && (f.Budget > 0 || f.Total > 0), Unguided: f.Unguided},
		Critical: check.CriticalOptions{Walks: 3, Events: reach},
		Minimise: check.MinimiseOptions{Walks: 1, Reach: reach, Events: max(1, f.Shorten)},
	}, nil
}

// walkEvents is the most events of a walk.
func (f *Check) walkEvents() int {
	if f.Events == nil {
		return UsualEvents
	}
	return *f.Events
}

// searchEvents bounds the search where walks are to follow.
func (f *Check) searchEvents() uint64 {
	if f.Mode == string(check.ModeBoth) {
		return 100_000
	}
	return 0
}

// identity is what decides what is explored, for a log to go on with: the recipe, and what is checked.
func (s *subject) identity() string {
	var b strings.Builder
	for _, m := range s.recipe.Motes {
		fmt.Fprintf(&b, "%s@%d ", m.SHA256[:min(16, len(m.SHA256))], m.ID)
	}
	for _, src := range s.recipe.Scenario {
		fmt.Fprintf(&b, "%s ", src.SHA256[:16])
	}
	if len(s.recipe.Scenario) == 0 {
		for _, in := range s.recipe.Serial {
			fmt.Fprintf(&b, "%d.%d<%s ", in.Mote, in.USART, in.Hex)
		}
	}
	fmt.Fprintf(&b, "skew=%d any=%t preempt=%d", s.skew, s.anyOrder, s.preempt)
	if names := s.benign(); len(names) > 0 {
		fmt.Fprintf(&b, " benign=%q", names)
	}
	return b.String()
}

// judge gathers what the verdict rests on.
func (s *subject) judge(r *check.Report, interrupted bool) *verdict.Case {
	c := r.Case()
	c.Miss(doubtful(r)...)
	switch {
	case interrupted:
		c.Miss(verdict.Interrupted)
	case c.Complete && c.Findings == 0: // what comes after a violation was not explored
	case r.Stopped:
		c.Miss(verdict.Spent)
	case r.Search == nil:
		c.Miss("walks try some orders of events, not all")
	case r.Search.Complete:
		c.Miss(unseenStates)
	}
	for _, x := range r.Contradicted {
		c.Miss(fmt.Sprintf("%s was found, but did not happen again when it was replayed (%v): this is a bug of motehound, please report it", x.Tell(s.base), x.Err))
	}
	for _, x := range r.Unproven {
		c.Miss(fmt.Sprintf("no time was left to replay what was found: %s", x.Tell(s.base)))
	}
	for _, m := range s.missed() {
		c.Miss(m.what)
	}
	return c
}

// missing is something that was not exercised or not judged. Always is of what no part of the exploration can make good for another.
type missing struct {
	what   string
	always bool
}

// missed is what the exploration has left out, whatever it found.
func (s *subject) missed() (all []missing) {
	add := func(always bool, list ...string) {
		for _, what := range list {
			all = append(all, missing{what, always})
		}
	}
	add(true, s.leftOut...)
	add(false, s.plan.LeftOut()...)
	add(false, verdict.Idle(s.cfg, s.system.Offered)...)
	if !s.fed {
		add(true, verdict.Unheard(s.cfg)...)
		add(true, s.system.Unpressed()...)
		add(true, s.system.Unsensed()...)
	}
	for _, name := range s.system.Spared() {
		add(true, fmt.Sprintf("races of %s: it is said to be benign", name))
	}
	if s.system.Crowded() {
		add(true, "some interrupts in the middle of code: there are too many places for all")
	}
	if s.system.Cut() {
		add(true, "interrupts for single bytes of a frame in the middle of tasks: a search does not try them, walks do")
	}
	return all
}

// pace shares the budget out: the search gets less than half of it, and of a network, in which all orders of a few events lead nowhere, the less
// the larger it is. Walks behind it, unless the user says how long they are, get such a length that some of them end.
func (f *Check) pace(opt *check.Options, since func() time.Duration, motes int, base check.Liver) {
	if f.Budget <= 0 || opt.Mode == check.ModeSearch {
		return
	}
	opt.Enough = func(ruined bool) bool {
		if ruined {
			return since() > f.Budget*7/10
		}
		return since() > f.Budget*4/5
	}
	if opt.Mode != check.ModeBoth {
		return
	}
	search := f.Budget * 2 / 5 / time.Duration(max(1, motes*motes))
	opt.SearchStop = func() bool { return since() > search }
	if f.Events != nil {
		return
	}
	opt.WalkEvents = func() int {
		const walks, shortest = 7, 1_000     // of three walks one is as long as it may be
		const many, longEnough = 20, 100_000 // most networks come to an end of what is new: then more walks see more
		least := shortest
		if len(base.Goals()) > 0 {
			least = max(least, f.Threshold+f.Threshold/2) // shorter ones cannot tell that a goal is lost
		}
		spent := since()
		left := float64(opt.Meter.Stats().Events) * float64(f.Budget-spent) / float64(max(1, spent))
		return min(f.walkEvents(), max(least, min(int(left)/walks, max(longEnough, int(left)/many))))
	}
}

// log opens the log that --out keeps.
func (f *Check) log() (*check.Log, error) {
	if kept, err := keeps(f.Out, f.Resume); err != nil || !kept {
		return nil, err
	}
	name := "check.log"
	if f.feed != nil {
		name = "fuzz.log"
	}
	path := filepath.Join(f.Out, name)
	if _, err := os.Stat(path); err == nil && !f.Resume {
		return nil, fmt.Errorf("%s already exists: give --resume to continue, or another folder", path)
	} else if err != nil && f.Resume {
		return nil, fmt.Errorf("--resume: there is no %s", path)
	}
	return check.OpenLog(path)
}
