package cflow

import (
	"slices"

	"modernc.org/cc/v4"
)

// inline is what a declaration says of where its function is kept.
type inline struct{ inline, external, static bool }

func inlineOf(s *cc.DeclarationSpecifiers) (in inline) {
	for ; s != nil; s = s.DeclarationSpecifiers {
		switch s.Case {
		case cc.DeclarationSpecifiersFunc:
			in.inline = in.inline || s.FunctionSpecifier.Case == cc.FunctionSpecifierInline
		case cc.DeclarationSpecifiersStorage:
			in.external = in.external || s.StorageClassSpecifier.Case == cc.StorageClassSpecifierExtern
			in.static = in.static || s.StorageClassSpecifier.Case == cc.StorageClassSpecifierStatic
		}
	}
	return in
}

// needs notes a declaration which makes an inline function one that others can call (C11 6.7.4, paragraph 7).
func (r *reader) needs(name string, in inline) {
	if !in.inline || in.external || in.static {
		r.needed[name] = true
	}
}

// refuseInlines leaves out definitions that only serve to be inlined. Where the compiler does not do so, it calls another one, which
// may not exist: code in them must not change its mind.
func (r *reader) refuseInlines() {
	last := map[string]*Func{}
	for _, f := range r.unit.Funcs {
		if before := last[f.Name]; before != nil {
			before.refuse("it is defined again: this definition is only for inlining")
		}
		last[f.Name] = f
	}
	for _, f := range r.unit.Funcs {
		in := r.inlines[f]
		if !in.inline || in.static {
			continue
		}
		forOthers := in.external || r.needed[f.Name]
		if r.has(f, "gnu_inline") {
			forOthers = !in.external
		}
		if !forOthers {
			f.refuse("it is inline but not static: the compiler may call another definition of it")
		}
	}
}

// has reports whether a function has an attribute.
func (r *reader) has(f *Func, attribute string) bool {
	return slices.ContainsFunc(r.attributes[f.Name], func(h hidden) bool { return slices.Contains(h.words, attribute) })
}
