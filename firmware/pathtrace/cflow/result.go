package cflow

import (
	"strings"

	"modernc.org/cc/v4"
)

// result is text that declares a variable %s of the type that a function returns, empty for none. It is false if there is no
// such text.
func (r *reader) result(f *cc.FunctionDefinition) (string, bool) {
	var words []string
	void := false
	for s := f.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		switch s.Case {
		case cc.DeclarationSpecifiersTypeQual:
			words = append(words, r.clean(s.TypeQualifier))
		case cc.DeclarationSpecifiersTypeSpec:
			word, ok := r.typeWord(s.TypeSpecifier)
			if !ok {
				return "", false
			}
			void = s.TypeSpecifier.Case == cc.TypeSpecifierVoid || r.voids[word]
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		words = []string{"int"}
	}
	if s, ok := r.span(f.DeclarationSpecifiers); ok {
		words = append(r.qualifiers(s), words...)
	}
	whole, ok := r.span(f.Declarator)
	inner, found := r.innermost(f.Declarator)
	if !ok || !found {
		return "", false
	}
	before, after := r.cleanSpan(Span{whole.From, inner.From}), r.cleanSpan(Span{inner.To, whole.To})
	if void && strings.Trim(before, "( ") == "" && strings.Trim(after, ") ") == "" {
		return "", true
	}
	if before != "" && letter(before[len(before)-1]) { // a qualifier
		before += " "
	}
	return strings.Join(words, " ") + " " + before + "%s" + after, true
}

// namesVoid tells a typedef of void.
func (r *reader) namesVoid(s *cc.DeclarationSpecifiers, d *cc.Declarator) bool {
	typedef, void := false, false
	for ; s != nil; s = s.DeclarationSpecifiers {
		switch s.Case {
		case cc.DeclarationSpecifiersStorage:
			typedef = typedef || s.StorageClassSpecifier.Case == cc.StorageClassSpecifierTypedef
		case cc.DeclarationSpecifiersTypeSpec:
			void = s.TypeSpecifier.Case == cc.TypeSpecifierVoid || r.voids[r.clean(s.TypeSpecifier)]
		}
	}
	return typedef && void && d.Pointer == nil && d.DirectDeclarator.Case == cc.DirectDeclaratorIdent
}

// qualifiers is those in a span that the parser does not know: address spaces.
func (r *reader) qualifiers(s Span) (words []string) {
	for _, h := range r.hidden {
		if h.From >= s.From && h.To <= s.To && h.qualifies(r.text) {
			words = append(words, r.source(h.Span))
		}
	}
	return words
}

// qualifies tells a qualifier of a type from attributes, assembly and __extension__.
func (h hidden) qualifies(text []byte) bool {
	return h.words == nil && text[h.To-1] != ')' && string(text[h.From:h.To]) != "__extension__"
}

// typeWord is a type specifier as it can be used again: without the members of a struct defined in it.
func (r *reader) typeWord(t *cc.TypeSpecifier) (string, bool) {
	switch t.Case {
	case cc.TypeSpecifierStructOrUnion:
		if s := t.StructOrUnionSpecifier; s.Case == cc.StructOrUnionSpecifierDef {
			tag := s.Token.SrcStr()
			return r.clean(s.StructOrUnion) + " " + tag, tag != ""
		}
	case cc.TypeSpecifierEnum:
		if t.EnumSpecifier.Case == cc.EnumSpecifierDef {
			return "int", true
		}
	}
	return r.clean(t), true
}

// innermost is the name and the parameters of the function that a declarator declares.
func (r *reader) innermost(d *cc.Declarator) (Span, bool) {
	for d != nil {
		for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
			isFunc := dd.Case == cc.DirectDeclaratorFuncParam || dd.Case == cc.DirectDeclaratorFuncIdent
			if isFunc && r.plainName(dd.DirectDeclarator) {
				return r.span(dd)
			}
			if dd.Case == cc.DirectDeclaratorDecl {
				d = dd.Declarator
				break
			}
			if dd.Case == cc.DirectDeclaratorIdent {
				return Span{}, false
			}
		}
	}
	return Span{}, false
}

// plainName tells a name, in parentheses or not.
func (r *reader) plainName(dd *cc.DirectDeclarator) bool {
	for dd != nil && dd.Case == cc.DirectDeclaratorDecl && dd.Declarator.Pointer == nil {
		dd = dd.Declarator.DirectDeclarator
	}
	return dd != nil && dd.Case == cc.DirectDeclaratorIdent
}

// nameToken is the offset of the declared name.
func (r *reader) nameToken(d *cc.Declarator) int {
	for d != nil {
		dd := d.DirectDeclarator
		for dd != nil && dd.Case != cc.DirectDeclaratorIdent && dd.Case != cc.DirectDeclaratorDecl {
			dd = dd.DirectDeclarator
		}
		if dd == nil {
			return -1
		}
		if dd.Case == cc.DirectDeclaratorIdent {
			return dd.Token.Position().Offset
		}
		d = dd.Declarator
	}
	return -1
}
