package plan

import (
	"cmp"
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

// Rerun runs the world of a finding's recipe to its end, and lists what is not as the recipe says: the mote, the place and the moment at
// which the property is broken, and the inputs. Nothing means that the finding is proven. The scenario is the one that it was made of; nil if there was none.
// When enough, which may be nil, says that nobody waits, the error is verdict.ErrInterrupted.
func Rerun(w *world.World, rec *recipe.Recipe, sc *scenario.Scenario, enough func() bool) (differs []string, err error) {
	c, err := newClaim(w, rec, sc, enough)
	if err != nil {
		return nil, err
	}
	if differs = c.impossible(rec.Until); len(differs) > 0 {
		return differs, nil
	}
	seen, err := c.look(sc, rec)
	if err != nil {
		return nil, err
	}
	for i, s := range seen {
		switch other := c.differs(s); {
		case len(other) == 0:
			return c.misnamed(rec, sc)
		case i == 0 || len(other) < len(differs):
			differs = other
		}
	}
	if len(seen) == 0 {
		differs = []string{"the property does not fail"}
		if c.atMoment() {
			differs[0] = "the property does not fail at " + seconds(c.At)
		}
	}
	return differs, nil
}

// Fails runs the world as Rerun does, and reports whether the property of the recipe is broken anywhere.
func Fails(w *world.World, rec *recipe.Recipe, sc *scenario.Scenario, enough func() bool) (bool, error) {
	c, err := newClaim(w, rec, sc, enough)
	if err != nil {
		return false, err
	}
	seen, err := c.look(sc, rec)
	return len(seen) > 0, err
}

// claim is what a recipe says goes wrong, being looked at.
type claim struct {
	*recipe.Symbolic
	w    *world.World
	prop *scenario.Property // nil if it is none of the scenario's
	eval *scenario.Evaluator
	seen []sighting
	err  error

	enough func() bool // to break the run off; may be nil
}

// sighting is that the property of a claim is broken.
type sighting struct {
	mote  int // -1 for the network
	place core.Place
	at    uint64
}

func newClaim(w *world.World, rec *recipe.Recipe, sc *scenario.Scenario, enough func() bool) (*claim, error) {
	c := &claim{Symbolic: rec.Symbolic, w: w, eval: scenario.NewEvaluator(), enough: enough}
	if c.Mote < -1 || c.Mote >= len(rec.Motes) || c.Mote < 0 && c.PC != 0 {
		return nil, fmt.Errorf("the finding is on the mote with index %d, but there are only %d motes", c.Mote, len(rec.Motes))
	}
	if c.Kind != KindProperty {
		return c, nil
	}
	if sc == nil {
		return nil, fmt.Errorf("the finding is about a property, %q, and the recipe names no scenario that has it", c.Property)
	}
	i := slices.IndexFunc(sc.Properties, func(p scenario.Property) bool { return p.Name == c.Property })
	if i < 0 {
		return nil, fmt.Errorf("the scenario has no property %q", c.Property)
	}
	c.prop = &sc.Properties[i]
	return c, nil
}

// alongRun reports whether the claim shows to who watches the whole run.
func (c *claim) alongRun() bool {
	return c.Kind == KindBuiltin || c.prop != nil && (sampled(c.prop) || c.prop.Kind.AtCode() && c.PC == 0)
}

// atMoment reports whether the claim is about the state at one moment.
func (c *claim) atMoment() bool { return !c.alongRun() && c.PC == 0 }

// impossible lists what of a claim cannot be, whatever happens: a state that breaks a property is the last one of its recipe.
func (c *claim) impossible(until uint64) []string {
	switch {
	case c.PC != 0 && c.prop != nil && !c.prop.Kind.AtCode():
		return []string{"the property belongs to no instruction (pc)"}
	case !c.atMoment():
		return nil
	case c.prop == nil:
		return []string{fmt.Sprintf("a finding of the kind %q has an instruction (pc)", c.Kind)}
	case c.At != until:
		return []string{fmt.Sprintf("the property is broken at the end of the run, at %s, not at %s", seconds(until), seconds(c.At))}
	case c.prop.Kind == scenario.AtTime && max(1, c.prop.At) != c.At:
		return []string{fmt.Sprintf("the property is for %s, not for %s", seconds(c.prop.At), seconds(c.At))}
	}
	return nil
}

// look runs the world, and gives where and when the property is broken: on each mote the first time.
func (c *claim) look(sc *scenario.Scenario, rec *recipe.Recipe) ([]sighting, error) {
	var err error
	switch {
	case c.alongRun():
		err = c.sample(sc, rec)
	case c.PC != 0:
		kind := c.w.Motes()[c.Mote].Kind
		c.w.Observe(world.Observer{Code: c.code, CodeAt: func(k *mote.Kind) []uint32 {
			if k != kind {
				return nil
			}
			return []uint32{c.PC / 2}
		}})
		err = c.run(rec.Until)
	default:
		if err = c.run(c.At); err == nil {
			c.judge()
		}
	}
	if c.err == nil {
		c.err = err
	}
	return c.seen, c.err
}

// run runs the world to a moment, unless there is no time.
func (c *claim) run(until uint64) error {
	if !c.w.RunUnless(c.enough, until) {
		return verdict.ErrInterrupted
	}
	return nil
}

// differs lists in what a sighting is not what the claim says.
func (c *claim) differs(s sighting) (list []string) {
	says := core.Place{Function: c.Function, File: c.File, Line: c.Line}
	if s.mote != c.Mote {
		list = append(list, fmt.Sprintf("it fails %s, not %s", c.where(s.mote), c.where(c.Mote)))
	}
	if s.place != says {
		list = append(list, fmt.Sprintf("it fails in %s, not in %s", cmp.Or(s.place.String(), "no place"), cmp.Or(says.String(), "no place")))
	}
	if s.at != c.At {
		list = append(list, fmt.Sprintf("it fails at %s, not at %s", seconds(s.at), seconds(c.At)))
	}
	return list
}

func (c *claim) where(mote int) string {
	if mote < 0 {
		return "in the network"
	}
	return fmt.Sprintf("on mote %d", c.w.Motes()[mote].ID())
}

// sampled reports whether a property is looked at along runs alone.
func sampled(p *scenario.Property) bool {
	return p.Kind == scenario.Eventually || p.Kind == scenario.AtReturn
}

// sample looks for what shows along a run.
func (c *claim) sample(sc *scenario.Scenario, rec *recipe.Recipe) error {
	suite, err := property.Prepare(c.w.Config(), sc, property.OptionsOf(rec.Checks))
	if err != nil {
		return err
	}
	found, _, err := observed(c.w, sc, suite, rec.Until, c.enough)
	for _, v := range found {
		if v.Property == c.Property && v.Kind == c.Kind {
			if sc != nil {
				v.Place.File = sc.NameIn(rec, v.Place.File)
			}
			c.see(sighting{v.Mote, v.Place, v.At})
		}
	}
	return err
}

// see notes that the property is broken: on one mote in one place once.
func (c *claim) see(s sighting) {
	if !slices.ContainsFunc(c.seen, func(x sighting) bool { return x.mote == s.mote && x.place == s.place }) {
		c.seen = append(c.seen, s)
	}
}

// code is called before the finding's instruction.
func (c *claim) code(i int, cycle uint64, pc uint32) bool {
	m := c.w.Motes()[i]
	s := sighting{i, core.PlaceOf(m.Kind.Image, pc), c.w.TimeOf(i, cycle)}
	switch c.Kind {
	case KindProperty:
		if c.err == nil && (c.prop.Mote == scenario.Everyone || c.prop.Mote == i) {
			var v scenario.Verdict
			if v, c.err = c.eval.EvaluateAt(c.prop, scenario.WorldView(c.w), i); c.err == nil && !v.Holds {
				c.see(s)
			}
		}
	case core.Assertion.String():
		if m.Core().R[c.Reg&31] == 0 {
			c.see(s)
		}
	default:
		if at, ok := m.Core().Touches(); ok && (uint32(at.Addr) < c.Lo || uint32(at.Addr) >= c.Hi) {
			c.see(s)
		}
	}
	return false
}

// judge asks the property about the world as it is now.
func (c *claim) judge() {
	var v scenario.Verdict
	v, c.err = c.eval.Evaluate(c.prop, scenario.WorldView(c.w))
	switch {
	case c.err != nil || v.Holds:
	case c.prop.PerMote():
		for _, i := range v.Motes {
			c.see(sighting{mote: i, at: c.At})
		}
	default:
		c.see(sighting{mote: -1, at: c.At})
	}
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

// slice is for how long a world is run, in virtual time, before it is asked whether that is enough.
const slice = 100 * world.Millisecond

// observed runs a world to its end, and tells what goes wrong there, and which goals it had not reached, though it might have later.
func observed(w *world.World, sc *scenario.Scenario, plan *property.Prepared, until uint64, enough func() bool) (list []violation, unmet []string, err error) {
	suite, err := plan.Attach(w)
	if err != nil {
		return nil, nil, err
	}
	if sc == nil {
		sc = new(scenario.Scenario)
	}
	m := scenario.NewMonitor(sc, w)
	for w.Now() < until {
		if enough != nil && enough() {
			return nil, nil, verdict.ErrInterrupted
		}
		_ = m.RunUntil(min(until, w.Now()+slice), lookEvery)
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
		x := violation{Property: v.Property, Kind: KindBuiltin, Mote: int(v.Mote), Detail: v.Detail, At: v.At,
			Place: core.Place{Function: v.Function, File: v.File, Line: v.Line}}
		if slices.ContainsFunc(sc.Properties, func(p scenario.Property) bool { return p.Name == v.Property }) {
			x.Kind = KindProperty
		}
		known := func(y violation) bool {
			return y.Property == x.Property && y.Mote == x.Mote && (x.Kind == KindProperty || y.Place == x.Place)
		}
		if !slices.ContainsFunc(list, known) {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b violation) int { return cmp.Compare(a.At, b.At) })
	return list, unmet, nil
}
