package hunt

import (
	"fmt"
	"strings"

	"motehound/job/document"
	"motehound/job/findings"
)

// nearest says how the nearest run that is good differs from the one that shows a finding; "" if that is not known.
func nearest(f *document.HuntFinding) string {
	switch x := f.Explored; {
	case f.Modelled != nil:
		return "what the other motes do: " + left(f.Modelled.Leaves)
	case f.Mined != nil:
		return usually(f.Mined)
	case x == nil:
		return ""
	case f.Grade == findings.Race:
		value, _, _ := strings.Cut(f.Detail, ": ")
		return fmt.Sprintf("the same events, with the interrupt before or after that code and not in it (%s)", value)
	case x.Critical > 0:
		return fmt.Sprintf("the same up to event %d; with event %d (%s) the goal is out of reach", x.Critical-1, x.Critical, x.CriticalS)
	case x.Minimal && len(x.Inputs) > 0:
		return fmt.Sprintf("the same without the last of its inputs (%s)", x.Inputs[len(x.Inputs)-1])
	case x.Minimal && len(x.Trace) > 1:
		return fmt.Sprintf("the same without any single one of its %d events, such as event %d (%s)", len(x.Trace), len(x.Trace)-1, x.Trace[len(x.Trace)-2])
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
