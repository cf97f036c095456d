package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// lateDocument is something that has to wait, in a finding, while its mote sleeps; or a frame that has to come too early.
type lateDocument struct {
	Mote  int     `json:"mote"`
	What  string  `json:"what"`
	Late  float64 `json:"late_s"`            // for how long it waits
	Bound float64 `json:"bound_s"`           // for how long it can wait
	Early float64 `json:"early_s,omitempty"` // of a frame: its sender's clock is ahead of the receiver's by so much more than can be
}

// over is by how much it is too late or too early.
func (d lateDocument) over() float64 { return d.Late - d.Bound + d.Early }

// doubtful says why findings are no violations.
func doubtful(list []*check.Finding) []string {
	strained, suspected := 0, 0
	for _, f := range list {
		switch {
		case f.Suspected:
			suspected++
		case !f.Counts():
			strained++
		}
	}
	var why []string
	if strained > 0 {
		why = append(why, fmt.Sprintf("%s in which something waits longer than on real hardware (--any-order counts them)", counted(strained, "finding")))
	}
	if suspected > 0 {
		why = append(why, fmt.Sprintf("%s of a goal that may only be late (a longer --budget can decide)", counted(suspected, "finding")))
	}
	return why
}

// needs says what has to wait for a finding, or to come early, the worst first.
func (x *foundDocument) needs() string {
	const most = 3
	var parts []string
	for _, n := range x.Needs[:min(most, len(x.Needs))] {
		if n.Early > 0 {
			parts = append(parts, fmt.Sprintf("%s to reach mote %d %s early", n.What, n.Mote, late(n.Early)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s of mote %d to wait %s (at most %s)", n.What, n.Mote, late(n.Late), late(n.Bound)))
	}
	if more := len(x.Needs) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// lateness gathers by how much each thing is too late or too early, at most.
type lateness map[check.Event]lateDocument

func (l lateness) add(s *subject, sys *explore.System, list []explore.Wait) {
	for _, w := range list {
		d := lateDocument{Mote: s.id(w.Event.Mote), What: sys.Title(w.Event)}
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
		if d.over() > l[w.Event].over() {
			l[w.Event] = d
		}
	}
}

func (l lateness) list() []lateDocument {
	list := []lateDocument{}
	for _, d := range l {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b lateDocument) int {
		return cmp.Or(cmp.Compare(b.over(), a.over()), cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.What, b.What))
	})
	return list
}
