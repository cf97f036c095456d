package solver

import (
	"fmt"
	"slices"

	"github.com/go-air/gini/z"

	"motehound/study/symbolic/expr"
)

// Builtin decides queries with a SAT solver in this process.
//
// It keeps a few circuits with what the SAT solver has learned about each. Conditions are assumptions to it, so one circuit
// serves all queries of a path and its branches. A query goes to the circuit that knows most of its conditions and does
// not carry too much else, since a SAT solver must give a value to everything in a circuit, asked for or not.
//
// The budget counts steps of 20,000 propagations, so that it does not depend on the speed of the machine. The SAT solver
// looks up at the end of each step and goes on if nobody is there to stop it; whoever counts is there within microseconds
// while a step takes milliseconds. On a machine so starved that it is not, a query that needs almost all of its budget
// may get a little more. A circuit that ran out of budget is thrown away, so that later answers do not depend on when. All circuits are
// thrown away after each Epoch queries, for the sake of Tape.
type Builtin struct {
	pool     *expr.Pool
	budget   int
	circuits []*circuit // the most recently used first
	asked    []expr.ID
	last     *circuit
	core     []expr.ID
	steps    int
	built    int
	queries  int // since it last forgot

	// Enough, if not nil, ends a query as soon as it says so, and all after it.
	Enough func() bool
}

// defaultBudget is some seconds of work on a hard query.
const defaultBudget = 250

const (
	maxCircuits = 8
	// A circuit is taken although it knows few of the conditions if it is this small, in SAT variables.
	smallCircuit = 3000
	// A circuit with so many conditions besides twice those of the query is not taken.
	strayConditions = 48
)

// circuit is a blaster and the conditions that it was built for.
type circuit struct {
	*blaster
	roots map[expr.ID]z.Lit
}

// NewBuiltin makes the backend. A query that needs more than budget steps is Unknown; 0 is defaultBudget, a negative
// number is no bound.
func NewBuiltin(pool *expr.Pool, budget int) *Builtin {
	if budget == 0 {
		budget = defaultBudget
	}
	return &Builtin{pool: pool, budget: budget}
}

// Check is a Backend's.
func (b *Builtin) Check(conditions []expr.ID) (Result, error) {
	if b.enough() {
		return Unknown, errStopped
	}
	if b.queries == Epoch {
		b.queries, b.circuits = 0, nil
	}
	b.queries++
	c := b.choose(conditions)
	b.last, b.core = c, nil
	b.asked = append(b.asked[:0], conditions...)
	assumptions := make([]z.Lit, 0, len(conditions))
	for _, cond := range conditions {
		l := c.root(cond)
		if l == c.one.Not() {
			b.core = []expr.ID{cond}
			return Unsat, nil
		}
		assumptions = append(assumptions, l)
	}
	c.sat.Assume(assumptions...)
	switch b.run(c) {
	case 1:
		return Sat, nil
	case -1:
		b.core = c.failed(conditions)
		return Unsat, nil
	}
	b.drop(c)
	if b.enough() {
		return Unknown, errStopped
	}
	return Unknown, fmt.Errorf("the solver's budget of %d steps is spent on %d conditions", b.budget, len(conditions))
}

// Model is a Backend's.
func (b *Builtin) Model() expr.Model {
	vars := varsOf(b.pool, b.asked)
	values := make([]uint64, len(vars))
	for i, v := range vars {
		for bit, l := range b.last.bits[b.pool.VarID(v)] {
			if b.last.sat.Value(l) {
				values[i] |= 1 << bit
			}
		}
	}
	return expr.NewModel(vars, values)
}

// Core is a Backend's.
func (b *Builtin) Core() []expr.ID { return b.core }

// choose finds or begins the circuit for a query, and puts it first.
func (b *Builtin) choose(conditions []expr.ID) *circuit {
	best, most := -1, -1
	for i, c := range b.circuits {
		knows := 0
		for _, cond := range conditions {
			if _, ok := c.roots[cond]; ok {
				knows++
			}
		}
		stray := len(c.roots) - knows
		fits := stray <= 2*len(conditions)+strayConditions
		if fits && knows > most && (2*knows+1 >= len(conditions) || c.gates.vars < smallCircuit) {
			best, most = i, knows
		}
	}
	if best < 0 {
		b.built++
		c := &circuit{newBlaster(b.pool), map[expr.ID]z.Lit{}}
		b.circuits = slices.Insert(b.circuits, 0, c)
		b.circuits = b.circuits[:min(len(b.circuits), maxCircuits)]
		return c
	}
	c := b.circuits[best]
	b.circuits = slices.Insert(slices.Delete(b.circuits, best, best+1), 0, c)
	return c
}

func (b *Builtin) drop(c *circuit) {
	b.circuits = slices.DeleteFunc(b.circuits, func(d *circuit) bool { return d == c })
}

// run solves and counts steps: the SAT solver can be paused at the end of a step, and only there.
func (b *Builtin) run(c *circuit) int {
	if b.budget < 0 {
		return c.sat.Solve()
	}
	search := c.sat.GoSolve()
	for range b.budget - 1 {
		result, paused := search.Pause()
		if !paused {
			return result
		}
		b.steps++
		search.Unpause()
		if b.enough() {
			break
		}
	}
	b.steps++
	return search.Stop()
}

func (b *Builtin) enough() bool { return b.Enough != nil && b.Enough() }

func (c *circuit) root(cond expr.ID) z.Lit {
	l, ok := c.roots[cond]
	if !ok {
		l = c.blast(cond)[0]
		c.roots[cond] = l
	}
	return l
}

// failed is the conditions behind the assumptions that the SAT solver's last refutation used.
func (c *circuit) failed(conditions []expr.ID) []expr.ID {
	used := map[z.Var]bool{}
	for _, l := range c.sat.Why(nil) {
		used[l.Var()] = true
	}
	var core []expr.ID
	for _, cond := range conditions {
		if used[c.roots[cond].Var()] {
			core = append(core, cond)
		}
	}
	if len(core) == 0 {
		return slices.Clone(conditions)
	}
	return core
}
