// Package relativetest tests how states are hashed relative to the present (package relative).
//
// Invariant: its arguments are unchanged when it returns.
package relativetest

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"motehound/mote/digest"
)

// Unseen lists the fields of a state of which a hash takes no notice: a change of any bit of theirs is not seen in any of the examples.
// Give it examples in which the fields are alive.
func Unseen[T any](hash func(*T) digest.Sum, examples ...*T) []string {
	seen := map[string]bool{}
	var names []string
	for _, v := range examples {
		before := hash(v)
		leaves(reflect.TypeFor[T](), 0, "", func(offset, size uintptr, name string) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			for i := range size {
				p := (*byte)(unsafe.Add(unsafe.Pointer(v), offset+i))
				if *p ^= 1; !same(hash, v, before) {
					seen[name] = true
				}
				*p ^= 1
			}
		})
	}
	return slices.DeleteFunc(names, func(name string) bool { return seen[name] })
}

// same reports whether a state that may make no sense has a hash.
func same[T any](hash func(*T) digest.Sum, v *T, sum digest.Sum) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return hash(v) == sum
}

// leaves calls f for every number in a type; those of an array of numbers are one.
func leaves(t reflect.Type, offset uintptr, name string, f func(offset, size uintptr, name string)) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			x := t.Field(i)
			leaves(x.Type, offset+x.Offset, name+"."+x.Name, f)
		}
	case reflect.Array:
		if k := t.Elem().Kind(); k != reflect.Struct && k != reflect.Array {
			f(offset, t.Size(), name)
			return
		}
		for i := range t.Len() {
			leaves(t.Elem(), offset+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", name, i), f)
		}
	default:
		f(offset, t.Size(), name)
	}
}
