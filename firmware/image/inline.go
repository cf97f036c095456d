package image

import (
	"cmp"
	"slices"
	"sort"
)

// Frame is one function that an instruction belongs to, real or inlined.
type Frame struct {
	Name   string
	Func   *Function // nil when only the symbol table knows the function
	Inline *Inline   // nil for the real function around
	Line             // where in Name: of the instruction, or of the inlined call
}

// InlineStack gives the functions that the instruction at addr belongs to, innermost
// first: the inlined ones and, last, the one that really exists. Without DWARF it
// is the enclosing symbol.
func (im *Image) InlineStack(addr uint32) []Frame {
	at, _ := im.LineAt(addr)
	f, ok := im.FunctionAt(addr)
	if !ok {
		s, ok := im.FuncAt(addr)
		if !ok {
			return nil
		}
		return []Frame{{Name: s.Name, Line: at}}
	}
	frames := []Frame{{Name: f.Name, Func: f}}
	for scope := &f.Scope; scope != nil; {
		in := scope.inlineAt(addr)
		if in == nil {
			break
		}
		frames[len(frames)-1].Line = Line{File: in.CallFile, Line: in.CallLine, Column: in.CallCol, Stmt: true}
		frames = append(frames, Frame{Name: in.Origin.Name, Func: in.Origin, Inline: in})
		scope = &in.Scope
	}
	frames[len(frames)-1].Line = at
	slices.Reverse(frames)
	return frames
}

// FunctionAt gives the function, as DWARF knows it, whose own code addr is in.
func (im *Image) FunctionAt(addr uint32) (*Function, bool) {
	x := im.dwarf().extents
	i := sort.Search(len(x), func(i int) bool { return x[i].Hi > addr })
	if i == len(x) || !x[i].Contains(addr) {
		return nil, false
	}
	return x[i].f, true
}

// inlineAt finds the copy around addr.
func (s *Scope) inlineAt(addr uint32) *Inline {
	for _, in := range s.Inlines {
		for _, r := range in.Ranges {
			if r.Contains(addr) {
				return in
			}
		}
	}
	return nil
}

// finish builds the indexes once everything has been read.
func (d *debugInfo) finish() {
	d.sortLines()
	d.indexVars()
	for _, f := range d.functions {
		for _, r := range f.Ranges {
			d.extents = append(d.extents, functionExtent{r, f})
		}
	}
	slices.SortStableFunc(d.extents, func(a, b functionExtent) int { return cmp.Compare(a.Lo, b.Lo) })
	for i := 0; i+1 < len(d.extents); i++ {
		d.extents[i].Hi = min(d.extents[i].Hi, d.extents[i+1].Lo)
	}
}
