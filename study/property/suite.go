package property

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/world"
	"motehound/world/scenario"
)

// Suite is the checks of one world.
type Suite struct {
	prepared *Prepared
	w        *world.World
	motes    []*mote.Mote
	watch    *builtin.Watch
	eval     *scenario.Evaluator
	view     scenario.View

	answers []*answer // by unit; nil until it was first asked
	rested  []*answer // the same, where nobody changes it; nil if it is not the same any more
	recent  []recent  // by unit
	dropped uint64    // properties that could not be evaluated on the way here, as bits
	atCode  []recent  // by spot and mote: of the property, and of what is given

	// Of the step under way, or of the last one.
	broken []finding.Violation // at spots that were reached
	wrong  error               // the first property there that could not be evaluated
	passed []*answer           // at spots that were reached
	visits []visit
	asked  []*answer // these, and all that the last Look had to find anew
}

// State is what a Suite remembers, without a world. It never changes, shares what it has in common with others, and can be
// copied by assignment.
type State struct {
	builtIn builtin.Saved
	answers []*answer
	dropped uint64
}

// Attach puts the checks into a world of the Prepared's Config, best before it has run: what happened before is not known to them. To
// go on from somewhere else, follow it with Restore or CopyFrom.
//
// This is slow: about a millisecond for each kind of motes, most of it for two copies of the program, one with hooks and one with the
// memory checks' marks over them.
func (p *Prepared) Attach(w *world.World) (*Suite, error) {
	s := &Suite{prepared: p, w: w, motes: w.Motes(), eval: scenario.NewEvaluator(), view: scenario.WorldView(w),
		answers: make([]*answer, len(p.units)), recent: make([]recent, len(p.units)), atCode: make([]recent, 2*len(p.spots)*len(p.kinds))}
	if len(s.motes) != len(p.kinds) {
		return nil, fmt.Errorf("the checks were prepared for %d motes, but the world has %d", len(p.kinds), len(s.motes))
	}
	for i, m := range s.motes {
		if m.Kind != p.kinds[i] {
			return nil, fmt.Errorf("the checks were prepared for another firmware or board of mote %d", i)
		}
	}
	s.hookSpots()
	s.watch = p.builtIn.Attach(w)
	return s, nil
}

// Guard puts the built-in checks alone into a world that has not run yet: what they find can be asked for at any time.
func (p *Prepared) Guard(w *world.World) *builtin.Watch { return p.builtIn.Attach(w) }

// Save puts the suite's state into a State. What costs something is memory of motes that have run since the last Save or Restore: about
// a microsecond for each, and what has changed of it.
func (s *Suite) Save(to *State) {
	to.builtIn = s.watch.Save()
	if s.rested == nil {
		s.rested = slices.Clone(s.answers)
	}
	to.answers, to.dropped = s.rested, s.dropped
}

// Restore puts back what Save gave, of this suite or another one of its Prepared. The world has to be put back too, before or after.
func (s *Suite) Restore(from *State) {
	s.watch.Restore(from.builtIn)
	copy(s.answers, from.answers)
	s.rested, s.dropped = from.answers, from.dropped
	s.forget()
}

// CopyFrom makes the suite equal to another one of its Prepared, as World.CopyFrom does for the worlds.
func (s *Suite) CopyFrom(from *Suite) {
	s.watch.CopyFrom(from.watch)
	copy(s.answers, from.answers)
	s.rested, s.dropped = from.rested, from.dropped
	s.forget()
}

// forget ends a step.
func (s *Suite) forget() {
	s.broken, s.wrong, s.passed, s.asked, s.visits = nil, nil, s.passed[:0], s.asked[:0], s.visits[:0]
}

// Goals are those of the Prepared.
func (s *Suite) Goals() []finding.Goal { return s.prepared.goals }

// ReadSet appends what was read for properties that the last Look, or a line reached before it, had to evaluate: whatever else
// writes there can change what the step broke. Ranges may overlap.
func (s *Suite) ReadSet(dst *scenario.ReadSet) {
	for _, a := range s.asked {
		dst.Memory = append(dst.Memory, a.reads...)
		dst.Facts = append(dst.Facts, a.facts...)
	}
}
