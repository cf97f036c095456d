package plan

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/solver"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Finding is something that can go wrong: one for each cause.
type Finding struct {
	Property   string
	Kind       string // property, builtin, assertion, bounds or pointer
	Mote       int    // -1 for the network
	Place      core.Place
	Detail     string
	At         uint64
	Times      int      // in how many states it was found
	Conditions []string // on inputs
	Failures   []string
	Spared     int // failures that it does not take
	Inputs     []Input
	Recipe     *recipe.Recipe // which replays it

	way *run
}

// Outcome is a combination of paths, one per mote, that was explored to its end, with inputs for which it is taken.
type Outcome struct {
	Violates   []string // properties, for these inputs
	Conditions []string
	Answers    []recipe.Answer // to questions, where they are not the ordinary ones
	Failures   []string        // the same in words
	Inputs     []Input
	Hash       string // of the state in which it ends, for these inputs; empty if there was no time to run it again
}

// Result is what an exploration has found.
type Result struct {
	Findings []*Finding
	Outcomes []*Outcome
	More     bool     // there are more outcomes than are listed
	Refuted  []string // what the engine believed, and the emulator did not do
	LeftOut  []string // what was not explored, or not decided
	Idle     []string // those of LeftOut that other pieces may have met
	Sampled  []string // properties that were looked at for one input of each outcome
	NeverMet []string // symbolic inputs that no mote has come to
	Stats    engine.Stats
	Core     core.Stats
	Solver   solver.Stats
	Blocks   [][]uint32 // by mote: where code that was reached begins
	Saved    []byte     // if it was told to stop: from which it can go on
	States   int        // when it ended
}

// Verdict is what may be said.
func (r *Result) Verdict() verdict.Verdict {
	c := verdict.Case{Findings: len(r.Findings), Complete: r.Stats.Stopped == "" && len(r.Refuted) == 0 && !r.More, LeftOut: r.LeftOut}
	return c.Verdict()
}

// run is a way that the motes can go, without anything symbolic.
type run struct {
	w *world.World
	engine.Way
	when moments // filled while it runs
}

func newRun(e *engine.Engine, way engine.Way) (*run, error) {
	w, err := e.Replay(way)
	if err != nil {
		return nil, err
	}
	return &run{w, way, timed(w)}, nil
}

// Explore explores, and confirms what it finds. Open is for the firmware.
func (p *Plan) Explore(open recipe.Opener) (*Result, error) {
	e, err := engine.New(p.engine)
	if err != nil {
		return nil, err
	}
	p.running = e
	if p.opt.Keep != nil && len(p.opt.Saved) == 0 {
		p.keep()
	}
	if p.kept == nil {
		err = e.Run()
	}
	if err := errors.Join(err, p.kept); err != nil {
		return nil, err
	}
	if p.broken {
		return nil, errors.New("no time was left to return to where it stopped; what was kept is unchanged; give a larger budget")
	}
	if n := e.Stats().Pieces; n > 0 {
		return &Result{Stats: e.Stats()}, nil
	}
	p.after = true
	r := &Result{Findings: []*Finding{}, Outcomes: []*Outcome{}}
	if p.told { // what follows asks the solver too
		if r.Saved, err = save(e, p.identity()); err != nil {
			return nil, err
		}
	}
	if err := p.findings(e, open, r); err != nil {
		return nil, err
	}
	if err := p.outcomes(e, open, r); err != nil {
		return nil, err
	}
	r.causesFirst()
	r.Stats, r.Core, r.Solver, r.States = e.Stats(), e.Explorer().Stats(), p.solver.Stats(), e.Now().States
	for i := range p.cfg.Motes {
		r.Blocks = append(r.Blocks, e.Reached(i))
	}
	p.leftOut(e, r)
	if r.NeverMet = p.neverMet(r); len(r.NeverMet) > 0 {
		r.LeftOut = append(r.LeftOut, Unreached(r.NeverMet))
	}
	return r, p.solver.Err()
}

// Unreached says that no mote has reached some inputs.
func Unreached(inputs []string) string {
	return "symbolic inputs that no mote reached: " + strings.Join(inputs, ", ")
}

// causesFirst puts findings of one run into the order of time: what goes wrong first is the cause of the others, as a rule.
func (r *Result) causesFirst() {
	runs := map[string]int{}
	in := func(f *Finding) int {
		key := fmt.Sprintf("%q %v", f.Failures, f.Inputs)
		if _, ok := runs[key]; !ok {
			runs[key] = len(runs)
		}
		return runs[key]
	}
	for _, f := range r.Findings {
		in(f)
	}
	slices.SortStableFunc(r.Findings, func(a, b *Finding) int { return cmp.Or(cmp.Compare(in(a), in(b)), cmp.Compare(a.At, b.At)) })
}

// leftOut gathers what is not known.
func (p *Plan) leftOut(e *engine.Engine, r *Result) {
	for _, l := range e.Explorer().LeftOut() {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("mote %d, %s: %s", p.cfg.Motes[l.Mote].ID, l.Place, l.What))
	}
	for _, l := range e.Left() {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("mote %d, %s: %d states, the first at %s: %s", p.cfg.Motes[l.Mote].ID, l.Place, l.Count,
			seconds(l.Time), l.Why))
	}
	r.LeftOut = append(r.LeftOut, p.early...)
	r.Idle = append(p.suite.LeftOut(), verdict.Idle(p.cfg, e.Offered)...)
	r.LeftOut = append(r.LeftOut, r.Idle...)
	if !p.symbolic() {
		r.LeftOut = append(r.LeftOut, "nothing is symbolic and nothing may fail: this was one run")
	}
	s := r.Stats
	if s.Stopped != "" {
		r.LeftOut = append(r.LeftOut, "not everything was explored: "+s.Stopped)
	}
	if why := r.Solver.Why; why != "" {
		r.LeftOut = append(r.LeftOut, "questions that the solver did not decide, the first because "+why)
	}
	if s.Unknown > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d outcomes that may be impossible: the solver could not decide", s.Unknown))
	}
	if s.Unplaced > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d violations for which no outcome was found among those that were tried", s.Unplaced))
	}
	if p.unknown() {
		for _, x := range p.byRun {
			if x.Kind != scenario.Eventually || s.Unparted > 0 {
				r.Sampled = append(r.Sampled, x.Name)
			}
		}
	}
}

// findings confirms what the engine has found: of each cause the first that can be made again.
func (p *Plan) findings(e *engine.Engine, open recipe.Opener, r *Result) error {
	type cause struct {
		property string
		kind     core.Kind
		mote     int
		pc       uint32
	}
	found := map[cause]*Finding{}
	tried := map[cause]int{}
	var failed []cause
	list := e.Findings()
	// The plainest comes first: the one in the natural order, if there is one, and then the one in which least fails.
	slices.SortStableFunc(list, func(a, b engine.Finding) int {
		return cmp.Or(cmp.Compare(len(a.Holds), len(b.Holds)), cmp.Compare(fails(a.Way()), fails(b.Way())))
	})
	late := 0
	for _, f := range list {
		c := cause{f.Message, f.Kind, f.Mote, f.PC}
		if f.Check != nil {
			c.property = f.Check.Name
		}
		times := 1
		if f.Before {
			times = 0
		}
		if x := found[c]; x != nil {
			x.Times += times
			continue
		}
		if tried[c]++; tried[c] > maxTries {
			continue
		}
		if p.rest() {
			late++
			continue
		}
		p.opt.Doing("repeating what was found: %d of %d", len(found)+1, len(list))
		x, ok, err := p.confirm(e, f, c.property, open)
		if errors.Is(err, verdict.ErrInterrupted) {
			late++
			continue
		}
		if err != nil {
			return err
		}
		if ok {
			x.Times = times
			found[c] = x
			r.Findings = append(r.Findings, x)
			if err := p.fewest(x, open, r); err != nil {
				return err
			}
		} else if !slices.Contains(failed, c) {
			failed = append(failed, c)
		}
	}
	r.late(late)
	for _, c := range failed {
		if found[c] == nil {
			r.Refuted = append(r.Refuted, fmt.Sprintf("%s, mote %d", c.property, p.cfg.Motes[c.mote].ID))
		}
	}
	return nil
}

// late notes suspects of which it is not known whether the emulator shows them.
func (r *Result) late(n int) {
	if n > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d suspected violations were not run again: no time was left; give a larger budget", n))
	}
}

// maxTries is how often it is tried to make a finding of one cause again.
const maxTries = 8

// confirm makes a finding's recipe and runs it.
func (p *Plan) confirm(e *engine.Engine, f engine.Finding, name string, open recipe.Opener) (*Finding, bool, error) {
	way, err := newRun(e, f.Way())
	if err != nil {
		return nil, false, err
	}
	x := &Finding{Property: name, Kind: f.Kind.String(), Mote: f.Mote, Place: f.Place, Detail: f.Message, At: f.At, Times: 1,
		Conditions: p.conditionsOf(f.All), Failures: p.failuresOf(way), Inputs: p.inputsOf(way)}
	claim := &recipe.Symbolic{Mote: f.Mote, PC: f.PC, Lo: f.Lo, Hi: f.Hi, At: f.At, Function: f.Place.Function, File: f.Place.File, Line: f.Place.Line}
	until := f.At + world.Millisecond
	if f.Check != nil {
		x.Kind, x.Detail = KindProperty, ""
		if f.Check.Place == "" {
			claim.PC, until, x.Place = 0, f.At, core.Place{}
			claim.Function, claim.File, claim.Line = "", "", 0
			if prop := p.property(name); prop.Kind == scenario.AtTime {
				x.At, claim.At, until = prop.At, prop.At, prop.At
			}
			if !p.property(name).PerMote() {
				x.Mote, claim.Mote = -1, -1
			}
		}
	}
	if f.Reg >= 0 {
		claim.Reg = f.Reg
	}
	claim.Property, claim.Kind, claim.Detail = x.Property, x.Kind, x.Detail
	x.way = way
	ok, err := p.prove(x, claim, way, until, open)
	return x, ok, err
}

func (p *Plan) property(name string) *scenario.Property {
	i := slices.IndexFunc(p.sc.Properties, func(x scenario.Property) bool { return x.Name == name })
	return &p.sc.Properties[i]
}

// prove makes the recipe of a finding, and reports whether it shows.
func (p *Plan) prove(x *Finding, claim *recipe.Symbolic, way *run, until uint64, open recipe.Opener) (bool, error) {
	claim.Inputs = nil
	for _, in := range x.Inputs {
		claim.Inputs = append(claim.Inputs, in.String())
	}
	x.Recipe = p.recipeOf(way, until)
	x.Recipe.Symbolic = claim
	w, err := x.Recipe.World(open)
	if err != nil {
		return false, err
	}
	c, err := newClaim(w, x.Recipe, p.given, p.rest)
	if err != nil {
		return false, err
	}
	way.when = timed(w)
	seen, err := c.look(p.given, x.Recipe)
	if err != nil {
		return false, err
	}
	x.Recipe.Finish(w)
	for _, s := range seen { // when it happens is what the emulator says: a branch that was merged may have taken a little more or less time
		x.At, claim.At = s.at, s.at
		if len(c.differs(s)) == 0 {
			return true, nil
		}
	}
	return false, nil
}

// recipeOf is a run as a recipe that has not been run yet.
func (p *Plan) recipeOf(r *run, until uint64) *recipe.Recipe {
	rec := *p.base
	rec.Until, rec.Ordinary, rec.Hash = until, true, ""
	cfg := r.w.Config()
	rec.Serial, rec.Edits, rec.Pokes = nil, nil, nil
	rec.Sensors, rec.Holds = slices.Clone(cfg.Sensors), slices.Clone(r.Holds)
	for _, s := range cfg.Serial {
		rec.Serial = append(rec.Serial, recipe.SerialOf(s))
	}
	for _, e := range cfg.Edits {
		rec.Edits = append(rec.Edits, recipe.EditOf(e))
	}
	rec.Answers = extraordinary(r.Answers)
	ev := p.pool.NewEvaluator()
	ev.Use(r.Model)
	for _, m := range r.Inputs {
		if !m.Sensor {
			rec.Pokes = append(rec.Pokes, recipe.Poke{Mote: m.Mote, PC: m.PC, Nth: m.Nth, Addr: m.Addr, Hex: hex.EncodeToString(evaluated(ev, m))})
		}
	}
	return &rec
}

// fails is how many things are not ordinary on a way.
func fails(way engine.Way) int { return len(way.Holds) + len(extraordinary(way.Answers)) }

// extraordinary is the answers that are not the ordinary ones.
func extraordinary(answers []world.Answer) (list []recipe.Answer) {
	for _, a := range answers {
		if a.Answer != 0 || a.Kind == world.ChoiceCorruption {
			list = append(list, recipe.Answer{Kind: a.Kind.String(), Mote: a.Mote, Number: a.Number, Answer: a.Answer})
		}
	}
	return list
}
