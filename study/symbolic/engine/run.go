package engine

import (
	"errors"
	"fmt"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/world"
	"motehound/world/medium"
)

// turnTime is for how long, in the motes' time, a group is run before the searcher is asked again.
const turnTime = 100 * world.Millisecond

// Run explores to the end, or to a bound: Stats.Stopped says which. It can be called once.
func (e *Engine) Run() error {
	for e.stats.Stopped == "" {
		id, ok := e.search.Next()
		if !ok {
			break
		}
		if err := e.turn(e.groups[id]); err != nil {
			return err
		}
		if n := e.cfg.MaxPaths; n > 0 && e.stats.Outcomes >= n && e.search.Len() > 0 && e.stats.Stopped == "" {
			e.stop(fmt.Sprintf("%d outcomes have been explored to their end", e.stats.Outcomes))
		}
	}
	if e.cuts < len(e.cfg.Piece.Path) && e.stats.Stopped == "" {
		return errNoPiece
	}
	return errors.Join(e.pool.Err(), e.solver.Err())
}

// turn runs a group for a while, or to its end.
func (e *Engine) turn(g *group) error {
	e.g = g
	for until := g.now + turnTime; g.now < until && e.stats.Stopped == ""; {
		if g.now >= e.cfg.Until {
			return e.last(g)
		}
		if err := e.window(g); err != nil {
			return err
		}
		if len(g.nodes) == 0 { // all have ended, none at the end
			e.search.Remove(g.id)
			e.groups[g.id] = nil
			return nil
		}
		e.bound(g)
		if e.large(g) && e.stats.Stopped == "" {
			return e.divide(g)
		}
		for e.cfg.Piece.Steps == 0 && len(g.nodes) > e.cfg.Together && e.stats.Stopped == "" {
			if _, ok := e.part(g); !ok {
				break
			}
			until = g.now // the searcher may like the other one more
		}
	}
	e.rate(g)
	return nil
}

// window runs a group for as long as none of its motes can reach another, and makes the checks that are due then.
func (e *Engine) window(g *group) error {
	until := e.horizon(g)
	before := e.stats.Instructions
	e.inStep(g, until)
	for _, asserts := range []bool{true, false} { // others are to be behind those who look at them
		for i := 0; i < len(g.nodes); i++ { // those that are forked on the way are run by the way
			if n := g.nodes[i]; e.is(n) && n.next < until && e.asserts(n.mote) == asserts {
				e.runAll(n, until)
			}
		}
	}
	g.ran += e.stats.Instructions - before
	if e.err != nil || e.stats.Stopped != "" {
		return e.err
	}
	e.deliver(g)
	g.tidy(e)
	e.stats.Windows++
	g.windows++
	if g.now = until; g.now < e.cfg.Until {
		return e.check(g)
	}
	return nil
}

// last runs the last stretch, in which a mote may only sleep.
func (e *Engine) last(g *group) error {
	for i := 0; i < len(g.nodes); i++ {
		if n := g.nodes[i]; e.is(n) {
			e.runAll(n, e.cfg.Until)
		}
	}
	for _, n := range g.nodes {
		if e.is(n) {
			n.inVain()
		}
	}
	g.tidy(e)
	if e.err != nil {
		return e.err
	}
	e.finish(g)
	return e.check(g)
}

// is reports whether a node is still there.
func (e *Engine) is(n *node) bool { return e.nodes[n.id] == n }

// asserts reports whether a mote has checks at places.
func (e *Engine) asserts(mote int) bool {
	return slices.ContainsFunc(e.cfg.Checks, func(c Check) bool { return c.Place != "" && c.Mote == mote })
}

// horizon is how far all motes can run before one of them can reach another.
func (e *Engine) horizon(g *group) uint64 {
	horizon, next := uint64(medium.Never), uint64(medium.Never)
	for _, n := range g.nodes {
		n.outlook()
		horizon, next = min(horizon, n.promise), min(next, n.next)
	}
	end := e.nextCheck(g)
	if e.cfg.Piece.Steps > 0 {
		end = min(end, g.now+pieceTime)
	}
	if next >= end || horizon == medium.Never {
		return end
	}
	return max(min(end, horizon-world.Slack), g.now+1)
}

// inStep runs the motes that have checks at places, if there are several, in the order of time, an instruction at a time where they
// are awake together: so that each finds the others at the very moment at which it looks at them.
func (e *Engine) inStep(g *group, until uint64) {
	if e.lookers < 2 {
		return
	}
	for e.err == nil && e.stats.Stopped == "" {
		var first *node
		at, other := until, until // other is of another mote
		for _, n := range g.nodes {
			if !e.is(n) || !e.asserts(n.mote) {
				continue
			}
			n.outlook()
			switch t := max(n.next, n.boot+n.s.Time()); {
			case t < at:
				if first != nil && first.mote != n.mote {
					other = at
				}
				first, at = n, t
			case t < other && first != nil && first.mote != n.mote:
				other = t
			}
		}
		if first == nil {
			return
		}
		e.runAll(first, min(until, max(other, at+1)))
	}
}

// runAll runs a node to a moment, and all that is forked from it on the way.
func (e *Engine) runAll(n *node, until uint64) {
	e.todo = append(e.todo[:0], n)
	for len(e.todo) > 0 && e.stats.Stopped == "" {
		n := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		if e.is(n) {
			e.run(n, until)
		}
	}
}

// run runs a node to a moment.
func (e *Engine) run(n *node, until uint64) {
	n.next, n.ranIn = 0, n.g.windows+1
	for n.s.Ended() == core.Going && n.boot < until && e.err == nil && !e.halts() {
		if n.off {
			n.passBy(min(n.onAt, n.due(), until))
			if n.due() < min(n.onAt, until) {
				n.act()
				continue
			}
			if n.onAt >= until {
				return
			}
			n.s.PowerUp(n.onAt - n.boot)
			n.off, n.onAt = false, medium.Never
		}
		if n.boot+n.s.Time() >= until {
			break
		}
		if n.due() <= n.Now() {
			n.act()
			continue
		}
		n.setAlarm()
		forks := n.s.RunUntil(n.wait.until(min(until, n.due())) - n.boot)
		e.note(n)
		for _, s := range forks {
			c := n.copy(s)
			e.enter(c)
			n.g.mapping.Branch(n.id, c.id)
			e.todo = append(e.todo, c)
		}
		n.sent = append(n.sent, n.s.Take()...)
		if len(n.s.Stops()) != 0 {
			if err := e.atPlace(n); err != nil {
				e.err = err
				return
			}
		}
		if rose := n.s.Rose(); rose != 0 {
			n.reorder(rose)
		}
		if n.await() {
			return
		}
		if n.s.Waits() && len(forks) == 0 {
			n.choose()
		}
		if e.alive > 2*e.cfg.MaxStates {
			e.stop(fmt.Sprintf("there are more than %d states", e.cfg.MaxStates))
			return
		}
	}
	if end := n.s.Ended(); end == core.Assumed || end == core.Failed || end == core.Full {
		e.remove(n)
	}
}

// note takes what a state has found, and how far it has run.
func (e *Engine) note(n *node) {
	all := n.s.Findings()
	for _, f := range all[n.found:] {
		e.report(n, f)
	}
	n.found = len(all)
	e.covers(n)
	if now := n.s.Machine().Core().Instructions; now > n.ran {
		e.stats.Instructions += now - n.ran
		n.ran = now
	}
}

// remove takes a state away, with all outcomes that it is in.
func (e *Engine) remove(n *node) {
	if !e.is(n) {
		return
	}
	for _, id := range append(n.g.mapping.Remove(n.id), n.id) {
		if o := e.nodes[id]; o != nil {
			e.release(o)
		}
	}
}
