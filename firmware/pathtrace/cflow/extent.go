package cflow

import (
	"reflect"
	"sort"
	"strings"

	"modernc.org/cc/v4"
)

// span is the text of a node; false if none of its tokens is ours.
func (r *reader) span(n cc.Node) (Span, bool) {
	e := r.extent(n)
	if e.To < 0 {
		return Span{}, false
	}
	end, ok := r.end(e.To)
	return Span{e.From, end}, ok
}

// none is the extent of a node without a token of ours.
var none = Span{1 << 62, -1}

// extent is where the first token of a node begins, and the last. The parser knows no ends, and keeps the children of some nodes as
// interfaces, so it looks at all fields; it does so once for each node.
func (r *reader) extent(n cc.Node) Span {
	if n == nil {
		return none
	}
	if t, ok := n.(cc.Token); ok {
		return r.tokenExtent(t)
	}
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return none
	}
	if e, ok := r.extents[n]; ok {
		return e
	}
	v = v.Elem()
	all := none
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() || f.Anonymous {
			continue
		}
		var e Span
		switch x := v.Field(i).Interface().(type) {
		case cc.Token:
			e = r.tokenExtent(x)
		case cc.Node:
			e = r.extent(x)
		default:
			continue
		}
		all.From, all.To = min(all.From, e.From), max(all.To, e.To)
	}
	r.extents[n] = all
	return all
}

func (r *reader) tokenExtent(t cc.Token) Span {
	if t.Ch == 0 {
		return none
	}
	p := t.Position()
	if !p.IsValid() || p.Filename != "text" || p.Offset >= len(r.text) {
		return none
	}
	return Span{p.Offset, p.Offset}
}

func (r *reader) clean(n cc.Node) string {
	s, ok := r.span(n)
	if !ok {
		return ""
	}
	return r.cleanSpan(s)
}

// cleanSpan is text without directives, attributes and assembly, on one line. Qualifiers that the parser does not know stay.
func (r *reader) cleanSpan(s Span) string {
	var out strings.Builder
	end := s.From
	write := func(t Span) {
		if t.From > end && out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.Write(r.text[t.From:t.To])
		end = t.To
	}
	i := sort.Search(len(r.tokens), func(i int) bool { return r.tokens[i].From >= s.From })
	h := sort.Search(len(r.hidden), func(i int) bool { return r.hidden[i].From >= s.From })
	for ; i < len(r.tokens) && r.tokens[i].To <= s.To; i++ {
		for ; h < len(r.hidden) && r.hidden[h].From < r.tokens[i].From; h++ {
			if q := r.hidden[h]; q.qualifies(r.text) {
				write(q.Span)
			}
		}
		write(r.tokens[i])
	}
	return out.String()
}
