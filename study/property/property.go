// Package property checks everything that must hold in a world: the built-in checks of memory and kernel, and the properties of a
// scenario.
//
// Prepare computes, once, what all worlds of a Config share: a Prepared, which never changes. Prepared.Attach puts a Suite into a world. After
// each step of the world, Suite.Look reports what the step violated. Save and Restore keep a Suite's state together with snapshots of
// its world, and share what has not changed.
//
// A property is split into units: one for each mote if it is about single motes (each(...)), otherwise one for the network. The answer
// of a unit is valid until a byte or fact that its evaluation read has changed; only then its function is called again.
//
// Invariants:
//   - Checking changes nothing in the motes. What Look reports depends on the state before the step, the step, and what the memory
//     checks have learned about pointers so far. It depends on no clock, and on no other Suite.
//   - A State never changes, so many goroutines may restore it at once. A Suite is used by one goroutine at a time; different suites of
//     one Prepared can be used at the same time.
//   - An answer depends only on the values that were recorded with it.
package property

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/study/property/memory"
	"motehound/study/property/wait"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Options choose what is checked besides what the scenario says.
type Options = builtin.Options

// checks are the built-in ones: a new one stands here, and nowhere else. What Look tells keeps this order.
var checks = []builtin.Check{memory.Check{}, kernel.Check{}, wait.Check{}}

// OptionsOf is what a recipe says, except for the kernel.
func OptionsOf(c *recipe.Checks) Options {
	if c == nil {
		return Options{}
	}
	return Options{Unwritten: c.Unwritten, FailedPosts: c.FailedPosts, Failures: c.Failures}
}

// Prepared is what is worked out once for all worlds of a Config.
type Prepared struct {
	kinds   []*mote.Kind // by mote
	builtIn *builtin.Set
	explore bool
	props   []scenario.Property
	units   []unit
	goals   []finding.Goal
	within  []uint64 // of each goal
	live    []int    // by goal: its unit
	spots   []spot
	reached []atomic.Bool // by spot: some mote was there
	leftOut []string
	dropped dropped
}

// dropped is the properties that could not be evaluated in some state, for the report. Worlds of several threads share it; what they ask
// does not depend on it (Suite.dropped).
type dropped struct {
	some   atomic.Bool // something is in the list
	mu     sync.Mutex
	list   []scenario.Dropped
	worked sync.Map // properties that could be evaluated in some state
}

// unjudged lists the properties that could not be evaluated in some state, and were not asked from then on: it is not known whether they
// hold.
func (p *Prepared) unjudged() []scenario.Dropped {
	p.dropped.mu.Lock()
	defer p.dropped.mu.Unlock()
	return slices.SortedFunc(slices.Values(p.dropped.list), func(a, b scenario.Dropped) int {
		x, y := a.Property.Pos, b.Property.Pos
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
}

// IsDropped reports whether a property is not asked any more.
func (p *Prepared) IsDropped(x *scenario.Property) bool {
	if !p.dropped.some.Load() {
		return false
	}
	p.dropped.mu.Lock()
	defer p.dropped.mu.Unlock()
	return slices.ContainsFunc(p.dropped.list, func(d scenario.Dropped) bool { return d.Of(x) })
}

// Drop notes that a property is no longer evaluated. Of several errors the alphabetically first is reported, whichever thread had it.
func (p *Prepared) Drop(x scenario.Dropped) {
	p.dropped.mu.Lock()
	defer p.dropped.mu.Unlock()
	i := slices.IndexFunc(p.dropped.list, func(d scenario.Dropped) bool { return d.Of(x.Property) })
	switch {
	case i < 0:
		p.dropped.list = append(p.dropped.list, x)
		p.dropped.some.Store(true)
	case x.Err.Error() < p.dropped.list[i].Err.Error():
		p.dropped.list[i] = x
	}
}

// unit is a property, or what it says of one mote.
type unit struct {
	prop *scenario.Property
	mote int // -1 for the network
}

// Prepare works out what to check in worlds of a Config. The scenario is the one that the Config was made of, or nil.
func Prepare(cfg *world.Config, sc *scenario.Scenario, opt Options) (*Prepared, error) {
	p := &Prepared{explore: opt.Explore}
	for _, m := range cfg.Motes {
		p.kinds = append(p.kinds, m.Kind)
	}
	if sc != nil {
		if err := p.declare(sc); err != nil {
			return nil, err
		}
		opt.Silence = slices.Clone(opt.Silence)
		for _, s := range sc.Silenced {
			opt.Silence = append(opt.Silence, builtin.Silence{Check: s.Check, Function: s.Function, Subject: s.Variable, Reason: s.Reason})
		}
		opt.Failures = slices.Concat(opt.Failures, sc.Failures)
		opt.Unwritten = opt.Unwritten || sc.Reports(scenario.Optional.Unwritten)
		opt.FailedPosts = opt.FailedPosts || sc.Reports(scenario.Optional.FailedPost)
	}
	if p.builtIn = opt.Taught; p.builtIn == nil {
		var err error
		if p.builtIn, err = builtin.Prepare(checks, p.kinds, &opt); err != nil {
			return nil, err
		}
		if err := p.builtIn.Learn(cfg, &opt); err != nil {
			return nil, err
		}
	}
	p.leftOut = append(p.leftOut, p.builtIn.LeftOut()...)
	return p, nil
}

// BuiltIn is the built-in checks, which have learned. Worlds that use them do not change them.
func (p *Prepared) BuiltIn() *builtin.Set { return p.builtIn }

// declare takes the properties of a scenario.
func (p *Prepared) declare(sc *scenario.Scenario) error {
	if len(sc.Motes) != len(p.kinds) {
		return fmt.Errorf("%s has %d motes, but the world has %d", sc.Name, len(sc.Motes), len(p.kinds))
	}
	for _, s := range sc.Silenced {
		if err := known(s); err != nil {
			return err
		}
	}
	p.props = sc.Properties
	for i := range p.props {
		prop := &p.props[i]
		switch prop.Kind {
		case scenario.Always, scenario.Eventually:
			p.add(prop)
		case scenario.AtLine, scenario.AtCall, scenario.AtReturn:
			x, err := p.spot(prop)
			if err != nil {
				return err
			}
			p.spots = append(p.spots, x)
		case scenario.AtTime:
			if p.explore {
				p.leftOut = append(p.leftOut, fmt.Sprintf("%s: at_time %q: only timed runs evaluate it", prop.Pos, prop.Name))
			}
		}
	}
	p.reached = make([]atomic.Bool, len(p.spots))
	return nil
}

// add splits a property into units.
func (p *Prepared) add(prop *scenario.Property) {
	motes := []int{-1}
	if prop.PerMote() {
		motes = motes[:0]
		for i := range p.kinds {
			motes = append(motes, i)
		}
	}
	for _, m := range motes {
		if prop.Kind == scenario.Eventually {
			p.goals = append(p.goals, finding.Goal{Property: prop.Name, Mote: int16(m)})
			p.live = append(p.live, len(p.units))
			p.within = append(p.within, prop.Within)
		}
		p.units = append(p.units, unit{prop, m})
	}
}

// known checks that there is a check of the name that a silence has.
func known(s scenario.Silence) error {
	var names []string
	for _, c := range checks {
		for _, k := range c.Kinds() {
			if (builtin.Silence{Check: s.Check}).Names(k) {
				return nil
			}
			names = append(names, string(k))
		}
	}
	return &scenario.Error{Pos: s.Pos, Msg: fmt.Sprintf("silence: there is no check %q: use one of %s", s.Check, strings.Join(names, ", "))}
}

// LeftOut is what was asked for and is not judged, for people. Ask when all is done: until then it may be that a place in the code is
// reached yet.
func (p *Prepared) LeftOut() []string {
	list := slices.Clone(p.leftOut)
	for _, d := range p.unjudged() {
		list = append(list, fmt.Sprintf("property %q could not be evaluated, and was dropped: %v", d.Property.Name, d.Err))
	}
	eval := scenario.NewEvaluator()
	for i := range p.spots {
		if x := p.spots[i].prop; !p.reached[i].Load() && !eval.Forbids(x, nowhere(p.kinds)) {
			list = append(list, fmt.Sprintf("%s: %s %q: no mote reached that place", x.Pos, x.Kind, x.Name))
		}
	}
	return list
}

// nowhere is motes in no state, for functions that do not ask for one.
type nowhere []*mote.Kind

func (v nowhere) Motes() int               { return len(v) }
func (v nowhere) ID(i int) uint16          { return uint16(i) }
func (v nowhere) Image(i int) *image.Image { return v[i].Image }
func (nowhere) LoadByte(int, uint32) uint8 { return 0 }
func (nowhere) Time() uint64               { return 0 }
func (nowhere) Alive(int) bool             { return true }
func (nowhere) LEDs(int) uint32            { return 0 }
func (nowhere) Linked(int, int) bool       { return false }
func (nowhere) FramesSent(int) uint32      { return 0 }
func (nowhere) FramesReceived(int) uint32  { return 0 }

// Within is how long each goal may take, by the motes' own clocks, in picoseconds; 0 for those that say nothing.
func (p *Prepared) Within() []uint64 { return p.within }

// Goals are the "eventually" properties: of each mote where they are about single motes.
func (p *Prepared) Goals() []finding.Goal { return p.goals }
