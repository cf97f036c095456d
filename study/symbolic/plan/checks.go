package plan

import (
	"errors"
	"fmt"
	"runtime"

	"motehound/study/property"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/scenario"
)

// judge evaluates properties over states whose bytes may be expressions.
type judge struct {
	cfg    *world.Config
	pool   *expr.Pool
	solver *solver.Solver
	eval   *scenario.Evaluator
	suite  *property.Prepared // which knows what was dropped
	worked map[*scenario.Property]bool
}

// checks are a scenario's properties, as the engine looks at them; and those that are looked at when outcomes are run again. If something is
// unknown, the engine parts outcomes by whether these hold, so that it does not matter with which inputs they are run, as far as it can.
func (j *judge) checks(sc *scenario.Scenario, until uint64, unknown bool) (list []engine.Check, byRun []*scenario.Property, early []string) {
	for i := range sc.Properties {
		p := &sc.Properties[i]
		c := engine.Check{Name: p.Name}
		switch p.Kind {
		case scenario.Always:
			c.Always = true
		case scenario.AtTime:
			if c.At = p.At; c.At > until {
				early = append(early, fmt.Sprintf("%s: %q is for %s, when the run is over: give a longer time", p.Pos, p.Name, seconds(p.At)))
				continue
			}
			c.At = max(c.At, 1) // 0 stands for no time
		case scenario.AtLine:
			c.Place = fmt.Sprintf("%s:%d", p.File, p.Line)
		case scenario.AtCall:
			c.Place = p.Func
		default:
			byRun = append(byRun, p)
			if c.Part = p.Kind == scenario.Eventually && unknown; !c.Part {
				continue
			}
		}
		for mote := range j.cfg.Motes {
			switch {
			case !p.PerMote():
				list = append(list, j.check(c, p, -1))
			case p.Mote == scenario.Everyone || p.Mote == mote:
				list = append(list, j.check(c, p, mote))
			}
			if !p.PerMote() {
				break
			}
		}
	}
	return list, byRun, early
}

// check is one property, about a mote or, with -1, about the network.
func (j *judge) check(c engine.Check, p *scenario.Property, mote int) engine.Check {
	old := new(recent)
	c.Holds = func(v engine.View) (expr.ID, error) { return j.holds(p, mote, v, old) }
	if mote >= 0 {
		c.Mote, c.Motes = mote, []int{mote}
		return c
	}
	// Which motes it looks at shows when it does: the engine adds them. Before that it is asked in a void for the first one.
	c.Motes = []int{0}
	var other *engine.Unnamed
	if _, err := j.holds(p, mote, engine.View{Pool: j.pool}, old); errors.As(err, &other) {
		c.Motes[0] = other.Mote
	}
	c.Mote = c.Motes[0]
	return c
}

// holds is the condition under which a property holds.
func (j *judge) holds(p *scenario.Property, mote int, v engine.View, old *recent) (expr.ID, error) {
	if j.suite.IsDropped(p) {
		return j.pool.Bool(true), nil
	}
	w := &walk{pool: j.pool, solver: j.solver, base: solver.NewSet(j.pool)}
	l := &look{cfg: j.cfg, v: v, walk: w, missing: -1}
	if holds, ok := old.answer(l); ok {
		return j.pool.Bool(holds), nil
	}
	for i := range j.cfg.Motes {
		if v.Has(i) {
			for _, c := range v.Path(i).Conditions() {
				w.base = w.base.Add(c)
			}
		}
	}
	fails, err := w.violated(func() (bool, error) {
		verdict, err := j.evaluate(p, l, mote)
		if l.missing >= 0 {
			err = &engine.Unnamed{Mote: l.missing}
		}
		return verdict.Holds, err
	})
	switch {
	case errors.As(err, new(*engine.Unnamed)):
		return 0, err
	case err != nil:
		if !errors.As(err, new(*scenario.Error)) {
			err = &scenario.Error{Pos: p.Pos, Msg: fmt.Sprintf("property %q: %v", p.Name, err)}
		}
		if !j.worked[p] { // it is wrong by itself
			return 0, err
		}
		j.suite.Drop(scenario.Dropped{Property: p, Err: err})
		return j.pool.Bool(true), nil
	}
	j.worked[p] = true
	if len(w.asked) == 0 {
		old.keep(l, j.eval.Reads(), j.pool.IsFalse(fails))
	}
	return j.pool.Not(fails), nil
}

// evaluate evaluates a property on one way. Starlark compares elements of lists by itself and trusts that one "int" is like the other:
// where a symbolic number is the second of the two it cannot.
func (j *judge) evaluate(p *scenario.Property, l *look, mote int) (v scenario.Verdict, err error) {
	defer func() {
		r := recover()
		if _, ours := r.(*runtime.TypeAssertionError); r != nil && !ours {
			panic(r)
		}
		if r != nil {
			j.eval = scenario.NewEvaluator() // the old one was left in the midst of something
			err = errors.New("a list is searched or sorted that has symbolic numbers in it: compare them one by one")
		}
	}()
	if mote >= 0 {
		return j.eval.EvaluateAt(p, l, mote)
	}
	return j.eval.Evaluate(p, l)
}

func seconds(ps uint64) string { return fmt.Sprintf("%g s", float64(ps)/world.Second) }
