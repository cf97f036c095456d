package hunt

import (
	"context"
	"fmt"
	"strconv"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// mine ranks the event-handling intervals of ordinary runs: those in which data was lost are symptoms. First it takes all motes together, then each by itself,
// as what is usual for one may be unusual for another.
func (x *hunt) mine(w job.World, ids []int) func(context.Context, job.Host, slice) (*outcome, error) {
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		f := job.NewMine(x.File)
		f.World, f.Runs = w, 2
		if s.number > 0 {
			f.Node, f.Runs = []string{strconv.Itoa(ids[s.number-1])}, 1
		}
		ctx, cancel := within(ctx, h, s.budget)
		defer cancel()
		o := &outcome{done: s.number == len(ids) || len(ids) == 1}
		got, err := f.Do(ctx, h)
		if err != nil && s.number == 0 {
			return nil, err
		}
		if err != nil { // a mote may have no intervals
			o.events = 1
			return o, nil
		}
		for _, r := range got.Runs {
			o.events += 1 + uint64(r.TimeS*perSecond)
		}
		for _, d := range got.Document.Rankings {
			for i := range d.Ranking {
				if e := &d.Ranking[i]; e.StandsOut && len(e.Lost) > 0 {
					y := minedSight(d, e)
					y.world, y.from = w, &job.Moment{Mote: int(e.Mote), Cycle: e.StartCycle}
					o.sights = append(o.sights, y)
				}
			}
		}
		return o, nil
	}
}

// minedSight is an interval in which data was lost. The ranking itself is the proof: it is the same every time.
func minedSight(d *document.Mine, e *document.MinedEntry) sight {
	lost := &e.Lost[0]
	at := lost.Wrote
	how := "and nothing read it"
	if lost.Over != nil {
		at, how = *lost.Over, fmt.Sprintf("and was overwritten in %s before it was read", document.PlaceText(lost.Over.Function, lost.Over.File, lost.Over.Line))
		if w := idle(e); w != nil && lost.Over.Function == lost.Wrote.Function { // the next value took its place, as it should: who did not take this one?
			at = w.Place
			how += fmt.Sprintf("; %s usually runs then, and did not", document.PlaceText(w.Function, w.File, w.Line))
		}
	}
	s := sight{unproven: true, weak: true}
	s.Mined = e
	s.Property, s.Kind, s.Variable = "lost data", "symptom", lost.Variable
	s.Function, s.File, s.Line, s.Mote = at.Function, at.File, at.Line, int(e.Mote)
	s.Grade, s.Severity, s.Confidence = findings.Symptom, findings.Medium, findings.Possible
	s.Detail = fmt.Sprintf("%s was written in %s, %s", lost.Part, document.PlaceText(lost.Wrote.Function, lost.Wrote.File, lost.Wrote.Line), how)
	s.Title = fmt.Sprintf("Data in %s is lost in a few of %d intervals of %s: %s", lost.Variable, d.Intervals, d.VectorName, s.Detail)
	s.Why = "other values that the same code writes there are read; whether this one matters is not known"
	return s
}

// idle is the first place that usually runs in such intervals, and did not in this one; nil for none.
func idle(e *document.MinedEntry) *document.Why {
	for i := range e.Why {
		if w := &e.Why[i]; w.Count == 0 && w.Usual > 0 && w.Function != "" {
			return w
		}
	}
	return nil
}
