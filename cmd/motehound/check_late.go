package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// lateDocument is something that has to wait, in a finding, while its mote sleeps.
type lateDocument struct {
	Mote int     `json:"mote"`
	What string  `json:"what"`
	Late float64 `json:"late_s"`
}

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
		why = append(why, fmt.Sprintf("%s in which something waits longer than hardware makes it (--any-order counts them)", phrase.Counted(strained, "finding")))
	}
	if suspected > 0 {
		why = append(why, fmt.Sprintf("%s of a goal that may only be late (a longer --budget tells)", phrase.Counted(suspected, "finding")))
	}
	return why
}

// needs says what has to wait for a finding, the longest first.
func (x *foundDocument) needs() string {
	const most = 3
	var parts []string
	for _, n := range x.Needs[:min(most, len(x.Needs))] {
		parts = append(parts, fmt.Sprintf("%s of mote %d %s late", n.What, n.Mote, late(n.Late)))
	}
	if more := len(x.Needs) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// lateness gathers the longest time that each thing has to wait.
type lateness map[check.Event]lateDocument

func (l lateness) add(s *subject, sys *explore.System, list []explore.Wait) {
	for _, w := range list {
		if late := float64(w.Idle) / float64(world.Second); late > l[w.Event].Late {
			l[w.Event] = lateDocument{Mote: s.id(w.Event.Mote), What: sys.Title(w.Event), Late: late}
		}
	}
}

func (l lateness) list() []lateDocument {
	list := []lateDocument{}
	for _, d := range l {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b lateDocument) int {
		return cmp.Or(cmp.Compare(b.Late, a.Late), cmp.Compare(a.Mote, b.Mote), cmp.Compare(a.What, b.What))
	})
	return list
}
