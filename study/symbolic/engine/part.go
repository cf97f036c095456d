package engine

import (
	"fmt"
	"slices"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
)

// maxParts is how often a state and its copies are parted for the sake of one Config's checks. One that asks something new all the time would
// make an outcome of every value.
const maxParts = 64

// tellApart parts states for which a check holds with some inputs only.
func (e *Engine) tellApart(g *group, c *Check) error {
	for {
		n, cond, err := e.undecided(g, c)
		if c.widen(err) {
			continue
		}
		if n == nil || err != nil {
			return err
		}
		n.tellApart(cond)
	}
}

// undecided finds a state for which a check can hold or not, as inputs want it; nil if there is none.
func (e *Engine) undecided(g *group, c *Check) (*node, expr.ID, error) {
	for states := range g.mapping.Together(c.Motes) {
		if !slices.ContainsFunc(states, func(id mapping.State) bool { return e.nodes[id].ranIn == g.windows }) {
			continue // as before
		}
		cond, err := c.Holds(e.viewOf(states, g.now))
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", c.Name, err)
		}
		if e.pool.IsTrue(cond) || e.pool.IsFalse(cond) {
			continue
		}
		n := e.nodes[states[slices.IndexFunc(states, func(id mapping.State) bool { return e.nodes[id].mote == c.Mote })]]
		switch {
		case !e.either(n.s.Path(), cond):
		case n.parted >= maxParts:
			e.stats.Unparted++
		default:
			return n, cond, nil
		}
	}
	return nil, 0, nil
}

// either reports whether a condition can hold, and can be wrong, on a path.
func (e *Engine) either(path *solver.Set, cond expr.ID) bool {
	return e.solver.Check(path, cond).Result == solver.Sat && e.solver.Check(path, e.pool.Not(cond)).Result == solver.Sat
}

// tellApart makes two nodes of one: a condition holds in the one, and not in the other.
func (n *node) tellApart(cond expr.ID) {
	n.parted++
	c := n.copy(n.s.Fork())
	n.e.enter(c)
	n.g.mapping.Branch(n.id, c.id)
	n.e.stats.Parted++
	n.s.Assume(cond)
	c.s.Assume(n.e.pool.Not(cond))
}
