package scenario

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"motehound/firmware/image"
)

// place is a variable, or a part of one, that a path named.
type place struct {
	ref    image.Ref
	layout *layout
}

// layout is how the bytes of a type become a value. Parts are learned when they are first asked for. It holds the path by
// which the type was reached, since parts of types are found by paths.
type layout struct {
	im    *image.Image
	path  string
	kind  image.Kind // Struct, Array, Float, Int or Uint
	name  string     // the type, for people
	space image.Space
	base  uint32 // the address that path stands for; parts are offsets from it

	size      uint32
	bigEndian bool
	bitOffset uint32
	bitSize   uint32

	typ    *image.Type
	fields map[string]*layout
	elem   *layout
	stride uint32
	count  int
}

// newPlace finds a variable. A leading * is written as [0], so that the path can be gone on with.
func newPlace(im *image.Image, path string) (*place, error) {
	ref, err := im.Lookup(path)
	if err != nil {
		return nil, err
	}
	inner := strings.TrimSpace(path)
	for strings.HasPrefix(inner, "*") {
		inner = strings.TrimSpace(inner[1:]) + "[0]"
	}
	l, err := newLayout(im, ref, inner)
	if err != nil {
		return nil, err
	}
	return &place{ref, l}, nil
}

func newLayout(im *image.Image, ref image.Ref, path string) (*layout, error) {
	if ref.Space != image.Data && ref.Space != image.Flash {
		return nil, fmt.Errorf("%s lies in %s, which properties cannot read", path, ref.Space)
	}
	t := ref.Type.Strip()
	if t == nil {
		return nil, fmt.Errorf("%s has no type that could be read", path)
	}
	l := &layout{im: im, path: path, name: ref.Type.String(), space: ref.Space, base: ref.Addr, typ: t,
		bitOffset: ref.BitOffset, bitSize: ref.BitSize}
	const largestNetworkType = 8
	switch {
	case t.Kind == image.KindArray:
		return l, l.learnArray()
	case (t.Kind == image.KindStruct || t.Kind == image.KindUnion) && t.Size > largestNetworkType:
		l.kind, l.fields = image.KindStruct, map[string]*layout{}
		return l, nil
	}
	return l, l.learnScalar(ref)
}

func (l *layout) learnArray() error {
	l.kind, l.count = image.KindArray, int(l.typ.Count)
	if l.count == 0 {
		return nil
	}
	if l.typ.Elem != nil {
		l.stride = l.typ.Elem.Size
	}
	elem, err := l.part("[0]")
	l.elem = elem
	return err
}

// learnScalar reads the variable once from a memory with known contents. So the image package alone decides what a type
// means; what is kept is its byte order and sign.
func (l *layout) learnScalar(ref image.Ref) error {
	m := &pattern{}
	v, err := ref.Read(m)
	if err != nil {
		return err
	}
	l.kind, l.size = v.Kind, ref.Type.Size
	if l.bitSize > 0 {
		l.size = (l.bitOffset + l.bitSize + 7) / 8
	}
	switch v.Kind {
	case image.KindStruct, image.KindUnion:
		l.kind, l.fields = image.KindStruct, map[string]*layout{}
	case image.KindFloat, image.KindInt:
	case image.KindUint, image.KindBool, image.KindPointer:
		l.kind = image.KindUint
	case image.KindEnum:
		l.kind = image.KindUint
		for _, c := range l.typ.Enumerators {
			if c.Value < 0 {
				l.kind = image.KindInt
			}
		}
	default:
		return fmt.Errorf("%s is %s, which properties cannot read", l.path, l.name)
	}
	l.bigEndian = l.bitSize == 0 && l.size > 1 && uint8(v.Uint()) == m.last && l.kind != image.KindFloat
	return nil
}

// pattern is a memory in which every byte that is read is one more than the one before.
type pattern struct{ last uint8 }

func (p *pattern) LoadByte(uint32) uint8         { p.last++; return p.last }
func (p *pattern) StoreByte(uint32, uint8)       {}
func (p *pattern) In(_ image.Space) image.Memory { return p }

// part is the layout of a field or element.
func (l *layout) part(step string) (*layout, error) {
	path := l.path + step
	ref, err := l.im.Lookup(path)
	if err != nil {
		return nil, err
	}
	return newLayout(l.im, ref, path)
}

// field is the layout of a field, with its offset.
func (l *layout) field(name string) (*layout, uint32, error) {
	f := l.fields[name]
	if f == nil {
		var err error
		if f, err = l.part("." + name); err != nil {
			return nil, 0, err
		}
		l.fields[name] = f
	}
	return f, f.base - l.base, nil
}

// value is what is at an address of a mote now: numbers are read, composites are read when their parts are.
func (l *layout) value(n *node, addr uint32) starlark.Value {
	switch l.kind {
	case image.KindStruct:
		return &record{l: l, n: n, addr: addr}
	case image.KindArray:
		return &array{l: l, n: n, addr: addr}
	}
	var bits uint64
	if l.space == image.Data {
		if n.e.unknowns != nil && l.kind != image.KindFloat {
			if v := n.e.unknown(l, n.index, addr); v != nil {
				return v
			}
		}
		bits = n.e.load(n.index, addr, l.size)
	} else {
		for i := range l.size {
			bits |= uint64(constants{n.image}.LoadByte(addr+i)) << (8 * i)
		}
	}
	return l.number(bits)
}

// signed reports whether the highest bit is the sign.
func (l *layout) signed() bool { return l.kind == image.KindInt }

// number makes a number of bytes, which come lowest address first.
func (l *layout) number(bits uint64) starlark.Value {
	width := 8 * l.size
	switch {
	case l.bitSize > 0:
		width = l.bitSize
		bits = bits >> l.bitOffset & (1<<width - 1)
	case l.bigEndian:
		swapped := uint64(0)
		for i := range l.size {
			swapped |= bits >> (8 * i) & 0xFF << (8 * (l.size - 1 - i))
		}
		bits = swapped
	}
	switch {
	case l.kind == image.KindFloat && l.size == 4:
		return starlark.Float(math.Float32frombits(uint32(bits)))
	case l.kind == image.KindFloat:
		return starlark.Float(math.Float64frombits(bits))
	case l.kind == image.KindInt:
		shift := 64 - width
		return starlark.MakeInt64(int64(bits<<shift) >> shift)
	}
	return starlark.MakeUint64(bits)
}

// record is a struct or union of a firmware.
type record struct {
	opaque
	l    *layout
	n    *node
	addr uint32
}

func (r *record) String() string      { return fmt.Sprintf("<%s %s>", r.l.name, r.l.path) }
func (r *record) Type() string        { return "struct" }
func (r *record) AttrNames() []string { return sortedFields(r.l.typ) }

// Attr implements starlark.HasAttrs.
func (r *record) Attr(name string) (starlark.Value, error) {
	f, offset, err := r.l.field(name)
	if err != nil {
		return nil, err
	}
	return f.value(r.n, r.addr+offset), nil
}

// CompareSameType implements starlark.Comparable, to say that there is nothing to compare.
func (r *record) CompareSameType(syntax.Token, starlark.Value, int) (bool, error) {
	return false, fmt.Errorf("structs cannot be compared: compare their fields")
}

// array is an array of a firmware: a sequence.
type array struct {
	opaque
	l    *layout
	n    *node
	addr uint32
}

func (a *array) String() string { return fmt.Sprintf("<%s %s>", a.l.name, a.l.path) }
func (a *array) Type() string   { return "array" }
func (a *array) Len() int       { return a.l.count }

// Index implements starlark.Indexable.
func (a *array) Index(i int) starlark.Value {
	return a.l.elem.value(a.n, a.addr+uint32(i)*a.l.stride)
}

// Iterate implements starlark.Iterable.
func (a *array) Iterate() starlark.Iterator { return &arrayIterator{a: a} }

type arrayIterator struct {
	a *array
	i int
}

func (it *arrayIterator) Next(p *starlark.Value) bool {
	if it.i >= it.a.Len() {
		return false
	}
	*p = it.a.Index(it.i)
	it.i++
	return true
}
func (it *arrayIterator) Done() {}

// Binary implements starlark.HasBinary: x in array.
func (a *array) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op != syntax.IN || side != starlark.Right {
		return nil, nil
	}
	for i := range a.Len() {
		same, err := equal(a.Index(i), y)
		if err != nil || same {
			return starlark.Bool(same), err
		}
	}
	return starlark.False, nil
}

// CompareSameType implements starlark.Comparable.
func (a *array) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	same, err := equalArray(a, y)
	switch op {
	case syntax.EQL:
		return same, err
	case syntax.NEQ:
		return !same, err
	}
	return false, fmt.Errorf("arrays have no order: compare list(a) with list(b)")
}
