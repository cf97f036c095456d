package engine

import "motehound/study/symbolic/expr"

// Assumption says which values of a byte of an input are of interest.
type Assumption struct {
	Byte   int        // from 0; -1 for all of the input
	Ranges [][2]uint8 // the first and the last of each
}

// assume has a node go on only for the values of a symbolic byte that are of interest.
func (n *node) assume(list []Assumption, byte int, x expr.ID) {
	p := n.e.pool
	for _, a := range list {
		if a.Byte >= 0 && a.Byte != byte {
			continue
		}
		within := p.Bool(false)
		for _, r := range a.Ranges {
			within = p.Or(within, p.And(p.Ule(p.Const(8, uint64(r[0])), x), p.Ule(x, p.Const(8, uint64(r[1])))))
		}
		n.s.Assume(within)
	}
}
