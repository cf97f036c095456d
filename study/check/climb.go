package check

import (
	"math/rand/v2"
	"slices"

	"motehound/study/guide"
)

// climb is the trip of a tour that is for the value of a variable, and what such trips have taken so far.
type climb struct {
	share  int                // so many events are for such trips, for each one that is for something else
	aim    *guide.Aim[*place] // nil if the trip is for something else
	mote   int16              // whose variable it is
	known  bool
	lost   bool // the variable has got a value that is not on the way to a new one
	spent  int  // events on such trips
	others int  // and on others
}

// Where inputs are made up, most variables have what an input says, and to climb takes more events than a tour has there. So few walks are for that, after many that are not, and
// each of those is one long tour.
const (
	climbers = 48 // of so many walks, three
	longer   = 6
)

// plan says how many of the events of a walk are for the values of variables, and tells whether it is a long tour.
func (c *climb) plan(piece int, made bool) (long bool) {
	switch {
	case !made:
		c.share = 1
	case slices.Contains([]int{18, 19, 21}, piece%climbers): // these do not keep to what hardware can do
		c.share = 3
		return true
	}
	return false
}

// ascend draws a place that shows a value of a variable, if it is time for one.
func (s *scouting) ascend(rng *rand.Rand) *place {
	c := &s.climb
	if c.aim, c.lost = nil, false; c.share == 0 || c.spent > c.share*c.others {
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
