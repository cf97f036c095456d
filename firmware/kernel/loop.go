package kernel

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
)

// Loop is the outermost loop of a main program without a kernel: Arduino's, which calls loop(), or one that a programmer wrote. Addresses are of words.
type Loop struct {
	Head   uint32   // where an iteration begins; 0 if no loop was found
	Heads  []uint32 // where it and the loops inside begin, in order. A compiler may make several of one
	Sleeps bool     // it has a SLEEP instruction
	Live   uint32   // registers whose values at the Head matter, as a set

	in     map[uint32]bool
	sleeps []uint32
}

// mainLoop finds the loop in which main ends. It goes round for good: no return and no other loop can be reached from it. If there are several, it is
// the longest, and one that is a single jump to itself does not count beside others. If main has none, it may be in a function
// that main calls and that does not return. One that is only for errors is no such function: it turns interrupts off, or jumps to itself.
func mainLoop(im *image.Image, program *avr.Program) Loop {
	f := &loopFinder{program: program, jumps: map[uint32][]uint32{}, known: map[uint32]*Loop{}, graphs: map[uint32]*graph{}}
	for _, j := range cfg.Follow(program, im, 0).Jumps {
		f.jumps[j.At] = j.To
	}
	if s, ok := im.Symbol("main"); ok && s.Space == image.Flash {
		return f.find(s.Addr/2, deepestLoop)
	}
	return f.find(0, deepestLoop)
}

// deepestLoop is how many calls below main a loop is looked for.
const deepestLoop = 4

// loopFinder finds loops.
type loopFinder struct {
	program *avr.Program
	jumps   map[uint32][]uint32 // computed ones
	known   map[uint32]*Loop    // by where a function begins
	graphs  map[uint32]*graph   // likewise
}

// graph is the instructions that are reached from one, without those of what is called.
type graph struct {
	pcs   []uint32 // in the order in which they are reached
	next  map[uint32][]uint32
	calls []uint32
	ends  bool // it may return, or nobody knows where it goes
}

// find finds the loop of the function that begins at an address.
func (f *loopFinder) find(from uint32, deep int) Loop {
	if l := f.known[from]; l != nil {
		return *l
	}
	f.known[from] = new(Loop)
	g := f.reach(from)
	best := f.last(g)
	if best.Head == 0 || len(best.in) == 1 && from == 0 { // of a program without symbols the last loop is that behind main
		for _, to := range slices.Backward(g.calls) {
			if deep > 0 && !f.returns(to) && !f.gaveUp(to) {
				if l := f.find(to, deep-1); l.Head != 0 {
					best = l
					break
				}
			}
		}
	}
	f.known[from] = &best
	return best
}

// returns reports whether what begins at an address may return. One that calls itself may.
func (f *loopFinder) returns(from uint32) bool { return f.reach(from).ends }

// gaveUp reports whether a function that does not return is where a program stops because of an error.
func (f *loopFinder) gaveUp(from uint32) bool {
	g := f.reach(from)
	return slices.ContainsFunc(g.pcs, func(pc uint32) bool {
		flow, to := f.program.At(pc).Flow()
		return f.program.At(pc).Op == avr.OpCli || flow == avr.Jump && to == pc
	})
}

// reach follows the code from an instruction.
func (f *loopFinder) reach(from uint32) *graph {
	if g := f.graphs[from]; g != nil {
		return g
	}
	f.graphs[from] = &graph{ends: true} // until more is known
	g := &graph{next: map[uint32][]uint32{}, pcs: []uint32{from}}
	seen := map[uint32]bool{from: true}
	for i := 0; i < len(g.pcs); i++ {
		pc := g.pcs[i]
		in := f.program.At(pc)
		follow := pc + max(1, uint32(in.N))
		var next []uint32
		switch flow, target := in.Flow(); flow {
		case avr.Next, avr.IndirectCall:
			next = []uint32{follow}
		case avr.Branch:
			next = []uint32{follow, target}
		case avr.Skip:
			next = []uint32{follow, follow + max(1, uint32(f.program.At(follow).N))}
		case avr.Jump:
			next = []uint32{target}
			if to, ok := f.jumps[pc]; ok {
				next = to
			}
		case avr.Call:
			g.calls = append(g.calls, target)
			if f.returns(target) {
				next = []uint32{follow}
			}
		case avr.IndirectJump:
			next = f.jumps[pc]
			g.ends = g.ends || len(next) == 0
		default:
			g.ends = true
		}
		for _, to := range next {
			if to < f.program.Words() && !seen[to] {
				seen[to] = true
				g.pcs = append(g.pcs, to)
			}
		}
		g.next[pc] = next
	}
	f.graphs[from] = g
	return g
}

// last is the loop from which nothing else is reached.
func (f *loopFinder) last(g *graph) (best Loop) {
	parts := components(g)
	leads := make([]bool, len(parts.list)) // to a return or to another loop
	for n, part := range parts.list {      // what a part leads to comes before it
		for _, pc := range part {
			flow, target := f.program.At(pc).Flow()
			leads[n] = leads[n] || flow == avr.Return || flow == avr.Call && !f.returns(target) && !f.gaveUp(target)
			for _, to := range g.next[pc] {
				if m, ok := parts.of[to]; ok && m != n {
					leads[n] = leads[n] || leads[m] || g.loops(parts.list[m]) && len(parts.list[m]) > 1
				}
			}
		}
		if leads[n] || !g.loops(part) || len(part) <= len(best.in) {
			continue
		}
		best = f.loop(g, part)
	}
	return best
}

// loops reports whether a part is a loop.
func (g *graph) loops(part []uint32) bool {
	return len(part) > 1 || slices.Contains(g.next[part[0]], part[0])
}

// loop makes a Loop of its instructions. It begins where the code comes to it first.
func (f *loopFinder) loop(g *graph, part []uint32) Loop {
	l := Loop{in: map[uint32]bool{}}
	for _, pc := range part {
		l.in[pc] = true
		if f.program.At(pc).Op == avr.OpSleep {
			l.Sleeps, l.sleeps = true, append(l.sleeps, pc)
		}
	}
	l.Head = g.pcs[slices.IndexFunc(g.pcs, func(pc uint32) bool { return l.in[pc] })]
	l.Heads = []uint32{l.Head}
	for _, pc := range part {
		for _, to := range g.next[pc] {
			if l.in[to] && to <= pc {
				l.Heads = append(l.Heads, to)
			}
		}
	}
	slices.Sort(l.Heads)
	l.Heads = slices.Compact(l.Heads)
	slices.Sort(l.sleeps)
	l.Head = f.shared(g, &l)
	l.Live = f.live(g, part, l.Head)
	return l
}

// shared is the head of a loop that a compiler has rotated: the end of one way through it, which only allows interrupts again, comes before the head of all ways, since that saves a jump.
func (f *loopFinder) shared(g *graph, l *Loop) uint32 {
	pc := l.Head
	for len(g.next[pc]) == 1 {
		in := f.program.At(pc)
		if in.Op != avr.OpSei && in.Op != avr.OpNop && in.Op != avr.OpWdr && (in.Op != avr.OpOut || in.K != avr.AddrSREG) {
			break
		}
		if pc = g.next[pc][0]; slices.Contains(l.Heads, pc) {
			return pc
		}
	}
	return l.Head
}

// clobbered is the registers that a function may change, by avr-gcc's calling convention. What it is given in them was put there before.
const clobbered = 0xCFFC_0003 // r0, r1, r18 to r27, r30, r31

// live is the registers that are read before they are written, on some way from the head of a loop.
func (f *loopFinder) live(g *graph, part []uint32, head uint32) uint32 {
	at := map[uint32]uint32{}
	for changed := true; changed; {
		changed = false
		for _, pc := range part { // what comes later comes first, mostly
			in := f.program.At(pc)
			live := uint32(0)
			for _, to := range g.next[pc] {
				live |= at[to]
			}
			reads, writes := uint32(in.Reads()), uint32(in.Writes())
			if flow, _ := in.Flow(); flow == avr.Call || flow == avr.IndirectCall {
				writes |= clobbered
			}
			if live = live&^writes | reads; live != at[pc] {
				at[pc], changed = live, true
			}
		}
	}
	return at[head] &^ 2 // r1 is 0
}

// partition is the strongly connected components of a graph: what each leads to comes before it.
type partition struct {
	list [][]uint32
	of   map[uint32]int
}

// components is Tarjan's algorithm, with a stack of its own.
func components(g *graph) partition {
	type visit struct {
		pc   uint32
		edge int
	}
	p := partition{of: map[uint32]int{}}
	index, low := map[uint32]int{}, map[uint32]int{}
	var open []uint32
	for _, root := range g.pcs {
		if _, done := index[root]; done {
			continue
		}
		calls := []visit{{pc: root}}
		for len(calls) > 0 {
			v := &calls[len(calls)-1]
			if v.edge == 0 {
				index[v.pc] = len(index)
				low[v.pc] = index[v.pc]
				open = append(open, v.pc)
			}
			if v.edge < len(g.next[v.pc]) {
				to := g.next[v.pc][v.edge]
				v.edge++
				if _, reached := g.next[to]; !reached {
					continue
				}
				if _, known := index[to]; !known {
					calls = append(calls, visit{pc: to})
				} else if _, closed := p.of[to]; !closed {
					low[v.pc] = min(low[v.pc], index[to])
				}
				continue
			}
			pc := v.pc
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].pc
				low[up] = min(low[up], low[pc])
			}
			if low[pc] != index[pc] {
				continue
			}
			at := slices.Index(open, pc)
			part := slices.Clone(open[at:])
			open = open[:at]
			for _, member := range part {
				p.of[member] = len(p.list)
			}
			p.list = append(p.list, part)
		}
	}
	return p
}
