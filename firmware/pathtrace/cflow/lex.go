package cflow

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// lexed is a text cut into tokens, and the same text as the parser gets it: of equal length, with blanks for what the parser
// need not know. The parser then sees neither directives nor compilers' extensions to declarations, and all its offsets are ours.
type lexed struct {
	text   []byte
	masked []byte
	tokens []Span
	hidden []hidden // what was masked except for directives, by offset
	groups []Span   // braces that are in no other braces
	lines  *lineTable
}

// lex cuts and masks a text. It fails where the text is not preprocessed C.
func lex(text []byte) (*lexed, error) {
	l := &lexed{text: text, masked: slices.Clone(text), lines: newLineTable(text)}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return nil, fmt.Errorf("%v: a zero byte: this is not text", l.lines.at(at))
	}
	for i, c := range l.masked {
		if c >= 0x80 { // of whatever encoding
			l.masked[i] = '_'
		}
	}
	depth, open := 0, 0
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			at++
		case c == '#' && l.firstOfLine(at):
			end := l.lineEnd(at)
			if err := l.directive(at, end); err != nil {
				return nil, err
			}
			blank(l.masked[at:end])
			at = end
		case c == '/' && at+1 < len(text) && text[at+1] == '*':
			n := bytes.Index(text[at+2:], []byte("*/"))
			if n < 0 {
				return nil, fmt.Errorf("%v: a comment has no end", l.lines.at(at))
			}
			at += n + 4
		case c == '/' && at+1 < len(text) && text[at+1] == '/':
			at = l.lineEnd(at)
		case c == '"' || c == '\'':
			end, err := l.quoted(at)
			if err != nil {
				return nil, err
			}
			l.tokens = append(l.tokens, Span{at, end})
			at = end
		case c == '[' && l.at(l.skip(at+1)) == '[':
			end, err := l.attribute(at)
			if err != nil {
				return nil, err
			}
			at = end
		case letter(c):
			end := at
			for end < len(text) && (letter(text[end]) || digit(text[end])) {
				end++
			}
			if end < len(text) && (text[end] == '"' || text[end] == '\'') && encoding(text[at:end]) {
				from := at
				if end-at == 1 {
					l.masked[at] = 'L' // the one that the parser knows
				}
				var err error
				if at, err = l.quoted(end); err != nil {
					return nil, err
				}
				l.tokens = append(l.tokens, Span{from, at})
				continue
			}
			at = l.word(Span{at, end})
		case digit(c) || c == '.' && at+1 < len(text) && digit(text[at+1]):
			end := at + 1
			for end < len(text) && (letter(text[end]) || digit(text[end]) || text[end] == '.' || text[end] == '\'' ||
				(text[end] == '+' || text[end] == '-') && bytes.IndexByte([]byte("eEpP"), text[end-1]) >= 0) {
				if text[end] == '\'' { // it separates digits
					l.masked[end] = '0'
				}
				end++
			}
			l.tokens = append(l.tokens, Span{at, end})
			at = end
		default:
			switch c {
			case '{':
				if depth == 0 {
					open = at
				}
				depth++
			case '}':
				if depth--; depth == 0 {
					l.groups = append(l.groups, Span{open, at + 1})
				}
				depth = max(depth, 0)
			case '[':
				l.maskQualifiers(at + 1)
			}
			l.tokens = append(l.tokens, Span{at, at + 1}) // longer operators are never the last token of anything but ++ and --
			at++
			if c == ':' {
				at = l.labelled(at)
			}
		}
	}
	return l, l.balanced()
}

// balanced finds brackets that do not match, and text that stops in the middle: parsers look for an end that is not there.
func (l *lexed) balanced() error {
	var open []byte
	last := byte(';')
	for _, t := range l.tokens {
		last = l.masked[t.From]
		switch last {
		case '(':
			open = append(open, ')')
		case '[':
			open = append(open, ']')
		case '{':
			open = append(open, '}')
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != last {
				return fmt.Errorf("%v: a %c too many", l.lines.at(t.From), last)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("a %c is missing at the end", open[len(open)-1])
	}
	if last != ';' && last != '}' {
		return errors.New("the text stops in the middle of a declaration")
	}
	return nil
}

// skip is the next offset that is neither space nor in a directive.
func (l *lexed) skip(at int) int {
	for at < len(l.text) {
		switch c := l.text[at]; {
		case space(c):
			at++
		case c == '#' && l.firstOfLine(at):
			at = l.lineEnd(at)
		case bytes.HasPrefix(l.text[at:], []byte("/*")):
			n := bytes.Index(l.text[at+2:], []byte("*/"))
			if n < 0 {
				return len(l.text)
			}
			at += n + 4
		case bytes.HasPrefix(l.text[at:], []byte("//")):
			at = l.lineEnd(at)
		default:
			return at
		}
	}
	return at
}

// at is the byte at an offset, 0 behind the end.
func (l *lexed) at(offset int) byte {
	if offset >= len(l.text) {
		return 0
	}
	return l.text[offset]
}

func (l *lexed) peekWord(at int) (Span, bool) {
	at = l.skip(at)
	end := at
	for end < len(l.text) && (letter(l.text[end]) || end > at && digit(l.text[end])) {
		end++
	}
	return Span{at, end}, end > at
}

// parens is the end of the parenthesised text that comes next.
func (l *lexed) parens(at int) (int, bool) {
	at = l.skip(at)
	if at == len(l.text) || l.text[at] != '(' {
		return 0, false
	}
	end, err := l.bracketed(at, '(', ')')
	return end, err == nil
}

// bracketed is the end of a text in brackets that begins here.
func (l *lexed) bracketed(from int, open, shut byte) (int, error) {
	at := from
	for depth := 0; at < len(l.text); at = l.skip(at) {
		switch l.text[at] {
		case open:
			depth++
		case shut:
			depth--
		case '"', '\'':
			end, err := l.quoted(at)
			if err != nil {
				return 0, err
			}
			at = end
			continue
		}
		if at++; depth == 0 {
			return at, nil
		}
	}
	return 0, fmt.Errorf("%v: a %c is missing", l.lines.at(from), shut)
}

// quoted is the end of a string or character literal.
func (l *lexed) quoted(at int) (int, error) {
	for i := at + 1; i < len(l.text) && l.text[i] != '\n'; i++ {
		switch l.text[i] {
		case '\\':
			i++
		case l.text[at]:
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("%v: a literal has no end", l.lines.at(at))
}

func (l *lexed) firstOfLine(at int) bool {
	for at--; at >= 0 && l.text[at] != '\n'; at-- {
		if !space(l.text[at]) {
			return false
		}
	}
	return true
}

// lineEnd is the offset of the end of the line, continued lines included.
func (l *lexed) lineEnd(at int) int {
	for ; at < len(l.text); at++ {
		if l.text[at] == '\n' && (at == 0 || l.text[at-1] != '\\') {
			return at
		}
	}
	return at
}

// directive reads a line marker, lets pragmas pass, and refuses what a preprocessor would have taken away.
func (l *lexed) directive(at, end int) error {
	line := bytes.TrimSpace(l.text[at+1 : end])
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("line")))
	digits := 0
	for digits < len(line) && digit(line[digits]) {
		digits++
	}
	if digits > 0 {
		n, err := strconv.Atoi(string(line[:digits]))
		if err != nil {
			return fmt.Errorf("%v: line number %s", l.lines.at(at), line[:digits])
		}
		l.lines.mark(end, n, bytes.TrimSpace(line[digits:]))
		return nil
	}
	word, _, _ := bytes.Cut(line, []byte(" "))
	switch string(word) {
	case "define", "undef":
		if len(l.lines.marks) > 0 {
			return nil // what the preprocessor keeps for the debugger
		}
		fallthrough
	case "include", "include_next", "if", "ifdef", "ifndef", "elif", "else", "endif":
		return fmt.Errorf("%v: #%s: the text is not preprocessed", l.lines.at(at), word)
	}
	return nil
}

// end is where the token ends that begins at an offset. Literals that follow each other are one.
func (l *lexed) end(at int) (int, bool) {
	i := l.token(at)
	if i < 0 {
		return 0, false
	}
	isString := func(i int) bool {
		t := l.tokens[i]
		return l.text[t.To-1] == '"'
	}
	if isString(i) {
		for i+1 < len(l.tokens) && isString(i+1) {
			i++
		}
	}
	if c := l.text[l.tokens[i].From]; (c == '+' || c == '-') && i+1 < len(l.tokens) && l.tokens[i+1].From == at+1 && l.text[at+1] == c {
		i++
	}
	return l.tokens[i].To, true
}

// token is the index of the token that begins at an offset, or -1.
func (l *lexed) token(at int) int {
	i := sort.Search(len(l.tokens), func(i int) bool { return l.tokens[i].From >= at })
	if i == len(l.tokens) || l.tokens[i].From != at {
		return -1
	}
	return i
}

// encoding reports whether a word before a literal says how it is encoded.
func encoding(word []byte) bool {
	switch string(word) {
	case "L", "u", "U", "u8":
		return true
	}
	return false
}

// letter is what a name is made of. The backslash is of letters that compilers write as their numbers.
func letter(c byte) bool {
	return c == '_' || c == '\\' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func digit(c byte) bool { return c >= '0' && c <= '9' }
func space(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}
