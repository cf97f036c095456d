// Package travel goes to any moment of a run, forwards and backwards, and looks at all motes there: of a timed run (also one that symbolic found),
// and of an explored one, whose motes have no common clock.
//
// Nothing is kept of a run but snapshots, at distances that grow with its length so that they fit into a bound. Everything else is made again
// from the snapshot before. What happened in a stretch of the run is found by running it again with somebody watching.
//
// Invariants: travelling changes nothing in a run: the state at a Point is that of a straight run there, however one came to it. The motes that
// are shown are for looking at only.
package travel

import (
	"cmp"
	"errors"
	"fmt"

	"motehound/mote"
	"motehound/study/verdict"
	"motehound/world"
)

// Point is a moment of a run. The motes are where they are when everything before it has happened.
type Point struct {
	// Event is, of an explored run, the event that comes next or is under way, counted from 1. It is 0 of a timed run.
	Event int
	// Time is in picoseconds: of a timed run since its start; of an explored one by the clock of the event's mote, or 0 before the event.
	Time uint64
}

// Compare orders points.
func (p Point) Compare(q Point) int {
	return cmp.Or(cmp.Compare(p.Event, q.Event), cmp.Compare(p.Time, q.Time))
}

// Stop is where a traveller is: a point, and the mote that is looked at. Motes do things at the same moment; then the one with the lower index
// is first.
type Stop struct {
	Point
	Mote int
}

// Compare orders stops.
func (s Stop) Compare(t Stop) int {
	return cmp.Or(s.Point.Compare(t.Point), cmp.Compare(s.Mote, t.Mote))
}

// track is a run that can be made again in pieces.
type track interface {
	world() *world.World // at the present point
	now() Point
	// bounds are the first and the last point.
	bounds() (first, last Point)
	// seek goes to a point, or to the last one. Stop, which may be nil, ends it early; then the present point is another one, behind which nothing is wrong.
	seek(p Point, stop func() bool) error
	// scan makes a stretch of the run again and tells what is watched in it: from a point on, up to and without another one.
	scan(from, to Point, w *Watch, each func(Hit), stop func() bool) error
	// further is a point so much later or, if the step is less than 0, earlier that looking there for something is worth it: steps grow with their number.
	further(p Point, step int) Point
	// unwritten goes back from a point over what need not be looked at, since nobody has written to some bytes there, or changed them.
	unwritten(before Point, r Range, changed bool) Point
}

// Traveller is somebody in a run.
type Traveller struct {
	track
	mote int
}

// ErrInterrupted is that somebody did not want to wait any more.
var ErrInterrupted = verdict.ErrInterrupted

// Here is where the traveller is.
func (t *Traveller) Here() Stop { return Stop{t.now(), t.mote} }

// Bounds are the first and the last point of the run.
func (t *Traveller) Bounds() (first, last Point) { return t.bounds() }

// Explored reports whether it is a run of events, in an order of their own, rather than of time.
func (t *Traveller) Explored() bool {
	first, _ := t.bounds()
	return first.Event > 0
}

// Look turns to a mote.
func (t *Traveller) Look(mote int) error {
	if mote < 0 || mote >= len(t.Motes()) {
		return fmt.Errorf("there is no mote with index %d: the run has %d", mote, len(t.Motes()))
	}
	t.mote = mote
	return nil
}

// Mote is the mote that the traveller looks at.
func (t *Traveller) Mote() *mote.Mote { return t.Motes()[t.mote] }

// Motes are the motes at the present point.
func (t *Traveller) Motes() []*mote.Mote { return t.world().Motes() }

// World is the motes at the present point, with what is between them.
func (t *Traveller) World() *world.World { return t.world() }

// Go goes to a point: the first or the last one if it is not between them.
func (t *Traveller) Go(p Point, stop func() bool) error {
	first, last := t.bounds()
	if p.Compare(first) < 0 {
		p = first
	}
	if p.Compare(last) > 0 {
		p = last
	}
	return t.seek(p, stop)
}

// goTo goes to where something was seen.
func (t *Traveller) goTo(h Hit, stop func() bool) error {
	if err := t.seek(h.Point, stop); err != nil {
		return err
	}
	t.mote = h.Mote
	return nil
}

// ErrNone is that what was looked for is not in the run, on that side.
var ErrNone = errors.New("there is none on this side of the run")

// Next goes to the first thing that is watched behind the present stop, and tells which it is. If there is none, it goes to the end. When it is
// interrupted, it goes to about where it has looked up to.
func (t *Traveller) Next(w *Watch, stop func() bool) (Hit, error) {
	here := t.Here()
	_, last := t.bounds()
	for from, step := here.Point, 1; from.Compare(last) < 0; step++ {
		to := t.further(from, step)
		var first *Hit
		err := t.scan(from, to, w, func(h Hit) {
			if h.Stop.Compare(here) > 0 && (first == nil || h.Stop.Compare(first.Stop) < 0) {
				first = &h
			}
		}, stop)
		if errors.Is(err, ErrInterrupted) && from != here.Point {
			return Hit{}, errors.Join(err, t.seek(from, nil))
		}
		if err != nil {
			return Hit{}, err
		}
		if first != nil {
			return *first, t.goTo(*first, stop)
		}
		from = to
	}
	if err := t.seek(last, stop); err != nil {
		return Hit{}, err
	}
	return Hit{}, ErrNone
}

// Previous goes to the last thing that is watched before the present stop. If there is none, it goes to the beginning.
func (t *Traveller) Previous(w *Watch, stop func() bool) (Hit, error) {
	h, err := t.before(t.Here(), w, stop)
	switch {
	case err == nil:
		return h, t.goTo(h, stop)
	case errors.Is(err, ErrNone):
		first, _ := t.bounds()
		if err := t.seek(first, stop); err != nil {
			return Hit{}, err
		}
	}
	return Hit{}, err
}

// before finds the last thing that is watched before a stop. Several motes may do something at its moment, so that is looked at too.
func (t *Traveller) before(here Stop, w *Watch, stop func() bool) (Hit, error) {
	first, last := t.bounds()
	only, narrow := w.only()
	to := here.Point
	if to.Compare(last) < 0 {
		to.Time++
	}
	for step := -1; to.Compare(first) > 0; step-- {
		if narrow {
			if to = t.unwritten(to, only, len(w.Changes) > 0); to.Compare(first) <= 0 {
				break
			}
		}
		from := t.further(to, step)
		var found *Hit
		err := t.scan(from, to, w, func(h Hit) {
			if h.Stop.Compare(here) < 0 && (found == nil || h.Stop.Compare(found.Stop) >= 0) {
				found = &h
			}
		}, stop)
		if err != nil {
			return Hit{}, err
		}
		if found != nil {
			return *found, nil
		}
		to = from
	}
	return Hit{}, ErrNone
}

// Between tells what is watched from a point on, up to and without another one. Of a timed run, what motes did comes in no order.
func (t *Traveller) Between(from, to Point, w *Watch, each func(Hit), stop func() bool) error {
	return t.scan(from, to, w, each, stop)
}
