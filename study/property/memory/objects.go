package memory

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"motehound/firmware/image"
)

// object is a variable: data addresses, or for locals what is to be added to the frame pointer.
type object struct {
	name   string
	lo, hi uint16 // from, up to
	typ    *image.Type
	named  bool
}

func (o *object) size() uint16 { return o.hi - o.lo }

// array tells whether there is an array around an offset in the object: only arrays are indexed.
func (o *object) array(offset uint16) bool {
	switch {
	case !o.named:
		return false
	case o.typ == nil:
		return o.size() > 4
	}
	return arrayAround(o.typ, uint32(offset))
}

// bare is a type without typedefs. A void one is nil in DWARF's tree, and of no kind here.
func bare(t *image.Type) *image.Type {
	if t != nil {
		if t = t.Strip(); t != nil {
			return t
		}
	}
	return &image.Type{}
}

func arrayAround(t *image.Type, offset uint32) bool {
	t = bare(t)
	switch t.Kind {
	case image.KindArray:
		return true
	case image.KindStruct, image.KindUnion:
		return !network(t) && slices.ContainsFunc(t.Fields, func(f image.Field) bool {
			return offset >= f.Offset && offset < f.Offset+bare(f.Type).Size && arrayAround(f.Type, offset-f.Offset)
		})
	}
	return false
}

// network tells nesC's network types, which are numbers in structs of bytes.
func network(t *image.Type) bool { return len(t.Fields) == 1 && t.Fields[0].Name == "nxdata" }

// holdsArray tells whether there is an array anywhere in the object, as far as is known.
func (o *object) holdsArray() bool {
	if !o.named {
		return true
	}
	if o.typ == nil {
		return o.size() > 4
	}
	var holds func(t *image.Type) bool
	holds = func(t *image.Type) bool {
		t = bare(t)
		if t.Kind == image.KindArray {
			return true
		}
		return slices.ContainsFunc(t.Fields, func(f image.Field) bool { return holds(f.Type) })
	}
	return holds(o.typ)
}

// at names what would be at an address if the object, or the array at its end, went on.
func (o *object) at(addr uint16) string {
	name, off := image.Readable(o.name), int(int16(addr-o.lo))
	t := bare(o.typ)
	for t.Kind == image.KindStruct && len(t.Fields) > 0 && off > 0 {
		f := t.Fields[len(t.Fields)-1]
		if f.Name == "" || network(t) {
			break
		}
		name, off, t = name+"."+f.Name, off-int(f.Offset), bare(f.Type)
	}
	if n := int(bare(t.Elem).Size); t.Kind == image.KindArray && n > 0 {
		i := off / n
		if off < 0 && off%n != 0 {
			i--
		}
		return fmt.Sprintf("%s[%d]", name, i)
	}
	return fmt.Sprintf("%s%+d", name, off)
}

// globals lists the variables of a firmware in SRAM from start up to end, without overlaps and without gaps: what has no name
// (string constants above all) is an object too.
func globals(im *image.Image, start, end uint16) []object {
	var list []object
	add := func(name string, addr, size uint32, t *image.Type) {
		if size > 0 && addr >= uint32(start) && addr+size <= uint32(end) {
			list = append(list, object{name, uint16(addr), uint16(addr + size), t, true})
		}
	}
	for _, v := range im.Vars() {
		if v.Space == image.Data && !v.Register {
			add(v.Name, v.Addr, bare(v.Type).Size, v.Type)
		}
	}
	for _, s := range im.Symbols {
		if s.Space == image.Data && s.Kind == image.Object {
			add(s.Name, s.Addr, s.Size, nil)
		}
	}
	return fill(merge(list), start, end)
}

// merge makes one object of those that overlap: aliases, and what the linker knows of a variable beside what DWARF knows.
func merge(list []object) []object {
	slices.SortStableFunc(list, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi))
	})
	var out []object
	for _, o := range list {
		if n := len(out); n > 0 && o.lo < out[n-1].hi {
			last := &out[n-1]
			if o.hi > last.hi {
				last.hi, last.typ = o.hi, nil
			} else if last.typ == nil && o.size() == last.size() {
				last.typ, last.name = o.typ, o.name
			}
			continue
		}
		out = append(out, o)
	}
	return out
}

func fill(list []object, start, end uint16) []object {
	var out []object
	at := start
	for _, o := range list {
		if o.lo > at {
			out = append(out, object{name: "data without a name", lo: at, hi: o.lo})
		}
		out = append(out, o)
		at = o.hi
	}
	if at < end {
		out = append(out, object{name: "data without a name", lo: at, hi: end})
	}
	return out
}

// find gives the object around an address, nil if there is none.
func find(list []object, addr uint16) *object {
	i := sort.Search(len(list), func(i int) bool { return list[i].hi > addr })
	if i < len(list) && list[i].lo <= addr {
		return &list[i]
	}
	return nil
}

// frame is the variables that a function keeps in its stack frame, by their distance from Y, which points there while the
// function's own code runs.
type frame struct {
	code   []image.Range // the function's
	locals []object
}

// has tells whether an instruction is in the function's own code.
func (f *frame) has(addr uint32) bool {
	return slices.ContainsFunc(f.code, func(r image.Range) bool { return r.Contains(addr) })
}

// maxFrame bounds the distance of locals from Y.
const maxFrame = 4096

// frameOf finds the locals of a function whose place is a constant distance from Y. Those that share a place (their scopes
// do not overlap) become one.
func frameOf(f *image.Function) frame {
	var list []object
	var walk func(s *image.Scope)
	walk = func(s *image.Scope) {
		for _, group := range [][]*image.Local{s.Params, s.Locals} {
			for _, l := range group {
				if off, ok := fromY(l); ok && bare(l.Type).Size > 0 {
					if end := off + bare(l.Type).Size; end <= maxFrame {
						list = append(list, object{l.Name, uint16(off), uint16(end), l.Type, true})
					}
				}
			}
		}
		for _, in := range s.Inlines {
			walk(&in.Scope)
		}
	}
	walk(&f.Scope)
	return frame{f.Ranges, merge(list)}
}

const breg28 = 0x8C // DW_OP_breg28: what avr-gcc writes for variables in the frame

// fromY is a local's distance from Y, if it is in memory, always at the same place.
func fromY(l *image.Local) (uint32, bool) {
	entries := l.Loc.Entries()
	if len(entries) != 1 || len(entries[0].Expr) < 2 || entries[0].Expr[0] != breg28 {
		return 0, false
	}
	var v, shift uint32
	for i, b := range entries[0].Expr[1:] {
		v |= uint32(b&0x7F) << shift
		shift += 7
		if b&0x80 == 0 {
			negative := b&0x40 != 0
			return v, i == len(entries[0].Expr)-2 && !negative
		}
	}
	return 0, false
}
