package chart

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text fit to be measured and shown: one line, nothing that steers a terminal or changes the direction of writing, and
// no runes whose width depends on their neighbours.
func clean(text string, ascii bool) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || ascii && isMark(r):
		case ascii && (r < ' ' || r > '~'):
			b.WriteByte('?')
		case !unicode.IsPrint(r) && !isMark(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
}

// isMark reports whether a rune is drawn over the one before it: marks, and the vowels and endings of Hangul syllables that are
// written letter by letter.
func isMark(r rune) bool {
	return r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me) || r >= 0x1160 && r <= 0x11ff)
}

// cells tells how many cells a rune takes that is no mark.
func cells(r rune) int {
	if r >= 0x1100 && unicode.Is(wideRunes, r) {
		return 2
	}
	return 1
}

// glyph is a rune with the marks on it, which a terminal shows in one or two cells.
type glyph struct {
	text  string
	cells int
}

// glyphs takes text apart. Marks with nothing below them are dropped.
func glyphs(text string) []glyph {
	list := make([]glyph, 0, len(text))
	start := 0 // of the last glyph
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch {
		case !isMark(r):
			start = i
			list = append(list, glyph{text[i:end], cells(r)})
		case len(list) > 0:
			list[len(list)-1].text = text[start:end]
		}
	}
	return list
}

func join(list []glyph) string {
	var b strings.Builder
	for _, g := range list {
		b.WriteString(g.text)
	}
	return b.String()
}

// measure tells how many cells text takes.
func measure(text string) int {
	n := 0
	for _, r := range text {
		if !isMark(r) {
			n += cells(r)
		}
	}
	return n
}

// fit counts the glyphs from the start of a list that have room in some cells.
func fit(list []glyph, room int) int {
	for i, g := range list {
		if room -= g.cells; room < 0 {
			return i
		}
	}
	return len(list)
}

// fitEnd counts the glyphs from the end of a list that have room in some cells.
func fitEnd(list []glyph, room int) int {
	for i := range list {
		if room -= list[len(list)-1-i].cells; room < 0 {
			return i
		}
	}
	return len(list)
}

// cut shortens text to some cells. It keeps a start and an end: long names often differ there only.
func (s *strokes) cut(text string, room int) string {
	if measure(text) <= room {
		return text
	}
	list := glyphs(text)
	keep := room - measure(s.ellipsis)
	if keep < 1 {
		return join(list[:fit(list, max(room, 0))])
	}
	end := keep / 3
	return join(list[:fit(list, keep-end)]) + s.ellipsis + join(list[len(list)-fitEnd(list, end):])
}

// wrap breaks text into at most most lines of some cells (0 for as many as it takes), between words, and inside of those that are
// too long for a line. What does not fit is cut from the last line.
func (s *strokes) wrap(text string, room, most int) []string {
	words := breakWords(strings.Fields(text), room)
	var lines []string
	for i := 0; i < len(words); {
		if most > 0 && len(lines) == most-1 {
			return append(lines, s.cut(unbreak(words[i:]), room))
		}
		line, used := words[i].text, words[i].cells
		for i++; i < len(words) && used+1+words[i].cells <= room && !words[i].broken; i++ {
			line += " " + words[i].text
			used += 1 + words[i].cells
		}
		lines = append(lines, line)
	}
	return lines
}

// word is a word, or a piece of one that is too long for a line.
type word struct {
	text   string
	cells  int
	broken bool // it goes on from the one before
}

// breakWords breaks words that are too long for a line.
func breakWords(texts []string, room int) []word {
	var list []word
	for _, t := range texts {
		n := measure(t)
		if n <= room {
			list = append(list, word{text: t, cells: n})
			continue
		}
		all := glyphs(t)
		for rest := all; len(rest) > 0; {
			n := max(fit(rest, room), 1)
			piece := join(rest[:n])
			list = append(list, word{piece, measure(piece), len(rest) < len(all)})
			rest = rest[n:]
		}
	}
	return list
}

// unbreak is the text that words were made of.
func unbreak(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && !w.broken {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// fold puts equal texts that follow each other together. What comes very often is put together wherever it stands, where it stands first.
func fold(texts []string) []string {
	const often = 4
	count := make(map[string]int)
	for _, t := range texts {
		count[t]++
	}
	var list []string
	for i := 0; i < len(texts); {
		t := texts[i]
		n := 1
		for i+n < len(texts) && texts[i+n] == t {
			n++
		}
		i += n
		if all := count[t]; all >= often {
			n, count[t] = all, -1
		} else if all < 0 {
			continue
		}
		list = append(list, t+times(n))
	}
	return list
}
