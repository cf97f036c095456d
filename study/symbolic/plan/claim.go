package plan

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/study/property"
	"motehound/study/symbolic/core"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Kinds of findings, besides those of package core.
const (
	KindProperty = "property" // of the scenario
	KindBuiltin  = "builtin"  // a built-in check
)

// Rerun runs the world of a finding's recipe to its end, and tells whether what the recipe says goes wrong there, on the mote and in the
// place that it says. The scenario is the one that it was made of; nil if there was none. When stop, which may be nil, says that nobody
// waits, the error is verdict.ErrInterrupted.
func Rerun(w *world.World, rec *recipe.Recipe, sc *scenario.Scenario, stop func() bool) (seen bool, err error) {
	c := &claim{Symbolic: rec.Symbolic, w: w, eval: scenario.NewEvaluator()}
	if c.Mote < -1 || c.Mote >= len(rec.Motes) {
		return false, fmt.Errorf("the finding is on mote %d, but there are %d", c.Mote, len(rec.Motes))
	}
	if c.Kind == KindProperty {
		if sc == nil {
			return false, fmt.Errorf("the finding is about a property, %q, and the recipe names no scenario that has it", c.Property)
		}
		i := slices.IndexFunc(sc.Properties, func(p scenario.Property) bool { return p.Name == c.Property })
		if i < 0 {
			return false, fmt.Errorf("the scenario has no property %q", c.Property)
		}
		c.prop = &sc.Properties[i]
	}
	run := func(until uint64) error {
		if !w.RunUnless(stop, until) {
			return verdict.ErrInterrupted
		}
		return nil
	}
	switch {
	case c.Kind == KindBuiltin || c.prop != nil && (sampled(c.prop) || c.prop.Kind.AtCode() && c.PC == 0):
		err = c.sample(sc, rec.Until, stop)
	case c.PC != 0:
		w.Observe(world.Observer{Code: c.code, CodeAt: func(*mote.Kind) []uint32 { return []uint32{c.PC / 2} }})
		err = run(rec.Until)
	default:
		if err = run(c.At); err == nil {
			c.judge(c.Mote)
			err = run(rec.Until)
		}
	}
	if c.err == nil {
		c.err = err
	}
	return c.seen, c.err
}

// claim is what a recipe says goes wrong, being looked at.
type claim struct {
	*recipe.Symbolic
	w    *world.World
	prop *scenario.Property
	eval *scenario.Evaluator
	seen bool
	err  error
}

// sampled tells whether a property is looked at along runs alone.
func sampled(p *scenario.Property) bool {
	return p.Kind == scenario.Eventually || p.Kind == scenario.AtReturn
}

// sample looks for what shows along a run.
func (c *claim) sample(sc *scenario.Scenario, until uint64, stop func() bool) error {
	suite, err := property.Prepare(c.w.Config(), sc, property.Options{})
	if err != nil {
		return err
	}
	found, _, err := observed(c.w, sc, suite, until, stop)
	for _, v := range found {
		c.seen = c.seen || v.Property == c.Property && v.Mote == c.Mote && v.Place.Function == c.Function && v.Place.File == c.File && v.Place.Line == c.Line
	}
	return err
}

// code is called in front of the finding's instruction.
func (c *claim) code(i int, _ uint64, _ uint32) bool {
	if i != c.Mote {
		return false
	}
	m := c.w.Motes()[i].Core()
	switch c.Kind {
	case KindProperty:
		c.judge(i)
	case core.Assertion.String():
		c.seen = c.seen || m.R[c.Reg&31] == 0
	default:
		at, ok := m.Touches()
		c.seen = c.seen || ok && (uint32(at.Addr) < c.Lo || uint32(at.Addr) >= c.Hi)
	}
	return false
}

// judge asks the property about the world as it is now.
func (c *claim) judge(mote int) {
	if c.seen || c.err != nil {
		return
	}
	var v scenario.Verdict
	if c.prop.PerMote() && mote >= 0 {
		v, c.err = c.eval.EvaluateAt(c.prop, scenario.WorldView(c.w), mote)
	} else {
		v, c.err = c.eval.Evaluate(c.prop, scenario.WorldView(c.w))
	}
	c.seen = c.err == nil && !v.Holds
}

// violation is something that went wrong in a run without symbolic inputs.
type violation struct {
	Property string
	Kind     string
	Mote     int // -1 for the network
	Place    core.Place
	Detail   string
	At       uint64
}

// lookEvery is how often properties are looked at along a run, in virtual time.
const lookEvery = 10 * world.Millisecond

// observed runs a world to its end, unless stop says that nobody waits, and tells what goes wrong there, and which goals it had not reached, though it might have later.
func observed(w *world.World, sc *scenario.Scenario, plan *property.Plan, until uint64, stop func() bool) (list []violation, unmet []string, err error) {
	suite, err := plan.Attach(w)
	if err != nil {
		return nil, nil, err
	}
	if sc == nil {
		sc = new(scenario.Scenario)
	}
	m := scenario.NewMonitor(sc, w)
	const glance = 10 * lookEvery
	for w.Now() < until {
		_ = m.RunUntil(min(until, w.Now()-w.Now()%glance+glance), lookEvery)
		if stop != nil && stop() {
			return nil, nil, verdict.ErrInterrupted
		}
	}
	for _, d := range m.Dropped() {
		suite.Drop(d)
	}
	for _, p := range m.Unmet() {
		unmet = append(unmet, p.Name)
	}
	for _, v := range m.Violations() {
		x := violation{Property: v.Property, Kind: KindProperty, Mote: -1, At: v.Time}
		if len(v.Motes) > 0 {
			x.Mote = v.Motes[0]
		}
		list = append(list, x)
	}
	broken, err := suite.Look(-1)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range broken {
		x := violation{Property: v.Property, Kind: KindBuiltin, Mote: int(v.Mote), Detail: v.Detail, At: until,
			Place: core.Place{Function: v.Function, File: v.File, Line: v.Line}}
		if slices.ContainsFunc(sc.Properties, func(p scenario.Property) bool { return p.Name == v.Property }) {
			x.Kind = KindProperty
		}
		if !slices.ContainsFunc(list, func(y violation) bool { return y.Property == x.Property && y.Mote == x.Mote }) {
			list = append(list, x)
		}
	}
	return list, unmet, nil
}
