package check

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"

	"motehound/study/finding"
	"motehound/study/guide"
)

// lesson is what others learn from one walk: places that it found, and what came of going on from those that were known.
type lesson struct {
	Places []*newPlace     `json:"places,omitempty"`
	Used   []usedPlace     `json:"used,omitempty"`
	Causes []finding.Cause `json:"causes,omitempty"` // of what was found
	Inputs []MadeInput     `json:"inputs,omitempty"` // that events on the way to the places bring
	Bound  bool            `json:"bound,omitempty"`  // the walk kept to what hardware can do
	Odd    oddity          `json:"odd,omitempty"`    // of what it has found
	Lags   []kindOfQueue   `json:"lags,omitempty"`   // that had to wait when something was found
}

// newPlace is a place that a walk found.
type newPlace struct {
	From     int             `json:"from,omitempty"` // number of a place; 0 for the start
	Events   eventList       `json:"events"`
	Features []guide.Feature `json:"features"`
	Seen     []int           `json:"seen"` // how often the walk saw each of them
	Holds    []guide.Feature `json:"holds,omitempty"`
	Held     []int           `json:"held,omitempty"` // and of these
	Lag      uint64          `json:"lag,omitempty"`
	Picked   int             `json:"picked,omitempty"`
	Yield    int             `json:"yield,omitempty"`

	place *place
}

// usedPlace is a place that a walk went on from.
type usedPlace struct {
	Place int `json:"place"`
	Times int `json:"times"`
	Yield int `json:"yield,omitempty"`

	entry *guide.Entry[*place]
}

// lesson is what a walk has found. Places that were not kept become parts of the ways to those that were.
func (s *scouting) lesson(hits []hit) *lesson {
	if s == nil {
		return nil
	}
	l := &lesson{Bound: s.bound}
	for _, h := range hits {
		l.Causes = append(l.Causes, h.Cause())
		if h.lag != 0 {
			l.Lags = append(l.Lags, kindOf(h.lag))
		}
	}
	kept := make(map[*place]bool)
	for _, e := range s.own.View().Entries {
		p := e.State
		for p.from != nil && p.from.number == 0 && !kept[p.from] {
			p.events = append(p.from.events[:len(p.from.events):len(p.from.events)], p.events...)
			p.from = p.from.from
		}
		kept[p] = true
		holds := s.rarest(e.Holds)
		l.Places = append(l.Places, &newPlace{Events: p.events, Features: e.Features, Seen: s.counts(e.Features), Holds: holds,
			Held: s.counts(holds), Lag: p.lag, Picked: e.Picked, Yield: e.Yield, place: p})
	}
	for _, u := range s.used {
		l.Used = append(l.Used, usedPlace{Place: u.entry.State.number, Times: u.times, Yield: u.yield, entry: u.entry})
	}
	return l
}

// counts is how often the walk saw features.
func (s *scouting) counts(list []guide.Feature) (all []int) {
	for _, f := range list {
		all = append(all, s.seen.Of(f))
	}
	return all
}

// apply teaches the guides.
func (l *lesson) apply(g *guides, piece int) {
	if l == nil {
		return
	}
	a := g.of[archiveOf(l.Bound)]
	g.odd = max(g.odd, l.Odd)
	for _, c := range l.Causes {
		if !slices.Contains(g.causes, c) {
			g.causes = append(g.causes, c)
		}
	}
	for _, q := range l.Lags {
		if !slices.Contains(g.lags, q) && len(g.lags) < mostLags {
			g.lags = append(g.lags, q)
		}
	}
	for _, u := range l.Used {
		a.Book(u.entry, u.Times, u.Yield)
	}
	for _, n := range l.Places {
		g.places++
		n.place.number = g.places
		if n.place.from != nil {
			n.From = n.place.from.number
		}
		a.Heed(n.Features, n.Seen)
		a.Heed(n.Holds, n.Held)
		if e := a.Add(n.place, n.place.length, n.Features, piece); e != nil {
			e.Holds = n.Holds
			a.Book(e, n.Picked, n.Yield)
		}
	}
}

// restore makes the guides what they were after some walks.
func (g *guides) restore(lessons []*lesson) error {
	places, entries := make(map[int]*place), make(map[int]*guide.Entry[*place])
	for piece, l := range lessons {
		if l != nil {
			for i := range l.Used {
				if l.Used[i].entry = entries[l.Used[i].Place]; l.Used[i].entry == nil {
					return errNoPlace
				}
			}
			for i, n := range l.Places {
				from := places[n.From]
				if from == nil && n.From != 0 {
					return errNoPlace
				}
				n.place = &place{from: from, events: n.Events, length: len(n.Events), lag: n.Lag}
				if from != nil {
					n.place.length += from.length
				}
				places[g.places+1+i] = n.place
			}
		}
		g.learn(piece, l)
		for _, v := range g.views[g.booked].of {
			for _, e := range v.Entries {
				entries[e.State.number] = e
			}
		}
	}
	return nil
}

var errNoPlace = errors.New("a walk went on from a place that nobody has found")

// walked keeps how many walks are done. It need not be on the disk at once: a walk that is done twice finds the same twice.
func (r *runner) walked(walks int, events uint64, l *lesson) error {
	r.progress.walked = &walked{Walks: walks, Events: events}
	return r.o.Log.write(record{Walked: &walked{Walks: walks, Events: events, Stats: r.o.Meter.Stats(), Lesson: l}}, false)
}

// eventList is a way, written as text that is short.
type eventList []Event

// MarshalText implements encoding.TextMarshaler.
func (l eventList) MarshalText() ([]byte, error) {
	var data []byte
	for _, e := range l {
		data = binary.AppendVarint(data, int64(e.Mote))
		for _, n := range [...]uint64{uint64(e.Class), uint64(e.Source), uint64(e.Option), uint64(e.Serial)} {
			data = binary.AppendUvarint(data, n)
		}
	}
	return base64.StdEncoding.AppendEncode(nil, data), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *eventList) UnmarshalText(text []byte) error {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	*l = nil
	for len(data) > 0 {
		mote, n := binary.Varint(data)
		bad := n <= 0
		var x [4]uint64
		for i := range x {
			data = data[max(0, n):]
			x[i], n = binary.Uvarint(data)
			bad = bad || n <= 0
		}
		data = data[max(0, n):]
		e := Event{Mote: int16(mote), Class: Class(x[0]), Source: uint16(x[1]), Option: uint8(x[2]), Serial: uint32(x[3])}
		if bad || int64(e.Mote) != mote || [4]uint64{uint64(e.Class), uint64(e.Source), uint64(e.Option), uint64(e.Serial)} != x {
			return errors.New("a way has something in it that is no event")
		}
		*l = append(*l, e)
	}
	return nil
}
