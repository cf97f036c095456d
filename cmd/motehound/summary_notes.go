package main

import (
	"fmt"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/job/phrase"
)

// findings shows what the built-in checks found, the first in full. It stands before everything else.
func (s *summary) findings() {
	const most = 20
	all := s.doc.Findings
	for n, x := range all[:min(len(all), most)] {
		s.printf("%s at %s (cycle %s), mote %d, in %s\n  %s%s\n", x.Property, phrase.Seconds(x.TimePS), phrase.Grouped(x.Cycle), x.Mote,
			document.PlaceText(x.Function, x.File, x.Line), x.Detail, times(x.Count))
		if n == 0 {
			s.calls(x.Calls)
		}
	}
	if more := len(all) - most; more > 0 {
		s.printf("and %d more; --json has them all\n", more)
	}
	if len(all) > 0 {
		s.printf("\n")
	}
}

// calls shows the calls that led to a finding, the innermost first. Recursion is one line.
func (s *summary) calls(list []string) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n] == list[0] {
			n++
		}
		s.printf("  called from %s%s\n", list[0], times(n))
		list = list[n:]
	}
}

// times says that something was seen often.
func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%s times)", phrase.Grouped(uint64(n)))
}

// notices shows what is to be known about the motes, one line for each kind of thing.
func (s *summary) notices() {
	if len(s.doc.Notices) > 0 && !s.quiet {
		s.printf("\n")
	}
	var kinds [][]document.Notice
	for _, n := range s.doc.Notices {
		i := slices.IndexFunc(kinds, func(k []document.Notice) bool {
			return k[0].Text == n.Text || k[0].Register != "" && n.Register != ""
		})
		if i < 0 {
			i, kinds = len(kinds), append(kinds, nil)
		}
		kinds[i] = append(kinds[i], n)
	}
	for _, list := range kinds {
		s.printf("%s\n", notice(list))
	}
}

// notice is what several notices of one kind say, and where the first of them was.
func notice(list []document.Notice) string {
	const most = 8
	var registers []string
	motes := map[uint16]bool{}
	for _, n := range list {
		motes[n.Mote] = true
		if n.Register != "" && !slices.Contains(registers, n.Register) {
			registers = append(registers, n.Register)
		}
	}
	first := list[0]
	text := first.Text
	if count := len(registers); count > 1 {
		names := strings.Join(registers[:min(count, most)], ", ")
		if count > most {
			names += fmt.Sprintf(" and %d more", count-most)
		}
		text = fmt.Sprintf("%d registers are not modelled, and only hold their values: %s", count, names)
	}
	text = fmt.Sprintf("mote %d %s: %s", first.Mote, first.Place.Text(), text)
	if len(motes) > 1 {
		text += fmt.Sprintf(" (on %d motes)", len(motes))
	}
	return text
}
