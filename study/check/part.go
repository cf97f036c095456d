package check

import "slices"

// Part is what one of many machines does of an exploration: some of the walks, a piece of the search, or explaining what others have found. What it gives
// depends on the system, the options and the part alone. What all parts give together does not depend on who does which.
type Part struct {
	// From is the number of the first walk, from 0; Options.Walk.Walks is where they end.
	From int `json:"from,omitempty"`
	// Piece is a piece of the search: the whole is cut into pieces, each of these into smaller ones, and so on. Empty is the whole.
	Piece []int `json:"piece,omitempty"`
	// Known are findings to explain. Without any nothing is explained.
	Known []*Finding `json:"known,omitempty"`
}

// RunPart does a part. A search that has more events than Options.Search.Events allows is not complete; Pieces says into how many its piece can be cut.
func RunPart(base System, o Options, p Part) (*Report, error) {
	o.part = &p
	o.Search.parted, o.Search.piece = true, p.Piece
	o.Threads, o.Walk.First, o.Search.Deepen = 1, false, false
	return Run(base, o)
}

// Pieces is into how many pieces a piece of a search is cut.
func Pieces(base System, o SearchOptions, piece []int) (int, error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	o.Meter, o.piece, o.Events = new(Meter), piece, 0
	s := newSearch(base, o, o.Depth)
	w := &worker{s: s}
	defer w.release()
	level := w.cut(s.root())
	for _, t := range level {
		t.sys.Release()
	}
	return len(level), s.err
}

// root is where the search starts.
func (s *search) root() *task {
	root := s.base.Clone()
	list(root, true)
	track(root, s.o.Reduce != None)
	return &task{sys: root}
}

// cut gives the pieces into which the search's own piece is cut.
func (w *worker) cut(t *task) []*task {
	level := w.breadth(t)
	for _, n := range w.s.o.piece {
		if n < 0 || n >= len(level) {
			for _, t := range level {
				t.sys.Release()
			}
			return nil // it ended, or was cut, in another way
		}
		for i, t := range level {
			if i != n {
				t.sys.Release()
			}
		}
		level = w.breadth(level[n])
	}
	return level
}

// breadth explores breadth first until there are enough nodes for all.
func (w *worker) breadth(t *task) []*task {
	s, level := w.s, []*task{t}
	for depth := len(t.trace); len(level) > 0 && len(level) < items && (s.depth == 0 || depth < s.depth-1); depth++ {
		var next []*task
		for _, t := range level {
			next = append(next, w.expand(t)...)
		}
		level = next
	}
	return level
}

// Better gives the better of two findings of one cause, on the motes of both. Nil is none. It does not matter which comes first.
func Better(f, g *Finding) *Finding {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	case g.better(f) || !f.better(g) && g.Walk < f.Walk:
		f, g = g, f
	}
	best := *f
	best.Motes = slices.Concat(f.Motes, g.Motes)
	slices.Sort(best.Motes)
	best.Motes = slices.Compact(best.Motes)
	return &best
}

// List orders findings of different causes for a report.
func List(all []*Finding) []*Finding {
	var c catalog
	for _, f := range all {
		c.add(f)
	}
	return c.list()
}
