package check

import "math/rand/v2"

// Pacer is a System that knows what early and late are.
type Pacer interface {
	// Late is by how much an event comes later than the earliest that is enabled for its mote, in picoseconds.
	Late(Event) uint64
	// Clock is what time it is for a mote. Motes' clocks need have nothing to do with each other.
	Clock(mote int16) uint64
}

// gait is how a walk through a Pacer treats time. Each walk draws one. Some do not care, as in the paper. But bugs of timing take
// few events that come at an odd time, and all others as ever; and a goal that needs answers in time is never reached where each
// comes late. So most walks keep to the natural order, of each mote or of all, but for one event in so many; and things fail in one
// event of so many, so that budgets are not spent before the motes have done anything.
type gait struct {
	sys    Pacer
	rng    *rand.Rand
	style  style
	haste  uint64   // of orderly: the most that an event may be late
	loose  int      // one event in so many is any; 0 for none
	calm   int      // something may fail in one event of so many; 0 for none
	began  []uint64 // of natural: each mote's clock at the start, plus 1; 0 if that is not known
	choice []Event
}

type style uint8

const (
	careless style = iota // any event at any time
	orderly               // those of one mote nearly in their order
	natural               // those of all motes, and what is sent arrives at once
	numStyles
)

var hastes = [...]uint64{0, 1e9, 1e10, 1e11}

// newGait draws a gait; nil if the system is no Pacer.
func newGait(sys System, rng *rand.Rand) *gait {
	p, ok := sys.(Pacer)
	if !ok {
		return nil
	}
	g := &gait{sys: p, rng: rng, style: style(rng.IntN(int(numStyles)))}
	g.calm = 1 << (2 * rng.IntN(6))
	g.haste = hastes[rng.IntN(len(hastes))]
	g.loose = 2 << rng.IntN(6)
	return g
}

// settled is the gait in which nothing goes wrong: the natural order, and nothing fails.
func (g *gait) settled() *gait { return &gait{sys: g.sys, rng: g.rng, style: natural} }

// fails tells whether something may fail now.
func (g *gait) fails() bool { return g.calm > 0 && g.rng.IntN(g.calm) == 0 }

// among leaves the events that the walk chooses from.
func (g *gait) among(enabled []Event) []Event {
	if g.style == careless || g.loose > 0 && g.rng.IntN(g.loose) == 0 {
		return enabled
	}
	g.choice = g.choice[:0]
	if g.style == orderly {
		for _, e := range enabled {
			if g.sys.Late(e) <= g.haste {
				g.choice = append(g.choice, e)
			}
		}
		return g.choice
	}
	if e, ok := g.first(enabled); ok {
		g.choice = append(g.choice, e)
		return g.choice
	}
	return enabled
}

// first is the event that comes first in nature: what was sent arrives; else the mote that is behind does what it has to first. What
// comes from outside comes when nothing else does, and now and then.
func (g *gait) first(enabled []Event) (Event, bool) {
	const often = 32
	outside := g.rng.IntN(often) == 0
	best, found := Event{}, false
	for _, e := range enabled {
		switch {
		case !e.natural() || e.Class == Input && !outside:
			continue
		case e.Class == Frame || e.Class == Input:
			return e, true
		case !found || g.before(e, best):
			best, found = e, true
		}
	}
	if found {
		return best, true
	}
	for _, e := range enabled {
		if e.natural() {
			return e, true
		}
	}
	return Event{}, false
}

// before tells whether one event comes before another: interrupts and tasks.
func (g *gait) before(a, b Event) bool {
	if a.Mote != b.Mote {
		return g.elapsed(a.Mote) < g.elapsed(b.Mote)
	}
	return g.sys.Late(a) < g.sys.Late(b)
}

// elapsed is how much time has passed for a mote in this walk.
func (g *gait) elapsed(mote int16) uint64 {
	if mote < 0 {
		return 0
	}
	for int(mote) >= len(g.began) {
		g.began = append(g.began, 0)
	}
	now := g.sys.Clock(mote)
	if g.began[mote] == 0 {
		g.began[mote] = now + 1
	}
	return now + 1 - g.began[mote]
}
