package job

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

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/observe/coverage"
	"motehound/study/property"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/plan"
	"motehound/study/symbolic/search"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Symbolic asks for inputs and failures for which the motes, together, reach a bad state.
type Symbolic struct {
	World
	File     string         `json:"file"` // scenario or firmware
	Budget   time.Duration  `json:"budget_ns"`
	MaxPaths int            `json:"max_paths,omitempty"`
	Map      string         `json:"map"`    // cob, cow or sds
	Solver   string         `json:"solver"` // builtin or z3
	Searcher string         `json:"searcher,omitempty"`
	Memory   string         `json:"memory"` // about how much to use
	NoMemory bool           `json:"no_memory,omitempty"`
	Failures []string       `json:"failures,omitempty"`
	Reorder  bool           `json:"reorder,omitempty"`
	Orders   *uint32        `json:"orders,omitempty"`   // nil for 1
	Delay    *time.Duration `json:"delay_ns,omitempty"` // nil for 10 ms
	Outcomes int            `json:"outcomes"`           // how many to list and to run again
	Out      string         `json:"out,omitempty"`      // the folder for recipes, the report, and what Resume needs
	Bundle   bool           `json:"bundle,omitempty"`
	Resume   bool           `json:"resume,omitempty"`
	Queries  string         `json:"queries,omitempty"` // the file for what the solver is asked
	Cover    bool           `json:"cover,omitempty"`   // also gather which lines were reached

	piece engine.Piece // which outcomes, if not all
}

// What Symbolic does if nothing is said.
const (
	UsualOrders = 1
	UsualDelay  = 10 * time.Millisecond
)

// NewSymbolic is the usual request for a file.
func NewSymbolic(file string) Symbolic {
	f := Symbolic{World: NewWorld(), File: file, Budget: time.Minute, Map: "sds", Solver: "builtin", Memory: "2GiB", Outcomes: 1000}
	f.Stagger = 0 // motes are switched on at known moments
	return f
}

// Mappings are the names of the ways to map states.
func Mappings() []string {
	return phrase.NamesOf(mapping.Algorithms, func(a *mapping.Algorithm) string { return a.Name })
}

// Searchers are the names of the orders in which to look.
func Searchers() []string {
	return phrase.NamesOf(search.Strategies, func(s search.Strategy) string { return s.Name })
}

// Order is how many interrupts may wait, and for how long.
func (f *Symbolic) Order() (uint32, time.Duration) {
	orders, delay := uint32(UsualOrders), UsualDelay
	if f.Orders != nil {
		orders = *f.Orders
	}
	if f.Delay != nil {
		delay = *f.Delay
	}
	return orders, delay
}

// Outcomes is what symbolic found.
type Outcomes struct {
	Document *document.Symbolic
	Builds   []document.Built
	Name     string          // of the scenario or firmware, without its folder
	Covered  []coverage.File // if asked for

	pieces int // that it is to be cut into; then there is no document
	idle   []string
}

// Do explores.
func (f Symbolic) Do(ctx context.Context, h Host) (*Outcomes, error) {
	h = h.oneAtATime()
	var u *unknowns
	err := h.Reading(ctx, f.File, func() (err error) {
		u, err = f.unknowns(h)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(f.Failures) > 0 {
		u.recipe.Checks = &recipe.Checks{Failures: f.Failures}
	}
	start := h.now()
	opt, err := f.options(ctx, u.recipe.Until, start, h)
	if err != nil {
		return nil, err
	}
	if u.bundler, err = NewBundler(f.Bundle, f.Out, u.recipe); err != nil {
		return nil, err
	}
	if opt.Saved, err = f.kept(); err != nil {
		return nil, err
	}
	f.keeping(&opt, h)
	if opt.MaxBytes > 0 { // the engine bounds what it keeps, and this what waits to be collected
		debug.SetMemoryLimit(int64(opt.MaxBytes - ownBytes))
	}
	var queries *disk.File
	if f.Queries != "" {
		if queries, err = disk.Create(f.Queries, 0o666); err != nil {
			return nil, fmt.Errorf("--queries: %w", err)
		}
		defer queries.Close()
		opt.Record = queries
	}
	opt.Inputs = u.inputs
	p, err := plan.New(u.scenario, u.recipe, u.cfg, opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	r, err := p.Explore(u.open)
	h.done()
	if err != nil {
		return nil, err
	}
	if r.Stats.Pieces > 0 {
		return &Outcomes{pieces: r.Stats.Pieces}, nil
	}
	if ctx.Err() != nil {
		r.LeftOut = append(r.LeftOut, verdict.Interrupted)
	}
	if queries != nil {
		if err := queries.Commit(); err != nil {
			return nil, fmt.Errorf("--queries: %w", err)
		}
	}
	doc, err := f.document(u, r, h.now().Sub(start))
	if err != nil {
		return nil, err
	}
	found := &Outcomes{idle: r.Idle, Document: doc, Builds: builtOf(u.recipe), Name: strings.TrimSuffix(filepath.Base(u.name), filepath.Ext(u.name))}
	if f.Cover {
		found.Covered = coverage.Reached(u.cfg.Motes, r.Blocks)
	}
	return found, nil
}

// unknowns is what symbolic explores.
type unknowns struct {
	name     string
	scenario *scenario.Scenario  // nil for a firmware file, which may have symbolic inputs of its own (motehound.h)
	inputs   []scenario.Symbolic // of a firmware file
	recipe   *recipe.Recipe
	cfg      *world.Config
	open     recipe.Opener
	bundler  *Bundler
}

// unknowns reads a scenario, or a firmware file.
func (f *Symbolic) unknowns(h Host) (*unknowns, error) {
	name := f.File
	if !IsScenario(name) {
		var inputs []scenario.Symbolic
		f.SerialInput.unknown = &inputs
		rec, w, _, err := f.Make(name, h)
		if err != nil {
			return nil, err
		}
		return &unknowns{name: name, inputs: inputs, recipe: rec, cfg: w.Config(), open: OpenFirmware}, nil
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	s, err := f.Scenario(name, h)
	if err != nil {
		return nil, err
	}
	rec, err := s.Recipe()
	if err != nil {
		return nil, err
	}
	if rec.Until == 0 || f.Time != nil {
		if f.time() <= 0 {
			return nil, fmt.Errorf("--time %v: give a time above 0", f.time())
		}
		rec.Until = uint64(f.time().Nanoseconds()) * 1000
	}
	w, err := s.World(rec, OpenBeside(name))
	if err != nil {
		return nil, err
	}
	NoteImages(w, h)
	return &unknowns{name: name, scenario: s, recipe: rec, cfg: w.Config(), open: OpenBeside(name)}, nil
}

// options are what the flags ask for.
func (f *Symbolic) options(ctx context.Context, until uint64, start time.Time, h Host) (plan.Options, error) {
	bytes, err := parseSize(f.Memory)
	orders, delay := f.Order()
	switch {
	case !f.Reorder && (f.Orders != nil || f.Delay != nil):
		return plan.Options{}, errors.New("--orders and --delay need --reorder")
	case f.Reorder && (orders == 0 || delay < 100*time.Microsecond || delay > time.Hour):
		return plan.Options{}, fmt.Errorf("--reorder with --orders %d and --delay %v: give at least 1 and 100us, and at most 1h", orders, delay)
	case err != nil:
		return plan.Options{}, fmt.Errorf("--memory: %w", err)
	case bytes > 0 && bytes < 2*ownBytes:
		return plan.Options{}, fmt.Errorf("--memory %s: give at least %d MiB", f.Memory, 2*ownBytes>>20)
	case f.MaxPaths < 0:
		return plan.Options{}, fmt.Errorf("--max-paths %d: give 0 or more", f.MaxPaths)
	case f.Outcomes < 1:
		return plan.Options{}, fmt.Errorf("--outcomes %d: give at least 1", f.Outcomes)
	}
	var order engine.Reorder
	if f.Reorder {
		order = engine.Reorder{Max: orders, Within: uint64(delay.Nanoseconds()) * 1000}
	}
	stop, rest := f.enough(ctx, h)
	return plan.Options{
		Reorder: order, Piece: f.piece, Until: until, Mapping: f.Map, Solver: f.Solver, Searcher: f.Searcher, Seed: f.seed(), MaxPaths: f.MaxPaths, MaxBytes: bytes,
		Outcomes: f.Outcomes, Checks: property.Options{Without: without(f.NoMemory), Failures: f.Failures},
		Clock: func() time.Duration { return h.now().Sub(start) },
		Stop:  stop, Rest: rest, Await: h.await, Progress: h.following(until), Doing: h.doing,
	}, nil
}

// enough tells when the time for exploring is over, which is two thirds of the budget, and when all of it is. It begins when that is first
// asked: what is resumed has been made again by then up to where it was. After Ctrl-C there is a little time left to confirm what was found.
func (f *Symbolic) enough(ctx context.Context, h Host) (exploring, all func() bool) {
	var mu sync.Mutex // outcomes are run at once
	var from time.Time
	begun := false
	spent := func(part time.Duration) bool {
		mu.Lock()
		defer mu.Unlock()
		if !begun {
			from, begun = h.now(), true
		}
		return f.Budget > 0 && h.now().Sub(from) > part
	}
	late := Over(h.Patience(ctx))
	return func() bool { return ctx.Err() != nil || spent(f.Budget*2/3) }, func() bool { return late() || spent(f.Budget) }
}

// await waits for a program's answer, and looks now and then whether it is enough.
func (h Host) await(answered <-chan struct{}, enough func() bool) bool {
	for {
		var tick <-chan time.Time
		if h.After != nil {
			tick = h.After(20 * time.Millisecond)
		}
		select {
		case <-answered:
			return true
		case <-tick:
			if enough() {
				return false
			}
		}
	}
}

const keptFile = "exploration"

// kept is the exploration to go on with; nil for none.
func (f *Symbolic) kept() ([]byte, error) {
	if kept, err := keeps(f.Out, f.Resume); err != nil || !kept {
		return nil, err
	}
	path := filepath.Join(f.Out, keptFile)
	_, noReport := os.Stat(filepath.Join(f.Out, "report.json"))
	_, noneKept := os.Stat(path)
	switch {
	case !f.Resume && (noReport == nil || noneKept == nil):
		return nil, fmt.Errorf("%s already has results: give --resume to continue, or another folder", f.Out)
	case f.Resume && noneKept == nil:
		const limit = 4 << 30
		return disk.Read(path, limit)
	case f.Resume && noReport == nil:
		return nil, fmt.Errorf("--resume: nothing to continue: %w", noneKept)
	}
	return nil, nil // or it was ended before it had begun
}

// keeping has the exploration kept now and then, so that little is lost whatever ends the process. It takes a small part of the time.
func (f *Symbolic) keeping(opt *plan.Options, h Host) {
	if f.Out == "" {
		return
	}
	const every, share = 2 * time.Second, 20
	last, took := h.now(), time.Duration(0)
	opt.Due = func() bool { return h.now().Sub(last) > max(every, share*took) }
	opt.Keep = func(saved []byte) error {
		begin := h.now()
		err := disk.Write(filepath.Join(f.Out, keptFile), saved, 0o666)
		last = h.now()
		took = last.Sub(begin)
		return err
	}
}

// keep writes what a later run can go on with, or takes it away if there is nothing left to do.
func (f *Symbolic) keep(r *plan.Result) error {
	path := filepath.Join(f.Out, keptFile)
	if len(r.Saved) > 0 {
		return disk.Write(path, r.Saved, 0o666)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// ownBytes is about what the program itself takes of --memory: its code, and what is read of firmware.
const ownBytes = 32 << 20

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
	return 0, fmt.Errorf("%q is not an amount of memory: write 256MiB, 1GiB, or 0 for no limit", text)
}

// following tells how far an exploration is.
func (h Host) following(until uint64) func(engine.Progress) {
	if h.Progress == nil {
		return nil
	}
	h.tell(Progress{Kind: Following, Until: until})
	return func(p engine.Progress) {
		h.tell(Progress{Kind: Following, Now: p.Now, Until: until, Outcomes: p.Outcomes, States: uint64(p.States), Instructions: p.Instructions, Findings: p.Findings})
	}
}
