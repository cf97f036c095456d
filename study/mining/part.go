package mining

import (
	"fmt"
	"slices"

	"motehound/firmware/image"
)

// part is the way to a byte of a variable, through its fields and elements, as far as the debug information knows:
// ".readings", "[0]". Unions end it.
func (f *Firmware) part(o image.Symbol, at uint32) []string {
	i := slices.IndexFunc(f.Image.Vars(), func(v *image.Var) bool {
		return v.Addr == o.Addr && v.Space == o.Space && !v.Register
	})
	if i < 0 {
		return nil
	}
	return within(f.Image.Vars()[i].Type, at)
}

func within(t *image.Type, at uint32) []string {
	for t != nil && t.Kind == image.KindTypedef {
		t = t.Elem
	}
	switch {
	case t == nil:
		return nil
	case t.Kind == image.KindArray && t.Elem != nil && t.Elem.Size > 0:
		return append([]string{fmt.Sprintf("[%d]", at/t.Elem.Size)}, within(t.Elem, at%t.Elem.Size)...)
	case t.Kind == image.KindStruct:
		for _, x := range t.Fields {
			if x.Type == nil || at < x.Offset || at >= x.Offset+x.Type.Size || x.BitSize != 0 {
				continue
			}
			if x.Name == "nxdata" { // of nesC's network types
				return nil
			}
			if x.Name == "" {
				return within(x.Type, at-x.Offset)
			}
			return append([]string{"." + x.Name}, within(x.Type, at-x.Offset)...)
		}
	}
	return nil
}

// common is how two ways begin.
func common(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
