package cflow

// prune takes away the blocks that nothing reaches, and their edges.
func (f *Func) prune() {
	out := make([][]int, len(f.Blocks))
	for i, e := range f.Edges {
		out[e.From] = append(out[e.From], i)
	}
	reached := make([]bool, len(f.Blocks))
	reached[Entry] = true
	work := []int{Entry}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range out[b] {
			if to := f.Edges[e].To; !reached[to] {
				reached[to] = true
				work = append(work, to)
			}
		}
	}
	reached[Exit] = true
	number := make([]int, len(f.Blocks))
	kept := f.Blocks[:0]
	for b, block := range f.Blocks {
		number[b] = len(kept)
		if reached[b] {
			kept = append(kept, block)
		}
	}
	f.Blocks = kept
	edges := f.Edges[:0]
	for _, e := range f.Edges {
		if reached[e.From] {
			e.From, e.To = number[e.From], number[e.To]
			edges = append(edges, e)
		}
	}
	f.Edges = edges
}
