package image

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// SymKind says what a symbol stands for.
type SymKind uint8

// Other is for labels of assembly code and for marks that the linker sets.
const (
	Other SymKind = iota
	Func
	Object
)

// String names the kind.
func (k SymKind) String() string { return [...]string{"other", "func", "object"}[k] }

// Symbol is one entry of the linker's symbol table.
type Symbol struct {
	Name  string // as the compiler wrote it; Readable shows it to people
	Kind  SymKind
	Space Space
	Addr  uint32 // byte address inside Space
	Size  uint32 // 0 when unknown
	Local bool
	Weak  bool
}

// symbolIndex answers by name and by address. Extents are disjoint and sorted.
type symbolIndex struct {
	byName  map[string]int
	symbols []Symbol
	funcs   []extent
	objects []extent
}

type extent struct {
	Range
	sym int
}

// Symbol finds a symbol by its raw name; among several of one name a global one wins.
func (im *Image) Symbol(name string) (Symbol, bool) {
	i, ok := im.symbols.byName[name]
	if !ok {
		return Symbol{}, false
	}
	return im.Symbols[i], true
}

// FuncAt gives the function around a flash byte address. A function without a
// size reaches up to the next symbol.
func (im *Image) FuncAt(addr uint32) (Symbol, bool) { return im.symbols.at(im.symbols.funcs, addr) }

// ObjectAt gives the variable around a data address.
func (im *Image) ObjectAt(addr uint32) (Symbol, bool) { return im.symbols.at(im.symbols.objects, addr) }

func (x *symbolIndex) at(extents []extent, addr uint32) (Symbol, bool) {
	i := sort.Search(len(extents), func(i int) bool { return extents[i].Hi > addr })
	if i == len(extents) || extents[i].Lo > addr {
		return Symbol{}, false
	}
	return x.symbols[extents[i].sym], true
}

// fitSymbols holds symbols to the memories that they point to: nobody who goes through a function or a variable leaves those. Flash ends
// with what the file has of it.
func (im *Image) fitSymbols() {
	for i := range im.Symbols {
		s := &im.Symbols[i]
		end := uint32(len(im.Flash))
		for _, r := range regions {
			if r.space == s.Space && s.Space != Flash {
				end = r.size
			}
		}
		switch {
		case s.Space == Absolute:
		case s.Addr > end:
			im.note("%s is at %#x, after the end of the file's %s at %#x: taken as a number", Readable(s.Name), s.Addr, s.Space, end)
			s.Space, s.Kind, s.Size = Absolute, Other, 0
		case s.Size > end-s.Addr:
			im.note("%s claims %d bytes at %#x, but the file's %s ends at %#x: taken as one of unknown size", Readable(s.Name), s.Size, s.Addr, s.Space, end)
			s.Size = 0
		}
	}
	sortSymbols(im.Symbols)
}

// note keeps a note, unless there are many already.
func (im *Image) note(format string, args ...any) {
	const most = 20
	if len(im.Notes) < most {
		im.Notes = append(im.Notes, fmt.Sprintf(format, args...))
	}
}

func sortSymbols(syms []Symbol) {
	slices.SortStableFunc(syms, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Addr, b.Addr), strings.Compare(a.Name, b.Name))
	})
}

func indexSymbols(syms []Symbol, used []Range) symbolIndex {
	x := symbolIndex{byName: make(map[string]int, len(syms)), symbols: syms}
	for i, s := range syms {
		if old, ok := x.byName[s.Name]; !ok || better(s, syms[old]) {
			x.byName[s.Name] = i
		}
	}
	end := uint32(0)
	if len(used) > 0 {
		end = used[len(used)-1].Hi
	}
	x.funcs = x.extents(Flash, end, func(s Symbol) bool { return s.Kind != Object && !linkerMark(s.Name) })
	x.objects = x.extents(Data, 0, func(s Symbol) bool { return s.Kind == Object })
	return x
}

// extents gives each address the one symbol that best names it. Symbols that
// keep refuses still end the extent of an unsized one before them.
func (x *symbolIndex) extents(space Space, end uint32, keep func(Symbol) bool) []extent {
	var out []extent
	for i := 0; i < len(x.symbols); {
		s := x.symbols[i]
		next := i + 1
		for next < len(x.symbols) && x.symbols[next].Space == s.Space && (x.symbols[next].Addr == s.Addr || localLabel(x.symbols[next].Name)) {
			next++
		}
		if s.Space == space {
			limit := end
			if next < len(x.symbols) && x.symbols[next].Space == space {
				limit = x.symbols[next].Addr
			}
			out = x.addExtent(out, i, next, limit, keep)
		}
		i = next
	}
	return out
}

// addExtent adds the best of symbols[from:to], which share an address.
func (x *symbolIndex) addExtent(out []extent, from, to int, limit uint32, keep func(Symbol) bool) []extent {
	best := -1
	for i := from; i < to; i++ {
		if keep(x.symbols[i]) && (best < 0 || better(x.symbols[i], x.symbols[best])) {
			best = i
		}
	}
	if best < 0 {
		return out
	}
	s := x.symbols[best]
	e := extent{Range{s.Addr, limit}, best}
	if s.Size > 0 {
		e.Hi = s.Addr + s.Size
		if e.Hi < s.Addr {
			e.Hi = 0xFFFFFFFF
		}
	}
	if n := len(out); n > 0 && out[n-1].Hi > e.Lo {
		prev := x.symbols[out[n-1].sym]
		if prev.Size > 0 && s.Size == 0 {
			return out // a label inside a sized function does not end it
		}
		out[n-1].Hi = e.Lo
	}
	if e.Hi <= e.Lo {
		return out
	}
	return append(out, e)
}

// better orders symbols of one address or one name: a compiled function before a
// label, sized before unsized, global before weak before local, then by name.
func better(a, b Symbol) bool {
	rank := func(s Symbol) int {
		r := 0
		if s.Kind == Other {
			r += 8
		}
		if s.Size == 0 {
			r += 4
		}
		if s.Local {
			r += 2
		}
		if s.Weak {
			r++
		}
		return r
	}
	return rank(a) < rank(b)
}

// linkerMark tells the names that linker scripts and start-up code give to
// boundaries, and labels inside assembly functions, from names of code.
func linkerMark(name string) bool {
	switch name {
	case "_etext", "__etext", "etext":
		return true
	}
	return localLabel(name) || strings.HasPrefix(name, "__") && (strings.HasSuffix(name, "_start") || strings.HasSuffix(name, "_end"))
}

// localLabel tells a label inside an assembly function, as .do_clear_bss_loop.
func localLabel(name string) bool { return strings.HasPrefix(name, ".") }
