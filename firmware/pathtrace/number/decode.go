package number

import "fmt"

// A Run is one acyclic path of a procedure's execution.
type Run struct {
	From  int   // the block it begins in: the entry, or the target of a cut edge
	Edges []int // those taken, the cut edge at its end included
	Cut   int   // the edge at which it ended, or -1 if it went to the exit
}

// Decode gives the path with a number.
func (p *Numbering) Decode(path int) (Run, error) {
	if path < 0 || path >= p.Paths {
		return Run{}, fmt.Errorf("path %d: the procedure has %d", path, p.Paths)
	}
	r := Run{From: p.graph.Entry, Cut: -1}
	for b := p.graph.Entry; b != p.graph.Exit; {
		out := p.out[b]
		i := len(out) - 1
		for out[i].value > path {
			i--
		}
		a := out[i]
		path -= a.value
		switch a.kind {
		case again:
			r.From = a.to
		case leave:
			r.Cut = a.edge
			r.Edges = append(r.Edges, a.edge)
		case own:
			r.Edges = append(r.Edges, a.edge)
		}
		b = a.to
	}
	return r, nil
}

// Bits is the width of the procedure's path register.
func (p *Numbering) Bits() int {
	if p.Paths <= 1<<8 {
		return 8
	}
	return 16
}
