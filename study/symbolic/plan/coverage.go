package plan

import (
	"cmp"
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/world"
)

// CoveredFile is a source file of a firmware, and what of its code was reached, over all paths.
type CoveredFile struct {
	Firmware  string
	Path      string
	Functions []CoveredFunction // by line, then name
	Lines     []CoveredLine     // by line
}

// CoveredFunction is a function from which code was made, here or inlined elsewhere.
type CoveredFunction struct {
	Name string
	Line int // where it is declared
	Hits int // motes that reached some of it
}

// CoveredLine is a line from which code was made.
type CoveredLine struct{ Line, Hits int }

// Coverage is what was reached of each firmware's code, file by file in the order of their paths. A line counts how many motes with
// that firmware have reached some of its code on some path.
func (p *Plan) Coverage(r *Result) (files []CoveredFile) { return Coverage(p.cfg.Motes, r.Blocks) }

// Coverage is the same of motes by the blocks that each has reached: the byte addresses of their first instructions, in order.
func Coverage(motes []world.MoteConfig, blocks [][]uint32) (files []CoveredFile) {
	for i, first := range motes {
		same := func(m world.MoteConfig) bool { return m.Kind.SameBuild(first.Kind) }
		if slices.ContainsFunc(motes[:i], same) {
			continue
		}
		c := coverage{lines: map[place]int{}, functions: map[place]int{}, names: map[place]string{}}
		for k, m := range motes {
			if same(m) {
				c.add(m.Kind, blocks[k])
			}
		}
		files = append(files, c.files(first.Kind.Image.Path)...)
	}
	return files
}

// place is a line of a file.
type place struct {
	file string
	line int
}

type coverage struct {
	lines     map[place]int
	functions map[place]int
	names     map[place]string
}

// add counts the code of one mote.
func (c *coverage) add(k *mote.Kind, reached []uint32) {
	lines, functions := map[place]bool{}, map[place]bool{}
	for _, b := range cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1).Whole() {
		_, hit := slices.BinarySearch(reached, b.Start*2)
		for pc := b.Start; pc < b.End; pc++ {
			if l, ok := k.Image.LineAt(pc * 2); ok && l.Line > 0 {
				at := place{l.File, l.Line}
				lines[at] = lines[at] || hit
			}
			for _, f := range k.Image.InlineStack(pc * 2) {
				if at, ok := declared(k.Image, f.Name); ok {
					functions[at] = functions[at] || hit
					c.names[at] = f.Name
				}
			}
		}
	}
	count(c.lines, lines)
	count(c.functions, functions)
}

// declared is where a function is declared.
func declared(im *image.Image, name string) (place, bool) {
	f, ok := im.Function(name)
	if !ok || f.Source().DeclFile == "" || f.Source().DeclLine == 0 {
		return place{}, false
	}
	return place{f.Source().DeclFile, f.Source().DeclLine}, true
}

func count(total map[place]int, hit map[place]bool) {
	for at, yes := range hit {
		if yes {
			total[at]++
		} else {
			total[at] += 0 // it is there
		}
	}
}

// files is what was counted, in order.
func (c *coverage) files(firmware string) []CoveredFile {
	index := map[string]*CoveredFile{}
	of := func(path string) *CoveredFile {
		if index[path] == nil {
			index[path] = &CoveredFile{Firmware: firmware, Path: path}
		}
		return index[path]
	}
	for at, hits := range c.lines {
		f := of(at.file)
		f.Lines = append(f.Lines, CoveredLine{at.line, hits})
	}
	for at, hits := range c.functions {
		f := of(at.file)
		f.Functions = append(f.Functions, CoveredFunction{c.names[at], at.line, hits})
	}
	var list []CoveredFile
	for _, f := range index {
		slices.SortFunc(f.Lines, func(a, b CoveredLine) int { return cmp.Compare(a.Line, b.Line) })
		slices.SortFunc(f.Functions, func(a, b CoveredFunction) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b CoveredFile) int { return cmp.Compare(a.Path, b.Path) })
	return list
}
