package property

import (
	"cmp"
	"slices"

	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/study/property/memory"
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
		for _, f := range s.causes(s.watch.Take(i)) {
			list = finding.Once(list, f.Violation())
		}
	}
	for _, v := range broken {
		list = finding.Once(list, v)
	}
	for i, u := range s.prepared.units {
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

// Mend undoes what the checks want undone. It is called between instructions, whenever a mote pauses.
func (s *Suite) Mend() { s.watch.Mend() }

// spoils tells whether a finding leaves memory in which nothing makes sense.
func spoils(f builtin.Finding) bool {
	return !f.Harmless && !f.Mended && slices.Contains(memory.Check{}.Kinds(), f.Kind)
}

// causes leaves what was found on a mote in one step up to the first thing that spoils its memory, where steps are events. What comes behind that in the same
// event is most often its consequence: an overrun hits the stack, and every function that returns goes astray. What has another cause shows in other events.
func (s *Suite) causes(list []builtin.Finding) []builtin.Finding {
	if !s.prepared.explore {
		return list
	}
	slices.SortStableFunc(list, func(a, b builtin.Finding) int { return cmp.Compare(a.Cycle, b.Cycle) })
	list = onceNull(list)
	if first := slices.IndexFunc(list, spoils); first >= 0 {
		list = list[:first+1]
	}
	return list
}

// onceNull leaves the first access through a null pointer of those in one function. Code that reads through one goes on to read its next field, or to write: that has the same cause.
// The one that stays is harmful if any of them is.
func onceNull(list []builtin.Finding) []builtin.Finding {
	var out []builtin.Finding
	for _, f := range list {
		where := f.Violation().Function
		i := slices.IndexFunc(out, func(g builtin.Finding) bool {
			return f.Kind == memory.Null && g.Kind == memory.Null && g.Violation().Function == where
		})
		if i < 0 {
			out = append(out, f)
		} else if g := &out[i]; g.Harmless && !f.Harmless {
			g.Harmless, g.Mended = false, f.Mended
			g.Message += ", and then " + f.Message
		} else if !f.Harmless {
			g.Mended = g.Mended && f.Mended
		}
	}
	return out
}

// violated is a property that does not hold.
func (s *Suite) violated(u unit, a *answer) finding.Violation {
	return finding.Violation{Property: u.prop.Name, Kind: finding.Safety, Mote: int16(u.mote), File: u.prop.Pos.File, Line: u.prop.Pos.Line,
		Detail: s.explain(a), At: s.timed(s.w.Now())}
}

// timed is a moment, where there are moments.
func (s *Suite) timed(ps uint64) uint64 {
	if s.prepared.explore {
		return 0
	}
	return ps
}
