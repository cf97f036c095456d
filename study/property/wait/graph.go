package wait

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
)

// graph is the blocks of a firmware, and which follow which.
type graph struct {
	code   *avr.Program
	blocks []cfg.Block
	next   [][]int
	prev   [][]int
	entry  []bool           // something else leads there: a call, a vector
	calls  map[int][]uint32 // by block: the calls of it, as word addresses
}

func newGraph(k *mote.Kind) *graph {
	c := cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1)
	n := len(c.Blocks)
	g := &graph{code: k.Program(), blocks: c.Blocks, next: make([][]int, n), prev: make([][]int, n), entry: make([]bool, n), calls: map[int][]uint32{}}
	for i := range g.blocks {
		for _, pc := range g.behind(i, c.Jumps) {
			if to := g.starts(pc); to >= 0 && !slices.Contains(g.next[i], to) {
				g.next[i], g.prev[to] = append(g.next[i], to), append(g.prev[to], i)
			}
		}
	}
	for _, s := range k.Image.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func {
			g.enter(s.Addr / 2)
		}
	}
	for _, pc := range k.Handlers() {
		g.enter(pc)
	}
	return g
}

func (g *graph) enter(pc uint32) {
	if i := g.starts(pc); i >= 0 {
		g.entry[i] = true
	}
}

// starts is the block that begins at a word address, -1 if none does.
func (g *graph) starts(pc uint32) int {
	if i := cfg.Find(g.blocks, pc); i >= 0 && g.blocks[i].Start == pc {
		return i
	}
	return -1
}

// each visits the instructions of a block, while it is told to.
func (g *graph) each(i int, visit func(pc uint32, in avr.Inst) bool) bool {
	for pc := g.blocks[i].Start; pc < g.blocks[i].End; {
		in := g.code.At(pc)
		if !visit(pc, in) {
			return false
		}
		pc += in.Length()
	}
	return true
}

// last is the last instruction of a block.
func (g *graph) last(i int) (at uint32, in avr.Inst) {
	g.each(i, func(pc uint32, x avr.Inst) bool {
		at, in = pc, x
		return true
	})
	return at, in
}

// behind is where control goes at the end of a block, in its own function or by a jump. It notes the calls in the block.
func (g *graph) behind(i int, jumps []cfg.Jump) (list []uint32) {
	g.each(i, func(pc uint32, in avr.Inst) bool {
		if flow, to := in.Flow(); flow == avr.Call {
			if n := g.starts(to); n >= 0 {
				g.entry[n] = true
				g.calls[n] = append(g.calls[n], pc)
			}
		}
		return true
	})
	pc, in := g.last(i)
	end := g.blocks[i].End
	switch flow, to := in.Flow(); flow {
	case avr.Branch:
		list = append(list, to, end)
	case avr.Skip:
		list = append(list, end, end+g.code.At(end).Length())
	case avr.Jump:
		list = append(list, to)
	case avr.Return, avr.IndirectJump, avr.Halts:
	default:
		list = append(list, end)
	}
	if n, ok := slices.BinarySearchFunc(jumps, pc, func(j cfg.Jump, pc uint32) int { return int(j.At) - int(pc) }); ok {
		list = append(list, jumps[n].To...)
	}
	return list
}

// largest is how many blocks a loop may have.
const largest = 24

// loops gives the blocks of each loop, the one in which it begins first: all that lead to a jump back without coming by where it goes. It is
// entered only where it begins. Several jumps back to one block make a loop each, and one together.
func (g *graph) loops(visit func(body []int)) {
	for head := range g.blocks {
		var all []int
		n := 0
		for _, back := range g.prev[head] {
			body, ok := g.body(head, back)
			if !ok {
				continue
			}
			visit(body)
			n++
			for _, i := range body {
				if !slices.Contains(all, i) {
					all = append(all, i)
				}
			}
		}
		if n > 1 && len(all) <= largest {
			visit(all)
		}
	}
}

func (g *graph) body(head, back int) ([]int, bool) {
	body := []int{head}
	if back != head {
		body = append(body, back)
	}
	for n := 1; n < len(body); n++ {
		i := body[n]
		if g.entry[i] || len(g.prev[i]) == 0 {
			return nil, false
		}
		for _, p := range g.prev[i] {
			if !slices.Contains(body, p) {
				body = append(body, p)
			}
		}
		if len(body) > largest {
			return nil, false
		}
	}
	return body, true
}
