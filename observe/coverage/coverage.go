// Package coverage says which lines and functions of the sources were executed, and how often, by the blocks of machine code that were.
//
// A line whose code is in several blocks was executed as often as the one that was entered most often. Where a function was inlined, each copy
// counts by itself, and the line's count is the sum.
package coverage

import (
	"cmp"
	"maps"
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/observe/counters"
	"motehound/world"
)

// File is a source file of a firmware, and what of its code was executed.
type File struct {
	Firmware  string
	Path      string
	Functions []Function // by line, then name
	Lines     []Line     // by line
}

// Function is a function from which code was made, here or inlined elsewhere.
type Function struct {
	Name string
	Line int // where it is declared
	Hits int
}

// Line is a line from which code was made.
type Line struct{ Line, Hits int }

// Reached is what was executed of each firmware's code, file by file in the order of their paths, by the blocks that each mote has reached:
// the byte addresses of their first instructions, in order. Hits are how many motes have reached some of a line's or function's code.
func Reached(motes []world.MoteConfig, blocks [][]uint32) []File {
	var kinds []*mote.Kind
	for _, m := range motes {
		kinds = append(kinds, m.Kind)
	}
	return files(kinds, 1, func(mote int, b cfg.Block) int {
		if _, hit := slices.BinarySearch(blocks[mote], b.Start*2); hit {
			return 1
		}
		return 0
	})
}

// Watcher counts what motes execute.
type Watcher struct {
	w       *world.World
	counts  *counters.Counters
	open    []int       // by mote: the number of its count
	total   [][]uint64  // by mote and block
	drained []uint64    // by mote: the cycle until which total has all
	blocks  []cfgBlocks // by build
}

type cfgBlocks struct {
	kind *mote.Kind
	list []cfg.Block
	at   []uint32
}

// drainEvery is after how many cycles a count is taken over, before it is too large for its 32 bits.
const drainEvery = 1 << 31

// Watch begins to count in a world.
func Watch(w *world.World) *Watcher {
	x := &Watcher{w: w, drained: make([]uint64, len(w.Motes()))}
	x.counts = counters.Of(w, func(k *mote.Kind) []uint32 { return x.of(k).at })
	for i, m := range w.Motes() {
		x.total = append(x.total, make([]uint64, len(x.of(m.Kind).list)))
		x.open = append(x.open, x.counts.Mote(i).Begin())
	}
	w.Observe(world.Observer{Interrupt: func(i int, cycle uint64, _ uint8) {
		if cycle-x.drained[i] > drainEvery {
			x.drained[i] = cycle
			x.drain(i)
		}
	}})
	return x
}

// drain takes over what was counted, and counts anew.
func (x *Watcher) drain(i int) {
	for block, n := range x.counts.Mote(i).End(x.open[i]).Each {
		x.total[i][block] += uint64(n)
	}
	x.open[i] = x.counts.Mote(i).Begin()
}

func (x *Watcher) of(k *mote.Kind) *cfgBlocks {
	for i := range x.blocks {
		if x.blocks[i].kind == k {
			return &x.blocks[i]
		}
	}
	b := cfgBlocks{kind: k, list: blocksOf(k)}
	for _, y := range b.list {
		b.at = append(b.at, y.Start)
	}
	x.blocks = append(x.blocks, b)
	return &x.blocks[len(x.blocks)-1]
}

// Files says how often lines and functions were executed until now.
func (x *Watcher) Files() []File {
	var kinds []*mote.Kind
	index := map[*mote.Kind]map[uint32]int{}
	for i, m := range x.w.Motes() {
		x.drain(i)
		kinds = append(kinds, m.Kind)
		if index[m.Kind] == nil {
			index[m.Kind] = map[uint32]int{}
			for n, b := range x.of(m.Kind).list {
				index[m.Kind][b.Start] = n
			}
		}
	}
	const all = int(^uint(0) >> 1)
	return files(kinds, all, func(i int, b cfg.Block) int { return int(x.total[i][index[kinds[i]][b.Start]]) })
}

// blocksOf is all code of a firmware that can run.
func blocksOf(k *mote.Kind) []cfg.Block {
	return cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1).Whole()
}

// files adds up what motes have executed. One mote adds at most so much to a count.
func files(motes []*mote.Kind, most int, executed func(mote int, b cfg.Block) int) (list []File) {
	for i, first := range motes {
		if slices.ContainsFunc(motes[:i], first.SameBuild) {
			continue
		}
		c := sums{lines: map[place]int{}, functions: map[place]int{}, names: map[place]string{}}
		code := c.code(first)
		for k, m := range motes {
			if first.SameBuild(m) {
				c.add(code, most, func(b cfg.Block) int { return executed(k, b) })
			}
		}
		list = append(list, c.files(first.Image.Path)...)
	}
	return list
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// copied is a place in one copy of a function's code.
type copied struct {
	place
	function *image.Function
	inline   *image.Inline
}

type sums struct {
	lines     map[place]int
	functions map[place]int
	names     map[place]string
}

// sourced is a block, and what of the sources is in it.
type sourced struct {
	cfg.Block
	lines, functions []copied
}

// code is that of a firmware.
func (c *sums) code(k *mote.Kind) (list []sourced) {
	for _, b := range blocksOf(k) {
		x := sourced{Block: b}
		for pc := b.Start; pc < b.End; pc++ {
			frames := k.Image.InlineStack(pc * 2)
			if l, ok := k.Image.LineAt(pc * 2); ok && l.Line > 0 {
				at := copied{place: place{l.File, l.Line}}
				if len(frames) > 0 {
					at.function, at.inline = frames[len(frames)-1].Func, frames[0].Inline
				}
				x.lines = append(x.lines, at)
			}
			for _, f := range frames {
				if at, ok := declared(k.Image, f.Name); ok {
					x.functions = append(x.functions, copied{at, frames[len(frames)-1].Func, f.Inline})
					c.names[at] = f.Name
				}
			}
		}
		x.lines, x.functions = once(x.lines), once(x.functions)
		list = append(list, x)
	}
	return list
}

// once is a list in which nothing is repeated.
func once(list []copied) (short []copied) {
	for _, x := range list {
		if !slices.Contains(short, x) {
			short = append(short, x)
		}
	}
	return short
}

// add counts the code of one mote.
func (c *sums) add(code []sourced, most int, executed func(b cfg.Block) int) {
	lines, functions := map[copied]int{}, map[copied]int{}
	for i := range code {
		b := &code[i]
		n := executed(b.Block)
		for _, at := range b.lines {
			lines[at] = max(lines[at], n)
		}
		for _, of := range b.functions {
			if was, known := functions[of]; !known || was == 0 { // its first block that was executed
				functions[of] = n
			}
		}
	}
	sum(c.lines, lines, most)
	sum(c.functions, functions, most)
}

// declared is where a function is declared.
func declared(im *image.Image, name string) (place, bool) {
	f, ok := im.Function(name)
	if !ok || f.Source().DeclFile == "" || f.Source().DeclLine == 0 {
		return place{}, false
	}
	return place{f.Source().DeclFile, f.Source().DeclLine}, true
}

// sum adds the counts of all copies.
func sum(total map[place]int, copies map[copied]int, most int) {
	of := map[place]int{}
	for at, n := range copies {
		of[at.place] += n
	}
	for at, n := range of {
		total[at] += min(n, most)
	}
}

// files is what was counted, in order.
func (c *sums) files(firmware string) []File {
	index := map[string]*File{}
	of := func(path string) *File {
		if index[path] == nil {
			index[path] = &File{Firmware: firmware, Path: path}
		}
		return index[path]
	}
	for at, hits := range c.lines {
		f := of(at.file)
		f.Lines = append(f.Lines, Line{at.line, hits})
	}
	for at, hits := range c.functions {
		f := of(at.file)
		f.Functions = append(f.Functions, Function{c.names[at], at.line, hits})
	}
	var list []File
	for _, path := range slices.Sorted(maps.Keys(index)) {
		f := index[path]
		slices.SortFunc(f.Lines, func(a, b Line) int { return cmp.Compare(a.Line, b.Line) })
		slices.SortFunc(f.Functions, func(a, b Function) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
		list = append(list, *f)
	}
	return list
}
