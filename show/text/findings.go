package text

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/phrase"
)

// FindingsList prints findings, one on a line.
func FindingsList(to io.Writer, list []findings.Finding) {
	for _, f := range list {
		fmt.Fprintf(to, "%s  %-9s  %-6s  %s: %s\n", f.Key, f.State, f.Severity, f.Grade, oneLine(f.Title))
		if f.State == findings.Dismissed {
			fmt.Fprintf(to, "%18sdismissed: %s\n", "", oneLine(f.Reason))
		}
	}
}

// FindingsCount prints how many findings a store has, by their states.
func FindingsCount(to io.Writer, all []findings.Finding) {
	count := map[findings.State]int{}
	for _, f := range all {
		count[f.State]++
	}
	var parts []string
	for _, s := range []findings.State{findings.New, findings.Confirmed, findings.CameBack, findings.Fixed, findings.Dismissed} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if parts == nil {
		parts = []string{"motehound hunt has found nothing yet"}
	}
	fmt.Fprintf(to, "%s: %s\n", phrase.Counted(len(all), "finding"), strings.Join(parts, ", "))
}

// KeptFinding prints all that is known of a finding. Path is where a file of the store is.
func KeptFinding(to io.Writer, f *findings.Finding, path func(string) string) {
	fmt.Fprintf(to, "%s: %s\n", f.Grade, oneLine(f.Title))
	rows := [][2]string{
		{"key", f.Key}, {"state", string(f.State)}, {"dismissed", f.Reason}, {"in", f.Subject}, {"severity", string(f.Severity)}, {"confidence", string(f.Confidence)}, {"why", f.Why},
		{"property", f.Property}, {"variable", f.Variable}, {"where", document.PlaceText(f.Function, f.File, f.Line)}, {"detail", f.Detail}, {"second look", f.Look},
		{"seen by", strings.Join(f.Engines, ", ")}, {"first", sightText(&f.First)}, {"last", sightText(&f.Last)},
	}
	if f.Gone != nil {
		rows = append(rows, [2]string{"gone", sightText(f.Gone)})
	}
	if file := firstOf(f.Bundle, f.Recipe); file != "" {
		rows = append(rows, [2]string{"see it again", "motehound replay " + path(file)})
	}
	if f.Scenario != "" {
		rows = append(rows, [2]string{"regression", path(f.Scenario)})
	}
	for _, r := range rows {
		if r[1] != "" {
			fmt.Fprintf(to, "  %-13s %s\n", r[0], oneLine(r[1]))
		}
	}
}

func sightText(s *findings.Sight) string {
	text := fmt.Sprintf("hunt %d", s.Hunt)
	if s.Time != "" {
		text += ", " + s.Time
	}
	return text + ", firmware " + s.Firmware[:min(12, len(s.Firmware))] + ", after " + phrase.Grouped(s.Spent) + " events"
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// oneLine is a text without what a terminal takes for a command: names in it come from firmware.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}
