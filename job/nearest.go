package job

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
)

// nearest makes the run that leaves a finding's trace last and ends well, and says where they part and how their variables differ; "" if there is no such run.
func (s *subject) nearest(ctx context.Context, f *check.Finding) (string, error) {
	good, err := check.NearestGood(s.base, f, func() bool { return ctx.Err() != nil })
	if good == nil || err != nil {
		return "", err
	}
	bad := f.Trace
	if f.Kind == finding.Liveness {
		bad = bad[:f.Critical.After]
	}
	mote := bad[good.Common].Mote
	if f.Mote >= 0 {
		mote = f.Mote
	}
	one, theirs, err := s.parted(ctx, bad, good.Common)
	if err != nil {
		return "", err
	}
	defer one.Release()
	same := "it is the same for " + phrase.Counted(good.Common, "event")
	if len(good.Rest) == 0 {
		return fmt.Sprintf("%s, and ends there: without %s nothing happens", same, theirs), nil
	}
	rest := alike(bad[good.Common:], good.Rest, mote)
	other, ours, err := s.parted(ctx, slices.Concat(bad[:good.Common], rest), good.Common)
	if err != nil {
		return "", err
	}
	defer other.Release()
	text := fmt.Sprintf("%s; then there comes %s, and not %s", same, ours, theirs)
	var values []string
	switch compared, is := raced(f); {
	case is:
		values = compared
	case mote >= 0:
		here, err := other.World()
		if err != nil {
			return "", err
		}
		there, err := one.World()
		if err != nil {
			return "", err
		}
		values = explore.Changes(here.Motes()[mote], there.Motes()[mote].Core().RAM)
	}
	text += inGood(values, f.Property+" "+f.Detail)
	end := "and nothing is broken"
	if f.Kind == finding.Liveness {
		end = "and the goal holds"
	}
	return fmt.Sprintf("%s; it was run for %s more, %s", text, phrase.Counted(len(good.Rest), "event"), end), nil
}

// raced is the value that a race leaves and the one that orders without it give, which were run when the race was found.
func raced(f *check.Finding) (change []string, is bool) {
	if !strings.HasPrefix(f.Property, explore.RacePrefix) {
		return nil, false
	}
	text, _, _ := strings.Cut(f.Detail, ": ")
	name, values, named := strings.Cut(text, " is ")
	was, would, two := strings.Cut(values, ", would be ")
	if named && two {
		change = []string{fmt.Sprintf("%s: %s -> %s", name, was, would)}
	}
	return change, true
}

// alike is the beginning of a good run in which a mote has done as much as in a bad one. An interrupt in the middle of something is something of its own.
func alike(bad, good []check.Event, mote int16) []check.Event {
	todo := 0
	for _, e := range bad {
		if e.Mote == mote {
			todo++
		}
		if e.Mote == mote && e.Intrudes() {
			todo++
		}
	}
	for n, e := range good {
		if e.Mote == mote {
			todo--
		}
		if todo <= 0 {
			return good[:n+1]
		}
	}
	return good
}

// parted runs a trace, and gives where it ends, and what happens after so many events.
func (s *subject) parted(ctx context.Context, trace []check.Event, common int) (sys *explore.System, title string, err error) {
	sys = s.base.Clone().(*explore.System)
	err = sys.Tell(trace, func(n int, b explore.Beat, _ check.Step) error {
		if n == common+1 {
			if title = b.Title; b.Event.Mote >= 0 {
				title = fmt.Sprintf("%s on mote %d", b.Title, s.id(b.Event.Mote))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		sys.Release()
	}
	return sys, title, err
}

// inGood lists values that differ between a bad and a good run, those first that a text names.
func inGood(changes []string, named string) string {
	const most = 4
	first := func(change string) int {
		name, _, _ := strings.Cut(change, ": ")
		if strings.Contains(named, name) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(changes, func(a, b string) int { return first(a) - first(b) })
	var list []string
	for _, c := range changes[:min(most, len(changes))] {
		name, values, _ := strings.Cut(c, ": ")
		was, is, _ := strings.Cut(values, " -> ")
		list = append(list, fmt.Sprintf("%s is %s, and not %s", name, is, was))
	}
	if len(list) == 0 {
		return ""
	}
	more := ""
	if n := len(changes) - most; n > 0 {
		more = fmt.Sprintf(", and %s more", phrase.Counted(n, "variable"))
	}
	return "; as far on, " + strings.Join(list, ", ") + more
}
