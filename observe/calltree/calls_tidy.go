package calltree

import (
	"slices"

	"motehound/isa/avr"
)

// tidy gives back to callers what is theirs by now. GCC moves computations out of the bodies that need them, before
// loops and branches, and leaves them the body's name: control that gets there may never get to the body itself. So a
// stretch of a body that does less than the body does elsewhere counts as its caller's.
func (g *flow) tidy() {
	first, end := g.f.body, g.f.body
	for int(end) < len(g.l.bodies) && g.l.bodies[end].fn == g.l.bodies[first].fn {
		end++
	}
	for b := end - 1; b > first; b-- { // a body comes behind those around it
		g.tidyBody(b)
	}
	for b := first + 1; b < end; b++ {
		if !g.isAt(b) {
			g.findEntry(b)
		}
	}
}

// isAt reports whether a body still has its entry.
func (g *flow) isAt(b int32) bool {
	_, ok := g.index[g.l.bodies[b].entry]
	return ok && g.l.isIn(g.l.bodies[b].entry, b)
}

// findEntry gives a body whose entry was given back another one: what comes first in it.
func (g *flow) findEntry(b int32) {
	body := &g.l.bodies[b]
	body.entry = nowhere
	lowest := int32(0)
	for i, x := range g.code {
		if g.l.isIn(x.pc, b) && (body.entry == nowhere || g.order[i] < lowest) {
			body.entry, lowest = x.pc, g.order[i]
		}
	}
}

// nowhere is the entry of a body without instructions.
const nowhere = ^uint32(0)

func (g *flow) tidyBody(b int32) {
	var mine []int
	most := 0
	for i, x := range g.code {
		if g.l.isIn(x.pc, b) {
			mine = append(mine, i)
			most = max(most, g.weight(x.in))
		}
	}
	seen := map[int]bool{}
	var kept [][]int
	for _, i := range mine {
		if seen[i] {
			continue
		}
		stretch := g.stretch(b, i, seen)
		if g.heaviest(stretch) == most {
			kept = append(kept, stretch)
			continue
		}
		for _, j := range stretch {
			g.l.at[g.code[j].pc] = g.l.bodies[b].parent + 1
		}
	}
	if !g.isAt(b) {
		g.findEntry(b)
	}
	if most > 0 {
		g.findCopies(b, most, kept)
	}
}

func (g *flow) heaviest(stretch []int) int {
	w := 0
	for _, i := range stretch {
		w = max(w, g.weight(g.code[i].in))
	}
	return w
}

// findCopies notes where a body begins anew: GCC unrolls loops, and tests the condition of a loop in two places, and the
// copies are all called one body. A stretch is a copy of the body's first if the first thing that it does is the same, on
// the same line.
func (g *flow) findCopies(b int32, most int, stretches [][]int) {
	starts := make([]int, len(stretches)) // the first instruction that does something
	first := 0
	for k, s := range stretches {
		starts[k] = -1
		for _, i := range s {
			if g.weight(g.code[i].in) == most && (starts[k] < 0 || g.order[i] < g.order[starts[k]]) {
				starts[k] = i
			}
		}
		if slices.Contains(s, g.index[g.l.bodies[b].entry]) {
			first = k
		}
	}
	for k, s := range stretches {
		if k == first || !g.alike(starts[k], starts[first]) {
			continue
		}
		for _, i := range s {
			if g.order[i] <= g.order[starts[k]] {
				g.anew[i] = append(g.anew[i], b)
			}
		}
	}
}

// alike reports whether two instructions do the same for the same line.
func (g *flow) alike(i, j int) bool {
	x, y := g.code[i].in, g.code[j].in
	flow, _ := x.Flow()
	if x.Op != y.Op || x.K != y.K && flow != avr.Branch {
		return false
	}
	if (x.Op == avr.OpSbi || x.Op == avr.OpCbi) && x.R != y.R {
		return false
	}
	xAt, _ := g.l.im.LineAt(2 * g.code[i].pc)
	yAt, _ := g.l.im.LineAt(2 * g.code[j].pc)
	return xAt.Line == yAt.Line && xAt.File == yAt.File
}

// stretch lists the instructions of a body that hang together with one.
func (g *flow) stretch(b int32, from int, seen map[int]bool) []int {
	seen[from] = true
	list := []int{from}
	for k := 0; k < len(list); k++ {
		for _, near := range [][]int{g.next[list[k]], g.before[list[k]]} {
			for _, j := range near {
				if !seen[j] && g.l.isIn(g.code[j].pc, b) {
					seen[j] = true
					list = append(list, j)
				}
			}
		}
	}
	return list
}

// weight tells how much an instruction does: 2 if it has an effect or decides something, 1 if it reads memory or I/O.
func (g *flow) weight(in avr.Inst) int {
	if g.hasEffect(in) {
		return 2
	}
	switch flow, _ := in.Flow(); flow {
	case avr.Branch, avr.Skip, avr.Return, avr.IndirectJump:
		return 2
	}
	if a := in.Access(); a.Reads && a.Space != avr.StackMemory && !g.inFrame(a) {
		return 1
	}
	return 0
}
