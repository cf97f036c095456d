// Package stray reports how much of a firmware's code is in basic blocks, and which instructions ran outside of all blocks. Code that
// counts blocks does not see those.
//
// Watching changes nothing in the world, and costs nothing as long as everything that runs is in blocks.
package stray

import (
	"slices"

	"motehound/firmware/cfg"
	"motehound/mote"
	"motehound/world"
)

// Code is one firmware of a world.
type Code struct {
	Kind *mote.Kind
	cfg.Share
	Unknown int // jumps whose targets are worked out and not known
	Ran     []Ran
}

// Ran is an instruction that ran outside of every block.
type Ran struct {
	Addr  uint32 // byte address
	Times uint64 // in all motes
}

// Watcher watches one world.
type Watcher struct {
	codes []*Code
	index []map[uint32]int // of Ran, by Addr
	of    []int            // by mote
}

// Watch begins to watch a world.
func Watch(w *world.World) *Watcher {
	x := &Watcher{}
	var outside [][]uint32
	for _, m := range w.Motes() {
		i := x.find(m.Kind)
		if i < 0 {
			i = len(x.codes)
			g := graph(m.Kind)
			c := &Code{Kind: m.Kind, Share: g.Share()}
			for _, j := range g.Jumps {
				if len(j.To) == 0 {
					c.Unknown++
				}
			}
			x.codes, x.index, outside = append(x.codes, c), append(x.index, map[uint32]int{}), append(outside, g.Outside())
		}
		x.of = append(x.of, i)
	}
	w.Observe(world.Observer{Code: x.ran, CodeAt: func(k *mote.Kind) []uint32 { return outside[x.find(k)] }})
	return x
}

// graph is the code of a firmware on its board.
func graph(k *mote.Kind) *cfg.Graph {
	return cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1)
}

func (x *Watcher) find(k *mote.Kind) int {
	return slices.IndexFunc(x.codes, func(c *Code) bool { return c.Kind == k })
}

func (x *Watcher) ran(i int, _ uint64, pc uint32) bool {
	c, index := x.codes[x.of[i]], x.index[x.of[i]]
	n, ok := index[2*pc]
	if !ok {
		n = len(c.Ran)
		index[2*pc] = n
		c.Ran = append(c.Ran, Ran{Addr: 2 * pc})
	}
	c.Ran[n].Times++
	return false
}

// Codes are the firmwares, in the order of their first motes, with what ran until now, by address.
func (x *Watcher) Codes() []Code {
	all := make([]Code, 0, len(x.codes))
	for _, c := range x.codes {
		d := *c
		d.Ran = slices.Clone(c.Ran)
		slices.SortFunc(d.Ran, func(a, b Ran) int { return int(a.Addr) - int(b.Addr) })
		all = append(all, d)
	}
	return all
}
