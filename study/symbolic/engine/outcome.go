package engine

import (
	"cmp"
	"slices"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/study/symbolic/solver"
	"motehound/world"
)

// Finding is something wrong that a state has found, with one outcome in which it happens.
type Finding struct {
	core.Finding
	Check   *Check // that fails; nil if a mote found it by itself
	Before  bool   // it was found before outcomes were cut, and another piece counts it
	State   mapping.State
	States  []mapping.State // of all motes, in that outcome
	At      uint64          // picoseconds since the start
	Answers []world.Answer  // to the questions of all motes
	Inputs  []core.Made     // of all motes
	Holds   []world.Hold    // interrupts of all motes that wait
	All     *solver.Set     // the conditions of all motes, and the one against the check
}

// Outcome is one feasible combination of states, one per mote, with inputs that lead to it.
type Outcome struct {
	States  []mapping.State
	Model   expr.Model
	Answers []world.Answer
	Inputs  []core.Made
	Holds   []world.Hold
	Ends    []Standing  // of all motes
	All     *solver.Set // the conditions of all motes
}

// Findings is what was found.
func (e *Engine) Findings() []Finding { return slices.Clone(e.findings) }

// State is a state that is still there. Where memory is bounded, those of outcomes that have ended may not be.
func (e *Engine) State(id mapping.State) (*core.State, bool) {
	if int(id) >= len(e.nodes) || e.nodes[id] == nil {
		return nil, false
	}
	return e.nodes[id].s, true
}

// Outcomes lists the outcomes that were run to their end, up to a limit; more reports whether there are others. Combinations whose conditions
// cannot hold together are left out, and those that the solver does not decide are counted (Stats.Unknown). It ends early if enough says so.
func (e *Engine) Outcomes(limit int, enough func() bool) (list []Outcome, more bool) {
	list, more = slices.Clone(e.ended), e.more
	for _, g := range e.groups {
		if g == nil || !g.done {
			continue
		}
		for states := range g.mapping.Explode() {
			if len(list) >= limit || enough() {
				return list[:min(limit, len(list))], true
			}
			if s, ok := e.together(states, nil); ok {
				list = append(list, s)
			}
		}
	}
	if len(list) > limit {
		return list[:limit], true
	}
	return list, more
}

// together solves the conditions of states. If a path is given, it stands for that of one of them: one that has found something goes on
// with inputs for which it does not happen.
func (e *Engine) together(states []mapping.State, path *solver.Set, whose ...mapping.State) (Outcome, bool) {
	s := Outcome{States: slices.Clone(states)}
	set := solver.NewSet(e.pool)
	used := make([]uint32, len(e.cfg.World.Faults))
	waited := uint32(0)
	if path != nil {
		set = path
	}
	for _, id := range states {
		n := e.nodes[id]
		if !slices.Contains(whose, id) {
			for _, c := range n.s.Path().Conditions() {
				set = set.Add(c)
			}
		}
		for f, u := range n.used {
			if used[f] += u; used[f] > e.cfg.World.Faults[f].Max {
				return s, false
			}
		}
		if waited += n.waited; waited > e.cfg.Reorder.Max {
			return s, false
		}
		s.Holds = append(s.Holds, n.holdsOf()...)
		s.Answers = append(s.Answers, n.answers...)
		s.Inputs = append(s.Inputs, n.s.Made()...)
		s.Ends = append(s.Ends, n.standing())
		s.Model = n.s.Model().With(s.Model)
	}
	if set.Contradiction() {
		return s, false
	}
	sortHolds(s.Holds)
	s.All = set
	answer := e.solver.Solve(set)
	s.Model = s.Model.With(answer.Model)
	ev := e.pool.NewEvaluator()
	ev.Use(s.Model)
	for _, id := range states {
		for _, c := range e.nodes[id].corruptions {
			s.Answers = append(s.Answers, world.Answer{Kind: world.ChoiceCorruption, Mote: e.nodes[id].mote, Number: c.number, Answer: uint32(ev.Eval(c.bit))})
		}
	}
	slices.SortStableFunc(s.Answers, func(a, b world.Answer) int {
		return cmp.Or(cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number))
	})
	if answer.Result == solver.Unknown {
		e.stats.Unknown++
	}
	return s, answer.Result == solver.Sat
}

// tries is how many outcomes are looked at to find one for a finding.
const tries = 256

// report adds a finding, if there is an outcome for it.
func (e *Engine) report(n *node, f core.Finding) {
	left := tries
	for states := range n.g.mapping.Explode(n.id) {
		if s, ok := e.together(states, f.Path, n.id); ok {
			f.Model = s.Model
			e.findings = append(e.findings, Finding{Finding: f, State: n.id, States: s.States, At: n.boot + n.s.Time(), Answers: s.Answers, Inputs: s.Inputs, Holds: s.Holds, All: s.All})
			return
		}
		if left--; left == 0 {
			e.stats.Unplaced++
			return
		}
	}
}
