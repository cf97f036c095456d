package check

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// task is a node to explore, or the rest of one.
type task struct {
	sys    System
	asleep []sleeper
	trace  []Event
	todo   []Event // nil if nobody has looked at the node yet
	item   *item

	above *diamond // while the search is split: what is known of the node before
	via   int      // the event that led here from it
}

// item is a piece of a search, with all tasks that were split off it.
type item struct {
	index   int
	pending atomic.Int32
}

// pool is the tasks that nobody works on yet, for all workers.
type pool struct {
	mu      sync.Mutex
	more    sync.Cond
	tasks   []*task
	working int          // tasks that were taken and are not done
	idle    atomic.Int32 // workers that wait for a task
	queued  atomic.Int32 // len(tasks)
	stopped atomic.Bool
}

func newPool() *pool {
	p := new(pool)
	p.more.L = &p.mu
	return p
}

func (p *pool) put(t *task) {
	p.mu.Lock()
	p.tasks = append(p.tasks, t)
	p.queued.Add(1)
	p.mu.Unlock()
	p.more.Signal()
}

// take gives a task, or nil if there will be none.
func (p *pool) take() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle.Add(1)
	defer p.idle.Add(-1)
	for len(p.tasks) == 0 && p.working > 0 && !p.stopped.Load() {
		p.more.Wait()
	}
	if len(p.tasks) == 0 || p.stopped.Load() {
		for _, t := range p.tasks {
			t.sys.Release()
		}
		p.tasks = nil
		return nil
	}
	t := p.tasks[0]
	p.tasks = p.tasks[1:]
	p.queued.Add(-1)
	p.working++
	return t
}

func (p *pool) done() {
	p.mu.Lock()
	p.working--
	p.mu.Unlock()
	p.more.Broadcast()
}

// hungry tells whether a worker waits for a task that is not there.
func (p *pool) hungry() bool { return p.idle.Load() > p.queued.Load() }

func (p *pool) halt() {
	p.stopped.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.more.Broadcast()
}

func (p *pool) halted() bool { return p.stopped.Load() }

// sample keeps some of many states: those with the smallest of hashes salted with the seed. So it is the same sample in whatever
// order the states come.
type sample struct {
	most   int
	seed   uint64
	chosen []sampled // by rank
}

type sampled struct {
	rank  uint64
	hash  [2]uint64
	trace []Event
}

func (s *sample) add(h [2]uint64, trace []Event) {
	if s.most == 0 {
		return
	}
	c := sampled{rank: mix(h[0] ^ mix(h[1]^s.seed)), hash: h}
	i, known := slices.BinarySearchFunc(s.chosen, c, func(a, b sampled) int { return cmp.Compare(a.rank, b.rank) })
	if known || i == s.most {
		return
	}
	c.trace = slices.Clone(trace)
	s.chosen = slices.Insert(s.chosen, i, c)
	if len(s.chosen) > s.most {
		s.chosen = s.chosen[:s.most]
	}
}

// traces gives the traces to at most so many of the states that are wanted.
func (s *sample) traces(most int, wanted func([2]uint64) bool) [][]Event {
	var all [][]Event
	for _, c := range s.chosen {
		if len(all) < most && wanted(c.hash) {
			all = append(all, c.trace)
		}
	}
	return all
}
