package findings

import (
	"fmt"
	"slices"
)

// Hunt is one search of one subject, as far as the life cycle of findings depends on it.
type Hunt struct {
	Number   int    `json:"number"` // from 1; the store counts
	Subject  string `json:"subject"`
	Firmware string `json:"firmware"` // hash of all files that ran
	Version  string `json:"version"`  // of Motehound
	Time     string `json:"time,omitempty"`

	// What is known at its end.
	Ended   bool     `json:"ended"` // it was not interrupted
	Spent   uint64   `json:"spent"` // how many events it cost
	Engines []string `json:"engines"`
}

// sight is the hunt as a finding remembers it.
func (h *Hunt) sight(spent uint64) Sight {
	return Sight{Hunt: h.Number, Firmware: h.Firmware, Version: h.Version, Time: h.Time, Spent: spent}
}

// Evidence is what a hunt knows about one cause.
type Evidence struct {
	Seen *Finding // nil if it was not seen
	// Gone says that the finding's own recipe or regression scenario was tried on this firmware, and does not show it.
	Gone bool
}

// Next is the life cycle: what is known of a cause after a hunt, from what was stored (nil for nothing), what the hunt saw, and what it could
// have seen. It returns nil if nothing is known.
//
//	not stored  seen: new
//	new         seen by a later hunt: confirmed      missed by a hunt that could see it: fixed
//	confirmed   seen: confirmed                      missed by a hunt that could see it: fixed
//	fixed       seen: came back                      missed: fixed
//	came back   seen by a later hunt: confirmed      missed by a hunt that could see it: fixed
//	dismissed   stays dismissed, whatever is seen
func Next(stored *Finding, h *Hunt, e Evidence) *Finding {
	switch {
	case stored == nil && e.Seen == nil:
		return nil
	case stored == nil:
		f := *e.Seen
		f.State, f.Reason, f.Gone = New, "", nil
		f.First = h.sight(e.Seen.Last.Spent)
		f.Last = f.First
		return &f
	case e.Seen == nil:
		f := *stored
		if f.State.Open() && h.couldSee(stored, e.Gone) {
			gone := h.sight(h.Spent)
			f.State, f.Gone = Fixed, &gone
		}
		return &f
	}
	return seenAgain(stored, e.Seen, h)
}

// seenAgain is a stored finding that a hunt sees. The latest build says where it is; what is dismissed stays so.
func seenAgain(stored, seen *Finding, h *Hunt) *Finding {
	f := *seen
	f.First, f.Last = stored.First, h.sight(seen.Last.Spent)
	f.State, f.Reason, f.Gone = stored.State, stored.Reason, nil
	if stored.Last.Hunt == h.Number { // by another engine of the same hunt
		f.Last.Spent = min(f.Last.Spent, stored.Last.Spent)
		f.Engines = union(stored.Engines, seen.Engines)
		f.Recipe, f.Bundle, f.Scenario = first(seen.Recipe, stored.Recipe), first(seen.Bundle, stored.Bundle), first(seen.Scenario, stored.Scenario)
		return &f
	}
	switch stored.State {
	case Fixed:
		f.State = CameBack
	case New, CameBack:
		f.State = Confirmed
	}
	return &f
}

// couldSee reports whether a finding that the hunt did not see is fixed: the firmware is another one, and either the finding's own recipe shows
// nothing any more, or the hunt came as far as the one that saw it, with an engine that did.
func (h *Hunt) couldSee(f *Finding, gone bool) bool {
	if h.Subject != f.Subject || h.Firmware == f.Last.Firmware {
		return false
	}
	return gone || h.Ended && h.Spent >= f.Last.Spent && slices.ContainsFunc(f.Engines, func(e string) bool { return slices.Contains(h.Engines, e) })
}

// Dismiss is a finding that somebody has looked at, and why it does not matter.
func (f *Finding) Dismiss(reason string) (*Finding, error) {
	if reason == "" {
		return nil, fmt.Errorf("finding %s: say with --reason why it does not matter", f.Key)
	}
	d := *f
	d.State, d.Reason = Dismissed, reason
	return &d, nil
}

// Reopen takes a dismissal back.
func (f *Finding) Reopen() (*Finding, error) {
	if f.State != Dismissed {
		return nil, fmt.Errorf("finding %s is not dismissed: it is %s", f.Key, f.State)
	}
	d := *f
	d.State, d.Reason = Confirmed, ""
	return &d, nil
}

func union(a, b []string) []string {
	all := slices.Sorted(slices.Values(append(slices.Clone(a), b...)))
	return slices.Compact(all)
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
