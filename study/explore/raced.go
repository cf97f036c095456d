package explore

import (
	"motehound/study/check"
	"motehound/study/finding"
)

// Raced is a race that is possible in the state of a System. It is about that state: what it gives is worked out there.
type Raced struct {
	Variable string // that both touch
	Object   string // the whole of it, if that is a field or an element
	Wrong    string // that has a value which it has in neither order
	Advice   string // what helps, if no atomic section does

	s    *System
	mote int
	at   *point
}

// Raced finds a race in the state of the System; nil if there is none that is asked for. It is that of the event, if that is an interrupt in the middle
// of something, or one of those that are listed.
func (s *System) Raced(of check.Event, asked func(v finding.Violation, object string) bool) (*Raced, error) {
	known := func(i int, p *point) *Raced {
		if p == nil || p.race == nil || !asked(s.violation(i, p), p.race.shared.Object) {
			return nil
		}
		r := &Raced{Variable: p.race.shared.Name, Object: p.race.shared.Object, Wrong: p.race.wrong.Name, s: s, mote: i, at: p}
		if p.race.kind == missedWake {
			r.Advice = "SLEEP would be in it. Turn interrupts off before you look whether there is something to do, and on again by the instruction before SLEEP"
		}
		return r
	}
	if of.Intrudes() && s.Intrudes(of) {
		if r := known(int(of.Mote), s.point(int(of.Mote), of)); r != nil {
			return r, nil
		}
	}
	for i := range s.seats {
		o, err := s.look(i)
		if err != nil {
			return nil, err
		}
		for n := range o.points {
			if r := known(i, &o.points[n]); r != nil {
				return r, nil
			}
		}
	}
	return nil, nil
}

// Use is what becomes of the wrong value.
func (r *Raced) Use() (Use, error) { return r.s.use(r.mote, r.at) }

// Section is what has to be atomic, together with sections of the System that it overlaps; nil if that cannot be in one piece.
func (r *Raced) Section() (*Section, error) {
	return r.s.section(r.mote, r.s.seats[r.mote].outlook, r.at)
}
