package check

import (
	"fmt"
	"strings"

	"motehound/study/verdict"
)

// Case is what a verdict can rest on, as far as exploring tells. Who asked for it adds what else was left out.
func (r *Report) Case() *verdict.Case {
	return &verdict.Case{Findings: r.counting(), Complete: r.Complete}
}

// Because says what the verdict rests on: how much was explored, how, and what may be wrong with it.
func (r *Report) Because() string {
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if r.counting() > 0 {
		say("%d causes, each with a trace that was replayed", len(r.Findings))
	}
	if r.Lead > 0 {
		say("searched from the state after %d events", r.Lead)
	}
	if s := r.Search; s != nil {
		say("%s", s.covers(&r.options.Search))
	}
	if l := r.Lassos; l != nil && l.Whole {
		say("all %d states were searched for fair cycles without a goal", l.States)
	} else if l != nil {
		say("%d states, not all, were searched for fair cycles without a goal", l.States)
	}
	if r.Walks > 0 {
		say("%d random walks", r.Walks)
	}
	if r.Stopped {
		say("stopped before the end")
	}
	return strings.Join(parts, "; ")
}

// covers says what a search covered.
func (s *SearchResult) covers(o *SearchOptions) string {
	what := fmt.Sprintf("every run of at most %d events", s.Depth)
	switch {
	case !s.Complete:
		what = fmt.Sprintf("some runs of at most %d events", s.Depth)
		if s.Depth == 0 {
			what = "some runs"
		}
	case s.Exhausted:
		what = "every possible run"
	}
	how := fmt.Sprintf("reduction %v", o.Reduce)
	if o.Stateless {
		return fmt.Sprintf("%s, by %s, no state kept", what, how)
	}
	return fmt.Sprintf("%s, by %s, %d states, compared by 128-bit hashes (chance of a collision %.1g)", what, how, s.States,
		CollisionOdds(s.States))
}
