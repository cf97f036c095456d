package mote

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"motehound/isa/avr"
	"motehound/mote/digest"
	"motehound/mote/periph"
)

// What the relative hash leaves out does not matter: every byte of the state that can be changed without the hash seeing it is
// changed, all at once, and the mote goes on as if nothing had happened. So what is forgotten is dead, and the memory below the
// stack too.
func TestRelativeDead(t *testing.T) {
	forEachStage(t, 12, func(t *testing.T, s *stage) {
		here, spoilt := s.clone(), s.clone()
		list := spoil(spoilt)
		if len(list) < 100 {
			t.Fatalf("only %d bytes can be changed", len(list))
		}
		if spoilt.state() == here.state() || spoilt.relative() != here.relative() {
			t.Fatal("the state was not spoilt")
		}
		if diff := differ(here, spoilt, false); diff != "" {
			t.Fatalf("with other bytes where they should not matter, %s; it is because of %s", diff, culprits(s, list))
		}
	})
}

// spoil changes what can be changed without the relative hash seeing it, and lists where that is.
func spoil(s *stage) (list []int) {
	want := s.relative()
	memory, fixed := stateBytes(s), fixedBytes(s)
	for i, p := range memory {
		if fixed[p] {
			continue
		}
		*p ^= 1
		if sum, ok := tryRelative(s); ok && sum == want {
			list = append(list, i)
		} else {
			*p ^= 1
		}
	}
	return list
}

// culprits names those of the bytes that matter after all.
func culprits(s *stage, list []int) string {
	var names []string
	for _, i := range list {
		here, spoilt := s.clone(), s.clone()
		*stateBytes(spoilt)[i] ^= 1
		if sum, ok := tryRelative(spoilt); ok && sum == here.relative() && differ(here, spoilt, false) != "" {
			names = append(names, nameOf(s, i))
		}
	}
	return strings.Join(names, ", ")
}

// tryRelative is the relative hash of a state that may make no sense.
func tryRelative(s *stage) (sum digest.Sum, ok bool) {
	defer func() { ok = recover() == nil }()
	return s.relative(), true
}

// stateBytes is all the plain data of a mote: first the registers, then the rest.
func stateBytes(s *stage) (list []*byte) {
	add := func(base unsafe.Pointer, n int) {
		for i := range n {
			list = append(list, (*byte)(unsafe.Add(base, i)))
		}
	}
	add(unsafe.Pointer(&s.Core().State), coreSize)
	block := field(s, "block")
	add(block.UnsafePointer(), 8*block.Len())
	return list
}

const coreSize = int(unsafe.Sizeof(avr.State{}))

func field(s *stage, name string) reflect.Value {
	return reflect.ValueOf(s.Machine).Elem().FieldByName(name)
}

// fixedBytes are those that the rest of the state determines: that an event is not planned, when the next one comes, and where
// the clocks count from.
func fixedBytes(s *stage) map[*byte]bool {
	fixed := map[*byte]bool{}
	add := func(base unsafe.Pointer, f reflect.StructField) {
		for i := range f.Type.Size() {
			fixed[(*byte)(unsafe.Add(base, f.Offset+i))] = true
		}
	}
	st := field(s, "st")
	for _, name := range []string{"slot", "next", "rate", "halted"} {
		f, _ := st.Type().Elem().FieldByName(name)
		add(st.UnsafePointer(), f)
	}
	f, _ := reflect.TypeFor[avr.State]().FieldByName("Cycles")
	add(unsafe.Pointer(&s.Core().State), f)
	return fixed
}

// nameOf says what a byte of stateBytes belongs to.
func nameOf(s *stage, i int) string {
	if i < coreSize {
		return "core" + fieldAt(reflect.TypeFor[avr.State](), uintptr(i))
	}
	i -= coreSize
	radioType := s.Kind.Board.Radio.State
	c, places := s.Chip(), field(s, "lay").Elem().FieldByName("places")
	name := fieldAt(field(s, "st").Type().Elem(), uintptr(i))
	for _, x := range []struct {
		place string
		n     int
		typ   reflect.Type
	}{
		{"ports", len(c.Ports), reflect.TypeFor[periph.PortState]()},
		{"timers", len(c.Timers), reflect.TypeFor[periph.TimerState]()},
		{"usarts", len(c.USARTs), reflect.TypeFor[periph.USARTState]()},
		{"scratch", 1, reflect.TypeFor[[256]uint8]()},
		{"ram", 1, reflect.ArrayOf(int(c.RAMSize), reflect.TypeFor[uint8]())},
		{"board", 1, reflect.TypeFor[state]()},
		{"board", 1, radioType},
	} {
		at := i - 8*int(places.FieldByName(x.place).Int())
		if x.typ == radioType {
			at -= 8 * radioPlace
		}
		if size := int(x.typ.Size()); at >= 0 && at < x.n*size {
			name = fmt.Sprintf("%s[%d]%s", x.place, at/size, fieldAt(x.typ, uintptr(at%size)))
		}
	}
	return name
}

// fieldAt is the path to the field at an offset.
func fieldAt(t reflect.Type, offset uintptr) string {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); offset >= f.Offset && offset < f.Offset+f.Type.Size() {
				return "." + f.Name + fieldAt(f.Type, offset-f.Offset)
			}
		}
	case reflect.Array:
		return fmt.Sprintf("[%d]", offset/t.Elem().Size()) + fieldAt(t.Elem(), offset%t.Elem().Size())
	}
	return ""
}
