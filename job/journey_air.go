package job

import (
	"fmt"
	"slices"

	"motehound/job/document"
	"motehound/world"
)

// longestFrame is how far ahead the end of a frame is looked for.
const longestFrame = world.Second / 5

// flying are the frames on the air where the traveller is, and who will hear them: the run goes on, aside, until they have ended.
func (j *Journey) flying() []document.Flight {
	now := j.World()
	list, at := []document.Flight{}, map[int]int{}
	for i := range now.Motes() {
		if n := int(now.OnAir(i)); n > 0 && !j.Explored() {
			at[i] = len(list)
			list = append(list, document.Flight{From: uint16(j.id(i)), Sent: n, Bytes: n, Heard: []uint16{}})
		}
	}
	if len(list) == 0 {
		return list
	}
	w := now.Clone()
	defer w.Release()
	ended := map[int]bool{}
	w.Observe(world.Observer{
		Frame: func(f world.Frame) {
			if n, ok := at[f.Sender]; ok && !ended[f.Sender] {
				list[n].Bytes = int(w.OnAir(f.Sender))
				ended[f.Sender] = true
			}
		},
		Heard: func(mote int, _ uint64, sender int) {
			if n, ok := at[sender]; ok && w.FramesSent(sender) == now.FramesSent(sender) {
				list[n].Heard = append(list[n].Heard, uint16(j.id(mote)))
			}
		},
	})
	w.RunUnless(func() bool { return len(ended) == len(at) }, now.Now()+longestFrame)
	for _, f := range list {
		slices.Sort(f.Heard)
	}
	return list
}

// faults are those of the scenario, and how often each has happened. Of an explored run they are among the choices.
func (j *Journey) faults() []document.FaultState {
	list := []document.FaultState{}
	if j.Explored() {
		return list
	}
	for n, f := range j.Recipe.Faults {
		title := f.Kind
		switch {
		case f.Link != nil:
			title += fmt.Sprintf(" from mote %d to mote %d", j.id(f.Link[0]), j.id(f.Link[1]))
		case f.Mote != nil:
			title += fmt.Sprintf(" at mote %d", j.id(*f.Mote))
		}
		list = append(list, document.FaultState{Title: title, Used: j.World().Used(n), Max: f.Max})
	}
	return list
}
