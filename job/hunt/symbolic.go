package hunt

import (
	"context"
	"path/filepath"
	"time"

	"motehound/job"
	"motehound/job/document"
)

// symbolic follows all inputs that may be anything, and all faults that the scenario allows, at once. Where there is no scenario, the first bytes on
// the serial line are unknown. It goes on where its last turn ended.
func (x *hunt) symbolic(w job.World) func(context.Context, job.Host, slice) (*outcome, error) {
	const mostPaths = 2000 // where no clock ends it
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		f := job.NewSymbolic(x.File)
		f.World, f.Stagger = w, 0
		f.Out, f.Bundle, f.Resume = filepath.Join(x.work, "symbolic"), true, s.number > 0
		f.Budget, f.Cover = s.budget, true
		if s.budget == 0 {
			f.MaxPaths = mostPaths
		}
		if !x.about.Scenario && f.Time == nil {
			short := 2 * time.Second
			f.Time = &short
		}
		got, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		d := got.Document
		o := &outcome{events: 1 + d.Explored.Events/instructions, covered: got.Covered, done: d.Stopped == "" || s.budget == 0}
		for _, y := range d.Findings {
			o.sights = append(o.sights, solvedSight(y))
		}
		return o, nil
	}
}

// instructions is how many of them count as an event.
const instructions = 100

// solvedSight is a finding of symbolic.
func solvedSight(f *document.SymbolicFinding) sight {
	s := sight{bundle: f.Bundle}
	s.Solved = f
	s.Property, s.Kind, s.Function, s.File, s.Line, s.Mote, s.Detail = f.Property, f.Kind, f.Function, f.File, f.Line, f.Mote, f.Detail
	s.judge()
	return s
}
