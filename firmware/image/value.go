package image

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value is what a variable held when it was read.
type Value struct {
	Kind   Kind // never KindTypedef
	Type   *Type
	Name   string   // the enumerator of an enum; what a pointer points to, when known
	Fields []Member // of structs and unions
	Elems  []Value  // of arrays

	bits  uint64 // sign-extended for KindInt and negative enumerators
	float float64
}

// Member is one field of a struct's value.
type Member struct {
	Name  string
	Value Value
}

// Int is the number as a signed one; floats are cut off, composites are 0.
func (v Value) Int() int64 {
	if v.Kind == KindFloat {
		return int64(v.float)
	}
	return int64(v.bits)
}

// Uint is the number as an unsigned one.
func (v Value) Uint() uint64 {
	if v.Kind == KindFloat {
		return uint64(v.float)
	}
	return v.bits
}

// Float is the number as a floating-point one.
func (v Value) Float() float64 {
	switch v.Kind {
	case KindFloat:
		return v.float
	case KindInt, KindEnum:
		return float64(int64(v.bits))
	}
	return float64(v.bits)
}

// Bool reports whether the number is not zero.
func (v Value) Bool() bool { return v.bits != 0 || v.float != 0 }

// Len is the number of elements of an array.
func (v Value) Len() int { return len(v.Elems) }

// String shows the value as C source might: 12, -3, RED, {x = 1, y = 2}, [1, 2], "text".
func (v Value) String() string {
	var s strings.Builder
	v.write(&s)
	return s.String()
}

func (v Value) write(s *strings.Builder) {
	switch v.Kind {
	case KindInt:
		s.WriteString(strconv.FormatInt(int64(v.bits), 10))
	case KindUint:
		s.WriteString(strconv.FormatUint(v.bits, 10))
	case KindBool:
		s.WriteString(strconv.FormatBool(v.bits != 0))
	case KindFloat:
		s.WriteString(strconv.FormatFloat(v.float, 'g', -1, 32))
	case KindEnum:
		if v.Name == "" {
			fmt.Fprintf(s, "%d", int64(v.bits))
		}
		s.WriteString(v.Name)
	case KindPointer:
		fmt.Fprintf(s, "0x%04x", v.bits)
		if v.Name != "" {
			s.WriteString(" <" + v.Name + ">")
		}
	case KindStruct, KindUnion:
		v.writeFields(s)
	case KindArray:
		v.writeElems(s)
	}
}

func (v Value) writeFields(s *strings.Builder) {
	s.WriteByte('{')
	for i, f := range v.Fields {
		if i > 0 {
			s.WriteString(", ")
		}
		if f.Name != "" {
			s.WriteString(f.Name + " = ")
		}
		f.Value.write(s)
	}
	s.WriteByte('}')
}

func (v Value) writeElems(s *strings.Builder) {
	if text, ok := v.text(); ok {
		s.WriteString(strconv.Quote(text))
		return
	}
	s.WriteByte('[')
	for i, e := range v.Elems {
		if i > 0 {
			s.WriteString(", ")
		}
		e.write(s)
	}
	s.WriteByte(']')
}

// text is the string in an array of char, up to its first zero.
func (v Value) text() (string, bool) {
	if len(v.Elems) == 0 {
		return "", false
	}
	if t := v.Elems[0].Type.Strip(); t == nil || !t.Char {
		return "", false
	}
	var b []byte
	for _, e := range v.Elems {
		if e.bits == 0 {
			break
		}
		b = append(b, byte(e.bits))
	}
	return string(b), true
}

// maxValues bounds what one read can make: an array of 64 KiB and some structure.
const maxValues = 1 << 17

type decoder struct {
	im   *Image
	left int
}

// decode turns the bytes of a variable into its value.
func (im *Image) decode(t *Type, raw []byte, bitOffset, bitSize uint32) (Value, error) {
	d := decoder{im, maxValues}
	return d.value(t, raw, bitOffset, bitSize, 0)
}

func (d *decoder) value(t *Type, raw []byte, bitOffset, bitSize uint32, depth int) (Value, error) {
	if d.left--; d.left < 0 || depth > maxNesting {
		return Value{}, fmt.Errorf("%s has too many parts to be read at once; name one of them", t)
	}
	if nx, ok := t.network(); ok && bitSize == 0 && int(nx.size) <= len(raw) {
		return networkValue(t, nx, raw), nil
	}
	s := t.Strip()
	if s == nil {
		return Value{}, errors.New("void has no value")
	}
	v := Value{Kind: s.Kind, Type: t}
	var err error
	switch s.Kind {
	case KindStruct, KindUnion:
		v.Fields, err = d.fields(s, raw, depth)
	case KindArray:
		v.Elems, err = d.elems(s, raw, depth)
	case KindInt, KindUint, KindBool, KindEnum, KindPointer, KindFloat:
		err = d.scalar(&v, s, raw, bitOffset, bitSize)
	default:
		err = fmt.Errorf("type %s (%s) is not understood", t, s.Kind)
	}
	return v, err
}

func networkValue(t *Type, nx network, raw []byte) Value {
	var bits uint64
	for i := range nx.size {
		at := i
		if !nx.little {
			at = nx.size - 1 - i
		}
		bits |= uint64(raw[at]) << (8 * i)
	}
	v := Value{Kind: KindUint, Type: t, bits: bits}
	if nx.signed {
		v.Kind, v.bits = KindInt, signExtend(bits, 8*nx.size)
	}
	return v
}

func signExtend(bits uint64, width uint32) uint64 {
	if width == 0 || width >= 64 {
		return bits
	}
	shift := 64 - width
	return uint64(int64(bits<<shift) >> shift)
}

func (d *decoder) fields(s *Type, raw []byte, depth int) ([]Member, error) {
	var out []Member
	for _, f := range s.Fields {
		if f.Type == nil || uint64(f.Offset) > uint64(len(raw)) {
			return nil, fmt.Errorf("field %s of %s lies outside of it", f.Name, s)
		}
		v, err := d.value(f.Type, raw[f.Offset:], f.BitOffset, f.BitSize, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, Member{f.Name, v})
	}
	return out, nil
}

func (d *decoder) elems(s *Type, raw []byte, depth int) ([]Value, error) {
	if s.Elem == nil || uint64(s.Count)*uint64(s.Elem.Size) > uint64(len(raw)) {
		return nil, fmt.Errorf("%s is larger than its place", s)
	}
	var out []Value
	for i := range s.Count {
		v, err := d.value(s.Elem, raw[i*s.Elem.Size:], 0, 0, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (d *decoder) scalar(v *Value, s *Type, raw []byte, bitOffset, bitSize uint32) error {
	width := 8 * s.Size
	if bitSize > 0 {
		width = bitSize
	}
	if width == 0 || width > 64 || uint64(bitOffset)+uint64(width) > 8*uint64(len(raw)) {
		return fmt.Errorf("%s of %d bits is larger than its place", s, width)
	}
	for i := range width {
		at := bitOffset + i
		v.bits |= uint64(raw[at/8]>>(at%8)&1) << i
	}
	switch s.Kind {
	case KindInt:
		v.bits = signExtend(v.bits, width)
	case KindEnum:
		v.enumerator(s, width)
	case KindPointer:
		v.Name = d.im.target(s, uint32(v.bits))
	case KindFloat:
		v.float = math.Float64frombits(v.bits)
		if s.Size == 4 {
			v.float = float64(math.Float32frombits(uint32(v.bits)))
		}
		v.bits = 0
	}
	return nil
}

// enumerator names the value; an enumeration with negative members is signed.
func (v *Value) enumerator(s *Type, width uint32) {
	for _, c := range s.Enumerators {
		if c.Value < 0 {
			v.bits = signExtend(v.bits, width)
			break
		}
	}
	for _, c := range s.Enumerators {
		if uint64(c.Value) == v.bits {
			v.Name = c.Name
			return
		}
	}
}

// target names what a pointer points to. Function pointers hold word addresses.
func (im *Image) target(t *Type, p uint32) string {
	if p == 0 {
		return ""
	}
	if e := t.Elem.Strip(); e != nil && e.Kind == KindCode {
		if s, ok := im.FuncAt(2 * p); ok && s.Addr == 2*p {
			return Readable(s.Name)
		}
		return ""
	}
	s, ok := im.ObjectAt(p)
	if !ok {
		return ""
	}
	if p > s.Addr {
		return fmt.Sprintf("%s+%d", Readable(s.Name), p-s.Addr)
	}
	return Readable(s.Name)
}
