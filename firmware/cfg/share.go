package cfg

import (
	"slices"

	"motehound/firmware/image"
)

// Outside lists the words that the image covers and that are in no block: data, code that never runs, and code that nothing was seen to
// lead to.
func (g *Graph) Outside() []uint32 {
	var all []uint32
	g.each(func(pc uint32, in bool) {
		if !in {
			all = append(all, pc)
		}
	})
	return all
}

// Whole lists the blocks, and behind them a block of one instruction for each word outside: all that can run, however it is reached.
func (g *Graph) Whole() []Block {
	all := slices.Clip(g.Blocks)
	for _, pc := range g.Outside() {
		all = append(all, Block{Start: pc, End: pc + 1, Instructions: 1})
	}
	return all
}

// each visits the words that the image covers, and reports whether they are in blocks.
func (g *Graph) each(visit func(pc uint32, in bool)) {
	i, pc := 0, uint32(0)
	for _, r := range g.im.FlashUsed {
		for pc = max(pc, r.Lo/2); pc < min((r.Hi+1)/2, g.words); pc++ {
			for i < len(g.Blocks) && g.Blocks[i].End <= pc {
				i++
			}
			visit(pc, i < len(g.Blocks) && g.Blocks[i].Start <= pc)
		}
	}
}

// Share is how much of an image is in blocks, in words.
type Share struct {
	Image   int // of code and data
	Blocks  int // in blocks
	Without int // in functions that symbols name, and in no block
}

// Share counts the words of the image.
func (g *Graph) Share() Share {
	var s Share
	g.each(func(pc uint32, in bool) {
		s.Image++
		if in {
			s.Blocks++
		} else if f, ok := g.im.FuncAt(2 * pc); ok && f.Kind == image.Func && inside(f, pc) {
			s.Without++
		}
	})
	return s
}
