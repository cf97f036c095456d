// Package engine runs a network of motes for many inputs and failures at once.
//
// Each mote has states (package core): one for each path that its inputs and failures have led it along. An outcome is one state for
// each mote. Package mapping decides which states belong together, and a frame reaches only the states that its sender shares an outcome
// with. Motes take turns in windows of time in which none can reach another, as in package world. Package reception decides what happens
// to frames at a receiver, here and there, so an outcome with its choices and inputs can be run again there. Outcomes are run side by
// side, in groups. When a group gets too large it is split, and a searcher (package search) chooses which group runs next.
//
// Invariants:
//   - A frame carries the conditions on inputs that its bytes, or its receiver, depend on. A receiver that contradicts its sender is
//     removed with all their outcomes.
//   - What happens to a frame, and to a mote's power, is a choice wherever the Config allows it (world.Fault): each answer is a separate
//     state. Each state counts its own budgets, with the least that those it meets have used; outcomes that together exceed the budget of
//     Everyone are left out at the end.
//   - Which interrupts wait (Reorder) is such a choice too, with a budget of Everyone.
//   - At the end the conditions of each combination are solved together. Only then is it an outcome.
//   - Without limits the outcomes are the same for every searcher and mapping. With limits, what was left out is reported (Engine.Left).
//   - Everything depends on the Config alone, except for the moment at which Stop stops it.
package engine

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/search"
	"motehound/world"
	"motehound/world/medium"
)

// Config is a network, its inputs, and how it is explored.
type Config struct {
	// World is the network. Its Faults are what may go wrong. Drift, Stagger, Resets, and Events other than pins and frames are not for this package.
	World *world.Config
	// Until is when it ends, in picoseconds.
	Until    uint64
	Vars     []Var
	Serial   []Serial
	Readings []Reading
	Frames   []Frame
	Checks   []Check
	Reorder  Reorder
	Mapping  *mapping.Algorithm // nil for mapping.SDS
	Core     core.Config

	// Searcher is in which order outcomes are run, by the name of one of search.Strategies; empty is dfs, or oldest with Reorder. Seed is for those that leave it
	// to chance. What comes out does not depend on it, unless a bound ends the exploration.
	Searcher string
	Seed     uint64
	// Together is how many states are run side by side before their outcomes are parted, and the Searcher chooses; 0 is 256, or less if
	// a bound wants it. See group.
	Together int

	// Piece is which outcomes are explored, if not all. Then Together does not matter.
	Piece Piece

	// MaxStates ends the exploration when there are more; 0 is 100,000.
	MaxStates int
	// MaxPaths ends the exploration when so many outcomes have been run to their end; 0 is no bound.
	MaxPaths int
	// MaxBytes is how much memory the process may take, about; 0 is no bound. Outcomes for which there is no room are left out: see Left.
	MaxBytes int
	// Stop, if not nil, is asked now and then whether to end the exploration: it is how a bound on the host's time is kept.
	Stop func() bool
	// Resume is an exploration that was stopped and saved, and is to go on; see Load.
	Resume *Saved
	// Progress, if not nil, is called now and then with how far it is.
	Progress func(Progress)
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
	Assumed  []Assumption // about Bytes
}

// Reading is symbolic readings of a sensor.
type Reading struct {
	Mote int
	core.Sensor
}

// complete puts in what was left to this package.
func (c *Config) complete() {
	c.Core.Orders = c.Reorder.Max > 0
	if c.Mapping == nil {
		c.Mapping = &mapping.SDS
	}
	if c.Searcher == "" {
		c.Searcher = search.Strategies[0].Name
		if c.Reorder.Max > 0 { // the natural order comes first
			c.Searcher = "oldest"
		}
	}
	if c.MaxStates == 0 {
		c.MaxStates = 100_000
	}
	if c.Together == 0 {
		c.Together = 256
		if n := c.MaxPaths; n > 0 {
			c.Together = min(c.Together, n*len(c.World.Motes))
		}
		if c.MaxBytes > 0 {
			c.Together = min(c.Together, max(c.room()/4/bytesResting, len(c.World.Motes)))
		}
	}
	if c.Core.Aboard == 0 && c.MaxBytes > 0 {
		const least, usual = 4, 256
		c.Core.Aboard = min(max(c.room()/4/bytesAboard/len(c.World.Motes), least), usual)
	}
}

// check says what of a config this package cannot do.
func (c *Config) check() error {
	w := c.World
	switch {
	case len(w.Motes) == 0:
		return errors.New("the network has no motes")
	case w.Drift != 0 || w.Stagger != 0:
		return errors.New("symbolic needs fixed boot times and exact clocks: leave drift and stagger out")
	case len(w.Resets) != 0 || slices.ContainsFunc(w.Events, func(e world.Event) bool { return e.Kind != world.SetPin && e.Kind != world.HearFrame }):
		return errors.New("symbolic has no resets, power failures and set_var at given times: use run or check, and faults for reboots")
	}
	if w.Net != nil && slices.ContainsFunc(w.Net.Wires, func(x medium.Wire) bool { return x.A == x.B }) {
		return errors.New("symbolic has no USART that is wired to itself: use run or check")
	}
	for _, m := range w.Motes {
		if m.BootUntil > m.BootFrom {
			return fmt.Errorf("mote %d has a window of boot times: symbolic needs one time", m.ID)
		}
	}
	for _, s := range w.Sensors {
		if s.At != 0 {
			return fmt.Errorf("channel %d of mote %d changes with time: symbolic takes one value, or symbolic readings", s.Channel, w.Motes[s.Mote].ID)
		}
	}
	if len(w.Edits) != 0 || len(w.Holds) != 0 {
		return errors.New("symbolic takes no edits of frames and no waiting interrupts: use symbolic frames and --reorder instead")
	}
	for _, f := range w.Faults {
		if f.Kind == world.LateBoot {
			return fmt.Errorf("symbolic has no %s faults: leave them out", f.Kind)
		}
	}
	if w.Net != nil {
		for i, x := range w.Net.Wires {
			if x.Loss > 0 {
				return fmt.Errorf("wire %d has a loss: give the number of frames that may be lost instead (a fault)", i)
			}
		}
		for _, l := range w.Net.Links() {
			if l.Loss > 0 {
				return fmt.Errorf("the link from mote %d to mote %d has a loss: give the number of frames that may be lost instead (a fault)", w.Motes[l.From].ID, w.Motes[l.To].ID)
			}
		}
	}
	if err := c.Reorder.check(); err != nil {
		return err
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
	for i := range c.Frames {
		errs = append(errs, known("a symbolic frame", c.Frames[i].Mote), c.Frames[i].check(c))
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
