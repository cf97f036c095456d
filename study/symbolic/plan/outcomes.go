package plan

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"motehound/firmware/image"
	"motehound/study/symbolic/engine"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// rerun is a scenario that is run again.
type rerun struct {
	scenario *engine.Scenario
	way      *run
	out      *Outcome
	broken   []violation
	unmet    []string
	err      error
}

// outcomes runs each scenario again, with the built-in checks and what properties are looked at along runs. Runs do not know of each other,
// so as many go at once as there are processors; what they tell is taken in the order of the scenarios.
func (p *Plan) outcomes(e *engine.Engine, open recipe.Opener, r *Result) error {
	p.opt.Doing("listing scenarios")
	list, more := e.Scenarios(p.opt.Scenarios, p.opt.Rest)
	r.More = more
	idle, unmet := 0, map[string]int{}
	for part := range slices.Chunk(list, runtime.GOMAXPROCS(0)) {
		if p.opt.Interrupted() {
			r.More = true
			break
		}
		p.opt.Doing("running scenarios again: %d of %d", len(r.Outcomes)+1, len(list))
		batch, err := p.prepare(e, part)
		if err != nil {
			return err
		}
		for _, x := range batch {
			r.Outcomes = append(r.Outcomes, x.out)
		}
		if p.opt.Rest != nil && p.opt.Rest() {
			idle += len(batch)
			continue
		}
		var all sync.WaitGroup
		for _, x := range batch {
			all.Go(func() { x.broken, x.unmet, x.err = observed(x.way.w, p.sc, p.suite, p.opt.Until, p.opt.Interrupted) })
		}
		all.Wait()
		for i, x := range batch {
			if errors.Is(x.err, verdict.ErrInterrupted) {
				idle++
				continue
			}
			if err := p.take(x, open, r); err != nil {
				return err
			}
			for _, name := range x.unmet {
				unmet[name]++
			}
			if at := p.differs(e, x.scenario, x.way.w); at != "" {
				r.Refuted = append(r.Refuted, fmt.Sprintf("scenario %d: %s", len(r.Outcomes)-len(batch)+i+1, at))
			}
		}
	}
	for _, x := range p.byRun {
		if n := unmet[x.Name]; n > 0 {
			r.LeftOut = append(r.LeftOut, fmt.Sprintf("whether %q comes to hold: at the end of %d scenarios it does not; a longer time may tell", x.Name, n))
		}
	}
	if idle > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d scenarios that there was no time to run again with the built-in checks: a larger budget helps", idle))
	}
	return nil
}

// prepare makes the worlds of some scenarios.
func (p *Plan) prepare(e *engine.Engine, part []engine.Scenario) (batch []*rerun, err error) {
	for i := range part {
		s := &part[i]
		w, err := e.Replay(s.Way())
		if err != nil {
			return nil, err
		}
		way := &run{w, s.Way()}
		batch = append(batch, &rerun{scenario: s, way: way, out: &Outcome{Conditions: p.conditionsOf(s.All), Answers: extraordinary(s.Answers),
			Failures: p.failuresOf(way), Inputs: p.inputsOf(way), Violates: []string{}}})
	}
	return batch, nil
}

// take takes down how a scenario's run went.
func (p *Plan) take(x *rerun, open recipe.Opener, r *Result) error {
	if x.err != nil {
		return x.err
	}
	for _, v := range x.broken {
		if !slices.Contains(x.out.Violates, v.Property) {
			x.out.Violates = append(x.out.Violates, v.Property)
		}
		if err := p.along(v, x.out, x.way, open, r); err != nil {
			return err
		}
	}
	x.out.Hash = x.way.w.Hash().String()
	return nil
}

// differs tells what the emulator has otherwise at a scenario's end than the engine, with the scenario's inputs; nothing if all is the same.
func (p *Plan) differs(e *engine.Engine, s *engine.Scenario, w *world.World) string {
	ev := p.pool.NewEvaluator()
	ev.Use(s.Model)
	for i, id := range s.States {
		state, ok := e.State(id)
		if !ok {
			continue // its memory was needed for others
		}
		m := w.Motes()[i]
		for k := range m.Core().RAM {
			addr := uint16(int(m.Core().RAMBase) + k)
			if want := uint8(ev.Eval(state.Byte(addr))); m.Core().RAM[k] != want {
				// What is on the stack may be another call of a loop that never sleeps: a merged branch takes a few cycles more or less.
				if o, ok := m.Kind.Image.ObjectAt(uint32(addr)); ok {
					return fmt.Sprintf("%s of mote %d is %d in the end, not %d", image.Readable(o.Name), p.cfg.Motes[i].ID, m.Core().RAM[k], want)
				}
			}
		}
	}
	return ""
}

// along takes up what went wrong along a scenario's run, unless it is known.
func (p *Plan) along(v violation, o *Outcome, way *run, open recipe.Opener, r *Result) error {
	for _, x := range r.Findings {
		if x.Property == v.Property && (x.Mote == v.Mote || x.Mote < 0 || v.Mote < 0) && (v.Kind == KindProperty || x.Place == v.Place) {
			return nil
		}
	}
	x := &Finding{Property: v.Property, Kind: v.Kind, Mote: v.Mote, Place: v.Place, Detail: v.Detail, At: v.At, Times: 1,
		Conditions: o.Conditions, Failures: o.Failures, Inputs: o.Inputs}
	claim := &recipe.Symbolic{Property: v.Property, Kind: v.Kind, Mote: v.Mote, At: v.At, Detail: v.Detail,
		Function: v.Place.Function, File: v.Place.File, Line: v.Place.Line}
	if v.Kind == KindProperty && !sampled(p.property(v.Property)) {
		// The engine looks at it, and should have found it; what was seen is a finding all the same, if it shows again.
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%q was seen along a run only", v.Property))
	}
	ok, err := p.prove(x, claim, way, p.opt.Until, open)
	if errors.Is(err, verdict.ErrInterrupted) {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%q was seen, and there was no time to make it again", v.Property))
		return nil
	}
	if err != nil {
		return err
	}
	if ok {
		r.Findings = append(r.Findings, x)
	} else {
		r.Refuted = append(r.Refuted, v.Property)
	}
	return nil
}
