package image

import (
	"cmp"
	"debug/dwarf"
	"slices"
	"strings"
)

// Var is a variable with a fixed address: a global, or a static of a file or function.
type Var struct {
	Name     string
	Type     *Type
	Space    Space
	Addr     uint32 // inside Space
	Func     string // the function that a static is local to, or ""
	Unit     string // the source file that was compiled
	File     string // where it is declared
	Line     int
	External bool
	Register bool // an I/O register, named by avr-libc
	Volatile bool // it, or something in it, is declared volatile
}

// Vars lists all variables by space and address.
func (im *Image) Vars() []*Var { return im.dwarf().vars }

// Var finds a variable by name: its own, "function.name" for a function's static,
// or the Readable form. It reports false when there is none, or several to
// choose from; Lookup says which of the two.
func (im *Image) Var(name string) (*Var, bool) {
	v, _ := im.dwarf().findVar(name)
	return v, v != nil
}

// Enum gives the value of an enumerator of any enumeration, also an anonymous one.
func (im *Image) Enum(name string) (int64, bool) {
	v, ok := im.dwarf().enumerator[name]
	return v, ok
}

// Enums lists the enumerations; an anonymous one has no Name.
func (im *Image) Enums() []*Type { return im.dwarf().enums }

// variable reads a variable with a fixed address, and reports whether it was one.
func (b *builder) variable(e *dwarf.Entry, f *Function) bool {
	expr, ok := e.Val(dwarf.AttrLocation).([]byte)
	if !ok || len(expr) != 5 || expr[0] != opAddr {
		return false
	}
	raw := uint32(expr[1]) | uint32(expr[2])<<8 | uint32(expr[3])<<16 | uint32(expr[4])<<24
	v := &Var{
		Name: b.str(e, dwarf.AttrName), Type: b.typeOf(e, 0), Unit: b.unitName,
		File: b.file(b.num(e, dwarf.AttrDeclFile)), Line: b.num(e, dwarf.AttrDeclLine),
		Register: b.registersOnly(), Volatile: b.volatile(e, 0),
	}
	v.External, _ = b.attr(e, dwarf.AttrExternal).(bool)
	if f != nil {
		v.Func = f.Name
	}
	// The linker gives what it drops the address 0, where the vectors are.
	if v.Space, v.Addr, ok = split(raw); !ok || raw == 0 {
		b.info.removed[v.Name] = true
		return true
	}
	if v.Name != "" && v.fits() {
		b.info.vars = append(b.info.vars, v)
	}
	return true
}

// fits reports whether all of a variable is in its memory.
func (v *Var) fits() bool {
	t := v.Type.Strip()
	for _, r := range regions {
		if r.space == v.Space {
			return t == nil || uint64(v.Addr)+uint64(t.Size) <= uint64(r.size)
		}
	}
	return true
}

// enumeration keeps an enumeration's constants: nesC and C programs name task
// numbers, states and sizes in anonymous ones.
func (b *builder) enumeration(e *dwarf.Entry) {
	t := b.typeAt(e.Offset, 0)
	if t.Kind != KindEnum {
		return
	}
	b.info.enums = append(b.info.enums, t)
	for _, c := range t.Enumerators {
		if _, ok := b.info.enumerator[c.Name]; !ok {
			b.info.enumerator[c.Name] = c.Value
		}
	}
}

func (d *debugInfo) indexVars() {
	slices.SortStableFunc(d.vars, func(a, b *Var) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Addr, b.Addr), strings.Compare(a.Name, b.Name), strings.Compare(a.Func, b.Func))
	})
	d.vars = slices.CompactFunc(d.vars, func(a, b *Var) bool {
		return a.Space == b.Space && a.Addr == b.Addr && a.Name == b.Name && a.Func == b.Func
	})
	for _, v := range d.vars {
		delete(d.removed, v.Name)
		d.byName[v.Name] = append(d.byName[v.Name], v)
		if r := Readable(v.Name); r != v.Name {
			d.byReadable[r] = append(d.byReadable[r], v)
		}
		if v.Func != "" {
			for _, fn := range []string{v.Func, Readable(v.Func)} {
				if q := fn + "." + v.Name; len(d.byReadable[q]) == 0 || d.byReadable[q][0] != v {
					d.byReadable[q] = append(d.byReadable[q], v)
				}
			}
		}
	}
}

// findVar finds the variable of that name, or the several that have it. A global
// hides statics, and any variable hides an I/O register.
func (d *debugInfo) findVar(name string) (*Var, []*Var) {
	all := d.byName[name]
	if len(all) == 0 {
		all = d.byReadable[name]
	}
	for _, prefer := range []func(*Var) bool{
		func(v *Var) bool { return v.External && !v.Register },
		func(v *Var) bool { return !v.Register },
		func(*Var) bool { return true },
	} {
		var some []*Var
		for _, v := range all {
			if prefer(v) {
				some = append(some, v)
			}
		}
		if len(some) == 1 {
			return some[0], nil
		}
		if len(some) > 1 {
			return nil, some
		}
	}
	return nil, nil
}
