package job

import (
	"context"
	"strings"

	"motehound/job/document"
	"motehound/study/explore"
	"motehound/study/repair"
)

// races works out what more is known of those findings that are races.
func (s *subject) races(ctx context.Context, list []*telling, h Host) error {
	if s.noRepair {
		return nil
	}
	defer h.done()
	start := h.now()
	opt := repair.Options{Stop: func() bool { return ctx.Err() != nil || s.repairs > 0 && h.now().Sub(start) > s.repairs }}
	for _, t := range list {
		if !strings.HasPrefix(t.of.Property, explore.RacePrefix) || ctx.Err() != nil {
			continue
		}
		h.doing("looking for a repair: %s", t.of.Property)
		r, err := repair.Of(s.base.(*explore.System), t.of.Trace, t.of.Cause(), opt)
		if err != nil {
			return err
		}
		if r != nil {
			t.Race = raceOf(r)
		}
	}
	return nil
}

// benign is the variables whose races are not reported.
func (s *subject) benign() (names []string) {
	if c := s.recipe.Checks; c != nil {
		names = append(names, c.Benign...)
	}
	if s.scenario != nil {
		for _, b := range s.scenario.Benign {
			names = append(names, b.Variable)
		}
	}
	return names
}

func raceOf(r *repair.Repair) *document.Race {
	d := &document.Race{Variable: r.Variable, Wrong: r.Wrong, Sections: []document.AtomicSection{}, Proof: document.RaceProof(r.Proof),
		Used: document.Used{Fate: string(r.Use.Fate), Events: r.Use.Events, CodePlace: placeOf(r.Use.At)}}
	for i := range r.Sections {
		x := &r.Sections[i]
		d.Sections = append(d.Sections, document.AtomicSection{From: placeOf(x.From), To: placeOf(x.To), Across: x.Across, Loops: x.Loops})
	}
	return d
}

func placeOf(p explore.Place) document.CodePlace {
	return document.CodePlace{Function: p.Function, File: p.File, Line: p.Line, PC: p.Addr}
}
