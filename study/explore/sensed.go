package explore

import (
	"fmt"
	"slices"
)

// Readings that are supposed. A sensor of which the scenario says nothing reads the same all the time. So a handler that keeps a reading writes what is there already, and
// who reads half of the old one and half of the new one does not show. But a sensor may read anything, at any time. So where V comes into accesses that belong
// together, and it looks at the ADC, and nothing is lost, it is asked what would be if the ADC's last conversion, and those behind it, read something else. E must leave
// the ADC alone: it might have seen another reading already.

// otherReadings are tried one after the other: close to the middle, where both bytes differ, and both ends.
var otherReadings = [...]int64{511, 1023, 0}

// wouldRead finds what is lost at a spot once the sensors that V looks at read something else; nil if nothing is.
func (s *System) wouldRead(i int, o *outlook, at spot, f *contact) (*race, error) {
	kind := s.sh.motes[i].kind
	was, free := s.body.w.Senses(i)
	if f.asks&kind.adc == 0 || !free || slices.ContainsFunc(at.alone, func(e entry) bool { return e.owners&kind.adc != 0 }) {
		return nil, nil
	}
	if s.tornAt(i, &at, f.anyway()) == nil {
		return nil, nil
	}
	for _, is := range otherReadings {
		x := supposed{is: is, was: int64(was)}
		if found, err := s.lostIf(i, o.supposing(x), at); found != nil || err != nil {
			if found != nil {
				found.supposed = &x
			}
			return found, err
		}
	}
	return nil, nil
}

// told says what is supposed.
func (x *supposed) told(vector string) string {
	if x.Size == 0 {
		return fmt.Sprintf("once the sensor reads %d (it reads %d here): ", x.is, x.was)
	}
	return fmt.Sprintf("once %s is %d (it is %d here, and %s counts it on): ", x.Name, x.is, x.was, vector)
}
