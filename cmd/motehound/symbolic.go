package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/property"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// symbolicFlags are those of symbolic.
type symbolicFlags struct {
	worldFlags
	budget   time.Duration
	maxPaths int
	mapping  string
	solver   string
	searcher string
	memory   string
	noMemory bool
	failures []string
	reorder  bool
	orders   uint32
	delay    time.Duration
	show     int
	out      string
	bundle   bool
	resume   bool
	lcov     string
	queries  string
	json     bool
	quiet    bool
}

func symbolicCommand() *cobra.Command {
	var f symbolicFlags
	cmd := &cobra.Command{
		Use:   "symbolic [flags] SCENARIO|FIRMWARE",
		Short: "Look for inputs and failures for which the motes, together, reach a bad state",
		Long: `Runs the motes for all values of the inputs that the scenario says are symbolic (bytes of frames and of serial input, readings,
variables) and for all failures that it allows (lost, doubled and corrupted frames, reboots, outages), at once. Events come in their
natural order, or with --reorder in others too: then interrupts may wait, so that what comes next is first. Where motes go different ways,
all of them are followed; a scenario is one way of each mote that can be together.

The scenario's properties are looked at for all inputs; the built-in checks of memory and kernel, and what must hold when a function
returns, for one input of each scenario. Each finding is made again by the emulator, without anything symbolic, before it is
shown; a third of --budget is for that. --out DIR keeps it as a recipe for 'motehound replay', and what --resume goes on with if the budget
ends before the work does.

The verdict is "violated", "holds" (all scenarios were followed to the end) or "unknown" (some were not, and it says which). Exit status 1
means that something is violated. docs/symbolic.md explains it with an example.`,
		Args: exactlyOne("scenario or firmware file", "port.star"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.symbolic(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, "loss", "drift", "stagger", "pcap")
	fl.DurationVar(&f.budget, "budget", time.Minute, about("budget"))
	fl.IntVar(&f.maxPaths, "max-paths", 0, "stop when so many scenarios have come to their end; 0 for no limit")
	fl.StringVar(&f.mapping, "map", "sds", "how states are mapped to scenarios: cob, cow or sds")
	fl.StringVar(&f.solver, "solver", "builtin", "builtin, or z3 (the program of that name)")
	fl.StringVar(&f.searcher, "searcher", "", "which scenarios come first: dfs, bfs, oldest, path or coverage")
	fl.StringVar(&f.memory, "memory", "2GiB", "about how much memory to use; what there is no room for is left out, and told; 0 for no limit")
	fl.BoolVar(&f.noMemory, "no-memory", false, about("no-memory"))
	fl.StringArrayVar(&f.failures, "failure", nil, about("failure"))
	fl.BoolVar(&f.reorder, "reorder", false, "also other orders of events than the natural one: interrupts may wait, so that others come first")
	fl.Uint32Var(&f.orders, "orders", 1, "with --reorder: how many interrupts of a scenario may wait")
	fl.DurationVar(&f.delay, "delay", 10*time.Millisecond, "with --reorder: for how long an interrupt may wait at most")
	fl.IntVar(&f.show, "scenarios", 1000, "how many scenarios to list and to run again")
	fl.StringVar(&f.out, "out", "", about("out"))
	fl.BoolVar(&f.bundle, "bundle", false, about("bundle"))
	fl.BoolVar(&f.resume, "resume", false, about("resume"))
	fl.StringVar(&f.lcov, "lcov", "", "write which lines and functions were reached to this `file`, for genhtml")
	fl.StringVar(&f.queries, "queries", "", "write every query of the solver to this `file`, as SMT-LIB")
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

// unknowns is what symbolic explores.
type unknowns struct {
	name     string
	scenario *scenario.Scenario // nil for a firmware file, which may have symbolic inputs of its own (motehound.h)
	recipe   *recipe.Recipe
	cfg      *world.Config
	open     recipe.Opener
	bundler  *job.Bundler
}

// unknowns reads a scenario, or a firmware file.
func (f *symbolicFlags) unknowns(name string, term *terminal) (*unknowns, error) {
	r := f.request()
	if !job.IsScenario(name) {
		rec, w, _, err := r.Make(name, term.host())
		if err != nil {
			return nil, err
		}
		return &unknowns{name: name, recipe: rec, cfg: w.Config(), open: job.OpenFirmware}, nil
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	s, err := r.Scenario(name, term.host())
	if err != nil {
		return nil, err
	}
	rec, err := s.Recipe()
	if err != nil {
		return nil, err
	}
	if rec.Until == 0 || f.changed("time") {
		if f.time <= 0 {
			return nil, fmt.Errorf("--time %v: give a time that is not over when it begins", f.time)
		}
		rec.Until = uint64(f.time.Nanoseconds()) * 1000
	}
	w, err := s.World(rec, job.OpenBeside(name))
	if err != nil {
		return nil, err
	}
	job.NoteImages(w, term.host())
	return &unknowns{name: name, scenario: s, recipe: rec, cfg: w.Config(), open: job.OpenBeside(name)}, nil
}

// options are what the flags ask for.
func (f *symbolicFlags) options(ctx context.Context, until uint64, start time.Time, term *terminal) (plan.Options, error) {
	bytes, err := parseSize(f.memory)
	switch {
	case !f.reorder && (f.changed("orders") || f.changed("delay")):
		return plan.Options{}, errors.New("--orders and --delay are about other orders of events: give --reorder too")
	case f.reorder && (f.orders == 0 || f.delay < 100*time.Microsecond || f.delay > time.Hour):
		return plan.Options{}, fmt.Errorf("--reorder with --orders %d and --delay %v: give at least 1 and 100us, and at most 1h", f.orders, f.delay)
	case err != nil:
		return plan.Options{}, fmt.Errorf("--memory: %w", err)
	case bytes > 0 && bytes < 2*ownBytes:
		return plan.Options{}, fmt.Errorf("--memory %s: give at least %d MiB", f.memory, 2*ownBytes>>20)
	case f.maxPaths < 0:
		return plan.Options{}, fmt.Errorf("--max-paths %d: give 0 or more", f.maxPaths)
	case f.show < 1:
		return plan.Options{}, fmt.Errorf("--scenarios %d: give at least 1", f.show)
	}
	var order engine.Reorder
	if f.reorder {
		order = engine.Reorder{Max: f.orders, Within: uint64(f.delay.Nanoseconds()) * 1000}
	}
	stop, rest := f.enough(ctx, term)
	return plan.Options{
		Reorder: order, Until: until, Mapping: f.mapping, Solver: f.solver, Searcher: f.searcher, Seed: f.seed, MaxPaths: f.maxPaths, MaxBytes: bytes,
		Scenarios: f.show, Checks: property.Options{NoMemory: f.noMemory, Failures: f.failures},
		Clock: func() time.Duration { return time.Since(start) },
		Stop:  stop, Rest: rest, Await: await, Progress: term.following(start, until), Doing: term.doing,
	}, nil
}

// enough tells when the time for exploring is over, which is two thirds of the budget, and when all of it is. It begins when that is first
// asked: what is resumed has been made again by then up to where it was. After Ctrl-C there is a little time left to confirm what was found.
func (f *symbolicFlags) enough(ctx context.Context, term *terminal) (exploring, all func() bool) {
	var mu sync.Mutex // scenarios are run at once
	var from time.Time
	spent := func(part time.Duration) bool {
		mu.Lock()
		defer mu.Unlock()
		if from.IsZero() {
			from = time.Now()
		}
		return f.budget > 0 && time.Since(from) > part
	}
	late := job.Over(term.host().Patience(ctx))
	return func() bool { return ctx.Err() != nil || spent(f.budget*2/3) }, func() bool { return late() || spent(f.budget) }
}

// await waits for a program's answer, and looks now and then whether it is enough.
func await(answered <-chan struct{}, enough func() bool) bool {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-answered:
			return true
		case <-tick.C:
			if enough() {
				return false
			}
		}
	}
}

func (f *symbolicFlags) symbolic(ctx context.Context, name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	var u *unknowns
	err := term.host().Reading(ctx, name, func() (err error) {
		u, err = f.unknowns(name, term)
		return err
	})
	if err != nil {
		return err
	}
	if len(f.failures) > 0 {
		u.recipe.Checks = &recipe.Checks{Failures: f.failures}
	}
	start := time.Now()
	opt, err := f.options(ctx, u.recipe.Until, start, term)
	if err != nil {
		return err
	}
	if u.bundler, err = job.NewBundler(f.bundle, f.out, u.recipe); err != nil {
		return err
	}
	if opt.Saved, err = f.kept(); err != nil {
		return err
	}
	f.keeping(&opt)
	if opt.MaxBytes > 0 { // the engine bounds what it keeps, and this what waits to be collected
		debug.SetMemoryLimit(int64(opt.MaxBytes - ownBytes))
	}
	var queries *disk.File
	if f.queries != "" {
		if queries, err = disk.Create(f.queries, 0o666); err != nil {
			return fmt.Errorf("--queries: %w", err)
		}
		defer queries.Close()
		opt.Record = queries
	}
	p, err := plan.New(u.scenario, u.recipe, u.cfg, opt)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := p.Explore(u.open)
	term.clear()
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		r.LeftOut = append(r.LeftOut, verdict.Interrupted)
	}
	if queries != nil {
		if err := queries.Commit(); err != nil {
			return fmt.Errorf("--queries: %w", err)
		}
	}
	return f.tell(term, u, p, r, time.Since(start))
}

// tell prints what was found, and keeps it.
func (f *symbolicFlags) tell(term *terminal, u *unknowns, p *plan.Plan, r *plan.Result, took time.Duration) error {
	doc, err := f.document(u, r, took)
	if err != nil {
		return err
	}
	if err := f.writeCoverage(u, p, r); err != nil {
		return err
	}
	if f.json {
		err = document.Write(stdout, doc)
	} else {
		f.print(term.text, doc)
	}
	switch {
	case err != nil:
		return err
	case doc.Verdict == verdict.Violated:
		return errFound
	}
	return nil
}

const keptFile = "exploration"

// kept is the exploration to go on with; nil for none.
func (f *symbolicFlags) kept() ([]byte, error) {
	if f.out == "" {
		if f.resume {
			return nil, errors.New("--resume: say with --out which folder to go on with")
		}
		return nil, nil
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(f.out, keptFile)
	_, noReport := os.Stat(filepath.Join(f.out, "report.json"))
	_, noneKept := os.Stat(path)
	switch {
	case !f.resume && (noReport == nil || noneKept == nil):
		return nil, fmt.Errorf("%s has results already: give --resume to go on with them, or another folder", f.out)
	case f.resume && noneKept == nil:
		const limit = 4 << 30
		return disk.Read(path, limit)
	case f.resume && noReport == nil:
		return nil, fmt.Errorf("--resume: nothing was left to go on with: %w", noneKept)
	}
	return nil, nil // or it was ended before it had begun
}

// keeping has the exploration kept now and then, so that little is lost whatever ends the process. It takes a small part of the time.
func (f *symbolicFlags) keeping(opt *plan.Options) {
	if f.out == "" {
		return
	}
	const every, share = 2 * time.Second, 20
	last, took := time.Now(), time.Duration(0)
	opt.Due = func() bool { return time.Since(last) > max(every, share*took) }
	opt.Keep = func(saved []byte) error {
		begin := time.Now()
		err := disk.Write(filepath.Join(f.out, keptFile), saved, 0o666)
		last = time.Now()
		took = last.Sub(begin)
		return err
	}
}

// keep writes what a later run can go on with, or takes it away if there is nothing left to do.
func (f *symbolicFlags) keep(r *plan.Result) error {
	path := filepath.Join(f.out, keptFile)
	if len(r.Saved) > 0 {
		return disk.Write(path, r.Saved, 0o666)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// ownBytes is about what the program itself takes of --memory: its code, and what is read of firmware.
const ownBytes = 24 << 20

// parseSize reads a number of bytes.
func parseSize(text string) (int, error) {
	units := []struct {
		name  string
		bytes float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"B", 1}, {"", 1}}
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.bytes < 1<<46) {
			break
		}
		return int(n * u.bytes), nil
	}
	return 0, fmt.Errorf("%q is no amount of memory: write 256MiB or 1GiB, or 0 for no limit", text)
}

// following draws how far an exploration is, or is nil where nobody would see it.
func (t *terminal) following(start time.Time, until uint64) func(engine.Progress) {
	if !t.tty || t.quiet {
		return nil
	}
	return func(p engine.Progress) {
		at := time.Now()
		if at.Sub(t.lastDraw) < frame || at.Sub(start) < frame {
			return
		}
		t.lastDraw, t.drawn = at, true
		fmt.Fprintf(os.Stderr, "\r\x1b[Kexploring: %.1f of %.1f s; %s scenarios, %s states, %s instructions, %s", float64(p.Now)/world.Second,
			float64(until)/world.Second, phrase.Grouped(uint64(p.Scenarios)), phrase.Grouped(uint64(p.States)), phrase.Grouped(p.Instructions), phrase.Counted(p.Findings, "suspect"))
	}
}
