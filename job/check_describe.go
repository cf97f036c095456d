package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/world"
)

// telling is a finding whose trace is being told.
type telling struct {
	*document.Found
	of    *check.Finding
	hash  string // of the state in which the trace ends
	needs lateness
	texts texts
}

// texts has each text once: traces are long, and say the same again and again.
type texts map[string]string

func (t texts) once(text string) string {
	if known, ok := t[text]; ok {
		return known
	}
	t[text] = text
	return text
}

// describe replays findings and tells their stories. One whose trace is the beginning of another's is told along with that. When the
// context is done, the rest is told without having been replayed once more.
func (s *subject) describe(ctx context.Context, list []*check.Finding, h Host) ([]*telling, error) {
	var all []*telling
	same := make(texts)
	for _, f := range list {
		all = append(all, s.begin(f, same))
	}
	left := slices.Clone(all)
	slices.SortStableFunc(left, func(a, b *telling) int { return cmp.Compare(len(b.of.Trace), len(a.of.Trace)) })
	for len(left) > 0 {
		longest := left[0].of.Trace
		along := func(t *telling) bool { return slices.Equal(t.of.Trace, longest[:len(t.of.Trace)]) }
		h.doing("describing finding %d of %d: %s events", len(all)-len(left)+1, len(all), phrase.Grouped(uint64(len(longest))))
		if err := s.tell(ctx, longest, slices.DeleteFunc(slices.Clone(left), func(t *telling) bool { return !along(t) })); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, along)
	}
	for _, t := range all {
		t.Needs = t.needs.list()
	}
	h.done()
	return all, s.races(ctx, all, h)
}

// begin is what is known of a finding without its story.
func (s *subject) begin(f *check.Finding, same texts) *telling {
	x := &document.Found{Property: f.Property, Kind: string(f.Kind), Mote: s.id(f.Mote), Function: f.Function, File: f.File, Line: f.Line,
		Detail: f.Detail, Events: f.Before, Minimised: len(f.Trace), Minimal: f.Minimal, Evidence: string(f.Evidence), Cycle: f.Cycle,
		Made: madeInputs(check.Messages(s.system, f.Trace)), Inputs: s.inputTexts(f.Trace), Counts: f.Counts(), Suspected: f.Suspected}
	for _, m := range f.Motes {
		x.Motes = append(x.Motes, s.id(m))
	}
	if f.Critical != nil && f.Critical.Reached {
		x.Critical = f.Critical.After
		if x.WaitedS = float64(f.Critical.Span) / float64(world.Second); x.WaitedS > 0 {
			x.Waited = f.Critical.Events
		}
	}
	x.Story = document.Story{Columns: s.names, Cycle: f.Cycle}
	return &telling{Found: x, of: f, hash: fmt.Sprintf("%016x%016x", f.Hash[0], f.Hash[1]), needs: make(lateness), texts: same}
}

// tell runs a trace once for all findings whose traces are beginnings of it.
func (s *subject) tell(ctx context.Context, trace []check.Event, list []*telling) error {
	sys := s.base.Clone().(*explore.System)
	defer sys.Release()
	const often = 64
	err := sys.Tell(trace, func(n int, b explore.Beat, _ check.Step) error {
		for _, t := range list {
			t.hear(sys, n, b)
			if n <= len(t.of.Trace) {
				t.needs.add(s, sys, b.Overdue)
			}
			if n == len(t.of.Trace) {
				h := sys.Hash()
				t.hash = fmt.Sprintf("%016x%016x", h[0], h[1])
			}
		}
		if n%often == 0 {
			return ctx.Err()
		}
		return nil
	})
	if ctx.Err() == nil {
		return err
	}
	for _, t := range list {
		if done := len(t.Trace); done < len(t.of.Trace) {
			t.Undescribed = done + 1
		}
		for n := len(t.Trace); n < len(t.of.Trace); n++ {
			e := t.of.Trace[n]
			b := explore.Beat{Event: e, Title: "no more faults", From: -1, Changed: func() []string { return nil }}
			if e != check.Healing {
				b.Title = sys.Title(e)
			}
			t.hear(sys, n+1, b)
		}
	}
	return nil
}

// hear takes down one event of the trace, if it is long enough.
func (t *telling) hear(sys *explore.System, n int, b explore.Beat) {
	f, x := t.of, t.Found
	if n > len(f.Trace) {
		return
	}
	row := document.StoryRow{Number: n, Mote: int(b.Event.Mote), Class: b.Event.Class.String(), Title: t.texts.once(b.Title), From: b.From, Lost: b.Lost,
		Within: b.Event.Intrudes()}
	for _, note := range b.Notes {
		row.Notes = append(row.Notes, t.texts.once(note))
	}
	row.Notes = slices.Clip(row.Notes)
	if b.Event == check.Healing {
		row.Mote, row.Class = -1, "heal"
	}
	// What other motes do matters less for what one does wrong.
	theirs := f.Kind == finding.Safety && f.Mote >= 0 && b.Event.Mote != f.Mote
	if late := float64(b.Late) / float64(world.Second); late > x.LateS && !theirs {
		x.Latest, x.LatestS, x.LateS = n, sys.Describe(b.Event), late
	}
	if n == x.Critical {
		row.Mark, row.Changed = "critical transition", b.Changed()
		x.CriticalS = sys.Describe(b.Event)
	}
	if n == len(f.Trace) && f.Kind == finding.Safety {
		row.Mark, row.Changed = "violation", b.Changed()
	}
	x.Story.Rows = append(x.Story.Rows, row)
	x.Trace = append(x.Trace, t.texts.once(sys.Describe(b.Event)))
	if len(f.Trace)-n < lastEvents {
		x.Story.Last = append(x.Story.Last, document.StoryChange{Number: n, Event: t.who(row.Mote) + row.Title, Changed: b.Changed()})
	}
}

// who names the mote of an event.
func (t *telling) who(mote int) string {
	if mote < 0 {
		return ""
	}
	return t.Story.Columns[mote] + ": "
}

// lastEvents is of how many events at the end of a trace it is told what they changed.
const lastEvents = 5
