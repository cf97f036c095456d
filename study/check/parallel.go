package check

import (
	"sync"
	"sync/atomic"
)

// Collect is how much garbage may gather, in percent of what is in use (debug.SetGCPercent), before an exploration is held up to collect
// it. Threads have little in use and make much garbage, so with Go's default they wait for the collector too often.
const Collect = 400

// inOrder does the pieces of work first, first+1, ... below count on some threads, and commits their results one at a time in
// that order, until commit refuses. So what is committed does not depend on the number of threads. Work that turns out to be too
// much is told so through its cancelled function, and its result is dropped.
func inOrder[T any](threads, first, count int, work func(thread, piece int, cancelled func() bool) T,
	commit func(piece int, result T) bool) {
	threads = max(1, min(threads, count-first))
	o := &order[T]{next: first, committed: first, count: count, ahead: 4 * threads, ready: make(map[int]T), commit: commit}
	o.moved.L = &o.mu
	var all sync.WaitGroup
	for thread := range threads {
		all.Go(func() {
			for {
				piece, ok := o.take()
				if !ok {
					return
				}
				o.deliver(piece, work(thread, piece, o.over.Load))
			}
		})
	}
	all.Wait()
}

type order[T any] struct {
	mu        sync.Mutex
	moved     sync.Cond
	next      int // first piece that nobody took
	committed int // first piece that is not committed
	count     int
	ahead     int // how far work may run ahead of what is committed: it bounds memory
	ready     map[int]T
	commit    func(int, T) bool
	over      atomic.Bool
}

func (o *order[T]) take() (int, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.over.Load() && o.next < o.count && o.next >= o.committed+o.ahead {
		o.moved.Wait()
	}
	if o.over.Load() || o.next >= o.count {
		return 0, false
	}
	o.next++
	return o.next - 1, true
}

func (o *order[T]) deliver(piece int, result T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ready[piece] = result
	for !o.over.Load() {
		r, ok := o.ready[o.committed]
		if !ok {
			break
		}
		delete(o.ready, o.committed)
		if !o.commit(o.committed, r) {
			o.over.Store(true)
		}
		o.committed++
	}
	o.moved.Broadcast()
}

// origin is a state from which many explorations start, each on its own thread. Copies are made one at a time, so that systems
// need not be ready for being read by several threads.
type origin struct {
	mu  sync.Mutex
	sys System
}

// copyTo makes dst equal to the origin, or clones the origin if dst is nil.
func (o *origin) copyTo(dst System) System {
	o.mu.Lock()
	defer o.mu.Unlock()
	if dst == nil {
		return o.sys.Clone()
	}
	dst.CopyFrom(o.sys)
	return dst
}

// crew is one system per thread, cloned when first needed.
type crew struct {
	from *origin
	sys  []System
}

func newCrew(from *origin, threads int) *crew {
	return &crew{from: from, sys: make([]System, max(1, threads))}
}

// start gives the thread's system, in the state of the origin.
func (c *crew) start(thread int) System {
	c.sys[thread] = c.from.copyTo(c.sys[thread])
	return c.sys[thread]
}

func (c *crew) release() {
	for _, s := range c.sys {
		if s != nil {
			s.Release()
		}
	}
}
