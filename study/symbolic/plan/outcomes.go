package plan

import (
	"cmp"
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

// rerun is an outcome that is run again.
type rerun struct {
	outcome *engine.Outcome
	way     *run
	out     *Outcome
	broken  []violation
	unmet   []string
	err     error
}

// outcomes runs each outcome again, with the built-in checks and what properties are looked at along runs. Runs do not know of each other,
// so as many go at once as there are processors; what they tell is taken in the order of the outcomes.
func (p *Plan) outcomes(e *engine.Engine, open recipe.Opener, r *Result) error {
	p.opt.Doing("listing outcomes")
	list, more := e.Outcomes(p.opt.Outcomes, p.rest)
	// Those in which least fails come first, so that a finding is shown by one of them.
	slices.SortStableFunc(list, func(a, b engine.Outcome) int { return cmp.Compare(fails(a.Way()), fails(b.Way())) })
	r.More = more
	idle, unmet := 0, map[string]int{}
	var broken suspects
	for part := range slices.Chunk(list, runtime.GOMAXPROCS(0)) {
		batch, err := p.prepare(e, part)
		if err != nil {
			return err
		}
		for _, x := range batch {
			r.Outcomes = append(r.Outcomes, x.out)
		}
		if p.rest() {
			idle += len(batch)
			continue
		}
		p.opt.Doing("running outcomes again: %d of %d", len(r.Outcomes), len(list))
		p.runAll(batch)
		for i, x := range batch {
			if errors.Is(x.err, verdict.ErrInterrupted) {
				idle++
				continue
			}
			if x.err != nil {
				return x.err
			}
			x.out.Failures, x.out.Hash = p.failuresOf(x.way), x.way.w.Hash().String()
			if err := broken.take(p, x, open, r); err != nil {
				return err
			}
			for _, name := range x.unmet {
				unmet[name]++
			}
			if at := p.differs(e, x.outcome, x.way.w); at != "" {
				r.Refuted = append(r.Refuted, fmt.Sprintf("outcome %d: %s", len(r.Outcomes)-len(batch)+i+1, at))
			}
		}
	}
	for _, x := range p.byRun {
		if n := unmet[x.Name]; n > 0 {
			r.LeftOut = append(r.LeftOut, fmt.Sprintf("whether %q holds later: it does not at the end of %d outcomes; a longer --time may decide", x.Name, n))
		}
	}
	if idle > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%d outcomes were not run again with the built-in checks: no time was left; give a larger budget", idle))
	}
	r.late(broken.late)
	return nil
}

// runAll runs outcomes to their ends, all at once.
func (p *Plan) runAll(batch []*rerun) {
	var all sync.WaitGroup
	for _, x := range batch {
		all.Go(func() { x.broken, x.unmet, x.err = observed(x.way.w, p.sc, p.suite, p.opt.Until, p.rest) })
	}
	all.Wait()
}

// suspect is something that went wrong along the runs of outcomes.
type suspect struct {
	violation
	finding *Finding // nil if it is none, or is known already
}

// suspects are what went wrong along runs so far.
type suspects struct {
	list []*suspect
	late int // of which there was no time to find out
}

// take takes down what went wrong in an outcome's run. What is new is confirmed at once: there may be no time for that later.
func (s *suspects) take(p *Plan, x *rerun, open recipe.Opener, r *Result) error {
	for _, v := range x.broken {
		if !slices.Contains(x.out.Violates, v.Property) {
			x.out.Violates = append(x.out.Violates, v.Property)
		}
		i := slices.IndexFunc(s.list, func(y *suspect) bool {
			return y.Property == v.Property && y.Kind == v.Kind && y.Mote == v.Mote && y.Place == v.Place
		})
		if i < 0 {
			found, err := p.along(v, x, open, r)
			if errors.Is(err, verdict.ErrInterrupted) {
				s.late++
			} else if err != nil {
				return err
			}
			s.list = append(s.list, &suspect{v, found})
		} else if known := s.list[i].finding; known != nil {
			known.Times++
		}
	}
	return nil
}

// prepare makes the worlds of some outcomes.
func (p *Plan) prepare(e *engine.Engine, part []engine.Outcome) (batch []*rerun, err error) {
	for i := range part {
		s := &part[i]
		way, err := newRun(e, s.Way())
		if err != nil {
			return nil, err
		}
		batch = append(batch, &rerun{outcome: s, way: way, out: &Outcome{Conditions: p.conditionsOf(s.All), Answers: extraordinary(s.Answers),
			Failures: p.failuresOf(way), Inputs: p.inputsOf(way), Violates: []string{}}})
	}
	return batch, nil
}

// differs tells what the emulator has otherwise at an outcome's end than the engine, with the outcome's inputs; nothing if all is the same.
func (p *Plan) differs(e *engine.Engine, s *engine.Outcome, w *world.World) string {
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

// along takes up what went wrong along an outcome's run, unless it is known.
func (p *Plan) along(v violation, in *rerun, open recipe.Opener, r *Result) (*Finding, error) {
	for _, x := range r.Findings {
		if x.Property == v.Property && (x.Mote == v.Mote || x.Mote < 0 || v.Mote < 0) && (v.Kind == KindProperty || x.Place == v.Place) {
			return nil, nil
		}
	}
	x := &Finding{Property: v.Property, Kind: v.Kind, Mote: v.Mote, Place: v.Place, Detail: v.Detail, At: v.At, Times: 1,
		Conditions: in.out.Conditions, Failures: in.out.Failures, Inputs: in.out.Inputs, way: in.way}
	claim := &recipe.Symbolic{Property: v.Property, Kind: v.Kind, Mote: v.Mote, At: v.At, Detail: v.Detail,
		Function: v.Place.Function, File: v.Place.File, Line: v.Place.Line}
	until := p.opt.Until
	if v.Kind == KindProperty && !sampled(p.property(v.Property)) {
		// The engine looks at it, and should have found it; what was seen is a finding all the same, if it shows again.
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%q was seen along a run only", v.Property))
		if !p.property(v.Property).Kind.AtCode() {
			until = v.At
		}
	}
	switch ok, err := p.prove(x, claim, in.way, until, open); {
	case err != nil:
		return nil, err
	case !ok:
		r.Refuted = append(r.Refuted, v.Property)
		return nil, nil
	}
	r.Findings = append(r.Findings, x)
	return x, p.fewest(x, open, r)
}
