package property

import (
	"fmt"
	"strings"

	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/world/scenario"
)

// Look ends a step of the world, in which nothing but one mote can have changed, or anything if it is -1. It gives what the step has
// broken, once for each cause: what the built-in checks found, places in the code at which a property did not hold, and "always"
// properties that held before and do not now. Functions under way are forgotten: a step ends where none is. The error is that of a property that cannot be evaluated.
func (s *Suite) Look(mote int) ([]finding.Violation, error) {
	s.asked, s.passed = append(s.asked[:0], s.passed...), s.passed[:0]
	broken, failed := s.broken, s.wrong
	s.broken, s.wrong, s.visits = nil, nil, s.visits[:0]
	first, last := mote, mote
	if mote < 0 {
		first, last = 0, len(s.motes)-1
	}
	var list []finding.Violation
	for i := first; i <= last; i++ {
		list = s.builtIn(i, list)
	}
	for _, v := range broken {
		list = finding.Once(list, v)
	}
	for i, u := range s.plan.units {
		was := s.answers[i]
		if was != nil && s.stands(was, mote) {
			continue
		}
		now, err := s.answer(i)
		if err != nil {
			return nil, err
		}
		s.answers[i], s.rested = now, nil
		s.asked = append(s.asked, now)
		if !now.holds && u.prop.Kind == scenario.Always && (was == nil || was.holds) {
			list = finding.Once(list, s.violated(u, now))
		}
	}
	return list, failed
}

// violated is a property that does not hold.
func (s *Suite) violated(u unit, a *answer) finding.Violation {
	return finding.Violation{Property: u.prop.Name, Kind: finding.Safety, Mote: int16(u.mote), File: u.prop.Pos.File, Line: u.prop.Pos.Line,
		Detail: s.explain(a), At: s.timed(s.w.Now())}
}

// timed is a moment, where there are moments.
func (s *Suite) timed(ps uint64) uint64 {
	if s.plan.without.Explore {
		return 0
	}
	return ps
}

// builtIn takes what the watches have found on a mote.
func (s *Suite) builtIn(mote int, list []finding.Violation) []finding.Violation {
	if s.memory != nil {
		for _, f := range s.memory.Take(mote, nil) {
			v := violation(f.Kind.Check(), f.Mote, f.Place, f.Chain, f.Message)
			v.Harmless, v.At = !f.Write, s.timed(f.At)
			list = finding.Once(list, v)
		}
	}
	if s.kernel != nil {
		for _, f := range s.kernel.Take(mote, nil) {
			v := violation(f.Kind.Check(), f.Mote, f.Place, f.Chain, f.Message)
			v.Harmless, v.At = harmless(f.Kind), s.timed(f.At)
			list = finding.Once(list, v)
		}
	}
	return list
}

// harmless tells kinds of findings after which the mote's state still makes sense: it goes on as its program says, or not at all.
func harmless(k kernel.Kind) bool {
	switch k {
	case kernel.QueueFull, kernel.FailedPost, kernel.Storm, kernel.DeadSleep, kernel.Halted, kernel.Watchdog:
		return true
	}
	return false
}

// violation is one of a built-in check. What happens in a function without lines, as the library's, or in one of a header, which
// everybody uses, is shown where it was called from: it is the caller's bug.
func violation(name string, mote int, at builtin.Place, chain []builtin.Place, message string) finding.Violation {
	v := finding.Violation{Property: name, Kind: finding.Safety, Mote: int16(mote), Function: at.Function, File: at.File, Line: at.Line, Detail: message}
	for _, p := range append([]builtin.Place{at}, chain...) {
		if p.File == "" || strings.HasSuffix(p.File, ".h") {
			continue
		}
		if p != at {
			v.Function, v.File, v.Line = p.Function, p.File, p.Line
			v.Detail = fmt.Sprintf("%s, in %s", message, at.Function)
		}
		break
	}
	return v
}
