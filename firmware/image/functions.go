package image

import (
	"cmp"
	"debug/dwarf"
	"slices"
)

// Function is a function of the source, or one machine-code instance of it.
type Function struct {
	Name        string
	LinkageName string // "" when the same
	Unit        string // the source file that was compiled
	DeclFile    string
	DeclLine    int
	External    bool
	Result      *Type // nil for void

	// Ranges is the function's own code; empty when it exists only inlined.
	Ranges []Range
	// Origin is set on an instance of a function that was also inlined, or cloned:
	// the function of the source, which Inline.Origin refers to.
	Origin *Function
	Scope

	frameBase Loc
	inlined   bool
}

// Scope is what a function, or an inlined copy of one, has inside.
type Scope struct {
	Params  []*Local
	Locals  []*Local
	Inlines []*Inline
}

// Inline is a function's body copied into another one.
type Inline struct {
	Origin   *Function // never nil
	Ranges   []Range
	CallFile string
	CallLine int
	CallCol  int // 0 when not recorded
	Scope
}

// Local is a parameter or an automatic variable. Statics are Vars.
type Local struct {
	Name  string
	Type  *Type
	Loc   Loc
	Const *int64  // the value, when the compiler knew it and kept no location
	Scope []Range // where the name is visible; nil means all of the function
	Line  int
}

// Source is the function of the source that f is an instance of, or f itself.
func (f *Function) Source() *Function {
	if f.Origin != nil {
		return f.Origin
	}
	return f
}

// Entry is the lowest address of the function's code.
func (f *Function) Entry() (uint32, bool) {
	if len(f.Ranges) == 0 {
		return 0, false
	}
	return f.Ranges[0].Lo, true
}

// Functions lists the functions with code of their own, by address, and then those
// that exist only inlined, by name.
func (im *Image) Functions() []*Function { return im.dwarf().functions }

// Function finds a function of the source by name.
func (im *Image) Function(name string) (*Function, bool) {
	for _, f := range im.dwarf().functions {
		if f.Name == name || f.LinkageName == name {
			return f, true
		}
	}
	return nil, false
}

type functionExtent struct {
	Range
	f *Function
}

// pendingOrigin is a reference to a function that may be read later.
type pendingOrigin struct {
	to  **Function
	off dwarf.Offset
}

const maxScopes = 200 // nested blocks and inlined functions

func (b *builder) subprogram(r *dwarf.Reader, e *dwarf.Entry, depth int) error {
	if declared, _ := e.Val(dwarf.AttrDeclaration).(bool); declared || depth > maxScopes {
		return b.skip(r, e)
	}
	f := &Function{
		Name: b.str(e, dwarf.AttrName), LinkageName: b.str(e, dwarf.AttrLinkageName), Unit: b.unitName,
		DeclFile: b.file(b.num(e, dwarf.AttrDeclFile)), DeclLine: b.num(e, dwarf.AttrDeclLine),
		Result: b.typeOf(e, 0), frameBase: b.loc(e, dwarf.AttrFrameBase),
	}
	f.External, _ = b.attr(e, dwarf.AttrExternal).(bool)
	f.Ranges = b.ranges(e, f.Name)
	slices.SortFunc(f.Ranges, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	b.functions[e.Offset] = f
	b.order = append(b.order, f)
	if off, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
		b.origin = append(b.origin, pendingOrigin{&f.Origin, off})
	}
	removed := len(f.Ranges) == 0 && (e.Val(dwarf.AttrLowpc) != nil || e.Val(dwarf.AttrRanges) != nil)
	if removed {
		b.info.removed[f.Name] = true
	}
	b.info.found = b.info.found || len(f.Ranges) > 0
	if !e.Children {
		return nil
	}
	scope := &f.Scope
	if removed {
		scope = new(Scope)
	}
	return b.scope(r, scope, nil, f, depth)
}

// scope reads the children of a function, a block in one, or an inlined copy.
func (b *builder) scope(r *dwarf.Reader, s *Scope, visible []Range, f *Function, depth int) error {
	return b.children(r, func(e *dwarf.Entry) error {
		switch e.Tag {
		case dwarf.TagFormalParameter:
			s.Params = append(s.Params, b.local(e, visible))
		case dwarf.TagVariable:
			if !b.variable(e, f) {
				s.Locals = append(s.Locals, b.local(e, visible))
			}
		case dwarf.TagLexDwarfBlock:
			if e.Children && depth < maxScopes {
				block := b.ranges(e, "")
				if len(block) == 0 {
					block = visible
				}
				return b.scope(r, s, block, f, depth+1)
			}
		case dwarf.TagInlinedSubroutine:
			if depth < maxScopes {
				return b.inline(r, s, e, f, depth)
			}
		case dwarf.TagSubprogram:
			return b.subprogram(r, e, depth+1)
		case dwarf.TagEnumerationType:
			b.enumeration(e)
		}
		return b.skip(r, e)
	})
}

func (b *builder) inline(r *dwarf.Reader, s *Scope, e *dwarf.Entry, f *Function, depth int) error {
	in := &Inline{
		Origin:   &Function{Name: b.str(e, dwarf.AttrName)}, // until resolveOrigins finds the real one
		Ranges:   b.ranges(e, ""),
		CallFile: b.file(b.num(e, dwarf.AttrCallFile)), CallLine: b.num(e, dwarf.AttrCallLine), CallCol: b.num(e, dwarf.AttrCallColumn),
	}
	if off, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
		b.origin = append(b.origin, pendingOrigin{&in.Origin, off})
	}
	s.Inlines = append(s.Inlines, in)
	if !e.Children {
		return nil
	}
	return b.scope(r, &in.Scope, nil, f, depth+1)
}

func (b *builder) local(e *dwarf.Entry, visible []Range) *Local {
	l := &Local{
		Name: b.str(e, dwarf.AttrName), Type: b.typeOf(e, 0), Loc: b.loc(e, dwarf.AttrLocation),
		Scope: visible, Line: b.num(e, dwarf.AttrDeclLine),
	}
	if v, ok := b.attr(e, dwarf.AttrConstValue).(int64); ok {
		l.Const = &v
	}
	return l
}

// resolveOrigins links inlined copies and instances to their functions, and lists
// the functions.
func (b *builder) resolveOrigins() {
	for _, p := range b.origin {
		if f := b.functions[p.off]; f != nil && f.Source() == f {
			*p.to = f
		}
	}
	b.listFunctions()
}

func (b *builder) listFunctions() {
	hasCode := make(map[*Function]bool)
	for _, f := range b.order {
		for _, in := range f.Inlines {
			markInlined(in)
		}
		if len(f.Ranges) > 0 {
			hasCode[f.Source()] = true
		}
	}
	for _, f := range b.order {
		if len(f.Ranges) > 0 || f.inlined && !hasCode[f] {
			b.info.functions = append(b.info.functions, f)
		}
	}
	slices.SortStableFunc(b.info.functions, func(x, y *Function) int {
		xAt, xCode := x.Entry()
		yAt, yCode := y.Entry()
		if xCode != yCode {
			if xCode {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(xAt, yAt), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Unit, y.Unit), cmp.Compare(x.DeclLine, y.DeclLine))
	})
}

func markInlined(in *Inline) {
	if len(in.Ranges) > 0 {
		in.Origin.inlined = true
	}
	for _, sub := range in.Inlines {
		markInlined(sub)
	}
}
