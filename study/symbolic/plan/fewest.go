package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/reception"
	"motehound/world/recipe"
)

// question names a choice of a run.
type question struct {
	kind   world.ChoiceKind
	mote   int
	number uint32
}

// moments is when the questions of a run were asked.
type moments map[question]uint64

// timed has a world note when its questions are asked.
func timed(w *world.World) moments {
	when := moments{}
	w.Observe(world.Observer{Choice: func(c world.Choice, _ uint32) {
		when[question{c.Kind, c.Mote, c.Number}] = w.TimeOf(c.Mote, w.Motes()[c.Mote].Cycles())
	}})
	return when
}

// failure is something that is not ordinary in a run: an interrupt that waits, or an answer.
type failure struct {
	at     uint64
	hold   *world.Hold
	answer world.Answer // if hold is nil
}

// failures lists what fails in a run, in order of time as far as that is known.
func (r *run) failures() (list []failure) {
	for i := range r.Holds {
		list = append(list, failure{at: r.Holds[i].From, hold: &r.Holds[i]})
	}
	for _, a := range r.Answers {
		if a.Answer != 0 || a.Kind == world.ChoiceCorruption {
			list = append(list, failure{at: r.when[question{a.Kind, a.Mote, a.Number}], answer: a})
		}
	}
	slices.SortStableFunc(list, func(a, b failure) int { return cmp.Compare(a.at, b.at) })
	return list
}

// corrupts reports whether the failure is a frame with a bit that is wrong: which one is an answer of its own.
func (f *failure) corrupts() bool {
	return f.hold == nil && (f.answer.Kind == world.ChoiceReception || f.answer.Kind == world.ChoiceWire) && f.answer.Answer == uint32(reception.Corrupted)
}

// without is a run in which one thing less fails.
func (r *run) without(f failure) *run {
	less := *r
	if f.hold != nil {
		less.Holds = slices.DeleteFunc(slices.Clone(r.Holds), func(h world.Hold) bool { return h == *f.hold })
		return &less
	}
	before, at := uint32(0), r.when[question{f.answer.Kind, f.answer.Mote, f.answer.Number}] // so many frames to the mote were corrupted before
	for _, g := range r.failures() {
		if g.corrupts() && g.answer.Mote == f.answer.Mote && g.at < at {
			before++
		}
	}
	less.Answers = nil
	for _, a := range r.Answers {
		if a == f.answer {
			continue
		}
		if f.corrupts() && a.Kind == world.ChoiceCorruption && a.Mote == f.answer.Mote {
			if a.Number == before {
				continue
			}
			if a.Number > before {
				a.Number--
			}
		}
		less.Answers = append(less.Answers, a)
	}
	return &less
}

// fewest leaves out of a finding's run what need not fail for it: each failure in turn, the last one first, if the emulator shows the same
// property broken on the same mote in the same place without it. A single failure is left out, too: the finding is then one of the
// inputs alone, or of the ordinary run.
func (p *Plan) fewest(x *Finding, open recipe.Opener, r *Result) error {
	way := x.way
	for _, f := range slices.Backward(way.failures()) {
		if f.hold == nil && f.answer.Kind == world.ChoiceCorruption {
			continue // it goes with its frame
		}
		p.opt.Doing("trying whether %q takes all its failures", x.Property)
		less := way.without(f)
		y, ok, err := p.shown(x, less, open)
		if errors.Is(err, verdict.ErrInterrupted) {
			r.LeftOut = append(r.LeftOut, fmt.Sprintf("whether %q needs all its failures: no time was left to try", x.Property))
			break
		}
		if err != nil {
			return err
		}
		if ok {
			*x, way = *y, less
			x.Spared++
			x.Conditions = []string{} // they were on the inputs of the run with all of them
		}
	}
	x.Failures = p.failuresOf(way)
	return nil
}

// shown is a finding made of another run, if it shows there. It may happen at another moment.
func (p *Plan) shown(x *Finding, way *run, open recipe.Opener) (*Finding, bool, error) {
	y, claim, until := *x, *x.Recipe.Symbolic, x.Recipe.Until
	if claim.PC != 0 { // it may come later
		ok, err := p.prove(&y, &claim, way, p.opt.Until, open)
		if err != nil || !ok {
			return nil, false, err
		}
		until = min(p.opt.Until, y.At+world.Millisecond)
	}
	ok, err := p.prove(&y, &claim, way, until, open)
	return &y, ok, err
}
