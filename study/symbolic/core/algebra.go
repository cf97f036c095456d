package core

import (
	"motehound/isa/avr/lift"
	"motehound/study/symbolic/expr"
)

// algebra is a pool of expressions as lift sees it.
type algebra struct{ *expr.Pool }

func stepOf(s lift.Step[expr.ID]) expr.Step {
	x := expr.Step{A: s.A, B: s.B, Subtract: s.Subtract}
	if s.Chained {
		x.In = s.In
	}
	return x
}

// Value implements lift.Algebra, as do the other methods.
func (a algebra) Value(s lift.Step[expr.ID]) expr.ID    { return a.StepValue(stepOf(s)) }
func (a algebra) Carry(s lift.Step[expr.ID]) expr.ID    { return a.StepCarry(stepOf(s)) }
func (a algebra) Overflow(s lift.Step[expr.ID]) expr.ID { return a.StepOverflow(stepOf(s)) }
func (a algebra) Sign(s lift.Step[expr.ID]) expr.ID     { return a.StepSign(stepOf(s)) }
func (a algebra) Half(s lift.Step[expr.ID]) expr.ID     { return a.StepHalf(stepOf(s)) }
