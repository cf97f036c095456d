package plan

import (
	"fmt"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// walk evaluates a property for all answers to the questions that it asks about inputs: once for each way through it. A question is
// which of some conditions holds; where more than one can, the walk takes the first, and the others the next times.
type walk struct {
	pool   *expr.Pool
	solver *solver.Solver
	base   *solver.Set // what is known before
	set    *solver.Set // and on the way so far
	asked  []asked     // the questions on the present way
	at     int         // how many of them have come up
	err    error
}

// asked is a question: conditions of which one holds, and the one that is taken.
type asked struct {
	conds []expr.ID
	taken int
}

// Bounds on a property's questions.
const (
	maxOutcomes = 4096 // ways through a property
	maxValues   = 256  // of a number that has to be known
)

// violated is the condition under which a property does not hold. The property is evaluated by holds.
func (w *walk) violated(holds func() (bool, error)) (expr.ID, error) {
	fails := w.pool.Bool(false)
	for range maxOutcomes {
		w.at, w.set = 0, w.base
		ok, err := holds()
		if w.err != nil {
			return 0, w.err
		}
		if err != nil {
			return 0, err
		}
		if !ok {
			fails = w.pool.Or(fails, w.way())
		}
		if !w.next() {
			return fails, nil
		}
	}
	return 0, fmt.Errorf("it has more than %d outcomes for symbolic numbers: compare fewer of them, or make less symbolic", maxOutcomes)
}

// way is the condition for the present way.
func (w *walk) way() expr.ID {
	all := w.pool.Bool(true)
	for _, q := range w.asked {
		all = w.pool.And(all, q.conds[q.taken])
	}
	return all
}

// next turns to the next way; false if there is none.
func (w *walk) next() bool {
	for n := len(w.asked); n > 0; n-- {
		if q := &w.asked[n-1]; q.taken+1 < len(q.conds) {
			q.taken++
			w.asked = w.asked[:n]
			return true
		}
	}
	return false
}

// ask is the answer to a question on the present way. A new question gets the conditions that possible lists; none is a mistake of the
// engine, whose states can be.
func (w *walk) ask(possible func() []expr.ID) (cond expr.ID, index int) {
	if w.at == len(w.asked) {
		conds := possible()
		if len(conds) == 0 {
			if w.err == nil {
				w.err = fmt.Errorf("a state that was thought to be possible is not")
			}
			return 0, 0
		}
		w.asked = append(w.asked, asked{conds: conds})
	}
	q := w.asked[w.at]
	w.at++
	w.set = w.set.Add(q.conds[q.taken])
	return q.conds[q.taken], q.taken
}

// decide is whether a condition holds.
func (w *walk) decide(cond expr.ID) bool {
	if c, ok := w.settled(cond); ok || w.err != nil {
		return c
	}
	got, _ := w.ask(func() []expr.ID {
		var list []expr.ID
		for _, c := range []expr.ID{cond, w.pool.Not(cond)} {
			if w.solver.Check(w.set, c).Result != solver.Unsat { // what is not decided here is when an outcome is solved
				list = append(list, c)
			}
		}
		return list
	})
	return got == cond
}

// settled tells how a condition stands without asking anyone.
func (w *walk) settled(cond expr.ID) (holds, ok bool) {
	c := w.set.Simplify(cond)
	return w.pool.IsTrue(c), w.pool.IsTrue(c) || w.pool.IsFalse(c)
}

// pick is a value of an expression: each in turn.
func (w *walk) pick(x expr.ID) uint64 {
	if v, ok := w.pool.Value(w.set.Simplify(x)); ok {
		return v
	}
	if w.err != nil {
		return 0
	}
	cond, _ := w.ask(func() []expr.ID {
		values, result, why := w.solver.Values(w.set, x, maxValues)
		if result != solver.Sat {
			w.err = fmt.Errorf("it needs each value of %s, and there are too many (%v): compare the number directly", w.pool.Format(x), why)
			return nil
		}
		list := make([]expr.ID, len(values))
		for i, v := range values {
			list[i] = w.pool.Eq(x, w.pool.Const(w.pool.Width(x), v))
		}
		return list
	})
	if w.err != nil {
		return 0
	}
	v, ok := w.pool.Value(w.set.Simplify(x))
	if !ok {
		w.err = fmt.Errorf("a number is not what it was said to be: %s", w.pool.Format(cond))
	}
	return v
}
