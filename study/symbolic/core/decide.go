package core

import (
	"fmt"

	"motehound/isa/avr"
	"motehound/isa/avr/lift"
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// Every decision on something that depends on inputs is one question: the state follows the side that its inputs take, and asks
// whether the other side can be taken too. If it can, a copy of the state, as it is before the instruction, takes it with
// other inputs. A decision among many values is a sequence of these: this value, or any other.

// holds tells which side of a condition the present inputs take.
func (r *rig) holds(cond expr.ID) bool { return r.x.evaluator(r.cur).Holds(cond) }

// branch decides a conditional branch or skip.
func (r *rig) branch(c *avr.Core, in avr.Inst, flow lift.Flow[expr.ID]) {
	if r.merge(c, in, flow) {
		return
	}
	r.x.stats.Branches++
	r.decide(c, flow.Cond)
}

// decide makes the state follow the side of a condition that its inputs take, and forks one for the other side if it can be
// taken. It tells whether that is possible.
func (r *rig) decide(c *avr.Core, cond expr.ID) (other solver.Result) {
	s := r.cur
	if !r.holds(cond) {
		cond = r.x.pool.Not(cond)
	}
	against := r.x.pool.Not(cond)
	answer := r.x.solver.Check(s.path, against)
	switch answer.Result {
	case solver.Sat:
		child := r.fork(c)
		child.path = s.path.Add(against)
		child.setModel(s.model.With(answer.Model))
		child.stale = true
		s.path = s.path.Add(cond)
	case solver.Unknown:
		r.leaveOut(c.PC, fmt.Sprintf("one side of a decision: %v", answer.Why))
		s.path = s.path.Add(cond)
	}
	return answer.Result
}

// pick decides which of its values an expression has: the one that it has with the present inputs. Copies of the state take the
// others, up to a bound.
func (r *rig) pick(c *avr.Core, x expr.ID, what string) uint64 {
	if v, known := r.x.pool.Value(x); known {
		return v
	}
	s := r.cur
	v := r.x.evaluator(s).Eval(x)
	cond := r.x.pool.Eq(x, r.x.pool.Const(r.x.pool.Width(x), v))
	if s.triedAt != c.Instructions {
		s.triedAt, s.tries = c.Instructions, 0
	}
	if s.tries++; s.tries <= r.x.cfg.Values {
		before := len(s.forks)
		r.decide(c, cond)
		for _, child := range s.forks[before:] {
			child.triedAt, child.tries = s.triedAt, s.tries
		}
		return v
	}
	if r.x.solver.Check(s.path, r.x.pool.Not(cond)).Result != solver.Unsat {
		r.leaveOut(c.PC, fmt.Sprintf("a %s that can have more than %d values", what, r.x.cfg.Values))
	}
	s.path = s.path.Add(cond)
	return v
}

// pin is pick, of something that a device or the core takes at its value.
func (r *rig) pin(c *avr.Core, x expr.ID, what string) {
	if _, known := r.x.pool.Value(x); !known {
		r.x.stats.Pinned++
		r.pick(c, x, "byte for "+what)
	}
}

// Decided implements mote.Decider: a device has decided by a byte's value, in the midst of something. Whoever gave it the byte can no
// longer take it back, so the other values are left out.
func (r *rig) Decided(m *mote.Mote, b cell.Cell) {
	s, x := r.cur, expr.ID(b.Expr())
	r.x.stats.Pinned++
	cond := r.x.pool.Eq(x, r.x.pool.Const(8, uint64(b.V())))
	if r.x.solver.Check(s.path, r.x.pool.Not(cond)).Result != solver.Unsat {
		r.leaveOut(m.Core().PC, "other values of a byte by which a device has decided")
	}
	s.path = s.path.Add(cond)
}

// Join implements mote.Joiner: a byte that is made of the end of one and the beginning of another.
func (r *rig) Join(_ *mote.Mote, high, low cell.Cell, n uint8) cell.Cell {
	p := r.x.pool
	part := func(c cell.Cell, from, to int) expr.ID {
		x := expr.ID(c.Expr())
		if x == 0 {
			x = p.Const(8, uint64(c.V()))
		}
		return p.Extract(x, from, to)
	}
	x, k := part(high, 7-int(n), 0), int(n)
	if k > 0 {
		x = p.Concat(x, part(low, 7, 8-k))
	}
	return r.cur.Cell(x)
}

// Invert implements mote.Joiner: a byte whose bits are inverted.
func (r *rig) Invert(_ *mote.Mote, c cell.Cell) cell.Cell {
	return r.cur.Cell(r.x.pool.Not(expr.ID(c.Expr())))
}

// fork copies the state as it is before the present instruction, and has RunUntil return after it.
func (r *rig) fork(c *avr.Core) *State {
	s := r.cur
	c.Instructions-- // it is counted already, and will be once more
	child := s.twin()
	r.m.Save(&child.rest)
	child.now = r.m.Time()
	c.Instructions++
	child.sh.file = r.before
	s.forks = append(s.forks, child)
	r.x.stats.Forks++
	r.m.Pause()
	return child
}

// adopt gives the state other inputs, for which a condition holds as well as its path. It tells whether there are any.
func (r *rig) adopt(cond expr.ID) solver.Answer {
	s := r.cur
	answer := r.x.solver.Check(s.path, cond)
	if answer.Result == solver.Sat {
		s.setModel(s.model.With(answer.Model))
		s.path = s.path.Add(cond)
		r.refresh()
	}
	return answer
}

// end ends the state: it goes no further.
func (r *rig) end(why End) {
	if r.cur.end == Going {
		r.cur.end = why
	}
	r.m.Pause()
}

// leaveOut notes that something was not followed.
func (r *rig) leaveOut(pc uint32, what string) {
	r.x.leaveOut(LeftOut{Mote: r.cur.mote, PC: pc * 2, Place: r.table.place(pc), What: what})
}
