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
	// Due is when an interrupt, a task or a frame comes in nature at the earliest, by the clock of its mote.
	Due(Event) uint64
	// Overdue says what would wait longer than it can in nature if an event were fired now, and by how much, in picoseconds: nothing for
	// an event that can come now in nature, too. As a rule there is such an event in every state that no strain has led to.
	Overdue(e Event, tell func(what Event, by uint64))
	// Finite reports whether an event is one of those from outside of which there are only so many: a button is pressed, a character comes.
	Finite(Event) bool
	// Strained is the most that Overdue has told of the events that led to this state. It is no part of what is hashed.
	Strained() uint64
}

// strained is how much strain has led to a system's state.
func strained(s System) uint64 {
	if p, ok := s.(Pacer); ok {
		return p.Strained()
	}
	return 0
}

// strain is by how much an event makes something wait for too long, but for what may: by key.
func strain(p Pacer, e Event, may map[uint64]bool) uint64 {
	most := uint64(0)
	p.Overdue(e, func(what Event, by uint64) {
		if !may[what.key()] {
			most = max(most, by)
		}
	})
	return most
}

// easily leaves the events that can come now in nature; all of them if none can, or if nobody knows.
func easily(s System, enabled, dst []Event) []Event {
	p, ok := s.(Pacer)
	if !ok {
		return enabled
	}
	for _, e := range enabled {
		if strain(p, e, nil) == 0 {
			dst = append(dst, e)
		}
	}
	if len(dst) == 0 {
		return enabled
	}
	return dst
}

// strategy is how a walk through a Pacer treats time. A walk draws one, and now and then another. Some do not care, as in the paper. But bugs of timing take
// few events that come at an odd time, and all others as ever; and a goal that needs answers in time is never reached where each
// comes late. So most walks keep to the natural order, of each mote or of all, but for one event in so many, or but for one queue
// that is slow; and things fail in one event of so many, so that budgets are not spent before the motes have done anything.
type strategy struct {
	sys    Pacer
	rng    *rand.Rand
	style  style
	haste  uint64   // of orderly: the most that an event may be late
	loose  int      // one event in so many is any; 0 for none
	calm   int      // something may fail in one event of so many; 0 for none
	began  []uint64 // of natural: each mote's clock at the start, plus 1; 0 if that is not known
	choice []Event
	// patience is how many things were done before a frame that could have arrived.
	patience int
	// What comes from outside only so often can come in one event of so many; 0 if that is still to be drawn. In half of all strategies that is always, and in the others seldom: who presses
	// a button as soon as it can be pressed never presses it when the program has run for some seconds.
	scarce int
	scant  []Event
	// In every other strategy that is not orderly, now and then one queue has to wait for a while, whatever the others do.
	slow   bool
	lag    uint64 // the queue
	left   int    // for how many events
	met    []uint64
	prompt []Event
	last   int16 // the mote that did the last thing; negative for none
	// Where one mote is alone, the others do nothing as long as it can do something.
	alone bool
	only  int16
	own   []Event
}

type style uint8

const (
	careless style = iota // any event at any time
	orderly               // those of one mote nearly in their order
	natural               // those of all motes, and what is sent arrives at once
	numStyles
)

var hastes = [...]uint64{0, 1e9, 1e10, 1e11}

// newStrategy draws a strategy; nil if the system is no Pacer.
func newStrategy(sys System, rng *rand.Rand) *strategy {
	p, ok := sys.(Pacer)
	if !ok {
		return nil
	}
	g := &strategy{sys: p, rng: rng, style: style(rng.IntN(int(numStyles)))}
	g.calm = 1 << (2 * rng.IntN(6))
	g.haste = hastes[rng.IntN(len(hastes))]
	g.loose = 2 << rng.IntN(6)
	g.slow = g.style != orderly && rng.IntN(2) == 0
	return g
}

// settled is the strategy in which nothing goes wrong: the natural order, and nothing fails.
func (g *strategy) settled() *strategy { return &strategy{sys: g.sys, rng: g.rng, style: natural} }

// fails tells whether something may fail now.
func (g *strategy) fails() bool { return g.calm > 0 && g.rng.IntN(g.calm) == 0 }

// among leaves the events that the walk chooses from.
func (g *strategy) among(enabled []Event) []Event {
	if g.alone {
		enabled = g.single(enabled)
	}
	if g.slow {
		enabled = g.withhold(enabled)
	}
	enabled = g.spare(enabled)
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

// spare leaves out what comes from outside only so often, unless there is nothing else.
func (g *strategy) spare(enabled []Event) []Event {
	if g.calm == 0 || !slices.ContainsFunc(enabled, g.sys.Finite) { // nothing goes wrong in settled ones
		return enabled
	}
	if g.scarce == 0 {
		const seldom, steps, rarer = 64, 3, 3
		if g.scarce = 1; g.rng.IntN(2) == 0 {
			g.scarce = seldom << (rarer * g.rng.IntN(steps))
		}
	}
	if g.scarce == 1 || g.rng.IntN(g.scarce) == 0 {
		return enabled
	}
	g.scant = g.scant[:0]
	for _, e := range enabled {
		if !g.sys.Finite(e) {
			g.scant = append(g.scant, e)
		}
	}
	if len(g.scant) == 0 {
		return enabled
	}
	return g.scant
}

// queue tells apart queues of motes: the event's key without its option. Its mote is behind the lowest queueBits.
func (e Event) queue() uint64 { return e.key() >> 8 }

const queueBits = 24

// kindOfQueue is a queue, of whichever mote.
type kindOfQueue uint32

func kindOf(queue uint64) kindOfQueue { return kindOfQueue(queue & (1<<queueBits - 1)) }

// of is the queue of this kind of a mote.
func (k kindOfQueue) of(mote int16) uint64 { return uint64(uint16(mote))<<queueBits | uint64(k) }

// meet notes which queues there are. One that seldom has something is as good as any other.
func (g *strategy) meet(enabled []Event) {
	const most = 256
	for _, e := range enabled {
		if q := e.queue(); !slices.Contains(g.met, q) && len(g.met) < most {
			g.met = append(g.met, q)
		}
	}
}

// delay has a queue wait for a while.
func (g *strategy) delay(queue uint64) {
	const shortest, doublings = 16, 8
	g.lag, g.left = queue, shortest<<g.rng.IntN(doublings)
}

// lagging is the queue that has to wait now; 0 for none.
func (g *strategy) lagging() uint64 {
	if g == nil || !g.slow || g.left == 0 {
		return 0
	}
	return g.lag
}

// withhold leaves out the events of the queue that has to wait, unless there are no others.
func (g *strategy) withhold(enabled []Event) []Event {
	if len(enabled) == 0 {
		return enabled
	}
	const often = 32
	g.meet(enabled)
	if g.left == 0 {
		if g.rng.IntN(often) != 0 {
			return enabled
		}
		g.delay(g.victim())
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

// victim draws the queue that has to wait. Most often it is one of the mote that did the last thing: what that has begun stays as it is while others, and the rest of
// the mote, go on.
func (g *strategy) victim() (queue uint64) {
	const often = 4
	queue = g.met[g.rng.IntN(len(g.met))]
	if g.rng.IntN(often) == 0 {
		return queue
	}
	n := 0
	for _, q := range g.met {
		if g.last >= 0 && int16(q>>queueBits) == g.last {
			if n++; g.rng.IntN(n) == 0 {
				queue = q
			}
		}
	}
	return queue
}

// single leaves the events of the mote that is alone, unless there are no others.
func (g *strategy) single(enabled []Event) []Event {
	g.own = g.own[:0]
	for _, e := range enabled {
		if e.Mote == g.only {
			g.own = append(g.own, e)
		}
	}
	if len(g.own) == 0 {
		return enabled
	}
	return g.own
}

// first is the event that comes first in nature: what was sent arrives, once its receiver has done what it had to do already; else the
// mote does something whose time comes first. What comes from outside comes when nothing else does, and now and then.
func (g *strategy) first(enabled []Event) (Event, bool) {
	const often = 32
	outside := g.rng.IntN(often) == 0
	best, found := Event{}, false
	for _, e := range enabled {
		switch {
		case !e.natural() || e.Class == Input && !outside:
			continue
		case e.Class == Frame:
			return g.readied(enabled, e), true
		case e.Class == Input:
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

// readied is a frame that arrives, or what its receiver does before, since that has waited for some time: a frame takes time to arrive.
// Some motes always have something to do, so a frame waits for a few things only.
func (g *strategy) readied(enabled []Event, frame Event) Event {
	const few = 4
	best, found := frame, false
	arrives := g.sys.Due(frame)
	for _, e := range enabled {
		if e.Mote == frame.Mote && e.natural() && e.Class <= Task && g.sys.Due(e) <= arrives && (!found || g.before(e, best)) {
			best, found = e, true
		}
	}
	if !found || g.patience == few {
		g.patience = 0
		return frame
	}
	g.patience++
	return best
}

// before tells whether one event comes before another: interrupts and tasks. How long a mote has still to wait counts, not how far it
// has come: who does something late in the future must not do it before others have sent what it would have heard until then.
func (g *strategy) before(a, b Event) bool {
	if a.Mote != b.Mote {
		return g.elapsed(a) < g.elapsed(b)
	}
	return g.sys.Late(a) < g.sys.Late(b)
}

// elapsed is how much time will have passed for a mote in this walk when an event comes.
func (g *strategy) elapsed(e Event) uint64 {
	if e.Mote < 0 {
		return 0
	}
	for int(e.Mote) >= len(g.began) {
		g.began = append(g.began, 0)
	}
	now := g.sys.Clock(e.Mote)
	if g.began[e.Mote] == 0 {
		g.began[e.Mote] = now + 1
	}
	return max(now, g.sys.Due(e)) + 1 - g.began[e.Mote]
}
