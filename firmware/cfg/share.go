package cfg

import "motehound/firmware/image"

// Outside lists the words of the image that are in no block: data, code that never runs, and code that nothing was seen to lead to.
func (g *Graph) Outside() []uint32 {
	var all []uint32
	next := uint32(0)
	for _, b := range g.Blocks {
		for ; next < min(b.Start, g.words); next++ {
			all = append(all, next)
		}
		next = b.End
	}
	for ; next < g.words; next++ {
		all = append(all, next)
	}
	return all
}

// Share is how much of an image is in blocks, in words.
type Share struct {
	Image   int // of code and data
	Blocks  int // in blocks
	Without int // in functions that symbols name, and in no block
}

// Share counts the words of the image.
func (g *Graph) Share() Share {
	outside := g.Outside()
	s := Share{Image: int(g.words), Blocks: int(g.words) - len(outside)}
	for _, pc := range outside {
		if f, ok := g.im.FuncAt(2 * pc); ok && f.Kind == image.Func && inside(f, pc) {
			s.Without++
		}
	}
	return s
}
