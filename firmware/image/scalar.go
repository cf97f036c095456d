package image

import (
	"fmt"
	"slices"
)

// Scalar is the smallest thing with a name that a byte of the data memory belongs to: a variable, a field, an element. Without debug
// information it is a symbol, or one byte of a large one.
type Scalar struct {
	Name    string // as people write it: "packet.count", "ring[3]"
	Object  string // the variable that it is a part of
	Addr    uint32
	Size    uint32
	Whole   Range // the bytes of the variable
	Pointer bool  // the debug information says that it is one
}

// largestScalar is the size of the largest number.
const largestScalar = 8

// ScalarAt finds what a byte of the data memory belongs to.
func (im *Image) ScalarAt(addr uint32) (Scalar, bool) {
	for _, v := range im.Vars() {
		if v.Space != Data || v.Register || v.Type == nil || addr < v.Addr || addr >= v.Addr+v.Type.Size {
			continue
		}
		s := Scalar{Name: Readable(v.Name), Object: Readable(v.Name), Addr: v.Addr, Size: v.Type.Size, Whole: Range{v.Addr, v.Addr + v.Type.Size}}
		s.narrow(v.Type, addr)
		return s, true
	}
	o, ok := im.ObjectAt(addr)
	if !ok {
		return Scalar{}, false
	}
	s := Scalar{Name: Readable(o.Name), Object: Readable(o.Name), Addr: o.Addr, Size: o.Size, Whole: Range{o.Addr, o.Addr + o.Size}}
	if s.Size > largestScalar {
		s.Name, s.Addr, s.Size = fmt.Sprintf("%s+%d", s.Name, addr-o.Addr), addr, 1
	}
	return s, true
}

// narrow goes down to the field or element that an address is in.
func (s *Scalar) narrow(t *Type, addr uint32) {
	for {
		switch {
		case t.Kind == KindTypedef && t.Elem != nil:
			t = t.Elem
		case t.Kind == KindArray && t.Elem != nil && t.Elem.Size > 0:
			n := (addr - s.Addr) / t.Elem.Size
			s.Name, s.Addr, s.Size = fmt.Sprintf("%s[%d]", s.Name, n), s.Addr+n*t.Elem.Size, t.Elem.Size
			t = t.Elem
		case t.Kind == KindStruct:
			at := addr - s.Addr
			n := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Type != nil && at >= f.Offset && at < f.Offset+f.Type.Size })
			if n < 0 {
				return
			}
			f := &t.Fields[n]
			if f.BitSize > 0 && f.Type.Size == t.Size {
				return // all of it is one number, whose bits are written together
			}
			s.Addr, s.Size, t = s.Addr+f.Offset, f.Type.Size, f.Type
			if f.Name != "" {
				s.Name += "." + f.Name
			}
		default:
			s.Pointer = t.Kind == KindPointer
			return
		}
	}
}
