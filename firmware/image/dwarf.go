package image

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// debugState reads DWARF once, when somebody first asks for it: running a mote
// needs none of it.
type debugState struct {
	once     sync.Once
	sections map[string][]byte
	info     *debugInfo
}

// debugInfo is what DWARF says, in our terms. It is complete when built.
type debugInfo struct {
	note  string // for the user, when something is missing
	found bool   // some unit describes code

	lines      []lineRow
	lineFiles  []string
	functions  []*Function
	extents    []functionExtent
	vars       []*Var
	byName     map[string][]*Var
	byReadable map[string][]*Var
	removed    map[string]bool // variables and functions the linker dropped
	enums      []*Type
	enumerator map[string]int64
	frames     []frameEntry
	unitDirs   []string // where the compiler ran, each once
}

const (
	maxDebugSection = 64 << 20
	// budget bounds the debug entries, line rows and ranges that are visited. A
	// large TinyOS program has about 50,000.
	budget = 8 << 20
)

var (
	errTooMuch = errors.New("more entries than a file of this size can mean")
	errCut     = errors.New(".debug_info ends inside a unit")
)

// debugSections keeps the raw sections that are read later. Sections too large
// to be true, or impossible to unpack, count as absent.
func debugSections(f *elf.File) map[string][]byte {
	sections := make(map[string][]byte)
	for _, s := range f.Sections {
		if !strings.HasPrefix(s.Name, ".debug_") && s.Name != ".stab" {
			continue
		}
		if s.Type == elf.SHT_NOBITS || s.Size > maxDebugSection {
			continue
		}
		if data, err := s.Data(); err == nil {
			sections[s.Name] = data
		}
	}
	return sections
}

// dwarf gives the debug information, reading it at the first call.
func (im *Image) dwarf() *debugInfo {
	im.debug.once.Do(func() { im.debug.info = im.readDWARF() })
	return im.debug.info
}

// HasDWARF reports whether the file describes its code in DWARF that can be read.
func (im *Image) HasDWARF() bool { return im.dwarf().found }

// DebugNote is one sentence for the user on what debug information is missing
// and how to get it; empty when all is there.
func (im *Image) DebugNote() string { return im.dwarf().note }

func (im *Image) readDWARF() *debugInfo {
	b := &builder{im: im, info: newDebugInfo(), types: make(map[dwarf.Offset]*Type), volatiles: make(map[dwarf.Offset]bool), origins: make(map[dwarf.Offset]*dwarf.Entry), functions: make(map[dwarf.Offset]*Function)}
	err := b.build(im.debug.sections)
	if err != nil {
		b.info = newDebugInfo()
		b.info.note = fmt.Sprintf("%s: its DWARF cannot be read (%v), so there are symbols only; build it again with -gdwarf-4", im.Path, err)
		return b.info
	}
	b.info.finish()
	if !b.info.found {
		b.info.note = im.missingNote()
	}
	return b.info
}

func newDebugInfo() *debugInfo {
	return &debugInfo{
		byName: make(map[string][]*Var), byReadable: make(map[string][]*Var),
		removed: make(map[string]bool), enumerator: make(map[string]int64),
	}
}

func (im *Image) missingNote() string {
	switch {
	case im.Format != "elf":
		return fmt.Sprintf("%s: HEX and SREC files have no symbols or source lines; give the ELF file that it was made from", im.Path)
	case len(im.debug.sections[".stab"]) > 0:
		return fmt.Sprintf("%s: debug information is STABS, which is not read; rebuild with -gdwarf-4 (avr-gcc's plain -g means STABS) for source lines and types", im.Path)
	case len(im.Symbols) == 0:
		return fmt.Sprintf("%s: stripped: no symbols and no debug information; give the file before avr-strip, built with -gdwarf-4", im.Path)
	}
	return fmt.Sprintf("%s: no debug information; rebuild with -gdwarf-4 for source lines and types", im.Path)
}

// builder turns DWARF entries into debugInfo.
type builder struct {
	im        *Image
	d         *dwarf.Data
	info      *debugInfo
	sections  map[string][]byte
	visited   int
	types     map[dwarf.Offset]*Type
	volatiles map[dwarf.Offset]bool
	pointers  []pendingPointer
	origins   map[dwarf.Offset]*dwarf.Entry
	functions map[dwarf.Offset]*Function
	order     []*Function // as they come in the file
	origin    []pendingOrigin

	unit     *dwarf.Entry
	unitName string
	unitBase uint32
	unitV5   bool
	files    []*dwarf.LineFile
}

func (b *builder) build(sections map[string][]byte) error {
	b.sections = sections
	if len(sections[".debug_info"]) == 0 {
		return nil
	}
	s := func(name string) []byte { return sections[".debug_"+name] }
	d, err := dwarf.New(s("abbrev"), s("aranges"), s("frame"), s("info"), s("line"), s("pubnames"), s("ranges"), s("str"))
	if err != nil {
		return err
	}
	for _, name := range []string{".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists"} {
		if data := sections[name]; len(data) > 0 {
			if err := d.AddSection(name, data); err != nil {
				return fmt.Errorf("section %s: %w", name, err)
			}
		}
	}
	b.d = d
	if err := b.units(); err != nil {
		return err
	}
	b.resolveOrigins()
	b.resolvePointers()
	b.info.frames = parseFrames(sections[".debug_frame"], b.codeAtZero())
	return nil
}

func (b *builder) units() error {
	r := b.d.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return err
		}
		if e == nil {
			return nil
		}
		if err := b.spend(1); err != nil {
			return err
		}
		if e.Tag != dwarf.TagCompileUnit {
			if err := b.skip(r, e); err != nil {
				return err
			}
			continue
		}
		if err := b.startUnit(r, e); err != nil {
			return err
		}
		if !e.Children {
			continue
		}
		if err := b.children(r, func(kid *dwarf.Entry) error { return b.topLevel(r, kid, 0) }); err != nil {
			return err
		}
	}
}

// startUnit reads the unit's own attributes and its line table.
func (b *builder) startUnit(r *dwarf.Reader, e *dwarf.Entry) error {
	b.unit, b.files = e, nil
	b.unitName, _ = e.Val(dwarf.AttrName).(string)
	if dir, _ := e.Val(dwarf.AttrCompDir).(string); dir != "" {
		if dir = path.Clean(dir); !slices.Contains(b.info.unitDirs, dir) {
			b.info.unitDirs = append(b.info.unitDirs, dir)
		}
	}
	low, _ := e.Val(dwarf.AttrLowpc).(uint64)
	b.unitBase = uint32(low)
	b.unitV5 = r.ByteOrder() != nil && b.unitVersion(e.Offset) >= 5
	if b.registersOnly() {
		return nil
	}
	return b.readLines(e)
}

// registersOnly tells the unit that avr-libc's start-up code carries: the I/O
// registers as variables, no code, and a line table that is another unit's.
func (b *builder) registersOnly() bool {
	producer, _ := b.unit.Val(dwarf.AttrProducer).(string)
	return b.unitName == "" && strings.HasPrefix(producer, "avr-libc")
}

// unitVersion reads the version from the unit's header, which ends where its
// first entry starts: 11 bytes before for DWARF 2 to 4, 12 for DWARF 5.
func (b *builder) unitVersion(first dwarf.Offset) int {
	info := b.sections[".debug_info"]
	for _, size := range []dwarf.Offset{12, 11} {
		if first < size || int(first) > len(info) {
			continue
		}
		v := int(info[first-size+4]) | int(info[first-size+5])<<8
		if size == 12 && v == 5 || size == 11 && v >= 2 && v <= 4 {
			return v
		}
	}
	return 4
}

// children visits the entries below the one just read. visit must consume the
// children of what it is given.
func (b *builder) children(r *dwarf.Reader, visit func(*dwarf.Entry) error) error {
	for {
		e, err := r.Next()
		if err != nil {
			return err
		}
		if e == nil {
			return errCut
		}
		if e.Tag == 0 {
			return nil
		}
		if err := b.spend(1); err != nil {
			return err
		}
		if err := visit(e); err != nil {
			return err
		}
	}
}

func (b *builder) spend(n int) error {
	if b.visited += n; b.visited > budget {
		return errTooMuch
	}
	return nil
}

func (b *builder) topLevel(r *dwarf.Reader, e *dwarf.Entry, depth int) error {
	switch e.Tag {
	case dwarf.TagSubprogram:
		return b.subprogram(r, e, 0)
	case dwarf.TagVariable:
		b.variable(e, nil)
	case dwarf.TagEnumerationType:
		b.enumeration(e)
	case dwarf.TagNamespace:
		if e.Children && depth < maxScopes {
			return b.children(r, func(kid *dwarf.Entry) error { return b.topLevel(r, kid, depth+1) })
		}
	}
	return b.skip(r, e)
}

// skip passes over e's children: by the producer's link to the next sibling or,
// where there is none, one by one. It does not recurse, as nesting is unbounded.
func (b *builder) skip(r *dwarf.Reader, e *dwarf.Entry) error {
	if !e.Children {
		return nil
	}
	if next, ok := e.Val(dwarf.AttrSibling).(dwarf.Offset); ok {
		if next <= e.Offset {
			return fmt.Errorf("entry %#x of .debug_info has a sibling before it", e.Offset)
		}
		r.Seek(next)
		return nil
	}
	open := 1
	for open > 0 {
		kid, err := r.Next()
		if err != nil {
			return err
		}
		if kid == nil {
			return errCut
		}
		if err := b.spend(1); err != nil {
			return err
		}
		switch {
		case kid.Tag == 0:
			open--
		case kid.Children:
			open++
		}
	}
	return nil
}

// entry reads the entry at off with a reader of its own.
func (b *builder) entry(off dwarf.Offset) *dwarf.Entry {
	if e, ok := b.origins[off]; ok {
		return e
	}
	r := b.d.Reader()
	r.Seek(off)
	e, err := r.Next()
	if err != nil || e == nil || e.Tag == 0 {
		e = nil
	}
	b.origins[off] = e
	return e
}

// attr gives an attribute of e, or else of the entries that e completes: the
// abstract instance of an inlined function, the declaration of a definition.
func (b *builder) attr(e *dwarf.Entry, a dwarf.Attr) any {
	for hops := 0; e != nil && hops < 8; hops++ {
		if v := e.Val(a); v != nil {
			return v
		}
		off, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			off, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			return nil
		}
		e = b.entry(off)
	}
	return nil
}

func (b *builder) str(e *dwarf.Entry, a dwarf.Attr) string {
	s, _ := b.attr(e, a).(string)
	return s
}

func (b *builder) num(e *dwarf.Entry, a dwarf.Attr) int {
	n, _ := b.attr(e, a).(int64)
	return int(n)
}

// file names the file with an index into the unit's table.
func (b *builder) file(index int) string {
	if index < 0 || index >= len(b.files) || b.files[index] == nil {
		return ""
	}
	return b.files[index].Name
}

// ranges gives e's code. The linker sets the addresses of functions that it drops
// to zero, where the interrupt vectors are: such code is not there.
func (b *builder) ranges(e *dwarf.Entry, name string) []Range {
	raw, err := b.d.Ranges(e)
	if err != nil || b.spend(len(raw)) != nil {
		return nil
	}
	var out []Range
	for _, r := range raw {
		if r[0] >= r[1] || r[1] > maxFlash || r[0] == 0 && !b.symbolAtZero(name) {
			continue
		}
		out = append(out, Range{uint32(r[0]), uint32(r[1])})
	}
	return out
}

func (b *builder) symbolAtZero(name string) bool {
	s, ok := b.im.Symbol(name)
	return ok && s.Space == Flash && s.Addr == 0
}
