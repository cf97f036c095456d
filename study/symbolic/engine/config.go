// Package engine runs a network of motes for many inputs and failures at once.
//
// Each mote has states (package core): one for each path that its inputs and failures have led it along. A scenario is one state for each
// mote; which states belong together is package mapping's to say, and a frame reaches those states only that its sender meets. Motes
// take turns in windows of time in which none can reach another, as in package world, whose rules of the air and of wires are kept
// here: a scenario with its choices and inputs can be run again there.
//
// Invariants:
//   - A frame carries the conditions on inputs along that its bytes, or its receiver, depend on. A receiver that contradicts its
//     sender is removed with all their scenarios.
//   - What becomes of a frame, and of a mote's power, is a choice wherever the Config allows it (world.Fault): each answer is a state of
//     its own. Budgets are counted by each state for itself; scenarios that together exceed the budget of Everyone are left out at
//     the end.
//   - At the end the conditions of each scenario are solved together. Only then is it one.
//   - Everything depends on the Config alone.
package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/medium"
)

// Config is a network, its inputs, and how it is explored.
type Config struct {
	// World is the network. Its Faults are what may go wrong. Drift, Stagger, Resets and Events are not for this package.
	World *world.Config
	// Until is when it ends, in picoseconds.
	Until    uint64
	Vars     []Var
	Serial   []Serial
	Readings []Reading
	Checks   []Check
	Mapping  *mapping.Algorithm // nil for mapping.SDS
	Core     core.Config
	// MaxStates ends the exploration when there are more; 0 is 10,000.
	MaxStates int
	// MaxBytes ends the exploration when states and expressions take about so much memory; 0 is no bound.
	MaxBytes int
	// Stop, if not nil, is asked now and then whether to end the exploration: it is how a bound on the host's time is kept.
	Stop func() bool
}

// Var is a variable of a mote that becomes symbolic.
type Var struct {
	Mote int
	core.Input
}

// Serial is bytes from outside, some of them symbolic.
type Serial struct {
	world.Serial
	Symbolic []int // which bytes
	Name     string
}

// Reading is symbolic readings of a sensor.
type Reading struct {
	Mote int
	core.Sensor
}

const maxStates = 10_000

// check says what of a config this package cannot do.
func (c *Config) check() error {
	w := c.World
	switch {
	case len(w.Motes) == 0:
		return errors.New("the network has no motes")
	case w.Drift != 0 || w.Stagger != 0:
		return errors.New("drift and stagger are choices of their own: the symbolic engine takes motes that start at certain moments, with certain clocks")
	case len(w.Resets) != 0 || len(w.Events) != 0:
		return errors.New("the symbolic engine has no resets and events at given times: use faults")
	}
	for i, m := range w.Motes {
		if m.BootUntil > m.BootFrom {
			return fmt.Errorf("mote %d is switched on at an uncertain moment: the symbolic engine needs a certain one", i)
		}
	}
	for _, s := range w.Sensors {
		if s.At != 0 {
			return fmt.Errorf("channel %d of mote %d changes with time: the symbolic engine takes one value, or symbolic readings", s.Channel, s.Mote)
		}
	}
	for _, f := range w.Faults {
		if f.Kind == world.LateBoot {
			return fmt.Errorf("the symbolic engine has no %s faults: leave them out", f.Kind)
		}
	}
	if w.Net != nil {
		for i, x := range w.Net.Wires {
			if x.Loss > 0 {
				return fmt.Errorf("wire %d loses frames by chance: say how many may be lost (a fault) instead", i)
			}
		}
		for _, l := range w.Net.Links() {
			if l.Loss > 0 {
				return fmt.Errorf("the link from mote %d to mote %d loses frames by chance: say how many may be lost (a fault) instead", l.From, l.To)
			}
		}
	}
	return c.checkInputs()
}

func (c *Config) checkInputs() error {
	known := func(what string, i int) error {
		if i < 0 || i >= len(c.World.Motes) {
			return fmt.Errorf("%s is of mote %d, but there are %d", what, i, len(c.World.Motes))
		}
		return nil
	}
	var errs []error
	for _, v := range c.Vars {
		errs = append(errs, known("a symbolic variable", v.Mote))
	}
	for _, r := range c.Readings {
		errs = append(errs, known("a symbolic reading", r.Mote))
	}
	for _, x := range c.Checks {
		errs = append(errs, known("a check", x.Mote))
		for _, i := range x.Motes {
			errs = append(errs, known("a check", i))
		}
	}
	for _, s := range c.Serial {
		errs = append(errs, known("symbolic input", s.Mote))
		for _, i := range s.Symbolic {
			if i < 0 || i >= len(s.Bytes) {
				errs = append(errs, fmt.Errorf("byte %d of an input of %d bytes is said to be symbolic", i, len(s.Bytes)))
			}
		}
	}
	return errors.Join(errs...)
}

// Engine explores one Config.
type Engine struct {
	cfg      Config
	x        *core.Explorer
	solver   *solver.Solver
	pool     *expr.Pool
	mapping  *mapping.Mapping
	nodes    []*node // by mapping.State; nil for those that are gone
	todo     []*node // forked in the present window, and still to run
	now      uint64
	findings []Finding
	stats    Stats
	err      error // of a check
	serial   map[serialKey]expr.VarIndex
	reached  []map[uint32]bool // by mote: blocks of code
}

// serialKey names a symbolic byte of input from outside.
type serialKey struct {
	mote  int
	input string
	byte  int
}

// Stats counts.
type Stats struct {
	Windows      int
	Frames       int // characters and bytes on the air, each time that some states send one
	Infeasible   int // receivers that contradicted their sender
	Choices      int // answers other than the ordinary one
	Unknown      int // scenarios of which the solver did not decide whether they can be
	Unplaced     int // findings of which no scenario was found in which they happen
	Instructions uint64
	Stopped      string // why it ended before its time; empty if it did not
	Unfinished   int    // states that were not run to the end because of that
}

// New makes an engine at time 0.
func New(cfg Config) (*Engine, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Mapping == nil {
		cfg.Mapping = &mapping.SDS
	}
	if cfg.MaxStates == 0 {
		cfg.MaxStates = maxStates
	}
	e := &Engine{cfg: cfg, x: core.New(cfg.Core), solver: cfg.Core.Solver, pool: cfg.Core.Pool,
		serial: map[serialKey]expr.VarIndex{}}
	var first []mapping.State
	for i := range cfg.World.Motes {
		e.reached = append(e.reached, map[uint32]bool{})
		n, err := e.boot(i)
		if err != nil {
			return nil, err
		}
		first = append(first, n.id)
	}
	e.mapping = mapping.New(cfg.Mapping, e, first)
	return e, nil
}

// boot makes the first state of a mote.
func (e *Engine) boot(i int) (*node, error) {
	m := e.cfg.World.Motes[i]
	conf := core.Mote{Index: i, Kind: m.Kind, ID: m.ID, Drift: int64(m.Drift)}
	for _, v := range e.cfg.Vars {
		if v.Mote == i {
			conf.Inputs = append(conf.Inputs, v.Input)
		}
	}
	for _, v := range m.Vars {
		conf.Sets = append(conf.Sets, core.Setting{Path: v.Path, Value: v.Value})
	}
	for _, c := range e.cfg.Checks {
		if c.Place != "" && c.Mote == i {
			conf.Stops = append(conf.Stops, c.Place)
		}
	}
	for _, r := range e.cfg.Readings {
		if r.Mote == i {
			conf.Sensors = append(conf.Sensors, r.Sensor)
		}
	}
	for _, s := range e.cfg.World.Sensors {
		if s.Mote == i {
			conf.Sensors = append(conf.Sensors, core.Sensor{Channel: s.Channel, Value: s.Value})
		}
	}
	s, err := e.x.New(conf)
	if err != nil {
		return nil, err
	}
	n := &node{e: e, mote: i, s: s, boot: m.BootFrom, used: make([]uint32, len(e.cfg.World.Faults)), onAt: medium.Never}
	s.Listen(n)
	inputs := slices.Clone(e.cfg.Serial)
	for _, in := range e.cfg.World.Serial {
		inputs = append(inputs, Serial{Serial: in})
	}
	slices.SortStableFunc(inputs, func(a, b Serial) int { return cmp.Compare(a.At, b.At) })
	for _, in := range inputs {
		if in.Mote == i {
			e.feed(n, in)
		}
	}
	e.enter(n)
	return n, nil
}

// enter gives a node its name.
func (e *Engine) enter(n *node) {
	n.id = mapping.State(len(e.nodes))
	e.nodes = append(e.nodes, n)
}

// Explorer is the states' explorer: its counts, and what was left out.
func (e *Engine) Explorer() *core.Explorer { return e.x }

// Mapping is how states belong together.
func (e *Engine) Mapping() *mapping.Mapping { return e.mapping }

// Stats is the counts so far.
func (e *Engine) Stats() Stats { return e.stats }
