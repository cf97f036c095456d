package behavior

import "motehound/observe/calltree"

// Leave is where a behaviour leaves an approved path: the first difference in preorder.
type Leave struct {
	In       PathFunction  `json:"in"`                 // the function that does something else
	After    *PathFunction `json:"after,omitempty"`    // what it last did as approved
	Expected *PathFunction `json:"expected,omitempty"` // what it does by the approved model; absent if nothing more
	Got      *PathFunction `json:"got,omitempty"`      // what it does instead; absent if nothing more
}

// Sides says what comes by the approved model, and what comes instead, each as a name that is made of it.
func (l *Leave) Sides(name func(*PathFunction) string) (expected, got string) {
	expected, got = "nothing more", "nothing more"
	if l.Expected != nil {
		expected = name(l.Expected)
	}
	if l.Got != nil {
		got = name(l.Got)
	}
	return expected, got
}

// nearest is the model that a model follows furthest, the first of several, and where it leaves it.
func nearest(l *Lens, m *Model, among []*Model) (*Model, *Leave) {
	var best *Model
	most := -1
	for _, a := range among {
		if n := shared(l, m.Common, a.Common, m.Depth.layers()); n > most {
			best, most = a, n
		}
	}
	if best == nil {
		return nil, nil
	}
	return best, leave(l, m.Common, best.Common, m.Depth)
}

// shared is how many functions of two sequences are the same from the start.
func shared(l *Lens, a, b *calltree.Node, layers int) int {
	x, y := sequence(a, layers), sequence(b, layers)
	for i := range min(len(x), len(y)) {
		if x[i].Layer != y[i].Layer || l.symbolOf(x[i].Node) != l.symbolOf(y[i].Node) {
			return i
		}
	}
	return min(len(x), len(y))
}

// leave is the first difference of two trees; nil if there is none.
func leave(l *Lens, got, want *calltree.Node, d Depth) *Leave {
	n := shared(l, got, want, d.layers())
	g, w := pathOf(got, d), pathOf(want, d)
	if n == len(g) && n == len(w) {
		return nil
	}
	at := &Leave{In: PathFunction{Function: "the event procedure", Kind: "call"}}
	layer := 1
	if n < len(g) {
		at.Got = &g[n]
		layer = g[n].Layer
	}
	if n < len(w) {
		at.Expected = &w[n]
		layer = max(layer, w[n].Layer)
	}
	for i := n - 1; i >= 0; i-- {
		if g[i].Layer == layer-1 {
			at.In = g[i]
			break
		}
	}
	if n > 0 {
		at.After = &g[n-1]
	}
	return at
}
