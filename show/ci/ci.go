// Package ci writes findings for the programs that show them in continuous integration: SARIF, JUnit XML, annotations of GitHub, and Markdown.
//
// Invariants: the same findings give the same bytes. Names come from firmware and are not trusted: whatever they hold, a file stays well-formed, and
// no name becomes markup or a command.
package ci

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/job/findings"
)

// Report is what is to be shown.
type Report struct {
	Version  string             // of Motehound
	Findings []findings.Finding // those that are fixed are not shown
	Baseline []findings.Finding // what was known before
}

// Format is a kind of file.
type Format struct {
	Name  string
	About string
	Write func(io.Writer, *Report) error
}

// Formats is all formats.
var Formats = []Format{
	{"sarif", "SARIF 2.1.0, for code scanning", writeSARIF},
	{"junit", "JUnit XML, for test reports", writeJUnit},
	{"github", "annotations in the log of a GitHub job", writeAnnotations},
	{"markdown", "a summary for the page of a job", writeMarkdown},
	{"json", "all that is known; a baseline", writeJSON},
}

// Find is the format with a name.
func Find(name string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("there is no format %s: choose %s", name, strings.Join(Names(), ", "))
	}
	return Formats[i], nil
}

// Names is the names of all formats.
func Names() (names []string) {
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Listed is the document of findings.
type Listed struct {
	Findings []findings.Finding `json:"findings"`
}

// writeJSON keeps fixed findings: in a baseline they say that a finding came back.
func writeJSON(to io.Writer, r *Report) error {
	d := Listed{Findings: r.Findings}
	if d.Findings == nil {
		d.Findings = []findings.Finding{}
	}
	return document.Write(to, d)
}

// standing is a finding as it is to be shown.
type standing struct {
	*findings.Finding
	fresh bool // it makes the job fail
	known bool // the baseline has it
}

// shown is the findings that are not fixed.
func (r *Report) shown() (list []standing) {
	fresh := map[string]bool{}
	for _, f := range findings.Fresh(r.Findings, r.Baseline) {
		fresh[f.Key] = true
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.State == findings.Fixed {
			continue
		}
		failing := f.Grade.Fails() && f.State != findings.Dismissed
		list = append(list, standing{f, failing && fresh[f.Key], failing && !fresh[f.Key]})
	}
	return list
}

// level is how bad a finding is in three steps: error, warning and note.
func (s standing) level() string {
	switch {
	case !s.Grade.Fails():
		return "note"
	case s.Severity == findings.High:
		return "error"
	}
	return "warning"
}

// place is the file and line to point at: the subject where no source is known.
func (s standing) place() (file string, line int) {
	if s.File != "" {
		return slashed(s.File), s.Line
	}
	return slashed(s.Subject), 0
}

func slashed(file string) string { return path.Clean(strings.ReplaceAll(file, `\`, "/")) }
