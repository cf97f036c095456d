package report

import (
	_ "embed"
	"io"
)

// Findings is what a page of findings shows, whatever command has found them. It is plain data: another program can show it, too, with the function
// findings of the page's script.
type Findings struct {
	Made
	Command  string    `json:"command"` // check, fuzz, symbolic or hunt
	File     string    `json:"file"`    // what it was given
	Verdict  string    `json:"verdict"` // violated, holds or unknown
	Says     []string  `json:"says"`    // the same in words
	Explored []string  `json:"explored"`
	LeftOut  []string  `json:"left_out"`
	Lists    []List    `json:"lists"` // what else is known of the exploration
	Findings []Finding `json:"findings"`
	Ends     []Ending  `json:"ends"`    // of symbolic: how outcomes end
	Bounded  []string  `json:"bounded"` // what is not on the page, to keep it small

	sources sources
	room    int  // bytes that are left
	full    bool // no room is left for findings
}

// List is a list with a name, which is folded if it is long.
type List struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// Finding is one finding.
type Finding struct {
	Number   int       `json:"number"`
	Grade    string    `json:"grade"` // violation, race, doubtful, symptom or difference
	Title    string    `json:"title"`
	Says     string    `json:"says"` // what happens, in one sentence
	Place    string    `json:"place"`
	Marks    []string  `json:"marks"` // short words to know it by
	Facts    []string  `json:"facts"`
	Warnings []string  `json:"warnings"` // why it may be none
	Repair   []string  `json:"repair"`   // of a race
	Lists    []List    `json:"lists"`
	Code     []Excerpt `json:"code"`
	Values   []Change  `json:"values"` // the last events, and what they changed
	Chart    *Sequence `json:"chart"`
	Commands []Command `json:"commands"`
}

// The grades of findings.
const (
	violation = "violation"
	race      = "race"
	doubtful  = "doubtful" // it is no violation: real hardware hardly does it, or a goal may only be late
)

// Change is what an event changed.
type Change struct {
	Number  int      `json:"number"`
	Event   string   `json:"event"`
	Changed []string `json:"changed"`
}

// Command is something to type.
type Command struct {
	Text  string `json:"text"`
	About string `json:"about"`
}

// Ending is outcomes that end alike.
type Ending struct {
	Says     string    `json:"says"`
	Bad      bool      `json:"bad"`
	Finding  int       `json:"finding"` // the number of the one that shows where it fails; 0 for none
	Count    int       `json:"count"`
	Outcomes []Outcome `json:"outcomes"` // the first of them
}

// Outcome is one feasible combination of paths.
type Outcome struct {
	Number     int      `json:"number"`
	Says       string   `json:"says"`
	Conditions []string `json:"conditions"`
}

var (
	//go:embed findings.html
	findingsHTML string
	//go:embed findings.css
	findingsCSS string
	//go:embed sequence.js
	sequenceJS string
	//go:embed findings.js
	findingsJS string
	//go:embed findings_page.js
	findingsPageJS string
)

// Write writes the page: one file that needs no other.
func (p *Findings) Write(to io.Writer) error {
	return write(to, p, findingsHTML, findingsCSS, sequenceJS+findingsJS+findingsPageJS)
}

// Asked is what the page of a job says besides the job's document.
type Asked struct {
	Motehound string // the version
	File      string // what the job was given
	Read      func(path string) ([]byte, error)
}
