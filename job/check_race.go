package job

import (
	"strings"

	"motehound/job/document"
	"motehound/study/explore"
	"motehound/study/repair"
)

// races works out what more is known of those findings that are races.
func (s *subject) races(list []*telling) error {
	for _, t := range list {
		if !strings.HasPrefix(t.of.Property, explore.RacePrefix) {
			continue
		}
		r, err := repair.Of(s.base.(*explore.System), t.of.Trace, t.of.Cause())
		if err != nil {
			return err
		}
		if r != nil {
			t.Race = &document.Race{Variable: r.Variable, Wrong: r.Wrong,
				Used: document.Used{Fate: string(r.Use.Fate), Events: r.Use.Events, CodePlace: placeOf(r.Use.At)}}
		}
	}
	return nil
}

func placeOf(p explore.Place) document.CodePlace {
	return document.CodePlace{Function: p.Function, File: p.File, Line: p.Line, PC: p.Addr}
}
