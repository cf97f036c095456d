// Package exports finds what a module exports to nobody: exported names that no other package of it uses.
//
// Invariants: tests of other packages are users, too; a package's own tests are none. A type is used if its name is, or something of it, or something
// that has it in its type; an interface also if a type of another package implements it. A method is used if an interface may call it, a field if anybody reads or sets it or its struct has tags (then reflection does),
// an enumeration as a whole. A package that only its own tests import is a program, and exports nothing. What files for other platforms use is not seen.
package exports

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A Name is exported to nobody.
type Name struct {
	File string // slash-separated, from the module's root
	Line int
	Name string // with its package, as mcu.Machine.Step
	Dead bool   // nobody uses it but tests of its own package
}

// String is the name as compilers print what is wrong.
func (n Name) String() string {
	if n.Dead {
		return fmt.Sprintf("%s:%d: %s is used by nobody; delete it", n.File, n.Line, n.Name)
	}
	return fmt.Sprintf("%s:%d: %s is used in its own package only; unexport it", n.File, n.Line, n.Name)
}

// Find lists what is exported to nobody by the module in a folder, by file and line.
func Find(root string) ([]Name, error) {
	m, err := load(root)
	if err != nil {
		return nil, err
	}
	s := &search{module: m, users: map[token.Pos]user{}, callable: map[string][]*types.Interface{}, promoted: map[token.Pos]bool{}}
	s.call(unwrapper)
	s.call(types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	for _, u := range m.found {
		s.see(u)
	}
	s.spread()
	s.promote()
	return s.unused(), nil
}

// padding is a field that nobody uses: state is compared and hashed as bytes, and has no gaps.
const padding = "Pad"

// unwrapper is known to package errors, which does not name it.
var unwrapper = types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, "Unwrap", types.NewSignatureType(nil, nil, nil, nil,
	types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Universe.Lookup("error").Type())), false))}, nil).Complete()

// user is who uses a name.
type user int

const (
	nobody   user = iota
	ownTests      // tests in its package
	own           // its package
	others
)

// search is what is known of names, by where they are declared: a package that is checked twice, with and without its tests, has each name twice.
type search struct {
	*module
	users    map[token.Pos]user
	used     []types.Object                // by others
	callable map[string][]*types.Interface // interfaces that are known, by the names of their methods
	promoted map[token.Pos]bool            // methods with which a type that embeds theirs implements an interface
}

// see notes who is used in a unit, and which interfaces there are.
func (s *search) see(u *unit) {
	for id, o := range u.info.Uses {
		inTest := strings.HasSuffix(s.fset.Position(id.Pos()).Filename, "_test.go")
		s.use(u, o, inTest)
	}
	for e, tv := range u.info.Types {
		if lit, ok := e.(*ast.CompositeLit); ok {
			s.seeLiteral(u, lit, tv.Type)
		}
		if i, ok := tv.Type.(*types.Interface); ok && tv.IsType() {
			s.call(i)
		}
	}
	for _, p := range append(u.pkg.Imports(), u.pkg) {
		for _, name := range p.Scope().Names() {
			if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
				s.call(i)
			}
		}
	}
}

func (s *search) call(i *types.Interface) {
	for m := range i.Methods() {
		if !slices.Contains(s.callable[m.Name()], i) {
			s.callable[m.Name()] = append(s.callable[m.Name()], i)
		}
	}
}

// seeLiteral: a literal without names of fields uses all of them.
func (s *search) seeLiteral(u *unit, lit *ast.CompositeLit, t types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(lit.Elts) == 0 {
		return
	}
	if _, named := lit.Elts[0].(*ast.KeyValueExpr); named {
		return
	}
	for f := range st.Fields() {
		s.use(u, f, false)
	}
}

func (s *search) use(u *unit, o types.Object, inTest bool) {
	switch x := o.(type) {
	case *types.Func:
		o = x.Origin()
	case *types.Var:
		o = x.Origin()
	}
	if o.Pkg() == nil || s.folders[o.Pkg().Path()] == nil || !o.Exported() {
		return
	}
	by := others
	if o.Pkg().Path() == u.folder.path {
		by = own
		if inTest {
			by = ownTests
		}
	}
	if by == others && s.users[o.Pos()] < others {
		s.used = append(s.used, o)
	}
	s.users[o.Pos()] = max(s.users[o.Pos()], by)
}

// spread: who uses a thing uses the types in its type.
func (s *search) spread() {
	for len(s.used) > 0 {
		o := s.used[0]
		s.used = s.used[1:]
		seen := map[types.Type]bool{}
		if tn, ok := o.(*types.TypeName); ok {
			s.mention(tn.Type().Underlying(), seen)
		} else {
			s.mention(o.Type(), seen)
		}
	}
}

// mention marks the named types that are written in a type.
func (s *search) mention(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		s.take(t.Obj())
		for a := range t.TypeArgs().Types() {
			s.mention(a, seen)
		}
	case *types.Alias:
		s.take(t.Obj())
		s.mention(t.Rhs(), seen)
	case *types.Pointer:
		s.mention(t.Elem(), seen)
	case *types.Slice:
		s.mention(t.Elem(), seen)
	case *types.Array:
		s.mention(t.Elem(), seen)
	case *types.Chan:
		s.mention(t.Elem(), seen)
	case *types.Map:
		s.mention(t.Key(), seen)
		s.mention(t.Elem(), seen)
	case *types.Signature:
		for v := range t.Params().Variables() {
			s.mention(v.Type(), seen)
		}
		for v := range t.Results().Variables() {
			s.mention(v.Type(), seen)
		}
		if r := t.Recv(); r != nil {
			s.mention(r.Type(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				s.mention(f.Type(), seen)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.mention(m.Type(), seen)
		}
	}
}

// take marks a type as used by others.
func (s *search) take(o types.Object) {
	if o.Pkg() == nil || s.folders[o.Pkg().Path()] == nil || s.users[o.Pos()] == others {
		return
	}
	s.users[o.Pos()] = others
	s.used = append(s.used, o)
}

// unused lists the names without users.
func (s *search) unused() []Name {
	var names []Name
	imported := s.imported()
	for _, f := range s.folders {
		p := f.checked
		if !imported[f.path] {
			continue
		}
		for _, name := range p.Scope().Names() {
			o := p.Scope().Lookup(name)
			if o.Exported() && !s.inEnumeration(o) && !s.implemented(o) {
				names = s.add(names, o, p.Name()+"."+name)
			}
			if tn, ok := o.(*types.TypeName); ok && o.Exported() && !tn.IsAlias() {
				names = s.parts(names, tn, p.Name()+"."+name+".")
			}
		}
	}
	slices.SortFunc(names, func(a, b Name) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Name, b.Name))
	})
	return names
}

// imported is the packages that others import.
func (s *search) imported() map[string]bool {
	imported := map[string]bool{}
	for _, u := range s.found {
		for _, p := range u.pkg.Imports() {
			if p.Path() != u.folder.path {
				imported[p.Path()] = true
			}
		}
	}
	return imported
}

func (s *search) add(names []Name, o types.Object, name string) []Name {
	users := s.users[o.Pos()]
	if users == others {
		return names
	}
	at := s.fset.Position(o.Pos())
	file, err := filepath.Rel(s.root, at.Filename)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return append(names, Name{filepath.ToSlash(file), at.Line, name, users < own})
}

// parts adds the fields and methods of a type that nobody uses.
func (s *search) parts(names []Name, tn *types.TypeName, name string) []Name {
	named := tn.Type().(*types.Named)
	for m := range named.Methods() {
		if m.Exported() && !s.interfaceCalls(named, m) {
			names = s.add(names, m, name+m.Name())
		}
	}
	switch t := named.Underlying().(type) {
	case *types.Struct:
		tagged := false
		for i := range t.NumFields() {
			tagged = tagged || reflect.StructTag(t.Tag(i)) != ""
		}
		for f := range t.Fields() {
			if f.Exported() && !f.Embedded() && !tagged && s.users[f.Pos()] < own && f.Name() != padding {
				names = s.add(names, f, name+f.Name())
			}
		}
	case *types.Interface:
		// Whoever implements it has to export its methods; so it is enough that its own package calls them.
		for m := range t.ExplicitMethods() {
			if m.Exported() && s.users[m.Pos()] < own {
				names = s.add(names, m, name+m.Name())
			}
		}
	}
	return names
}

// promote notes the methods that a type has from one that it embeds, and with which it implements an interface.
func (s *search) promote() {
	for _, f := range s.folders {
		for _, name := range f.checked.Scope().Names() {
			tn, ok := f.checked.Scope().Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(tn.Type()) {
				continue
			}
			t := types.NewPointer(tn.Type())
			for m := range types.NewMethodSet(t).Methods() {
				calls := func(i *types.Interface) bool { return types.Implements(t, i) }
				if len(m.Index()) > 1 && slices.ContainsFunc(s.callable[m.Obj().Name()], calls) {
					s.promoted[m.Obj().(*types.Func).Origin().Pos()] = true
				}
			}
		}
	}
}

// interfaceCalls tells whether a method is one of an interface that its type implements, or one that embeds it.
func (s *search) interfaceCalls(t *types.Named, m *types.Func) bool {
	if s.promoted[m.Pos()] {
		return true
	}
	for _, i := range s.callable[m.Name()] {
		if types.Implements(t, i) || types.Implements(types.NewPointer(t), i) {
			return true
		}
	}
	return false
}

// implemented tells whether an interface is one that a type of another package implements, which need not name it.
func (s *search) implemented(o types.Object) bool {
	i, ok := o.Type().Underlying().(*types.Interface)
	if _, isType := o.(*types.TypeName); !isType || !ok || i.NumMethods() == 0 {
		return false
	}
	for _, f := range s.folders {
		for _, name := range f.checked.Scope().Names() {
			tn, ok := f.checked.Scope().Lookup(name).(*types.TypeName)
			if ok && f.checked != o.Pkg() && types.Implements(types.NewPointer(tn.Type()), i) && !types.IsInterface(tn.Type()) {
				return true
			}
		}
	}
	return false
}

// inEnumeration tells whether a constant is one of several of a type of its package that others use. It must be used at all, but a zero value says what
// is meant by nothing.
func (s *search) inEnumeration(o types.Object) bool {
	named, ok := o.Type().(*types.Named)
	c, isConst := o.(*types.Const)
	if !isConst || !ok || named.Obj().Pkg() != o.Pkg() {
		return false
	}
	nothing := c.Val().Kind() == constant.Int && constant.Compare(c.Val(), token.EQL, constant.MakeInt64(0))
	return (nothing || s.users[o.Pos()] != nobody) && s.users[named.Obj().Pos()] == others
}
