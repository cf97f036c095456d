package check

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"motehound/study/finding"
)

// SearchOptions say how to search.
type SearchOptions struct {
	// Depth is the most events in a run; 0 for no bound, which ends only if states are kept or all runs end.
	Depth int
	// Deepen searches with the bounds 1, 2, ... up to Depth and stops after the first that gives a violation: no shorter
	// one exists.
	Deepen bool
	// Stateless explores runs, not states: it needs no memory, and does work twice where runs meet.
	Stateless bool
	Reduce    Reduction
	Threads   int
	// Events bounds the transitions of all rounds together; 0 for no bound.
	Events uint64
	// Frontier is of how many states at the bound the traces are kept, for walks to go on from there.
	Frontier int
	Seed     uint64 // decides which states of the frontier
	// Stop, if not nil, is asked now and then, by any goroutine, whether to give up.
	Stop func() bool
	// Meter, if not nil, counts.
	Meter *Meter

	done   map[int]bool                          // items that an earlier run finished, of the first round
	before round                                 // what these gave
	finish func(depth, item int, so round) error // told of each item that is finished
	found  reporter
	began  uint64 // events that were counted before the first round
	parted bool   // only a piece of the search is done
	piece  []int  // that one; empty for all
	redo   uint64 // up to how many states a round is rather done again than gone on with; 0 for 100,000
}

func (o *SearchOptions) small() uint64 {
	if o.redo == 0 {
		return 100_000
	}
	return o.redo
}

// round is what has to be known of a round of a search when it is gone on with.
type round struct {
	Found bool `json:"found,omitempty"` // a violation
	Cut   bool `json:"cut,omitempty"`   // the bound cut something
}

// SearchResult is what a search found.
type SearchResult struct {
	Findings []*Finding `json:"-"`
	// Complete says that every run up to Depth was covered.
	Complete bool `json:"complete"`
	// Exhausted says that the bound cut nothing: what was covered is all there is.
	Exhausted bool   `json:"exhausted"`
	Depth     int    `json:"depth"`     // the bound of the last round
	Deadlocks int    `json:"deadlocks"` // different states without any event; if states are not kept, different by their hash all the same
	States    uint64 `json:"states"`
	// Frontier holds traces to states at the bound; of a search that was gone on with, only to those that came up since.
	Frontier [][]Event `json:"frontier,omitempty"`
}

func (o *SearchOptions) check() error {
	switch {
	case o.Depth < 0 || o.Depth >= math.MaxInt32:
		return fmt.Errorf("a search depth of %d: give 0 for no bound, or a positive number", o.Depth)
	case o.Deepen && o.Depth == 0:
		return fmt.Errorf("deepening needs a depth to end at")
	case int(o.Reduce) >= len(reductionNames):
		return fmt.Errorf("unknown %v: use none, static or dynamic", o.Reduce)
	}
	return nil
}

// Search explores every run of the system up to a depth. The system itself is left as it was.
func Search(base System, o SearchOptions) (*SearchResult, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Meter == nil {
		o.Meter = new(Meter)
	}
	first := o.Depth
	if o.Deepen {
		first = 1
	}
	return searchFrom(base, o, first)
}

// searchFrom searches with the bounds first up to Depth.
func searchFrom(base System, o SearchOptions, first int) (*SearchResult, error) {
	o.began = o.Meter.events.Load()
	for depth := first; ; depth++ {
		s := newSearch(base, o, depth)
		if depth == first {
			s.skip, s.known = o.done, o.before.Found
			s.cut.Store(o.before.Cut)
		}
		result, err := s.run()
		if err != nil {
			return nil, err
		}
		if depth == o.Depth || s.known || result.Exhausted || !result.Complete {
			return result, nil
		}
	}
}

// search is one round: one bound on depth.
type search struct {
	o     SearchOptions
	base  System
	depth int
	table *table // nil if stateless
	pool  *pool
	goals []finding.Goal
	skip  map[int]bool
	start uint64      // states that were counted before this round
	cut   atomic.Bool // the bound cut something

	mu        sync.Mutex
	catalog   catalog
	deadlocks map[[2]uint64]bool
	frontier  sample
	known     bool // a violation was found that hardware can make
	err       error
}

func newSearch(base System, o SearchOptions, depth int) *search {
	s := &search{o: o, base: base, depth: depth, pool: newPool(), goals: goalsOf(base),
		deadlocks: make(map[[2]uint64]bool), start: o.Meter.states.Load()}
	s.frontier = sample{most: 4 * o.Frontier, seed: o.Seed}
	if !o.Stateless {
		s.table = new(table)
	}
	return s
}

func (s *search) run() (*SearchResult, error) {
	s.split(s.root())
	if s.o.parted {
		s.o.began = s.o.Meter.events.Load() // to come to the piece is not its own work
	}
	var all sync.WaitGroup
	for range max(1, s.o.Threads) {
		all.Go(func() {
			w := &worker{s: s}
			defer w.release()
			for t := s.pool.take(); t != nil; t = s.pool.take() {
				w.run(t)
				s.finished(t)
			}
		})
	}
	all.Wait()
	if s.err != nil {
		return nil, s.err
	}
	return s.result(), nil
}

func (s *search) result() *SearchResult {
	r := &SearchResult{Findings: s.catalog.list(), Complete: !s.pool.halted(), Depth: s.depth, Deadlocks: len(s.deadlocks),
		States: s.o.Meter.states.Load() - s.start}
	r.Exhausted = r.Complete && !s.cut.Load()
	if s.table != nil {
		if len(s.skip) == 0 {
			// A state that was cut where it was seen first may have been explored later.
			r.Exhausted = r.Complete && s.table.open() == 0
		}
		r.States = 0
		for i := range s.table.shards {
			r.States += uint64(s.table.shards[i].used)
		}
	}
	r.Frontier = s.frontier.traces(s.o.Frontier, func(h [2]uint64) bool { return s.table == nil || s.table.cut(h) })
	return r
}

// items is into how many pieces a search is cut, roughly. A piece is what threads take first, and what need not be done again
// when a search is resumed. It does not depend on the number of threads.
const items = 64

// split cuts the search into pieces, and queues these.
func (s *search) split(root *task) {
	w := &worker{s: s}
	defer w.release()
	level := w.cut(root)
	for i, t := range level {
		if s.skip[i] {
			t.sys.Release()
			continue
		}
		t.item = &item{index: i}
		t.item.pending.Store(1)
		s.pool.put(t)
	}
}

// finished notes that a task is done, and with the last one of an item, the item.
func (s *search) finished(t *task) {
	if t.item.pending.Add(-1) == 0 && s.o.finish != nil && !s.pool.halted() {
		s.mu.Lock()
		err := s.o.finish(s.depth, t.item.index, round{Found: s.known, Cut: s.cut.Load()})
		s.mu.Unlock()
		if err != nil {
			s.fail(err)
		}
	}
	s.pool.done()
}

// left is how many events a run at some depth may still have.
func (s *search) left(depth int) int32 {
	if s.depth == 0 {
		return unbounded
	}
	return int32(s.depth - depth)
}

// fail ends the search with an error.
func (s *search) fail(err error) {
	s.mu.Lock()
	if s.err == nil {
		s.err = err
	}
	s.mu.Unlock()
	s.pool.halt()
}

// violated books a violation at the end of a trace.
func (s *search) violated(sys System, v finding.Violation, trace []Event, e Evidence, rank int) {
	f := &Finding{Violation: v, Trace: slices.Clone(trace), Before: len(trace), Evidence: e, Since: len(trace), Rank: rank, Strain: strained(sys)}
	s.mu.Lock()
	s.known = s.known || f.Strain == 0
	err := s.o.found.book(&s.catalog, f)
	s.mu.Unlock()
	if err != nil {
		s.fail(err)
	}
}

// deadlock books a state without events. Goals that do not hold there will never hold.
func (s *search) deadlock(sys System, trace []Event) {
	h := sys.Hash()
	s.mu.Lock()
	s.deadlocks[h] = true
	s.mu.Unlock()
	for i, live := range liveOf(sys, nil) {
		if !live {
			s.violated(sys, stuck(s.goals[i]), trace, Stuck, 0)
		}
	}
}

func stuck(g finding.Goal) finding.Violation {
	return g.Missed("nothing can happen any more")
}
