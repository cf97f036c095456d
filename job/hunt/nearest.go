package hunt

import (
	"fmt"

	"motehound/job/document"
)

// usual says how what is usual in the same runs differs from what a hint is about: the other motes, or the other intervals. "" for findings of other kinds.
func usual(f *document.HuntFinding) string {
	switch {
	case f.Modelled != nil:
		return "what the other motes do: " + left(f.Modelled.Leaves)
	case f.Mined != nil:
		return usually(f.Mined)
	}
	return ""
}

// usually is what happens in intervals like a mined one, and not in it; or the other way round.
func usually(m *document.MinedEntry) string {
	for _, w := range m.Why {
		if place := document.PlaceText(w.Function, w.File, w.Line); place != "" && w.Count != w.Usual {
			return fmt.Sprintf("a usual interval, in which %s runs %d times, and not %d", place, w.Usual, w.Count)
		}
	}
	return ""
}
