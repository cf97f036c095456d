package instrument

import (
	"cmp"

	"motehound/firmware/pathtrace/cflow"
)

// A Path is what a procedure did between two of its records.
type Path struct {
	Begins bool  // at the procedure's begin; else behind a cut edge
	Ends   bool  // with the procedure; else at a cut edge
	Blocks []int // that ran, in order, without entry and exit
	Edges  []int // that were taken, a cut edge at the end included
}

// Decode gives the path with a number. The procedure is one that Read or Add has checked.
func (p *Proc) Decode(path int) (Path, error) {
	run, err := p.numbering.Decode(path)
	if err != nil {
		return Path{}, err
	}
	out := Path{Begins: run.From == cflow.Entry, Ends: run.Cut < 0, Edges: run.Edges}
	if !out.Begins {
		out.Blocks = append(out.Blocks, run.From)
	}
	for _, e := range run.Edges {
		if to := p.Edges[e].To; e != run.Cut && to != cflow.Exit {
			out.Blocks = append(out.Blocks, to)
		}
	}
	return out, nil
}

func cmpString(a, b string) int { return cmp.Compare(a, b) }
