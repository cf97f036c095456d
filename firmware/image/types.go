package image

import (
	"debug/dwarf"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kind classifies types and values.
type Kind uint8

// The kinds. Values are never Typedef: they have the kind of what it names, and
// nesC's network types are Int or Uint.
const (
	KindUnknown Kind = iota // described in a way that is not understood
	KindVoid
	KindInt
	KindUint
	KindBool
	KindFloat
	KindEnum
	KindStruct
	KindUnion
	KindArray
	KindPointer
	KindCode // a function, as what a pointer points to
	KindTypedef
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"unknown", "void", "int", "uint", "bool", "float", "enum", "struct", "union", "array", "pointer", "code", "typedef"}[k]
}

// Type is the type of a variable. const and volatile are left out.
type Type struct {
	Name        string // "uint8_t", "message_t"; "" when it has none
	Kind        Kind
	Size        uint32  // in bytes; 0 when incomplete
	Elem        *Type   // of arrays, pointers and typedefs; nil for void
	Count       uint32  // elements of an array; 0 when unknown
	Fields      []Field // of structs and unions
	Enumerators []Enumerator
	Char        bool // shown as text in arrays
}

// Field is a member of a struct or union.
type Field struct {
	Name      string // "" for an anonymous struct or union inside
	Type      *Type
	Offset    uint32 // in bytes
	BitOffset uint32 // of the lowest bit, counted from Offset's lowest
	BitSize   uint32 // 0 when not a bit-field
}

// Enumerator is a named constant of an enumeration.
type Enumerator struct {
	Name  string
	Value int64
}

// maxNesting bounds types inside types (by value: pointers do not count).
const maxNesting = 64

// Strip removes typedefs.
func (t *Type) Strip() *Type {
	for hops := 0; t != nil && t.Kind == KindTypedef; hops++ {
		if hops > maxNesting {
			return nil
		}
		t = t.Elem
	}
	return t
}

// String is the type as C would have it, as far as that can be said in one word.
func (t *Type) String() string { return t.describe(0) }

func (t *Type) describe(depth int) string {
	if t == nil {
		return "void"
	}
	if depth > 8 {
		return "..."
	}
	switch t.Kind {
	case KindPointer:
		if e := t.Elem.Strip(); e != nil && e.Kind == KindCode {
			return "function pointer"
		}
		return t.Elem.describe(depth+1) + " *"
	case KindArray:
		dims := ""
		for hops := 0; t != nil && t.Kind == KindArray && hops < maxNesting; hops++ {
			dims += fmt.Sprintf("[%d]", t.Count)
			t = t.Elem
		}
		return t.describe(depth+1) + dims
	case KindStruct, KindUnion, KindEnum:
		return strings.TrimSpace(t.Kind.String() + " " + t.Name)
	}
	if t.Name != "" {
		return t.Name
	}
	return t.Kind.String()
}

// field finds a member, also inside anonymous structs and unions.
func (t *Type) field(name string, depth int) (Field, bool) {
	if depth > maxNesting {
		return Field{}, false
	}
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
	}
	for _, f := range t.Fields {
		inner := f.Type.Strip()
		if f.Name != "" || inner == nil {
			continue
		}
		if sub, ok := inner.field(name, depth+1); ok {
			sub.Offset += f.Offset
			return sub, true
		}
	}
	return Field{}, false
}

// network describes one of nesC's network types.
type network struct {
	size   uint32
	signed bool
	little bool
}

var networkName = regexp.MustCompile(`^nx(le)?_(u?)int(8|16|32|64)_t$`)

// network recognises nx_uint16_t and kin by the name of a typedef on the way; and,
// where only the struct is left, by the shape that nesC's compiler writes, which
// then is read as unsigned and big endian, as nearly all of them are.
func (t *Type) network() (network, bool) {
	for hops := 0; t != nil && hops <= maxNesting; hops++ {
		m := networkName.FindStringSubmatch(t.Name)
		if m == nil && t.Kind == KindStruct && t.Name != "" {
			m = networkName.FindStringSubmatch(strings.TrimPrefix(t.Name, "__nesc_nxbase_"))
		}
		bits := 0
		if m != nil {
			bits, _ = strconv.Atoi(m[3])
		}
		if s := t.Strip(); m != nil && s != nil && s.Kind == KindStruct && int(s.Size)*8 == bits {
			return network{s.Size, m[2] == "", m[1] == "le"}, true
		}
		if t.Kind != KindTypedef {
			break
		}
		t = t.Elem
	}
	if t == nil || t.Kind != KindStruct || len(t.Fields) != 1 || t.Fields[0].Name != "nxdata" {
		return network{}, false
	}
	switch t.Size {
	case 1, 2, 4, 8:
		return network{size: t.Size}, true
	}
	return network{}, false
}

// pendingPointer is a pointer whose target is read later, so that only nesting by
// value makes recursion.
type pendingPointer struct {
	t   *Type
	off dwarf.Offset
}

func (b *builder) resolvePointers() {
	for len(b.pointers) > 0 {
		p := b.pointers[len(b.pointers)-1]
		b.pointers = b.pointers[:len(b.pointers)-1]
		p.t.Elem = b.typeAt(p.off, 0)
	}
}

// typeOf reads the type that e refers to; nil is void.
func (b *builder) typeOf(e *dwarf.Entry, depth int) *Type {
	off, ok := b.attr(e, dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return nil
	}
	return b.typeAt(off, depth)
}

// typeAt never fails: what cannot be read is KindUnknown, and says so when used.
func (b *builder) typeAt(off dwarf.Offset, depth int) *Type {
	if t, ok := b.types[off]; ok {
		return t
	}
	t := new(Type)
	if depth > maxNesting || b.spend(1) != nil {
		return t
	}
	b.types[off] = t
	r := b.d.Reader()
	r.Seek(off)
	e, err := r.Next()
	if err != nil || e == nil {
		return t
	}
	switch e.Tag {
	case dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagPackedType, dwarf.TagAtomicType:
		if _, ok := e.Val(dwarf.AttrType).(dwarf.Offset); !ok {
			t.Kind = KindVoid
			return t
		}
		inner := b.typeOf(e, depth+1)
		b.types[off] = inner
		return inner
	}
	t.Name, _ = e.Val(dwarf.AttrName).(string)
	if size, ok := e.Val(dwarf.AttrByteSize).(int64); ok && size >= 0 && size <= 1<<24 {
		t.Size = uint32(size)
	}
	b.fillType(t, r, e, depth)
	return t
}

// volatile tells whether the type that e refers to is volatile, or has elements or members that are.
func (b *builder) volatile(e *dwarf.Entry, depth int) (is bool) {
	off, ok := b.attr(e, dwarf.AttrType).(dwarf.Offset)
	if !ok || depth > maxNesting {
		return false
	}
	if is, ok := b.volatiles[off]; ok {
		return is
	}
	b.volatiles[off] = false // until it is known: types that contain themselves have it here
	defer func() { b.volatiles[off] = is }()
	r := b.d.Reader()
	r.Seek(off)
	t, err := r.Next()
	if err != nil || t == nil || b.spend(1) != nil {
		return false
	}
	switch t.Tag {
	case dwarf.TagVolatileType:
		return true
	case dwarf.TagConstType, dwarf.TagTypedef, dwarf.TagArrayType:
		return b.volatile(t, depth+1)
	case dwarf.TagStructType, dwarf.TagClassType, dwarf.TagUnionType:
		if t.Children {
			_ = b.children(r, func(kid *dwarf.Entry) error {
				is = is || kid.Tag == dwarf.TagMember && b.volatile(kid, depth+1)
				return b.skip(r, kid)
			})
		}
	}
	return is
}

func (b *builder) fillType(t *Type, r *dwarf.Reader, e *dwarf.Entry, depth int) {
	switch e.Tag {
	case dwarf.TagBaseType:
		t.baseKind(b.num(e, dwarf.AttrEncoding))
	case dwarf.TagTypedef:
		t.Kind, t.Elem = KindTypedef, b.typeOf(e, depth+1)
		if t.Elem != nil {
			t.Size = t.Elem.Size
		}
	case dwarf.TagPointerType, dwarf.TagReferenceType:
		// AVR pointers have two bytes, whatever the unit's address size.
		t.Kind = KindPointer
		if t.Size == 0 {
			t.Size = 2
		}
		if off, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok {
			b.pointers = append(b.pointers, pendingPointer{t, off})
		}
	case dwarf.TagSubroutineType:
		t.Kind = KindCode
	case dwarf.TagStructType, dwarf.TagClassType:
		t.Kind = KindStruct
		b.members(t, r, e, depth)
	case dwarf.TagUnionType:
		t.Kind = KindUnion
		b.members(t, r, e, depth)
	case dwarf.TagEnumerationType:
		t.Kind = KindEnum
		b.enumerators(t, r, e)
	case dwarf.TagArrayType:
		b.array(t, r, e, depth)
	case dwarf.TagUnspecifiedType:
		t.Kind = KindVoid
	}
}

// baseKind maps DW_ATE_* (DWARF 4, figure 20).
func (t *Type) baseKind(encoding int) {
	switch encoding {
	case 0x02:
		t.Kind = KindBool
	case 0x04:
		t.Kind = KindFloat
	case 0x05, 0x0D:
		t.Kind = KindInt
	case 0x06:
		t.Kind, t.Char = KindInt, t.Name == "char"
	case 0x07, 0x01:
		t.Kind = KindUint
	case 0x08, 0x10:
		t.Kind, t.Char = KindUint, t.Name == "char"
	}
}

func (b *builder) members(t *Type, r *dwarf.Reader, e *dwarf.Entry, depth int) {
	if !e.Children {
		return
	}
	_ = b.children(r, func(kid *dwarf.Entry) error {
		if kid.Tag == dwarf.TagMember {
			t.Fields = append(t.Fields, b.member(kid, depth))
		}
		return b.skip(r, kid)
	})
}

func (b *builder) member(e *dwarf.Entry, depth int) Field {
	f := Field{Type: b.typeOf(e, depth+1)}
	f.Name, _ = e.Val(dwarf.AttrName).(string)
	switch at := e.Val(dwarf.AttrDataMemberLoc).(type) {
	case int64:
		f.Offset = uint32(at)
	case []byte: // DWARF 2: DW_OP_plus_uconst n
		if len(at) > 1 && at[0] == 0x23 {
			f.Offset = uint32(uleb(at[1:]))
		}
	}
	bits, ok := e.Val(dwarf.AttrBitSize).(int64)
	if !ok || bits < 1 || bits > 64 {
		return f
	}
	f.BitSize = uint32(bits)
	if at, ok := e.Val(dwarf.AttrDataBitOffset).(int64); ok {
		f.Offset += uint32(at / 8)
		f.BitOffset = uint32(at % 8)
		return f
	}
	// DW_AT_bit_offset counts from the most significant bit of the storage unit,
	// as on a big endian machine (DWARF 4, 5.5.6).
	unit, ok := e.Val(dwarf.AttrByteSize).(int64)
	if s := f.Type.Strip(); !ok && s != nil {
		unit = int64(s.Size)
	}
	at, _ := e.Val(dwarf.AttrBitOffset).(int64)
	if low := 8*unit - at - bits; low >= 0 && low < 64 {
		f.BitOffset = uint32(low)
	}
	return f
}

func (b *builder) enumerators(t *Type, r *dwarf.Reader, e *dwarf.Entry) {
	if !e.Children {
		return
	}
	_ = b.children(r, func(kid *dwarf.Entry) error {
		if kid.Tag == dwarf.TagEnumerator {
			name, _ := kid.Val(dwarf.AttrName).(string)
			value, _ := kid.Val(dwarf.AttrConstValue).(int64)
			t.Enumerators = append(t.Enumerators, Enumerator{name, value})
		}
		return b.skip(r, kid)
	})
}

// array reads all dimensions: DWARF lists them in one entry, we nest.
func (b *builder) array(t *Type, r *dwarf.Reader, e *dwarf.Entry, depth int) {
	t.Kind = KindArray
	elem := b.typeOf(e, depth+1)
	var counts []uint32
	if e.Children {
		_ = b.children(r, func(kid *dwarf.Entry) error {
			if kid.Tag == dwarf.TagSubrangeType && len(counts) < maxNesting {
				counts = append(counts, subrangeCount(kid))
			}
			return b.skip(r, kid)
		})
	}
	if len(counts) == 0 {
		counts = []uint32{0}
	}
	for i := len(counts) - 1; i > 0; i-- {
		elem = arrayOf(&Type{Kind: KindArray}, elem, counts[i])
	}
	arrayOf(t, elem, counts[0])
}

func arrayOf(t, elem *Type, count uint32) *Type {
	t.Elem, t.Count = elem, count
	if elem != nil {
		t.Size = uint32(min(uint64(count)*uint64(elem.Size), 1<<24))
	}
	return t
}

func subrangeCount(e *dwarf.Entry) uint32 {
	n, ok := e.Val(dwarf.AttrCount).(int64)
	if !ok {
		upper, ok := e.Val(dwarf.AttrUpperBound).(int64)
		if !ok {
			return 0
		}
		n = upper + 1
	}
	// An upper bound of -1, as unsigned, is how an array of no elements is written.
	if n < 0 || n > 1<<16 {
		return 0
	}
	return uint32(n)
}

// uleb decodes an unsigned LEB128 number; it ends where the bytes end.
func uleb(b []byte) uint64 {
	v, _ := ulebLen(b)
	return v
}

func ulebLen(b []byte) (v uint64, n int) {
	for shift := 0; n < len(b); shift += 7 {
		c := b[n]
		n++
		if shift < 64 {
			v |= uint64(c&0x7F) << shift
		}
		if c < 0x80 {
			break
		}
	}
	return v, n
}

func slebLen(b []byte) (int64, int) {
	u, n := ulebLen(b)
	if n > 0 && n < 10 && b[n-1]&0x40 != 0 {
		u |= ^uint64(0) << (7 * n)
	}
	return int64(u), n
}
