package instrument

import (
	"cmp"
	"slices"
	"strings"
)

// phase orders what is placed at the same offset: what ends there, then what stands there for itself or in place of text, then
// what begins there.
type phase uint8

const (
	ending phase = iota
	beginning
)

// An edit puts text at an offset, in place of what is up to end. order is that of the syntax, those around others first; rank
// decides within a statement.
type edit struct {
	at, end int
	phase   phase
	order   int
	rank    int
	text    string
}

// The ranks. A brace is outside of what is placed before or after a statement.
const (
	outside = iota
	inside
)

// edits is all that is placed in a text.
type edits []edit

// before puts text before what begins at an offset; after behind what ends there.
func (e *edits) before(at, order, rank int, text string) {
	*e = append(*e, edit{at: at, end: at, phase: beginning, order: order, rank: rank, text: text})
}

func (e *edits) after(at, order, rank int, text string) {
	*e = append(*e, edit{at: at, end: at, phase: ending, order: order, rank: rank, text: text})
}

// replace puts text in place of other text, after all that begins there.
func (e *edits) replace(from, to int, text string) {
	*e = append(*e, edit{at: from, end: to, phase: beginning, order: 1 << 60, text: text})
}

// apply gives the text with all edits. Edits of the same place keep the nesting of the syntax; where all else is equal, they
// stay in the order in which they were made.
func (e edits) apply(text []byte) []byte {
	sorted := slices.Clone(e)
	slices.SortStableFunc(sorted, func(a, b edit) int {
		if c := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.phase, b.phase)); c != 0 {
			return c
		}
		if c := cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.rank, b.rank)); a.phase == beginning {
			return c
		} else {
			return -c
		}
	})
	var out strings.Builder
	out.Grow(len(text) + len(text)/4)
	at := 0
	for _, x := range sorted {
		if x.at < at {
			panic("BUG: edits overlap")
		}
		out.Write(text[at:x.at])
		out.WriteString(x.text)
		at = x.end
	}
	out.Write(text[at:])
	return []byte(out.String())
}
