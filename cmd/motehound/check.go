package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// checkFlags are those of check.
type checkFlags struct {
	worldFlags
	kernels   []string
	mode      string
	reduce    string
	budget    time.Duration
	skew      time.Duration
	anyOrder  bool
	events    int
	total     uint64
	depth     int
	walks     int
	threads   int
	threshold int
	prefix    int
	steady    int
	heal      bool
	stateless bool
	all       bool
	noMemory  bool
	unwritten bool
	posts     bool
	failures  []string
	out       string
	bundle    bool
	resume    bool
	json      bool
	quiet     bool
	full      bool

	eventsGiven bool // the user says how long walks are
}

func checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] FIRMWARE|SCENARIO",
		Short: "Look for orders of events, losses and reboots that break a property",
		Long: `Explores what the motes can do, in other orders than the natural one: which interrupt comes first, when a task runs, when a frame
arrives or whether it does, when a mote reboots, as far as the scenario allows that. In each state it checks that memory is used
rightly and that nothing goes wrong in the kernel, which needs no annotation, and the properties of the scenario.

--mode search looks at every order up to --depth events, --mode walk goes at random, and --mode both, the default, searches first
and walks on from there. A finding is made short, replayed, and shown as a chart with one column per mote; --out DIR
keeps it as a recipe for 'motehound replay', and a log from which --resume goes on. It stops with the first walk that finds
something; --all goes on.

Hardware does not make every order. While a mote sleeps, no interrupt and no task of it waits, and a frame arrives when it is sent, or as
much later as the channel can be busy. What is found only if something waits longer is shown behind what is found without, says what
has to wait, and is no violation, unless --any-order is given. Nor is a goal that may only be late: see --threshold, and within of
"eventually".

The verdict is "violated"; "holds", up to so many events, if every order of these was looked at and nothing was left out; or "unknown", with
what was left out. Exit status 1 means that something is violated.`,
		Args: exactlyOne("firmware file or scenario", "example:counter"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(check.Collect)
			}
			f.eventsGiven = cmd.Flags().Changed("events")
			return f.check(cmd.Context(), args[0])
		},
	}
	fl := cmd.Flags()
	f.register(fl, "time", "drift", "stagger", "pcap")
	fl.StringArrayVar(&f.kernels, "kernel", nil, about("kernel"))
	fl.StringVar(&f.mode, "mode", "both", "walk, search or both")
	fl.StringVar(&f.reduce, "reduce", "dynamic", "leave out orders that make no difference: none, static or dynamic")
	fl.DurationVar(&f.budget, "budget", 25*time.Second, about("budget"))
	fl.DurationVar(&f.skew, "skew", 0, "how much too early a mote may do something, by its own clock; 0 for no limit")
	fl.BoolVar(&f.anyOrder, "any-order", false, "findings count in whatever order of events, even if something has to wait longer than hardware makes it")
	fl.IntVar(&f.events, "events", 300_000, "the most events of a walk; by default fewer if the budget is small")
	fl.Uint64Var(&f.total, "total", 0, "events of all walks together, after which no other begins; 0 for no limit")
	fl.IntVar(&f.depth, "depth", 12, "events of the longest order that is searched")
	fl.IntVar(&f.walks, "walks", 10_000, "how many walks")
	fl.IntVar(&f.threads, "threads", runtime.NumCPU(), "how many to run at once")
	fl.IntVar(&f.threshold, "threshold", check.DefaultThreshold, "events for which an \"eventually\" property may not hold")
	fl.IntVar(&f.prefix, "prefix", 3_000, "the most events before something may fail in a walk")
	fl.IntVar(&f.steady, "steady", 0, "events at random before the search starts")
	fl.BoolVar(&f.heal, "heal", false, "walks: things fail at first, then no more, and every \"eventually\" property must come to hold")
	fl.BoolVar(&f.stateless, "stateless", false, "search orders, not states: less memory, more work")
	fl.BoolVar(&f.all, "all", false, about("all"))
	fl.BoolVar(&f.noMemory, "no-memory", false, about("no-memory"))
	fl.BoolVar(&f.unwritten, "unwritten", false, "also report reads of RAM that nothing wrote")
	fl.BoolVar(&f.posts, "failed-posts", false, "also report posts that are refused because the task waits already")
	fl.StringArrayVar(&f.failures, "failure", nil, about("failure"))
	fl.StringVar(&f.out, "out", "", about("out"))
	fl.BoolVar(&f.bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.resume, "resume", false, about("resume"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	fl.BoolVar(&f.full, "full", false, "show whole traces")
	return cmd
}

// subject is what is checked.
type subject struct {
	recipe   *recipe.Recipe
	cfg      *world.Config
	scenario *scenario.Scenario // nil if there is none
	plan     *property.Plan
	system   *explore.System
	base     check.System // its first state
	skew     uint64
	anyOrder bool
	names    []string // of the motes
	bundler  *job.Bundler
	leftOut  []string // what of the scenario is not heeded
}

// subject makes what the arguments ask for ready to be explored.
func (f *checkFlags) subject(ctx context.Context, name string, term *terminal) (*subject, error) {
	rec, w, watch, err := f.load(ctx, name, term)
	if err != nil {
		return nil, err
	}
	s := &subject{recipe: rec, cfg: w.Config(), skew: uint64(f.skew.Nanoseconds()) * 1000, anyOrder: f.anyOrder}
	if watch != nil {
		s.scenario, s.leftOut = watch.Scenario, watch.Unheeded
	}
	if rec.Checks, err = f.asked(); err != nil {
		return nil, err
	}
	return s, s.prepare(ctx, f.noMemory, term)
}

// asked is what the flags say is to be checked besides the usual; nil for nothing.
func (f *checkFlags) asked() (*recipe.Checks, error) {
	if !f.unwritten && !f.posts && len(f.failures) == 0 && len(f.kernels) == 0 {
		return nil, nil
	}
	kernels, err := job.NamedKernels(f.kernels)
	return &recipe.Checks{Unwritten: f.unwritten, FailedPosts: f.posts, Failures: f.failures, Kernels: kernels}, err
}

// prepare makes the system.
func (s *subject) prepare(ctx context.Context, noMemory bool, term *terminal) error {
	opt, err := job.ChecksOf(s.recipe, s.cfg)
	if err != nil {
		return err
	}
	opt.Explore, opt.NoMemory, opt.Stop = true, noMemory, func() bool { return ctx.Err() != nil }
	term.doing("learning from an ordinary run what is usual")
	defer term.clear()
	if s.plan, err = property.Prepare(s.cfg, s.scenario, opt); err != nil {
		return err
	}
	term.doing("booting %s", phrase.Counted(len(s.cfg.Motes), "mote"))
	s.system, err = explore.New(s.cfg, explore.Options{Kernels: opt.Kernels, Skew: s.skew, AnyOrder: s.anyOrder, Plan: s.plan, Stop: opt.Stop})
	if err != nil {
		return err
	}
	s.base = s.system.Clone()
	for _, m := range s.cfg.Motes {
		s.names = append(s.names, fmt.Sprintf("mote %d", m.ID))
	}
	return nil
}

// options are what the flags ask of package check.
func (f *checkFlags) options(s *subject) (check.Options, error) {
	reduction, err := check.ParseReduction(f.reduce)
	if err != nil {
		return check.Options{}, fmt.Errorf("--reduce: %w", err)
	}
	if f.threads < 1 {
		return check.Options{}, fmt.Errorf("--threads %d: give at least 1", f.threads)
	}
	reach := max(1, min(f.threshold, 10_000))
	return check.Options{
		Mode: check.Mode(f.mode), Identity: s.identity(), Steady: f.steady, Seed: f.seed, Threads: f.threads, Meter: new(check.Meter),
		Search: check.SearchOptions{Depth: f.depth, Stateless: f.stateless, Reduce: reduction, Deepen: f.depth > 0, Events: f.searchEvents()},
		Walk: check.WalkOptions{Walks: f.walks, Events: f.events, Total: f.total, Threshold: f.threshold, Prefix: f.prefix, Heal: f.heal,
			First: !f.all},
		Critical: check.CriticalOptions{Walks: 3, Events: reach},
		Minimise: check.MinimiseOptions{Walks: 1, Reach: reach, Events: 300_000},
	}, nil
}

// searchEvents bounds the search where walks are to follow.
func (f *checkFlags) searchEvents() uint64 {
	if f.mode == string(check.ModeBoth) {
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
	fmt.Fprintf(&b, "skew=%d any=%t", s.skew, s.anyOrder)
	return b.String()
}

func (f *checkFlags) check(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	s, err := f.subject(ctx, name, term)
	if errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	}
	if err != nil {
		return err
	}
	opt, err := f.options(s)
	if err != nil {
		return err
	}
	if s.bundler, err = job.NewBundler(f.bundle, f.out, s.recipe); err != nil {
		return err
	}
	if opt.Log, err = f.log(); err != nil {
		return err
	}
	if opt.Log != nil {
		defer opt.Log.Close()
	}
	start := time.Now()
	opt.Stop = func() bool { return ctx.Err() != nil || f.budget > 0 && time.Since(start) > f.budget }
	opt.Interrupted = job.Over(term.host().Patience(ctx))
	f.pace(&opt, start, s.system)
	opt.Found = func(found *check.Finding) { term.note("found after %s: %s", since(start), found.Tell(s.base)) }
	stop := term.exploring(start, opt.Meter)
	report, err := check.Run(s.base, opt)
	stop()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100) // what is told of long traces is much, and it is no longer time that matters
	}
	told, err := s.describe(ctx, report.Findings, term)
	if err != nil {
		return err
	}
	doc, err := f.document(s, report, told, s.judge(report, ctx.Err() != nil), time.Since(start))
	if err != nil {
		return err
	}
	if f.json {
		err = document.Write(stdout, doc)
	} else {
		f.print(term, s, report, doc)
	}
	switch {
	case err != nil:
		return err
	case doc.Verdict == verdict.Violated:
		return errFound
	}
	return nil
}

// judge gathers what the verdict rests on.
func (s *subject) judge(r *check.Report, interrupted bool) *verdict.Case {
	c := &verdict.Case{Findings: r.Counting(), Complete: r.Verdict == verdict.Holds}
	c.Miss(doubtful(r.Findings)...)
	switch {
	case interrupted:
		c.Miss(verdict.Interrupted)
	case c.Complete:
	case r.Stopped:
		c.Miss(verdict.Spent)
	case r.Search == nil:
		c.Miss("walks try some orders of events, not all")
	case r.Search.Complete:
		c.Miss("whether goals are reached again and again: not every state was seen")
	}
	for _, x := range r.Unproven {
		c.Miss(fmt.Sprintf("there was no time to replay what was found: %s", x.Tell(s.base)))
	}
	c.Miss(s.leftOut...)
	c.Miss(s.plan.LeftOut()...)
	c.Miss(verdict.Idle(s.cfg, s.system.Offered)...)
	c.Miss(verdict.Unheard(s.cfg)...)
	return c
}

// pace shares the budget out: the search gets less than half of it, and walks, unless the user says how long they are, such a length
// that some of them end.
func (f *checkFlags) pace(opt *check.Options, start time.Time, base check.Liver) {
	if f.budget <= 0 || opt.Mode != check.ModeBoth {
		return
	}
	opt.SearchStop = func() bool { return time.Since(start) > f.budget*2/5 }
	opt.Enough = func() bool { return time.Since(start) > f.budget*3/5 }
	if f.eventsGiven {
		return
	}
	opt.WalkEvents = func() int {
		const walks, shortest = 7, 20_000 // of three walks one is as long as it may be
		least := shortest
		if len(base.Goals()) > 0 {
			least = max(least, f.threshold+f.threshold/2) // shorter ones cannot tell that a goal is lost
		}
		spent := time.Since(start)
		left := float64(opt.Meter.Stats().Events) * float64(f.budget-spent) / float64(max(1, spent))
		return min(f.events, max(least, int(left)/walks))
	}
}

// log opens the log that --out keeps.
func (f *checkFlags) log() (*check.Log, error) {
	if f.out == "" {
		if f.resume {
			return nil, errors.New("--resume: say with --out which folder to go on with")
		}
		return nil, nil
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(f.out, "check.log")
	if _, err := os.Stat(path); err == nil && !f.resume {
		return nil, fmt.Errorf("%s is there already: give --resume to go on with it, or another folder", path)
	} else if err != nil && f.resume {
		return nil, fmt.Errorf("--resume: there is no %s", path)
	}
	return check.OpenLog(path)
}

func since(t time.Time) string { return time.Since(t).Round(time.Millisecond).String() }

// exploring shows progress until the function that it gives is called.
func (t *terminal) exploring(start time.Time, m *check.Meter) (stop func()) {
	if !t.tty || t.quiet {
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(2 * frame)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			x := m.Stats()
			rate := float64(x.Events) / time.Since(start).Seconds()
			fmt.Fprintf(os.Stderr, "\r\x1b[K%s: %s events, %s/s; search: %s states, depth %d; %s walks", m.Doing(), phrase.Grouped(x.Events),
				phrase.Grouped(uint64(rate)), phrase.Grouped(x.States), x.Depth, phrase.Grouped(x.Walks))
		}
	}()
	return func() {
		close(done)
		<-gone
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
