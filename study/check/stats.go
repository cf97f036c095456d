package check

import (
	"fmt"
	"math"
	"sync/atomic"
)

// Stats is how much was explored. Progress reads it while the exploration goes on.
type Stats struct {
	Events  uint64 `json:"events"` // transitions fired, for whatever purpose
	States  uint64 `json:"states"` // by the search: different ones if states are kept, else nodes of the tree
	Depth   int    `json:"depth"`  // the deepest that the search went
	Walks   uint64 `json:"walks"`
	Slept   uint64 `json:"slept"`            // transitions that the reduction saved, not counting what would have followed them
	Matched uint64 `json:"matched"`          // how often the search came to a state that it knew
	Inputs  uint64 `json:"inputs,omitempty"` // messages that were made up
	News    uint64 `json:"news,omitempty"`   // states that walks kept, since they showed something new
}

// Meter counts while an exploration goes on. Many goroutines may use it.
type Meter struct {
	events, states, walks, slept, matched, inputs, news atomic.Uint64
	depth                                               atomic.Int64
	doing                                               atomic.Pointer[string]
}

// Doing says what Run is about, for people: "searching", "walking".
func (m *Meter) Doing() string {
	if what := m.doing.Load(); what != nil {
		return *what
	}
	return ""
}

// does notes what begins now.
func (m *Meter) does(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	m.doing.Store(&what)
}

// Stats says what was counted so far.
func (m *Meter) Stats() Stats {
	return Stats{Events: m.events.Load(), States: m.states.Load(), Depth: int(m.depth.Load()), Walks: m.walks.Load(),
		Slept: m.slept.Load(), Matched: m.matched.Load(), Inputs: m.inputs.Load(), News: m.news.Load()}
}

// set goes on from what an earlier run had counted.
func (m *Meter) set(s Stats) {
	m.events.Store(s.Events)
	m.states.Store(s.States)
	m.walks.Store(s.Walks)
	m.slept.Store(s.Slept)
	m.matched.Store(s.Matched)
	m.inputs.Store(s.Inputs)
	m.news.Store(s.News)
	m.depth.Store(int64(s.Depth))
}

// add adds what one goroutine counted on its own for a while: a common counter for every event would keep cores waiting.
func (m *Meter) add(s *Stats) {
	m.events.Add(s.Events)
	m.states.Add(s.States)
	m.walks.Add(s.Walks)
	m.slept.Add(s.Slept)
	m.matched.Add(s.Matched)
	m.reached(s.Depth)
	*s = Stats{}
}

func (m *Meter) reached(depth int) {
	for {
		d := m.depth.Load()
		if int64(depth) <= d || m.depth.CompareAndSwap(d, int64(depth)) {
			return
		}
	}
}

// CollisionOdds bounds the probability that among so many states two different ones have the same 128-bit hash, so that one of
// them was taken for the other: the birthday bound n(n-1)/2 / 2^128.
func CollisionOdds(states uint64) float64 {
	n := float64(states)
	if n < 2 {
		return 0
	}
	return n * (n - 1) / 2 / math.Pow(2, 128)
}
