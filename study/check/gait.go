package check

import (
	"math/rand/v2"
	"slices"
)

// Pacer is a System that knows what early and late are.
type Pacer interface {
	// Late is by how much an event comes later than the earliest that is enabled for its mote, in picoseconds.
	Late(Event) uint64
	// Clock is what time it is for a mote. Motes' clocks need have nothing to do with each other.
	Clock(mote int16) uint64
}

// gait is how a walk through a Pacer treats time. A walk draws one, and now and then another. Some do not care, as in the paper. But bugs of timing take
// few events that come at an odd time, and all others as ever; and a goal that needs answers in time is never reached where each
// comes late. So most walks keep to the natural order, of each mote or of all, but for one event in so many, or but for one queue
// that is slow; and things fail in one event of so many, so that budgets are not spent before the motes have done anything.
type gait struct {
	sys    Pacer
	rng    *rand.Rand
	style  style
	haste  uint64   // of orderly: the most that an event may be late
	loose  int      // one event in so many is any; 0 for none
	calm   int      // something may fail in one event of so many; 0 for none
	began  []uint64 // of natural: each mote's clock at the start, plus 1; 0 if that is not known
	choice []Event
	// In every other gait that is not orderly, now and then one queue has to wait for a while, whatever the others do.
	slow   bool
	lag    uint64 // the queue
	left   int    // for how many events
	met    []uint64
	prompt []Event
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
	g.slow = g.style != orderly && rng.IntN(2) == 0
	return g
}

// settled is the gait in which nothing goes wrong: the natural order, and nothing fails.
func (g *gait) settled() *gait { return &gait{sys: g.sys, rng: g.rng, style: natural} }

// fails tells whether something may fail now.
func (g *gait) fails() bool { return g.calm > 0 && g.rng.IntN(g.calm) == 0 }

// among leaves the events that the walk chooses from.
func (g *gait) among(enabled []Event) []Event {
	if g.slow {
		enabled = g.withhold(enabled)
	}
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

// queue tells apart queues of motes: the event's key without its option.
func (e Event) queue() uint64 { return e.key() >> 8 }

// meet notes which queues there are. One that seldom has something is as good as any other.
func (g *gait) meet(enabled []Event) {
	const most = 256
	for _, e := range enabled {
		if q := e.queue(); !slices.Contains(g.met, q) && len(g.met) < most {
			g.met = append(g.met, q)
		}
	}
}

// withhold leaves out the events of the queue that has to wait, unless there are no others.
func (g *gait) withhold(enabled []Event) []Event {
	if len(enabled) == 0 {
		return enabled
	}
	const often, shortest, doublings = 32, 16, 8
	g.meet(enabled)
	if g.left == 0 {
		if g.rng.IntN(often) != 0 {
			return enabled
		}
		g.lag, g.left = g.met[g.rng.IntN(len(g.met))], shortest<<g.rng.IntN(doublings)
	}
	g.left--
	g.prompt = g.prompt[:0]
	for _, e := range enabled {
		if e.queue() != g.lag {
			g.prompt = append(g.prompt, e)
		}
	}
	if len(g.prompt) == 0 {
		return enabled
	}
	return g.prompt
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
