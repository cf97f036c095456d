package job

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// doubtful says why findings are no violations, and how many are not shown.
func doubtful(r *check.Report) []string {
	strained, suspected := 0, 0
	for _, f := range r.Findings {
		switch {
		case f.Suspected:
			suspected++
		case !f.Counts():
			strained++
		}
	}
	var why []string
	if strained > 0 {
		why = append(why, fmt.Sprintf("%s in which something waits longer than on real hardware (--any-order counts them)", phrase.Counted(strained, "finding")))
	}
	if suspected > 0 {
		why = append(why, fmt.Sprintf("%s of a goal that may only be late (a longer --budget can decide)", phrase.Counted(suspected, "finding")))
	}
	if n := len(r.Doubted); n > 0 {
		why = append(why, fmt.Sprintf("%s not reached in time, where something waits longer than on real hardware (--any-order shows them)", phrase.Counted(n, "goal")))
	}
	return why
}

// lateness gathers by how much each thing is too late or too early, at most.
type lateness map[check.Event]document.Late

func (l lateness) add(s *subject, sys *explore.System, list []explore.Wait) {
	for _, w := range list {
		d := document.Late{Mote: s.id(w.Event.Mote), What: sys.Title(w.Event)}
		waited := w.Idle
		if w.Ahead > w.Bound { // then the frame was told that was so early
			waited -= min(waited, w.Ahead)
		}
		switch {
		case w.Idle == 0:
			d.Early = float64(w.Ahead) / float64(world.Second)
		case waited > w.Bound:
			d.Late, d.Bound = float64(waited)/float64(world.Second), float64(w.Bound)/float64(world.Second)
		default:
			continue
		}
		if d.Over() > l[w.Event].Over() {
			l[w.Event] = d
		}
	}
}

func (l lateness) list() []document.Late {
	list := []document.Late{}
	for _, d := range l {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b document.Late) int {
		return cmp.Or(cmp.Compare(b.Over(), a.Over()), cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.What, b.What))
	})
	return list
}
