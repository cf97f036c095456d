package calltree

import (
	"slices"

	"motehound/isa/avr"
)

// flow is the control flow inside one function, by index of instruction.
type flow struct {
	l       *layout
	f       *function
	code    []instr
	index   map[uint32]int
	next    [][]int
	before  [][]int
	order   []int32
	effects map[int32]int
	framed  bool
	loops   map[int]map[int]bool // by header: what is in them
	anew    map[int][]int32      // by instruction: the bodies that begin there once more
}

func newFlow(l *layout, f *function, code []instr, jumps map[uint32][]uint32) *flow {
	g := &flow{l: l, f: f, code: code, index: make(map[uint32]int, len(code)), anew: map[int][]int32{}, loops: map[int]map[int]bool{}}
	for i, x := range code {
		g.index[x.pc] = i
	}
	g.next = make([][]int, len(code))
	g.before = make([][]int, len(code))
	for i := range code {
		g.link(i, jumps)
	}
	g.framed = g.hasFrame()
	g.number()
	g.leaveLoopsLast()
	g.tidy()
	g.countEffects()
	return g
}

func (g *flow) edge(from int, pc uint32) {
	if to, ok := g.index[pc]; ok {
		g.next[from] = append(g.next[from], to)
		g.before[to] = append(g.before[to], from)
	}
}

func (g *flow) link(i int, jumps map[uint32][]uint32) {
	x := g.code[i]
	after := x.pc + x.in.Length()
	switch flow, target := x.in.Flow(); flow {
	case avr.Next, avr.Call, avr.IndirectCall:
		g.edge(i, after)
	case avr.Branch:
		g.edge(i, after)
		g.edge(i, target)
	case avr.Skip:
		g.edge(i, after)
		if j, ok := g.index[after]; ok {
			g.edge(i, after+g.code[j].in.Length())
		}
	case avr.Jump:
		g.edge(i, target)
	}
	for _, to := range jumps[x.pc] {
		g.edge(i, to)
	}
}

func (l *layout) entryAt(pc uint32) int32 {
	if pc >= uint32(len(l.entry)) {
		return -1
	}
	return l.entry[pc] - 1
}

// leaveLoopsLast numbers again, so that what comes behind a loop has a place behind it in the order too: the walk has to
// go there first.
func (g *flow) leaveLoopsLast() {
	depth := make([]int, len(g.code))
	for h := range g.code {
		for _, i := range g.loop(h) {
			depth[i]++
		}
	}
	for i := range g.next {
		slices.SortStableFunc(g.next[i], func(a, b int) int { return depth[a] - depth[b] })
	}
	clear(g.loops)
	g.number()
	for h := range g.code {
		g.loop(h)
	}
}

// number gives the instructions their order: the reverse of the order in which a depth-first walk leaves them.
func (g *flow) number() {
	g.order = make([]int32, len(g.code))
	seen := make([]bool, len(g.code))
	n := int32(len(g.code))
	type visit struct{ at, next int }
	var stack []visit
	walk := func(root int) {
		if seen[root] {
			return
		}
		seen[root] = true
		stack = append(stack, visit{at: root})
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if v.next == len(g.next[v.at]) {
				g.order[v.at] = n
				n--
				stack = stack[:len(stack)-1]
				continue
			}
			to := g.next[v.at][v.next]
			v.next++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, visit{at: to})
			}
		}
	}
	// What nothing leads to is walked last, so that it comes first in the order and cannot look like a way back.
	if i, ok := g.index[g.f.entry]; ok {
		walk(i)
	}
	for i := range g.code {
		walk(i)
	}
}

// mark marks where bodies change, and the loops in which they do.
func (g *flow) mark() {
	l := g.l
	step := make([]bool, len(g.code))
	for i, x := range g.code {
		for _, from := range g.before[i] {
			step[i] = step[i] || l.at[g.code[from].pc] != l.at[x.pc]
		}
		if x.pc == g.f.entry {
			step[i] = step[i] || l.at[x.pc] != g.f.body+1
		}
	}
	for h := range g.code {
		if inside := g.loops[h]; inside != nil {
			g.markHeader(h, inside, step)
		}
	}
	for i, x := range g.code {
		if step[i] {
			l.mark(x.pc, atStep)
		}
		if m := l.marks[x.pc]; m != 0 {
			p := &l.points[m-1]
			p.order, p.body, p.anew = g.order[i], l.at[x.pc]-1, g.anew[i]
		}
	}
}

// loop lists the instructions of the loops that begin again at h, nil if none does: all that lead to a way back.
func (g *flow) loop(h int) []int {
	var inside []int
	var member map[int]bool
	for _, from := range g.before[h] {
		if g.order[from] >= g.order[h] && member == nil {
			member = map[int]bool{h: true}
			inside = append(inside, h)
		}
		if g.order[from] >= g.order[h] && !member[from] {
			member[from] = true
			inside = append(inside, from)
		}
	}
	for i := 1; i < len(inside); i++ {
		for _, from := range g.before[inside[i]] {
			if !member[from] && g.order[from] > g.order[h] {
				member[from] = true
				inside = append(inside, from)
			}
		}
	}
	if member != nil {
		g.loops[h] = member
	}
	return inside
}

// markHeader marks where a loop begins again, with the bodies that it calls: those whose entries are in it, or else all of
// whose effects are, for GCC moves what does not change out of a loop, and it is the entry then. Other bodies in it have a
// part before or behind it, so the loop is their own.
func (g *flow) markHeader(h int, inside map[int]bool, step []bool) {
	l := g.l
	changes := false
	effects := map[int32]int{}
	var bodies []int32
	for i := range inside {
		changes = changes || step[i]
		effect := g.hasEffect(g.code[i].in)
		for b := l.at[g.code[i].pc] - 1; b >= 0 && l.bodies[b].parent >= 0; b = l.bodies[b].parent {
			if effect {
				effects[b]++
			}
			if l.bodies[b].entry == g.code[i].pc {
				bodies = append(bodies, b)
			}
		}
	}
	for b, n := range effects {
		if n == g.effects[b] {
			bodies = append(bodies, b)
		}
	}
	if changes {
		slices.Sort(bodies)
		l.mark(g.code[h].pc, atHeader).loop = slices.Compact(bodies)
	}
}

// countEffects counts the instructions in each body that change more than registers.
func (g *flow) countEffects() {
	g.effects = map[int32]int{}
	for _, x := range g.code {
		if g.hasEffect(x.in) {
			for b := g.l.at[x.pc] - 1; b >= 0; b = g.l.bodies[b].parent {
				g.effects[b]++
			}
		}
	}
}

// findLate notes at which points bodies cannot have been entered. GCC shares code that is the same at the end of several
// bodies, moves stores behind loops, and calls it one body's: who gets there without having been at that one's beginning is
// not in it. That is certain if every way from the body's entry to the point has an effect of the body on it. If one has
// none, it may be the entry itself that is left out, since what it tests was known; but nobody calls a function for its RET,
// and one that is shared by all of a function's ends has some body's name.
func (g *flow) findLate() {
	first := g.f.body
	for b := first + 1; int(b) < len(g.l.bodies) && g.l.bodies[b].fn == g.l.bodies[first].fn; b++ {
		entry, ok := g.index[g.l.bodies[b].entry]
		if !ok {
			continue
		}
		all := g.reach(b, entry, false)
		early := g.reach(b, entry, true)
		for i := range g.code {
			if m := g.l.marks[g.code[i].pc]; m != 0 && all[i] && (!early[i] || i != entry && g.onlyReturns(i)) && g.l.isIn(g.code[i].pc, b) && !slices.Contains(g.anew[i], b) {
				p := &g.l.points[m-1]
				p.late = append(p.late, b)
			}
		}
	}
}

// onlyReturns reports whether nothing is done from an instruction to the function's RET.
func (g *flow) onlyReturns(i int) bool {
	for {
		switch flow, _ := g.code[i].in.Flow(); {
		case flow == avr.Return:
			return true
		case g.weight(g.code[i].in) > 0 || len(g.next[i]) != 1 || g.order[g.next[i][0]] <= g.order[i]:
			return false
		}
		i = g.next[i][0]
	}
}

// reach tells what control can get to from an instruction of a body, or only what it can without an effect of the body
// before. Ways back count only where they lead out of their loops: inside it is the next call that they lead to.
func (g *flow) reach(b int32, from int, pure bool) []bool {
	reached := make([]bool, len(g.code))
	type place struct{ at, loop int } // loop is 1 + the header of the loop that began again
	seen := map[place]bool{}
	todo := []place{{at: from}}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if x.loop == 0 || !g.loops[x.loop-1][x.at] {
			reached[x.at] = true
			x.loop = 0
		}
		if pure && g.hasEffect(g.code[x.at].in) && g.l.isIn(g.code[x.at].pc, b) {
			continue
		}
		for _, to := range g.next[x.at] {
			switch {
			case g.order[to] > g.order[x.at]:
				todo = append(todo, place{to, x.loop})
			case x.loop == 0:
				todo = append(todo, place{to, 1 + to})
			}
		}
	}
	return reached
}

// isIn reports whether an instruction belongs to a body or to one in it.
func (l *layout) isIn(pc uint32, b int32) bool {
	x := l.at[pc] - 1
	for x > b { // a body comes behind those around it
		x = l.bodies[x].parent
	}
	return x == b
}

// hasEffect reports whether an instruction changes more than registers. What a function keeps in its frame is as good as in
// registers.
func (g *flow) hasEffect(in avr.Inst) bool {
	switch a := in.Access(); {
	case a.Writes && a.Space != avr.StackMemory:
		return !g.inFrame(a)
	case in.Op == avr.OpSei, in.Op == avr.OpCli, in.Op == avr.OpSleep:
		return true
	}
	flow, target := in.Flow()
	return flow == avr.Call || flow == avr.IndirectCall || flow == avr.Jump && g.l.leadsOut(g.l.bodies[g.f.body].fn, target)
}

// inFrame reports whether an access is to the function's frame.
func (g *flow) inFrame(a avr.Access) bool { return g.framed && a.Base == regY && a.Step == 0 }

const regY = 28

// hasFrame reports whether Y is the function's frame pointer.
func (g *flow) hasFrame() bool {
	for _, x := range g.code {
		if x.in.Op == avr.OpIn && x.in.K == avr.AddrSPL && x.in.D == regY {
			return true
		}
	}
	return false
}
