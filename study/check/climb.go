package check

import (
	"math/rand/v2"
	"slices"

	"motehound/study/guide"
)

// climb is the trip of a tour that is for the value of a variable, and what such trips have taken so far.
type climb struct {
	share  int                // of four events, so many are for such trips
	aim    *guide.Aim[*place] // nil if the trip is for something else
	mote   int16              // whose variable it is
	known  bool
	lost   bool // the variable has got a value that is not on the way to a new one
	spent  int  // events on such trips
	others int  // and on others
}

// To climb takes more events than a short tour has. So where tours are short, a few walks are left out for one long tour each, most of it for ladders: where inputs are made up, in which
// most variables have what an input says, only after many walks that are not.
const (
	longer  = 3      // a long tour is so many times as long as a usual one
	fedLong = 6      // likewise, where inputs are made up
	uphill  = 40_000 // events in which a tour gets somewhere
	climber = 12     // of so many walks, one
	fed     = 48     // of so many, three, where inputs are made up
)

// plan says how much of a walk is for the values of variables. It gives the most events of the walk, and tells whether it is a long tour and nothing else. None of those keeps to
// what hardware can do. They are half as many if hardware hardly makes what was found: then few walks do not keep to that.
func (c *climb) plan(piece, events int, made, goals, odd bool) (most int, long bool) {
	switch c.share = 1; {
	case made:
		if c.share = 0; !slices.Contains([]int{18, 19, 21}, piece%fed) {
			return events, false
		}
		events *= fedLong
	case !goals && climbs(piece, odd) && events < uphill*shareOfTour:
		events = min(longer*events, uphill*shareOfTour)
	default:
		return events, false
	}
	c.share = 3
	return events, true
}

// climbs tells whether a walk is left out for a long tour.
func climbs(piece int, odd bool) bool {
	if odd {
		return piece%(2*climber) == 7
	}
	return piece%climber == 4
}

// ascend draws a place that shows a value of a variable, if it is time for one.
func (s *scouting) ascend(rng *rand.Rand) *place {
	c := &s.climb
	if c.aim, c.lost = nil, false; c.share == 0 || (4-c.share)*c.spent > c.share*c.others {
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
