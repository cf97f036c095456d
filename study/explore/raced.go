package explore

import (
	"motehound/study/check"
	"motehound/study/finding"
)

// Raced is a race that is possible in some state: what becomes of the wrong value, and what would have to be atomic.
type Raced struct {
	Variable string // that both touch
	Wrong    string // that has a value which it has in neither order
	Use      Use
}

// Raced works out a race with this cause in the state of the System; nil if there is none. Of several it is the one of the event.
func (s *System) Raced(cause finding.Cause, of check.Event) (*Raced, error) {
	found, at := -1, (*point)(nil)
	for i := range s.seats {
		o, err := s.look(i)
		if err != nil {
			return nil, err
		}
		for n := range o.points {
			if p := &o.points[n]; p.race != nil && s.violation(i, p).Cause() == cause && (at == nil || p.event(i) == of) {
				found, at = i, p
			}
		}
	}
	if at == nil {
		return nil, nil
	}
	r := &Raced{Variable: at.race.shared.Name, Wrong: at.race.wrong.Name}
	var err error
	r.Use, err = s.use(found, at)
	return r, err
}
