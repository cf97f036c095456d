package image

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Memory is a mote's data space, which typed reads and writes go through.
type Memory interface {
	LoadByte(addr uint32) uint8
	StoreByte(addr uint32, v uint8)
}

// Spaces is a Memory that also reaches variables kept in flash or EEPROM.
type Spaces interface {
	Memory
	In(Space) Memory // nil for a space that it has not
}

// Ref is a variable, or a part of one: where it is and what it is.
type Ref struct {
	Path      string
	Space     Space
	Addr      uint32 // inside Space; behind pointers, the offset from the last one
	Type      *Type
	BitOffset uint32 // of the lowest bit, counted from Addr's lowest
	BitSize   uint32 // 0 when not a bit-field

	im *Image
	// hops are the pointers to follow first: each is found at its offset from where
	// the one before it points.
	hops []hop
}

type hop struct {
	off  uint32
	path string
}

// Lookup finds a variable, or a part of one, by a path in C's notation:
// "x", "table[3].addr", "head->next", "*p". The root is a name as Var takes it; where
// several files have a static of that name, "file.c:name". Arrays can be indexed
// by an enumerator. Without DWARF the symbol table gives variables of 1, 2 and 4
// bytes as unsigned numbers.
func (im *Image) Lookup(path string) (Ref, error) {
	rest := strings.TrimSpace(path)
	stars := 0
	for strings.HasPrefix(rest, "*") {
		rest = strings.TrimSpace(rest[1:])
		stars++
	}
	r, rest, err := im.root(rest)
	if err != nil {
		return Ref{}, err
	}
	for rest != "" {
		if rest, err = r.stepPath(rest); err != nil {
			return Ref{}, err
		}
	}
	for range stars {
		if err := r.deref(); err != nil {
			return Ref{}, err
		}
	}
	r.Path = path
	return r, nil
}

// root resolves the variable that a path starts with.
func (im *Image) root(path string) (Ref, string, error) {
	unit := ""
	if i := strings.IndexByte(path, ':'); i >= 0 {
		unit, path = path[:i], path[i+1:]
	}
	d := im.dwarf()
	for _, end := range rootEnds(path) {
		name := path[:end]
		v, several := d.findVar(name)
		if unit != "" {
			v, several = inUnit(d.byName[name], unit)
		}
		if len(several) > 1 {
			return Ref{}, "", fmt.Errorf("several variables are named %s; say which one: %s", name, choices(several))
		}
		if v != nil {
			return Ref{Path: name, Space: v.Space, Addr: v.Addr, Type: v.Type, im: im}, path[end:], nil
		}
	}
	if unit == "" {
		for _, end := range rootEnds(path) {
			if s, ok := im.objectSymbol(path[:end]); ok {
				r, err := im.symbolRef(s, path[end:])
				return r, path[end:], err
			}
		}
	}
	return Ref{}, "", im.noVariable(path)
}

// rootEnds gives the places where the root of a path can end. The first identifier
// comes first: that is the name in C. Then the longest readable nesC name.
func rootEnds(path string) []int {
	var ends []int
	for i := 1; i <= len(path); i++ {
		if i == len(path) || path[i] == '.' || path[i] == '[' || strings.HasPrefix(path[i:], "->") {
			ends = append(ends, i)
		}
	}
	if len(ends) > 2 {
		slices.Reverse(ends[1:])
	}
	return ends
}

func inUnit(vars []*Var, unit string) (*Var, []*Var) {
	var some []*Var
	for _, v := range vars {
		if sameFile(v.Unit, unit) || sameFile(v.File, unit) {
			some = append(some, v)
		}
	}
	if len(some) == 1 {
		return some[0], nil
	}
	return nil, some
}

func choices(vars []*Var) string {
	var names []string
	for _, v := range vars {
		if v.Func != "" {
			names = append(names, v.Func+"."+v.Name)
		} else {
			names = append(names, v.Unit+":"+v.Name)
		}
	}
	return strings.Join(names, ", ")
}

func (im *Image) objectSymbol(name string) (Symbol, bool) {
	if s, ok := im.Symbol(name); ok && s.Kind == Object {
		return s, true
	}
	var found []Symbol
	for _, s := range im.Symbols {
		if s.Kind == Object && Readable(s.Name) == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return Symbol{}, false
	}
	return found[0], true
}

// symbolRef makes do without DWARF: a size, but no type.
func (im *Image) symbolRef(s Symbol, rest string) (Ref, error) {
	if rest != "" {
		return Ref{}, fmt.Errorf("%s is known only as a symbol of %d bytes, so %s%s cannot be found; rebuild with -gdwarf-4 for its type", s.Name, s.Size, s.Name, rest)
	}
	switch s.Size {
	case 1, 2, 4:
		t := &Type{Name: fmt.Sprintf("uint%d_t", 8*s.Size), Kind: KindUint, Size: s.Size}
		return Ref{Path: s.Name, Space: s.Space, Addr: s.Addr, Type: t, im: im}, nil
	}
	return Ref{}, fmt.Errorf("%s is known only as a symbol of %d bytes; symbols of 1, 2 and 4 bytes can be read as numbers, for this one rebuild with -gdwarf-4", s.Name, s.Size)
}

func (im *Image) noVariable(path string) error {
	name := path
	if i := strings.IndexAny(path, ".[-"); i > 0 {
		name = path[:i]
	}
	if name == "" {
		return errors.New("an empty path names no variable; give one, such as table[3].addr")
	}
	d := im.dwarf()
	if d.removed[name] {
		return fmt.Errorf("%s was removed by the linker, as nothing uses it; there is nothing to read", name)
	}
	var names []string
	for n, vars := range d.byName {
		if !vars[0].Register {
			names = append(names, n)
		}
	}
	for _, s := range im.Symbols {
		if s.Kind == Object && !d.found {
			names = append(names, s.Name)
		}
	}
	return &NoVariableError{Name: name, Firmware: im.Path, Near: nearest(name, names), note: d.note}
}

// NoVariableError says that a firmware has no variable of a name.
type NoVariableError struct {
	Name, Firmware string
	Near           []string // variables with names like it
	note           string   // why some may be missing
}

func (e *NoVariableError) Error() string {
	hint := ""
	switch {
	case len(e.Near) > 0:
		hint = didYouMean(e.Near)
	case e.note != "":
		hint = "; " + e.note
	}
	return fmt.Sprintf("no variable %s in %s%s", e.Name, e.Firmware, hint)
}

// stepPath takes one step into r's type and returns the rest of the path.
func (r *Ref) stepPath(path string) (string, error) {
	switch {
	case strings.HasPrefix(path, "->"):
		if err := r.deref(); err != nil {
			return "", err
		}
		return r.member(path[2:])
	case path[0] == '.':
		return r.member(path[1:])
	case path[0] == '[':
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return "", fmt.Errorf("%q: a ']' is missing", path)
		}
		return path[end+1:], r.index(strings.TrimSpace(path[1:end]))
	}
	return "", fmt.Errorf("%q after %s is not understood; continue with .field, ->field or [index]", path, r.Path)
}

func (r *Ref) member(path string) (string, error) {
	name, rest := path, ""
	if i := strings.IndexAny(path, ".[-"); i >= 0 {
		name, rest = path[:i], path[i:]
	}
	t := r.Type.Strip()
	if t == nil || t.Kind != KindStruct && t.Kind != KindUnion {
		hint := ""
		if t != nil && t.Kind == KindPointer {
			hint = "; it is a pointer: use ->"
		}
		return "", fmt.Errorf("%s is %s and has no field %s%s", r.Path, r.Type, name, hint)
	}
	f, ok := t.field(name, 0)
	if !ok {
		var names []string
		for _, f := range t.Fields {
			names = append(names, f.Name)
		}
		hint := didYouMean(nearest(name, names))
		if hint == "" {
			hint = "; it has " + strings.Join(names, ", ")
		}
		return "", fmt.Errorf("%s (%s) has no field %s%s", r.Path, r.Type, name, hint)
	}
	r.Addr += f.Offset
	r.Type, r.BitOffset, r.BitSize = f.Type, f.BitOffset, f.BitSize
	r.Path += "." + name
	return rest, nil
}

func (r *Ref) index(text string) error {
	n, err := strconv.ParseUint(text, 0, 16)
	if err != nil {
		v, ok := r.im.Enum(text)
		if !ok || v < 0 || v > 0xFFFF {
			return fmt.Errorf("%s[%s]: the index must be a number or an enumerator", r.Path, text)
		}
		n = uint64(v)
	}
	t := r.Type.Strip()
	if t == nil || t.Kind != KindArray && t.Kind != KindPointer {
		return fmt.Errorf("%s is %s, not an array", r.Path, r.Type)
	}
	if t.Kind == KindPointer {
		if err := r.deref(); err != nil {
			return err
		}
		t = &Type{Elem: t.Elem}
	}
	if t.Count > 0 && n >= uint64(t.Count) {
		return fmt.Errorf("%s has %d elements, so index %d is outside; the last is %d", r.Path, t.Count, n, t.Count-1)
	}
	if t.Elem == nil || t.Elem.Size == 0 {
		return fmt.Errorf("%s: the size of its elements is not known", r.Path)
	}
	r.Addr += uint32(n) * t.Elem.Size
	r.Type = t.Elem
	r.Path += "[" + text + "]"
	return nil
}

func (r *Ref) deref() error {
	t := r.Type.Strip()
	if t == nil || t.Kind != KindPointer {
		return fmt.Errorf("%s is %s, not a pointer", r.Path, r.Type)
	}
	if e := t.Elem.Strip(); e == nil || e.Kind == KindVoid || e.Kind == KindCode {
		return fmt.Errorf("%s is %s, which points to nothing that can be read", r.Path, r.Type)
	}
	if r.Space != Data {
		return fmt.Errorf("%s lies in %s; pointers kept there cannot be followed", r.Path, r.Space)
	}
	r.hops = append(slices.Clone(r.hops), hop{r.Addr, r.Path})
	r.Addr, r.Type, r.BitOffset, r.BitSize = 0, t.Elem, 0, 0
	return nil
}
