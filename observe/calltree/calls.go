package calltree

import (
	"cmp"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// layout is a firmware's code as it is followed: which functions and inlined bodies each instruction belongs to, and
// before which instructions something can happen. It never changes, except for what it remembers of its Book.
type layout struct {
	im      *image.Image
	program *avr.Program
	book    *Book
	sieve   *sieve

	sources    []sourceFunc
	bySource   map[sourceKey]int32
	funcs      []function // by address
	bodies     []body     // functions' own and inlined ones
	at         []int32    // by word address: 1 + the innermost body that is shown, or the function's own
	entry      []int32    // by word address: 1 + the function that begins there
	marks      []int32    // by word address: 1 + the point there
	points     []point
	returnSize uint16 // bytes of a return address
	lines      []Site // by word address, as asked for
	known      []bool
}

// sourceFunc is a function of the source.
type sourceFunc struct {
	raw, name, file string
	line            int
	hidden          bool
	kernel          bool
	fn              *Func // once it was needed
}

type sourceKey struct {
	raw, file string
}

// function is machine code with an entry.
type function struct {
	entry  uint32 // word address
	ranges []image.Range
	body   int32
	part   bool // the rest of a function whose beginning was inlined
	hooked bool // its entry is watched
	dwarf  *image.Function
}

// body is a function's own code or an inlined copy's. Hidden copies have none: they count as their caller's.
type body struct {
	source int32
	parent int32 // -1 for a function's own
	depth  int32
	fn     int32  // index in funcs
	entry  uint32 // word address
	site   Site
}

func newLayout(im *image.Image, program *avr.Program, book *Book, s *sieve) *layout {
	n := program.Words()
	l := &layout{im: im, program: program, book: book, sieve: s, bySource: map[sourceKey]int32{},
		at: make([]int32, n), entry: make([]int32, n), marks: make([]int32, n), lines: make([]Site, n), known: make([]bool, n)}
	l.returnSize = 2
	if n > 1<<16 {
		l.returnSize = 3 // a 22-bit program counter
	}
	l.findFunctions()
	for i := range l.funcs {
		l.addBodies(int32(i))
	}
	l.findPoints()
	return l
}

// findFunctions takes functions from DWARF, and from the symbols those that it does not describe.
func (l *layout) findFunctions() {
	for _, f := range l.im.Functions() {
		if e, ok := f.Entry(); ok && e/2 < l.program.Words() {
			l.funcs = append(l.funcs, function{entry: e / 2, ranges: f.Ranges, dwarf: f})
		}
	}
	described := map[uint32]bool{}
	for _, f := range l.funcs {
		described[f.entry] = true
	}
	for _, s := range l.im.Symbols {
		if s.Space != image.Flash || s.Kind != image.Func || s.Addr/2 >= l.program.Words() || described[s.Addr/2] {
			continue
		}
		if d, ok := l.im.FunctionAt(s.Addr); ok && d != nil {
			continue // a label inside
		}
		described[s.Addr/2] = true
		l.funcs = append(l.funcs, function{entry: s.Addr / 2, ranges: []image.Range{{Lo: s.Addr, Hi: s.Addr + s.Size}}})
	}
	slices.SortStableFunc(l.funcs, func(a, b function) int { return cmp.Compare(a.entry, b.entry) })
	for i := range l.funcs {
		l.entry[l.funcs[i].entry] = int32(i) + 1
		l.extend(i)
	}
}

// extend gives a function whose size nobody says what lies before the next one.
func (l *layout) extend(i int) {
	f := &l.funcs[i]
	r := &f.ranges[0]
	if len(f.ranges) > 1 || r.Hi > r.Lo {
		return
	}
	end := min(uint32(len(l.im.Flash)), 2*l.program.Words())
	if i+1 < len(l.funcs) {
		end = 2 * l.funcs[i+1].entry
	}
	f.ranges = []image.Range{{Lo: r.Lo, Hi: max(end, r.Lo)}}
}

// addBodies makes a function's bodies and notes where they are.
func (l *layout) addBodies(i int32) {
	f := &l.funcs[i]
	symbol := l.symbolAt(2 * f.entry)
	f.part = strings.Contains(symbol, ".part.")
	src := int32(0)
	if f.dwarf != nil {
		d := f.dwarf.Source()
		src = l.source(cmp.Or(d.Name, symbol), d.DeclFile, d.DeclLine)
	} else {
		src = l.source(symbol, "", 0)
	}
	f.body = int32(len(l.bodies))
	l.bodies = append(l.bodies, body{source: src, parent: -1, fn: i, entry: f.entry})
	l.paint(f.ranges, f.body)
	if f.dwarf != nil {
		l.addInlines(f.dwarf.Inlines, f.body, nil)
	}
}

// symbolAt is the best name of what begins at a byte address.
func (l *layout) symbolAt(addr uint32) string {
	name := ""
	for _, s := range l.im.Symbols {
		if s.Space == image.Flash && s.Kind == image.Func && s.Addr == addr && (name == "" || !s.Local && !s.Weak) {
			name = s.Name
		}
	}
	return name
}

// addInlines adds inlined copies. Site is where the outermost of the hidden ones around them was called, if there is one.
func (l *layout) addInlines(list []*image.Inline, parent int32, site *Site) {
	for _, in := range list {
		src := l.source(in.Origin.Name, in.Origin.DeclFile, in.Origin.DeclLine)
		at := site
		if at == nil {
			at = &Site{File: in.CallFile, Line: in.CallLine}
		}
		if l.sources[src].hidden {
			l.paint(in.Ranges, parent)
			l.addInlines(in.Inlines, parent, at)
			continue
		}
		p := l.bodies[parent]
		id := int32(len(l.bodies))
		l.bodies = append(l.bodies, body{source: src, parent: parent, depth: p.depth + 1, fn: p.fn, entry: lowest(in.Ranges) / 2, site: *at})
		l.paint(in.Ranges, id)
		l.addInlines(in.Inlines, id, nil)
	}
}

func lowest(ranges []image.Range) uint32 {
	low := ^uint32(0)
	for _, r := range ranges {
		low = min(low, r.Lo)
	}
	return low
}

// paint notes which body instructions belong to.
func (l *layout) paint(ranges []image.Range, body int32) {
	for _, r := range ranges {
		for pc := r.Lo / 2; pc < (r.Hi+1)/2 && pc < uint32(len(l.at)); pc++ {
			l.at[pc] = body + 1
		}
	}
}

func (l *layout) source(raw, file string, line int) int32 {
	raw = sourceName(raw)
	k := sourceKey{raw, file}
	if i, ok := l.bySource[k]; ok {
		return i
	}
	s := sourceFunc{raw: raw, name: readable(raw), file: file, line: line}
	s.hidden = l.sieve.hides(raw, s.name, file)
	s.kernel = isKernel(raw)
	i := int32(len(l.sources))
	l.sources = append(l.sources, s)
	l.bySource[k] = i
	return i
}

// fn is the Func of a source.
func (l *layout) fn(src int32) *Func {
	s := &l.sources[src]
	if s.fn == nil {
		s.fn = l.book.Func(s.name, s.file, s.line)
		s.fn.Library = !l.im.Own(s.file)
	}
	return s.fn
}

// line is the place in the source of the instruction at a word address, as the body that is shown there has it: of an
// instruction of hidden copies, where the outermost of them was called.
func (l *layout) line(pc uint32) Site {
	if pc >= uint32(len(l.lines)) {
		return Site{}
	}
	if !l.known[pc] {
		l.known[pc] = true
		frames := l.im.InlineStack(2 * pc)
		for i, f := range frames {
			if i == len(frames)-1 || !l.hidesFrame(f) {
				l.lines[pc] = Site{File: f.File, Line: f.Line.Line}
				break
			}
		}
	}
	return l.lines[pc]
}

func (l *layout) hidesFrame(f image.Frame) bool {
	if f.Func == nil {
		return false
	}
	i, ok := l.bySource[sourceKey{sourceName(f.Func.Name), f.Func.DeclFile}]
	return ok && l.sources[i].hidden
}
