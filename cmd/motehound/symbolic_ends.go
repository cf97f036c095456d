package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"motehound/job/phrase"
)

// endDocument is one way in which scenarios end.
type endDocument struct {
	Violates  []string `json:"violates"`
	RunAgain  bool     `json:"run_again"` // without that, what they violate is not known
	Count     int      `json:"count"`
	Scenarios []int    `json:"scenarios"` // their numbers in the list, from 1
}

// endsOf puts scenarios together that end alike: the rarest end, which says most, comes first.
func endsOf(list []*scenarioDocument) []*endDocument {
	ends := []*endDocument{}
	for n, s := range list {
		violates, again := slices.Sorted(slices.Values(s.Violates)), s.Hash != ""
		i := slices.IndexFunc(ends, func(e *endDocument) bool { return e.RunAgain == again && slices.Equal(e.Violates, violates) })
		if i < 0 {
			i = len(ends)
			ends = append(ends, &endDocument{Violates: some(violates), RunAgain: again})
		}
		ends[i].Scenarios = append(ends[i].Scenarios, n+1)
		ends[i].Count++
	}
	slices.SortStableFunc(ends, func(a, b *endDocument) int { return a.Count - b.Count })
	return ends
}

// What people are shown: so many ends, and so many scenarios that end alike one by one.
const (
	maxEnds  = 20
	maxAlike = 3
)

// printEnds tells people how scenarios end: many that end alike in one line.
func (d *symbolicDocument) printEnds(to io.Writer) {
	if len(d.Scenarios) == 0 {
		return
	}
	fmt.Fprintf(to, "%s:\n", phrase.Counted(len(d.Scenarios), "scenario"))
	for i, e := range d.Ends {
		if i == maxEnds {
			fmt.Fprintf(to, "  ... and %d other ends\n", len(d.Ends)-i)
			break
		}
		first := d.Scenarios[e.Scenarios[0]-1]
		if e.Count > maxAlike {
			fmt.Fprintf(to, "  %d of %d %s: %s\n", e.Count, len(d.Scenarios), d.differ(), first.ends())
			fmt.Fprintf(to, "    such as: %s\n", first.tells())
			continue
		}
		for _, n := range e.Scenarios {
			s := d.Scenarios[n-1]
			fmt.Fprintf(to, "  %s: %s\n", s.tells(), s.ends())
		}
	}
	if len(d.Ends) > maxEnds || slices.ContainsFunc(d.Ends, func(e *endDocument) bool { return e.Count > maxAlike }) {
		fmt.Fprintln(to, "  (--json or --out DIR has each of them)")
	}
}

// differ names what scenarios differ in: one input that has a value in each, or else the scenarios themselves.
func (d *symbolicDocument) differ() string {
	name := ""
	for _, s := range d.Scenarios {
		if len(s.Failures) > 0 || len(s.Inputs) != 1 || name != "" && s.Inputs[0].Name != name {
			return "scenarios"
		}
		name = s.Inputs[0].Name
	}
	return strings.TrimSpace("values of " + name)
}
