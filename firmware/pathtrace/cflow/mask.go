package cflow

import (
	"bytes"
	"slices"
)

// hidden is masked text which belongs to a declaration or statement.
type hidden struct {
	Span
	words []string // the names in an attribute
	jumps bool     // assembly with jumps out of it
	stack stackUse // of assembly
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
	case "_Static_assert": // the parser wants a message in it
		if end, ok := l.parens(w.To); ok {
			l.hide(hidden{Span: Span{w.From, end}})
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
			l.hide(hidden{Span: Span{w.From, end}, jumps: jumps, stack: stackUseOf(l.text[at:end])})
			return end
		}
	}
	m, ok := masks[name]
	if !ok {
		for i := w.From; i < w.To; i++ {
			if l.masked[i] == '\\' {
				l.masked[i] = '_'
			}
		}
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

// attribute masks an attribute in double brackets, and says where it ends.
func (l *lexed) attribute(from int) (int, error) {
	at, err := l.bracketed(from, '[', ']')
	if err == nil {
		l.hide(hidden{Span: Span{from, at}, words: words(l.text[from:at])})
	}
	return at, err
}

// labelled gives the parser an empty statement behind a label that has none before a closing brace, as newer C allows; it says where
// the text goes on.
func (l *lexed) labelled(at int) int {
	end := l.skip(at)
	for ; at < end && l.at(end) == '}'; at++ {
		if c := l.text[at]; c == ' ' || c == '\t' {
			l.masked[at] = ';'
			l.tokens = append(l.tokens, Span{at, at + 1})
			return at + 1
		}
		if !space(l.text[at]) {
			break // a comment
		}
	}
	return at
}

// maskQualifiers masks what may stand in a parameter's brackets before its size, or for it: the parser knows that only of parameters
// with names.
func (l *lexed) maskQualifiers(at int) {
	for {
		q, ok := l.peekWord(at)
		if !ok || !slices.Contains(inBrackets, string(l.text[q.From:q.To])) {
			break
		}
		blank(l.masked[q.From:q.To])
		at = q.To
	}
	if at = l.skip(at); l.at(at) == '*' && l.at(l.skip(at+1)) == ']' {
		l.masked[at] = ' '
	}
}

var inBrackets = []string{"static", "const", "volatile", "restrict", "__const", "__const__", "__volatile", "__volatile__", "__restrict", "__restrict__"}

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

// words is the names in a text, except for what is in strings.
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
