package cflow

import "bytes"

// hidden is masked text which belongs to a declaration or statement.
type hidden struct {
	Span
	words []string // the names in an attribute
	jumps bool     // assembly with jumps out of it
}

// masks says what becomes of words that the parser does not know: blank, or a word as long at most, or (parens) a call without
// arguments, where these are types.
var masks = map[string]struct {
	as     string
	parens bool
}{
	"__extension__":                {},
	"__flash":                      {},
	"__flash1":                     {},
	"__flash2":                     {},
	"__flash3":                     {},
	"__flash4":                     {},
	"__flash5":                     {},
	"__memx":                       {},
	"_Sat":                         {},
	"_Fract":                       {as: "int"},
	"_Accum":                       {as: "int"},
	"__int24":                      {as: "int"},
	"__uint24":                     {as: "int"},
	"__auto_type":                  {as: "int"},
	"__builtin_va_arg":             {parens: true},
	"__builtin_offsetof":           {parens: true},
	"__builtin_types_compatible_p": {parens: true},
	"__builtin_bit_cast":           {parens: true},
}

// word takes an identifier or keyword, and what belongs to it if that is to be masked; it says where the text goes on.
func (l *lexed) word(w Span) int {
	name := string(l.text[w.From:w.To])
	switch name {
	case "__attribute__", "__attribute":
		if end, ok := l.parens(w.To); ok {
			l.hide(hidden{Span: Span{w.From, end}, words: words(l.text[w.To:end])})
			return end
		}
	case "asm", "__asm", "__asm__":
		at, jumps := w.To, false
		for {
			q, ok := l.peekWord(at)
			if !ok {
				break
			}
			jumps = jumps || string(l.text[q.From:q.To]) == "goto"
			at = q.To
		}
		if end, ok := l.parens(at); ok {
			l.hide(hidden{Span: Span{w.From, end}, jumps: jumps})
			return end
		}
	}
	m, ok := masks[name]
	if !ok {
		l.tokens = append(l.tokens, w)
		return w.To
	}
	if m.parens {
		l.tokens = append(l.tokens, w)
		end, ok := l.parens(w.To)
		if !ok {
			return w.To
		}
		open := l.skip(w.To)
		blank(l.masked[open+1 : end-1])
		l.tokens = append(l.tokens, Span{open, open + 1}, Span{end - 1, end})
		return end
	}
	if m.as == "" {
		l.hide(hidden{Span: w})
		return w.To
	}
	blank(l.masked[w.From:w.To])
	copy(l.masked[w.From:], m.as)
	l.tokens = append(l.tokens, w)
	return w.To
}

func (l *lexed) hide(h hidden) {
	blank(l.masked[h.From:h.To])
	l.hidden = append(l.hidden, h)
}

// blank keeps ends of lines, so that the parser counts lines as we do.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// words is the names in a text, but for what is in strings.
func words(text []byte) (names []string) {
	quoted := false
	for at := 0; at < len(text); at++ {
		if text[at] == '"' {
			quoted = !quoted
		}
		if quoted || !letter(text[at]) {
			continue
		}
		end := at
		for end < len(text) && (letter(text[end]) || digit(text[end])) {
			end++
		}
		names = append(names, string(bytes.Trim(text[at:end], "_")))
		at = end - 1
	}
	return names
}
