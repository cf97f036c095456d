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
	Inputs     []Input
	Recipe     *recipe.Recipe // which replays it
}

// Outcome is a scenario that was explored to its end, with inputs for which it is taken.
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
	More     bool     // there are more scenarios than are listed
	Refuted  []string // what the engine believed, and the emulator did not do
	LeftOut  []string // what was not explored, or not decided
	Sampled  []string // properties that were looked at for one input of each scenario
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
	r.Stats, r.Core, r.Solver, r.States = e.Stats(), e.Explorer().Stats(), p.solver.Stats(), e.Now().States
	for i := range p.cfg.Motes {
		r.Blocks = append(r.Blocks, e.Reached(i))
	}
	p.leftOut(e, r)
	if r.NeverMet = p.neverMet(r); len(r.NeverMet) > 0 {
		r.LeftOut = append(r.LeftOut, "symbolic inputs that no mote came to: "+strings.Join(r.NeverMet, ", "))
	}
	return r, p.solver.Err()
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
	r.LeftOut = append(r.LeftOut, p.suite.LeftOut()...)
	r.LeftOut = append(r.LeftOut, verdict.Idle(p.cfg, e.Offered)...)
	if !p.Symbolic() {
		r.LeftOut = append(r.LeftOut, "nothing is symbolic and nothing may fail: this was one run")
	}
	s := r.Stats
	if s.Stopped != "" {
		r.LeftOut = append(r.LeftOut, "not all was explored: "+s.Stopped)
	}
	if s.Unknown > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d scenarios of which the solver did not decide whether they can be", s.Unknown))
	}
	if s.Unplaced > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d violations for which no scenario was found among those that were tried", s.Unplaced))
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
	list, unproven := e.Findings(), 0
	// The plainest comes first: the one in the natural order, if there is one.
	slices.SortStableFunc(list, func(a, b engine.Finding) int { return cmp.Compare(len(a.Holds), len(b.Holds)) })
	for _, f := range list {
		c := cause{f.Message, f.Kind, f.Mote, f.PC}
		if f.Check != nil {
			c.property = f.Check.Name
		}
		if x := found[c]; x != nil {
			x.Times++
			continue
		}
		if tried[c]++; tried[c] > maxTries {
			continue
		}
		p.opt.Doing("making what was found again: %d of %d", len(found)+1, len(list))
		x, ok, err := p.confirm(e, f, c.property, open)
		if errors.Is(err, verdict.ErrInterrupted) {
			unproven++
			continue
		}
		if err != nil {
			return err
		}
		if ok {
			found[c] = x
			r.Findings = append(r.Findings, x)
		} else if !slices.Contains(failed, c) {
			failed = append(failed, c)
		}
	}
	if unproven > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d suspects that there was no time to make again on the emulator", unproven))
	}
	for _, c := range failed {
		if found[c] == nil {
			r.Refuted = append(r.Refuted, fmt.Sprintf("%s, mote %d", c.property, p.cfg.Motes[c.mote].ID))
		}
	}
	return nil
}

// maxTries is how often it is tried to make a finding of one cause again.
const maxTries = 8

// confirm makes a finding's recipe and runs it.
func (p *Plan) confirm(e *engine.Engine, f engine.Finding, name string, open recipe.Opener) (*Finding, bool, error) {
	if p.opt.Interrupted() {
		return nil, false, verdict.ErrInterrupted
	}
	w, err := e.Replay(f.Way())
	if err != nil {
		return nil, false, err
	}
	way := &run{w, f.Way()}
	x := &Finding{Property: name, Kind: f.Kind.String(), Mote: f.Mote, Place: f.Place, Detail: f.Message, At: f.At, Times: 1,
		Conditions: p.conditionsOf(f.All), Failures: p.failuresOf(way), Inputs: p.inputsOf(way)}
	claim := &recipe.Symbolic{Mote: f.Mote, PC: f.PC, Lo: f.Lo, Hi: f.Hi, At: f.At}
	until := f.At + world.Millisecond
	if f.Check != nil {
		x.Kind, x.Detail = KindProperty, ""
		if f.Check.Place == "" {
			claim.PC, until = 0, f.At
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
	ok, err := p.prove(x, claim, way, until, open)
	return x, ok, err
}

func (p *Plan) property(name string) *scenario.Property {
	i := slices.IndexFunc(p.sc.Properties, func(x scenario.Property) bool { return x.Name == name })
	return &p.sc.Properties[i]
}

// prove makes the recipe of a finding, and tells whether it shows.
func (p *Plan) prove(x *Finding, claim *recipe.Symbolic, way *run, until uint64, open recipe.Opener) (bool, error) {
	for _, in := range x.Inputs {
		claim.Inputs = append(claim.Inputs, in.String())
	}
	x.Recipe = p.recipeOf(way, until)
	x.Recipe.Symbolic = claim
	w, err := x.Recipe.World(open)
	if err != nil {
		return false, err
	}
	seen, err := Rerun(w, x.Recipe, p.given, p.opt.Interrupted)
	if err != nil {
		return false, err
	}
	x.Recipe.Finish(w)
	return seen, nil
}

// recipeOf is a run as a recipe that has not been run yet.
func (p *Plan) recipeOf(r *run, until uint64) *recipe.Recipe {
	rec := *p.base
	rec.Until, rec.Ordinary, rec.Hash = until, true, ""
	rec.Sensors, rec.Serial, rec.Answers, rec.Edits, rec.Pokes, rec.Holds = nil, nil, nil, nil, nil, nil
	cfg := r.w.Config()
	for _, s := range cfg.Sensors {
		rec.Sensors = append(rec.Sensors, recipe.Sensor(s))
	}
	for _, s := range cfg.Serial {
		rec.Serial = append(rec.Serial, recipe.Serial{Mote: s.Mote, USART: s.USART, At: s.At, Hex: hex.EncodeToString(s.Bytes)})
	}
	for _, e := range cfg.Edits {
		rec.Edits = append(rec.Edits, recipe.EditOf(e))
	}
	for _, h := range cfg.Holds {
		rec.Holds = append(rec.Holds, recipe.Hold(h))
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

// extraordinary is the answers that are not the ordinary ones.
func extraordinary(answers []world.Answer) (list []recipe.Answer) {
	for _, a := range answers {
		if a.Answer != 0 || a.Kind == world.ChoiceCorruption {
			list = append(list, recipe.Answer{Kind: a.Kind.String(), Mote: a.Mote, Number: a.Number, Answer: a.Answer})
		}
	}
	return list
}
