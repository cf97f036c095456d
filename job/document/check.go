package document

import (
	"fmt"

	"motehound/study/verdict"
	"motehound/world/recipe"
)

// Checked is what check prints as JSON.
type Checked struct {
	Verdict  verdict.Verdict `json:"verdict"`
	LeftOut  []string        `json:"left_out"` // why nothing more is known
	Explored Explored        `json:"explored"`
	Search   *Searched       `json:"search,omitempty"`
	Findings []*Found        `json:"findings"`
	Stopped  bool            `json:"stopped"` // by the budget, or by the user
	TimeS    float64         `json:"time_s"`  // of the host
}

// Explored is how much was looked at.
type Explored struct {
	Events uint64 `json:"events"`
	States uint64 `json:"states"`
	Walks  uint64 `json:"walks"`
	Paths  uint64 `json:"paths"` // always 0: that is for symbolic
}

// Searched is how far a search came.
type Searched struct {
	Depth     int     `json:"depth"`
	Complete  bool    `json:"complete"`
	Exhausted bool    `json:"exhausted"`
	Reduction string  `json:"reduction"`
	Odds      float64 `json:"collision_odds"`
}

// Found is one finding.
type Found struct {
	Property  string   `json:"property"`
	Kind      string   `json:"kind"`
	Mote      int      `json:"mote"` // its node id; -1 for the network
	Motes     []int    `json:"motes"`
	Function  string   `json:"function,omitempty"`
	File      string   `json:"file,omitempty"`
	Line      int      `json:"line,omitempty"`
	Detail    string   `json:"detail,omitempty"`
	Events    int      `json:"events"`    // of the trace as it was found
	Minimised int      `json:"minimised"` // and as it is now
	Minimal   bool     `json:"minimal"`   // no single event of it can be left out
	Evidence  string   `json:"evidence,omitempty"`
	Cycle     int      `json:"cycle,omitempty"`
	Critical  int      `json:"critical,omitempty"` // the number of the event behind which the goal is out of reach
	CriticalS string   `json:"critical_event,omitempty"`
	Waited    int      `json:"waited_events,omitempty"` // how long the walks were that did not reach the goal from there
	WaitedS   float64  `json:"waited_s,omitempty"`
	Latest    int      `json:"latest,omitempty"` // the number of the event that comes latest after its time
	LatestS   string   `json:"latest_event,omitempty"`
	LateS     float64  `json:"late_s,omitempty"`
	Counts    bool     `json:"counts"`           // it is a violation; else something has to wait longer than hardware makes it, or the goal may only be late
	Suspected bool     `json:"suspected"`        // the goal may only be late
	Needs     []Late   `json:"needs"`            // what has to wait longer than it can in nature, the longest first
	With      int      `json:"with,omitempty"`   // the number of the finding that the same transition brought about before
	Recipe    string   `json:"recipe,omitempty"` // its file
	Bundle    string   `json:"bundle,omitempty"` // the same with all that it names
	Inputs    []string `json:"inputs"`           // that fuzz made up, in the order in which they come; empty for check
	Trace     []string `json:"trace"`
	// Race is what more is known of a race; nil if the finding is none.
	Race *Race `json:"race,omitempty"`
	// Undescribed is the number of the event from which on the story was cut short by the user; 0 if it was not.
	Undescribed int `json:"undescribed,omitempty"`

	// Made is the same as Inputs, as recipes have it.
	Made []recipe.MadeInput `json:"-"`
	// Story is the trace as a chart shows it.
	Story Story `json:"-"`
}

// Late is something that has to wait, in a finding, while its mote sleeps; or a frame that has to come too early.
type Late struct {
	Mote  int     `json:"mote"`
	What  string  `json:"what"`
	Late  float64 `json:"late_s"`            // for how long it waits
	Bound float64 `json:"bound_s"`           // for how long it can wait
	Early float64 `json:"early_s,omitempty"` // of a frame: its sender's clock is ahead of the receiver's by so much more than can be
}

// Over is by how much it is too late or too early.
func (d Late) Over() float64 { return d.Late - d.Bound + d.Early }

// ReplayedFinding is what replay prints of a recipe that check has made.
type ReplayedFinding struct {
	Same     bool     `json:"same"` // the final state is the same, and the violation, if it can be seen
	Expected string   `json:"expected_hash"`
	Hash     string   `json:"hash"`
	Seen     bool     `json:"violation_seen"`
	Differs  []string `json:"differs"` // what is not as the recipe says
	Finding  *Found   `json:"finding"`
}

// Story is a trace, event by event, with what each does.
type Story struct {
	Columns []string // the motes' names
	Rows    []StoryRow
	Cycle   int // how many rows at the end repeat for ever; 0 if the trace just ends
	Last    []StoryChange
}

// StoryChange is what one of the last events changed.
type StoryChange struct {
	Number  int
	Event   string
	Changed []string // variables of its mote: "name: old -> new"
}

// StoryRow is one event of a trace. Package chart says what its fields mean.
type StoryRow struct {
	Number  int
	Mote    int
	Class   string
	Title   string
	From    int
	Lost    bool
	Within  bool
	Notes   []string
	Changed []string
	Mark    string
}

// PlaceText is a function and a line.
func PlaceText(function, file string, line int) string {
	switch {
	case file != "" && function != "":
		return fmt.Sprintf("%s (%s:%d)", function, file, line)
	case file != "":
		return fmt.Sprintf("%s:%d", file, line)
	}
	return function
}
