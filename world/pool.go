package world

import "sync"

// pool keeps worlds that were given back, for Clone to use again: a search makes and drops a world in every step, and
// memory that is fresh costs more than the copy. All clones of a world share one.
type pool struct {
	mu   sync.Mutex
	free []*World
}

// maxFree bounds what a pool keeps.
const maxFree = 4096

func (p *pool) take() *World {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return nil
	}
	w := p.free[n-1]
	p.free[n-1] = nil
	p.free = p.free[:n-1]
	return w
}

// Release gives a clone back: the world must not be used any more. It need not be called; a world that is forgotten is
// collected as everything else.
func (w *World) Release() {
	if w.observe.some {
		return // it has hooks in its code
	}
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < maxFree {
		p.free = append(p.free, w)
	}
}
