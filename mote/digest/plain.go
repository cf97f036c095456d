package digest

import (
	"fmt"
	"reflect"
)

// Plain says why values of a type cannot be hashed as bytes: nil if they can. Tests of every package with state call it.
func Plain(t reflect.Type) error { return plain(t, t.String()) }

func plain(t reflect.Type, path string) error {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Array:
		return plain(t.Elem(), path+"[]")
	case reflect.Struct:
		var end uintptr
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				return fmt.Errorf("%s has a blank field at offset %d: name it pad", path, f.Offset)
			}
			if f.Offset != end {
				return fmt.Errorf("%s.%s starts at offset %d, not %d: there is padding before it", path, f.Name, f.Offset, end)
			}
			if err := plain(f.Type, path+"."+f.Name); err != nil {
				return err
			}
			end = f.Offset + f.Type.Size()
		}
		if end != t.Size() {
			return fmt.Errorf("%s has %d bytes of padding at its end", path, t.Size()-end)
		}
		return nil
	}
	return fmt.Errorf("%s is a %s: state must be fixed-size numbers, booleans, arrays and structs of them", path, t.Kind())
}
