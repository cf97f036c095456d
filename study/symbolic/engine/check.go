package engine

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
)

// Check is an assertion about motes: at a moment, whenever a mote is about to execute a line or function, or all the time. It fails if
// there is an outcome, and inputs for it, for which it does not hold.
//
// All the time is whenever motes have run for as long as they cannot reach each other. At a place, the other motes are as they are at
// that moment: before the first instruction that begins then or later.
type Check struct {
	Name   string
	At     uint64 // picoseconds since the start; 0 if it is for a place, or for all the time
	Place  string // file.c:33, or a function
	Mote   int    // whose place it is
	Always bool
	// Part has it report nothing. Instead, outcomes are split by whether it holds, whenever motes have run. So in each outcome it holds for
	// all inputs or for none, and a run with any of them shows which.
	Part  bool
	Motes []int // that it looks at; others are added when it does (Unnamed)
	Holds func(v View) (expr.ID, error)
}

// View is the motes that a Check looks at.
type View struct {
	Pool  *expr.Pool
	value func(mote int, path string) (expr.ID, error)
	look  func(mote int) *node // nil for a mote that the check does not name
	now   uint64
}

// viewOf is motes in states that occur together.
func (e *Engine) viewOf(states []mapping.State, now uint64) View {
	v := View{Pool: e.pool, now: now, look: func(mote int) *node {
		for _, id := range states {
			if n := e.nodes[id]; n.mote == mote {
				return n
			}
		}
		return nil
	}}
	v.value = func(mote int, path string) (expr.ID, error) {
		if n := v.look(mote); n != nil {
			return n.s.Value(path)
		}
		return 0, &Unnamed{mote}
	}
	return v
}

// nextCheck is when the next check is due.
func (e *Engine) nextCheck(g *group) uint64 {
	next := e.cfg.Until
	for _, c := range e.cfg.Checks {
		if c.At > g.now {
			next = min(next, c.At)
		}
	}
	return next
}

// check makes the checks that are due now.
func (e *Engine) check(g *group) error {
	for i := range e.cfg.Checks {
		c := &e.cfg.Checks[i]
		var err error
		switch {
		case c.Part:
			err = e.tellApart(g, c)
		case c.Always || c.Place == "" && c.At == g.now:
			err = e.holds(g, c, g.now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// atPlace makes the checks of a place that a node stands before. The other motes are run up to there.
func (e *Engine) atPlace(n *node) error {
	now := n.boot + n.s.Time()
	stop := -1
	for i := range e.cfg.Checks {
		c := &e.cfg.Checks[i]
		if c.Place == "" || c.Mote != n.mote {
			continue
		}
		if stop++; !slices.Contains(n.s.Stops(), stop) {
			continue
		}
		if err := e.holds(n.g, c, now, n.id); err != nil {
			return err
		}
	}
	return nil
}

// bring runs the states of a mote to a moment in the present window.
func (e *Engine) bring(g *group, mote int, now uint64) {
	todo := e.todo
	e.todo = nil
	for i := 0; i < len(g.nodes); i++ {
		if o := g.nodes[i]; e.is(o) && o.mote == mote && o.boot+o.s.Time() < now {
			e.runAll(o, now)
		}
	}
	e.todo = todo
}

// holds asks a check at a moment about the states that occur together with some states. If it turns out that it looks at a mote that
// it does not name, it is asked once more, with that mote.
func (e *Engine) holds(g *group, c *Check, now uint64, with ...mapping.State) error {
	for {
		for _, mote := range c.Motes {
			if len(with) > 0 && mote != e.nodes[with[0]].mote {
				e.bring(g, mote, now)
			}
		}
		if err := e.ask(g, c, now, with...); !c.widen(err) {
			return err
		}
	}
}

// widen adds the mote to a check that it looks at and does not name, if that is what is wrong.
func (c *Check) widen(err error) bool {
	var other *Unnamed
	if !errors.As(err, &other) || slices.Contains(c.Motes, other.Mote) {
		return false
	}
	c.Motes = append(slices.Clip(c.Motes), other.Mote)
	return true
}

// ask looks at each way in which states of the check's motes occur together, and with some states.
func (e *Engine) ask(g *group, c *Check, now uint64, with ...mapping.State) error {
	for states := range g.mapping.Together(c.Motes, with...) {
		if c.Always && !slices.ContainsFunc(states, func(id mapping.State) bool { return e.nodes[id].ranIn == g.windows }) {
			continue // as before
		}
		cond, err := c.Holds(e.viewOf(states, now))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if !e.pool.IsTrue(cond) {
			e.violated(c, append(slices.Clone(states), with...), e.pool.Not(cond))
		}
	}
	return nil
}

// violated reports a check if an outcome of the states can violate it. A state and its copies violate a check once: what they do
// after that is not of interest.
func (e *Engine) violated(c *Check, states []mapping.State, against expr.ID) {
	slices.Sort(states)
	states = slices.Compact(states)
	n := e.nodes[states[len(states)-1]]
	for _, id := range states {
		if o := e.nodes[id]; o.mote == c.Mote {
			n = o
		}
	}
	if slices.Contains(n.violated, c.Name) {
		return
	}
	path := n.s.Path().Add(against)
	left := tries
	for all := range n.g.mapping.Explode(states...) {
		if s, ok := e.together(all, path, n.id); ok {
			f := core.Finding{Kind: core.Distributed, Mote: n.mote, Reg: -1, Message: c.Name + " does not hold", Model: s.Model, Path: path}
			if c.Place != "" {
				f.PC, f.Place, f.Cycle = n.s.Where()
			}
			e.findings = append(e.findings, Finding{Finding: f, Check: c, State: n.id, Answers: s.Answers, Inputs: s.Inputs, Holds: s.Holds,
				States: slices.Clone(all), At: n.boot + n.s.Time(), All: s.All})
			n.violated = append(slices.Clip(n.violated), c.Name)
			return
		}
		if left--; left == 0 {
			e.stats.Unplaced++
			return
		}
	}
}
