package ci

import (
	"io"
	"net/url"
	"path"
	"strings"

	"motehound/job/document"
	"motehound/job/findings"
)

// The parts of SARIF 2.1.0 (OASIS) that are written. Names are the standard's.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule         string             `json:"ruleId"`
	Index        int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Baseline     string             `json:"baselineState,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   sarifProperties    `json:"properties"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifProperties struct {
	Grade      findings.Grade      `json:"grade"`
	Severity   findings.Severity   `json:"severity"`
	Confidence findings.Confidence `json:"confidence"`
	Why        string              `json:"why"`
	State      findings.State      `json:"state"`
	Engines    []string            `json:"engines"`
	Subject    string              `json:"subject"`
}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// fingerprint is what SARIF readers recognise a finding by.
const fingerprint = "motehoundCause/v1"

func writeSARIF(to io.Writer, r *Report) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Tool: sarifTool{sarifDriver{Name: "Motehound", Version: r.Version, Rules: []sarifRule{}}}}
	rules := map[string]int{}
	for _, s := range r.shown() {
		id := rule(s.Finding)
		index, there := rules[id]
		if !there {
			index = len(run.Tool.Driver.Rules)
			rules[id] = index
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id, sarifText{id}})
		}
		run.Results = append(run.Results, s.sarif(id, index, r.Baseline != nil))
	}
	return document.WritePlain(to, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// rule is the property, without the variable of this finding.
func rule(f *findings.Finding) string {
	name := f.Property
	if f.Variable != "" {
		name = strings.TrimSuffix(name, " of "+f.Variable)
	}
	if name == "" {
		return string(f.Grade)
	}
	return name
}

func (s standing) sarif(id string, index int, compared bool) sarifResult {
	x := sarifResult{Rule: id, Index: index, Level: s.level(), Message: sarifText{first(s.Title, id)}, Locations: []sarifLocation{s.location()},
		Fingerprints: map[string]string{fingerprint: s.Key},
		Properties:   sarifProperties{s.Grade, s.Severity, s.Confidence, s.Why, s.State, document.List(s.Engines), s.Subject}}
	if s.State == findings.Dismissed {
		x.Suppressions = []sarifSuppression{{"external", s.Reason}}
	}
	switch {
	case compared && s.known:
		x.Baseline = "unchanged"
	case compared && s.fresh:
		x.Baseline = "new"
	}
	return x
}

func (s standing) location() (x sarifLocation) {
	file, line := s.place()
	x.Physical = new(sarifPhysical)
	x.Physical.Artifact.URI = uri(file)
	if line > 0 {
		x.Physical.Region = &sarifRegion{line}
	}
	if s.Function != "" {
		x.Logical = []sarifLogical{{s.Function, "function"}}
	}
	return x
}

// uri is a file's path as a URI: relative ones stay so.
func uri(file string) string {
	u := url.URL{Path: file}
	if drive := len(file) > 2 && file[1] == ':' && file[2] == '/'; path.IsAbs(file) || drive {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimPrefix(file, "/")
	}
	return u.String()
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
