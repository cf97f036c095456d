// Package plan turns a scenario into work for the symbolic engine, and turns what the engine finds into findings that people can read and
// runs that can be repeated.
//
// Properties are the scenario's own functions. Where they read bytes that depend on inputs, they get symbolic numbers, and are evaluated
// once for each result of the comparisons that they make (walk). This gives the condition on inputs under which the property holds. What
// has no such form is checked when an outcome is run again with concrete inputs: at_return, eventually, and the built-in checks of memory
// and kernel.
//
// Invariants:
//   - A finding is repeated from its own recipe, on the concrete emulator, before it is reported, and its recipe has the hash of the state
//     in which that ended. What cannot be repeated is counted and reported, but is not a finding.
//   - A condition that was not decided counts as possible, until an outcome is solved. None is dropped.
//   - Results depend only on the scenario, the firmware and the Options.
package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"motehound/firmware/image"
	"motehound/study/property"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Options are how to explore.
type Options struct {
	Until    uint64 // picoseconds
	Mapping  string // cob, cow or sds; empty for sds
	Solver   string // builtin or z3; empty for builtin
	Searcher string // of package search; empty for the engine's own choice
	Seed     uint64
	MaxPaths int
	MaxBytes int
	// Outcomes is how many outcomes are listed and run again; 0 is 1,000.
	Outcomes int
	Checks   property.Options // the built-in ones
	Clock    func() time.Duration
	Piece    engine.Piece   // which outcomes, if not all
	Reorder  engine.Reorder // which other orders of events to look at
	Record   io.Writer      // gets every query of the solver, as SMT-LIB
	Saved    []byte         // an exploration that was stopped and is to go on: what Result.Saved was
	// Keep, if not nil, gets the exploration as it is, for a later one to go on with: at once, and whenever Due says so.
	Keep func(saved []byte) error
	Due  func() bool
	Stop func() bool // whether it is enough of exploring
	Rest func() bool // whether it is enough of all, as of running outcomes again
	// Await waits until a program has answered, or until it is enough, which it gives false for. If nil, nobody looks at Stop and Rest meanwhile.
	Await func(answered <-chan struct{}, enough func() bool) bool
	// Doing, if not nil, is called with what comes after exploring, for people.
	Doing    func(format string, args ...any)
	Progress func(engine.Progress)
	// Inputs are unknown, where there is no scenario that says so.
	Inputs []scenario.Symbolic
}

const defaultOutcomes = 1000

// Plan is a scenario that is ready to be explored.
type Plan struct {
	sc     *scenario.Scenario
	given  *scenario.Scenario // nil if there is none
	base   *recipe.Recipe
	opt    Options
	cfg    *world.Config
	engine engine.Config
	pool   *expr.Pool
	solver *solver.Solver
	close  func() error
	byRun  []*scenario.Property // looked at when outcomes are run again
	suite  *property.Prepared
	early  []string // what cannot be judged, as is known beforehand
	told   bool     // to stop
	after  bool     // exploring is over
	heeds  bool     // what was kept has been made again, so that it can be stopped
	broken bool     // a query was broken off before that

	running *engine.Engine
	kept    error // what went wrong when it was kept
}

// New makes a plan of a scenario: the recipe is the scenario's, and the Config is of that recipe. Without a scenario (nil) what is symbolic
// and what must hold is up to the firmware. Close it when it is no longer needed.
func New(sc *scenario.Scenario, base *recipe.Recipe, cfg *world.Config, opt Options) (*Plan, error) {
	if opt.Until == 0 {
		opt.Until = base.Until
	}
	if opt.Doing == nil {
		opt.Doing = func(string, ...any) {}
	}
	if opt.Outcomes == 0 {
		opt.Outcomes = defaultOutcomes
	}
	suite, err := property.Prepare(cfg, sc, opt.Checks)
	if err != nil {
		return nil, err
	}
	given := sc
	if sc == nil {
		sc = &scenario.Scenario{Symbolic: opt.Inputs}
	}
	p := &Plan{heeds: len(opt.Saved) == 0, sc: sc, given: given, suite: suite, base: base, opt: opt, cfg: cfg, pool: expr.NewPool(), close: func() error { return nil }}
	algorithm, err := findMapping(opt.Mapping)
	if err != nil {
		return nil, err
	}
	resume, err := p.startSolver()
	if err != nil {
		return nil, err
	}
	p.engine = engine.Config{Resume: resume, World: cfg, Until: opt.Until, Mapping: algorithm, Core: core.Config{Pool: p.pool, Solver: p.solver},
		Reorder: opt.Reorder, Piece: opt.Piece, Searcher: opt.Searcher, Seed: opt.Seed, MaxPaths: opt.MaxPaths, MaxBytes: opt.MaxBytes, Stop: p.stop, Progress: opt.Progress}
	if err := inputs(sc, &p.engine); err != nil {
		return nil, err
	}
	j := &judge{cfg: cfg, pool: p.pool, solver: p.solver, eval: scenario.NewEvaluator(), suite: suite, worked: map[*scenario.Property]bool{}}
	p.engine.Checks, p.byRun, p.early = j.checks(sc, opt.Until, p.unknown())
	return p, nil
}

// stop passes on that it is enough, and remembers it: only then is there something to go on with. Where it is asked, an exploration can be kept.
func (p *Plan) stop() bool {
	if p.opt.Keep != nil && p.opt.Due() {
		p.keep()
	}
	p.heeds = true
	p.told = p.told || p.opt.Stop != nil && p.opt.Stop()
	return p.told
}

// enough tells the solver, in the middle of a query, whether to break it off.
func (p *Plan) enough() bool {
	switch {
	case p.after:
		return p.rest()
	case p.heeds:
		p.told = p.told || p.opt.Stop != nil && p.opt.Stop()
		return p.told
	}
	return false
}

// patient is enough for a program, which may hang: also before it can be stopped otherwise.
func (p *Plan) patient() bool {
	if p.after || p.heeds {
		return p.enough()
	}
	p.broken = p.broken || p.rest()
	return p.broken
}

// rest reports whether there is no time for anything that can be left out.
func (p *Plan) rest() bool { return p.opt.Rest != nil && p.opt.Rest() }

// Close ends what the plan has started.
func (p *Plan) Close() error { return p.close() }

// symbolic reports whether there is anything unknown, or that may go wrong.
func (p *Plan) symbolic() bool { return p.unknown() || len(p.cfg.Faults) > 0 || p.opt.Reorder.Max > 0 }

// unknown reports whether there are symbolic inputs: of the scenario, or of a firmware (motehound.h).
func (p *Plan) unknown() bool {
	return len(p.sc.Symbolic) > 0 || slices.ContainsFunc(p.cfg.Motes, func(m world.MoteConfig) bool {
		return slices.ContainsFunc(m.Kind.Image.Symbols, func(s image.Symbol) bool { return strings.HasPrefix(s.Name, "mh:symbolic:") })
	})
}

func findMapping(name string) (*mapping.Algorithm, error) {
	if name == "" {
		return &mapping.SDS, nil
	}
	var names []string
	for _, a := range mapping.Algorithms {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return nil, fmt.Errorf("unknown mapping %q: choose one of %s", name, strings.Join(names, ", "))
}

// startSolver makes the solver that the options ask for, with the tape of an exploration that is to go on, or with a new one.
func (p *Plan) startSolver() (*engine.Saved, error) {
	tape := new(solver.Tape)
	var saved *engine.Saved
	if len(p.opt.Saved) > 0 {
		var err error
		if saved, err = load(p.opt.Saved, p.identity()); err != nil {
			return nil, err
		}
		tape = saved.Tape
	}
	var backend solver.Backend
	switch p.opt.Solver {
	case "", "builtin":
		own := solver.NewBuiltin(p.pool, 0)
		own.Enough = p.enough
		backend = own
	case "z3":
		z, err := solver.NewZ3(p.pool, "", 0)
		if err != nil {
			return nil, err
		}
		if p.opt.Await != nil {
			z.Await = func(answered <-chan struct{}) bool { return p.opt.Await(answered, p.patient) }
		}
		backend, p.close = z, z.Close
	default:
		return nil, fmt.Errorf("no solver %q: choose builtin or z3", p.opt.Solver)
	}
	p.solver = solver.New(p.pool, backend, solver.Config{Clock: p.opt.Clock, Record: p.opt.Record, Tape: tape})
	return saved, nil
}
