package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"motehound/job/findings"
)

// The elements of JUnit XML. There is no standard: these are the elements and attributes that all readers take, with what the strictest, of Jenkins, demands.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Skipped *junitSkipped `xml:"skipped"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a suite for each subject and a case for each finding: new violations and races fail, what is known is skipped, and hints pass.
func writeJUnit(to io.Writer, r *Report) error {
	all := junitSuites{Name: "motehound"}
	byName := map[string]int{}
	for _, s := range r.shown() {
		i, there := byName[s.Subject]
		if !there {
			i = len(all.Suites)
			byName[s.Subject] = i
			all.Suites = append(all.Suites, junitSuite{Name: s.Subject})
		}
		all.Suites[i].add(s.junit())
	}
	if len(all.Suites) == 0 { // or a report without findings looks as if nothing had run
		all.Suites = []junitSuite{{Name: "motehound"}}
		all.Suites[0].add(junitCase{Name: "no findings", Class: "motehound"})
	}
	for _, x := range all.Suites {
		all.Tests += x.Tests
		all.Failures += x.Failures
	}
	if _, err := io.WriteString(to, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(to)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(to, "\n")
	return err
}

func (x *junitSuite) add(c junitCase) {
	x.Cases = append(x.Cases, c)
	x.Tests++
	switch {
	case c.Failure != nil:
		x.Failures++
	case c.Skipped != nil:
		x.Skipped++
	}
}

func (s standing) junit() junitCase {
	c := junitCase{Name: fmt.Sprintf("%s (%s)", first(s.Property, string(s.Grade)), s.Key), Class: first(s.Function, s.Subject)}
	switch {
	case s.State == findings.Dismissed:
		c.Skipped = &junitSkipped{"dismissed: " + s.Reason}
	case s.fresh:
		c.Failure = &junitFailure{Type: string(s.Grade), Message: s.Title, Text: s.words()}
	case s.known:
		c.Skipped = &junitSkipped{"known in the baseline: " + s.Title}
	default:
		c.Out = s.words()
	}
	return c
}

// words is a finding in plain text.
func (s standing) words() string {
	lines := []string{s.Title, fmt.Sprintf("%s, severity %s, %s: %s", s.Grade, s.Severity, s.Confidence, s.Why)}
	if place := placeText(s); place != "" {
		lines = append(lines, "at "+place)
	}
	if s.Detail != "" {
		lines = append(lines, s.Detail)
	}
	lines = append(lines, "seen by "+strings.Join(s.Engines, ", ")+"; motehound findings show "+s.Key)
	return strings.Join(lines, "\n")
}

func placeText(s standing) string {
	file, line := s.place()
	text := file
	if line > 0 {
		text = fmt.Sprintf("%s:%d", file, line)
	}
	if s.Function != "" {
		text = s.Function + " (" + text + ")"
	}
	return text
}
