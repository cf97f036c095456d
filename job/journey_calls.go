package job

import (
	"fmt"

	"motehound/job/document"
	"motehound/observe/calltree"
	"motehound/study/travel"
	"motehound/world"
)

// What is shown of calls is bounded.
const (
	mostCalls    = 4000
	deepestCall  = 12
	longestCalls = world.Second
)

// CallsBetween are the functions that the mote that is looked at executes in a stretch of a timed run. If they are too many, the stretch ends earlier.
func (j *Journey) CallsBetween(from, to travel.Point, stop func() bool) (*document.Calls, error) {
	_, last := j.Bounds()
	to.Time = min(to.Time, last.Time, from.Time+longestCalls)
	if j.Explored() || from.Time >= to.Time {
		return nil, fmt.Errorf("calls are shown of a stretch of a timed run: %s to %s is none", document.MomentOf(from), document.MomentOf(to))
	}
	mote := j.Here().Mote
	if err := j.Go(from, stop); err != nil {
		return nil, err
	}
	w := j.World().Clone()
	defer w.Release()
	d := &document.Calls{From: document.MomentOf(from), Names: []string{}, Slices: []document.CallSlice{}}
	known, open, over := map[string]int{}, []underWay{}, from.Time
	follow := calltree.WatchStacks(w, calltree.StackOptions{Fold: true}, func(at calltree.Moment, stack []calltree.Level) {
		if at.Mote != mote || len(d.Slices) >= mostCalls {
			return
		}
		over = max(w.TimeOf(mote, at.Cycle), from.Time)
		same := 0
		for same < len(stack) && same < len(open) && stack[same].Serial == open[same].serial {
			same++
		}
		for _, x := range open[same:] {
			if x.slice >= 0 {
				d.Slices[x.slice].To = seconds(over)
			}
		}
		open = open[:same]
		for depth, l := range stack[same:] {
			x := underWay{l.Serial, -1}
			if depth += same; depth < deepestCall {
				x.slice = len(d.Slices)
				n, ok := known[l.Func.Name]
				if !ok {
					n = len(d.Names)
					known[l.Func.Name] = n
					d.Names = append(d.Names, l.Func.Name)
				}
				d.Slices = append(d.Slices, document.CallSlice{Slice: document.Slice{At: document.MomentOf(travel.Point{Time: over}), From: seconds(over), To: seconds(to.Time), Name: n},
					Depth: depth, Inlined: l.Kind == calltree.Inlined})
			}
			open = append(open, x)
		}
	})
	if !w.RunUnless(func() bool { return len(d.Slices) >= mostCalls || stop != nil && stop() }, to.Time) && len(d.Slices) < mostCalls {
		return nil, travel.ErrInterrupted
	}
	if len(d.Slices) < mostCalls {
		follow.Close()
		over = to.Time
	}
	for _, x := range open {
		if x.slice >= 0 {
			d.Slices[x.slice].To = seconds(over)
		}
	}
	d.To = document.MomentOf(travel.Point{Time: over})
	return d, nil
}

// underWay is a call that has not ended.
type underWay struct {
	serial uint64
	slice  int // -1 if it is too deep to be shown
}
