package job

import (
	"fmt"

	"motehound/mote"
	"motehound/study/travel"
	"motehound/world"
)

// Step is how far one goes at once.
type Step string

// The steps.
const (
	ByInstruction Step = "instruction"
	ByLine        Step = "line" // to another line
	ByNext        Step = "next" // to another line of this function, or of one that called it
	ByEvent       Step = "event"
	ByFrame       Step = "frame" // of a timed run: to just before one has been sent
)

// Step goes on, or back, to another line, instruction or event. It is travel.ErrNone if there is none: then one is at the end of the run.
func (j *Journey) Step(by Step, back bool, stop func() bool) (travel.Hit, error) {
	var w *travel.Watch
	switch by {
	case ByInstruction:
		w = &travel.Watch{Each: []int{j.Here().Mote}}
	case ByLine, ByNext:
		w = j.otherLine(by == ByNext)
	case ByEvent:
		if j.Explored() {
			return travel.Hit{}, j.otherEvent(back, stop)
		}
		w = &travel.Watch{Interrupts: []int{travel.Everyone}}
	case ByFrame:
		if j.Explored() {
			return travel.Hit{}, j.otherEvent(back, stop)
		}
		return j.otherFrame(back, stop)
	default:
		return travel.Hit{}, fmt.Errorf("%q is no step: give %s, %s, %s, %s or %s", by, ByInstruction, ByLine, ByNext, ByEvent, ByFrame)
	}
	if back {
		return j.Previous(w, stop)
	}
	return j.Next(w, stop)
}

// otherLine is a statement that begins: another one than where the mote is, unless it is the same again; perhaps not in functions that are called from here.
func (j *Journey) otherLine(here bool) *travel.Watch {
	m := j.Mote()
	now, _ := m.Kind.Image.LineAt(m.Core().PC * 2)
	sp := m.Core().SP
	return &travel.Watch{Each: []int{j.Here().Mote}, If: func(m *mote.Mote, h travel.Hit) bool {
		l, ok := m.Kind.Image.LineAt(h.PC * 2)
		return ok && l.Stmt && (l.File != now.File || l.Line != now.Line) && (!here || m.Core().SP >= sp)
	}}
}

// beforeEnd is how long before the end of a frame one looks at it: the first at which some of it is sent, and not all. Radios end frames differently.
var beforeEnd = []uint64{100 * world.Microsecond, 500 * world.Microsecond, world.Millisecond, 2 * world.Millisecond}

// otherFrame goes to where the next frame has been sent, but for its end, or the one before.
func (j *Journey) otherFrame(back bool, stop func() bool) (h travel.Hit, err error) {
	w := &travel.Watch{Frames: []int{travel.Everyone}}
	move, under := j.Next, map[int]bool{} // those that are on the air here are looked at already
	if back {
		move = j.Previous
	}
	for i := range j.Motes() {
		under[i] = !back && j.World().OnAir(i) > 0
	}
	for h, err = move(w, stop); err == nil && under[h.Mote]; h, err = move(w, stop) {
		under[h.Mote] = false
	}
	if err != nil {
		return h, err
	}
	for _, early := range beforeEnd {
		if err := j.Go(travel.Point{Time: h.Time - min(h.Time, early)}, stop); err != nil || j.World().OnAir(h.Mote) > 0 {
			return h, err
		}
	}
	return h, nil
}

// otherEvent goes to the event before or behind this one, and looks at its mote.
func (j *Journey) otherEvent(back bool, stop func() bool) error {
	here := j.Here()
	first, last := j.Bounds()
	to := here.Event + 1
	switch {
	case back && here.Time > 0:
		to = here.Event
	case back:
		to = here.Event - 1
	}
	if to < first.Event || to > last.Event {
		return travel.ErrNone
	}
	if err := j.Go(travel.Point{Event: to}, stop); err != nil {
		return err
	}
	if to <= len(j.Beats) {
		return j.Look(max(int(j.Beats[to-1].Event.Mote), 0))
	}
	return nil
}
