package check

import (
	"math/rand/v2"

	"motehound/study/guide"
)

// climb is the trip of a tour that is for the value of a variable, and what such trips have taken so far.
type climb struct {
	aim    *guide.Aim[*place] // nil if the trip is for something else
	mote   int16              // whose variable it is
	known  bool
	lost   bool // the variable has got a value that is not on the way to a new one
	spent  int  // events on such trips
	others int  // and on others
}

// ascend draws a place that shows a value of a variable, if it is time for one: every other event of a tour is for them.
func (s *scouting) ascend(rng *rand.Rand) *place {
	c := &s.climb
	if c.aim, c.lost = nil, false; c.spent > c.others {
		return nil
	}
	var from *place
	from, c.aim = s.ladders.Pick(rng)
	c.mote, c.known = from.whose()
	return from
}

// watch notes whether a trip has come off its way.
func (s *scouting) watch(w *walker) {
	c := &s.climb
	if c.aim == nil || !c.known || w.trace[len(w.trace)-1].Mote != c.mote {
		return
	}
	for _, r := range s.values {
		c.lost = c.lost || c.aim.Lost(r)
	}
}

// book notes what a trip took.
func (c *climb) book(events int) {
	if c.aim == nil {
		c.others += events
		return
	}
	c.spent += events
	c.aim.Book(events)
}
