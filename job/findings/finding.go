// Package findings is what is known about a project's bugs, from one hunt to the next: the type Finding, the key that names its cause, its
// life cycle, and the store that keeps all of it in the project's folder .motehound.
//
// Invariants: a Finding is plain data. Its Key names the cause and nothing of one build: no line, no address, no mote, no length of a trace.
// The life cycle is a pure function. What the store has acknowledged survives a crash.
package findings

// Finding is one cause of trouble in one firmware or scenario.
type Finding struct {
	Key     string `json:"key"`     // names the cause, see Cause
	Subject string `json:"subject"` // the firmware or scenario, relative to the project's folder

	Grade      Grade      `json:"grade"`
	Severity   Severity   `json:"severity"`
	Confidence Confidence `json:"confidence"`
	Why        string     `json:"why"`   // one sentence that explains severity and confidence
	Title      string     `json:"title"` // one sentence: what happens, and where

	Property string `json:"property"`
	Kind     string `json:"kind"` // safety or liveness; of a difference, the kind of model
	Function string `json:"function,omitempty"`
	Variable string `json:"variable,omitempty"` // that it is about
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Mote     int    `json:"mote"` // its node id; -1 for the network
	Detail   string `json:"detail,omitempty"`
	Look     string `json:"look,omitempty"` // of a symptom: what a second look at it gave

	Engines []string `json:"engines"` // that see it: check, fuzz, symbolic, mine, model, run

	// Files, relative to the store's folder, with slashes; "" if there is none.
	Recipe   string `json:"recipe,omitempty"`   // replays it
	Bundle   string `json:"bundle,omitempty"`   // the same with all files that it names
	Scenario string `json:"scenario,omitempty"` // a regression test, ready to commit

	First  Sight  `json:"first"`
	Last   Sight  `json:"last"`
	Gone   *Sight `json:"gone,omitempty"` // the hunt that found it fixed
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"` // why it was dismissed
}

// Sight is a hunt that saw a finding.
type Sight struct {
	Hunt     int    `json:"hunt"`           // its number, from 1
	Firmware string `json:"firmware"`       // hash of all files that ran
	Version  string `json:"version"`        // of Motehound
	Time     string `json:"time,omitempty"` // as the caller's clock has it
	Spent    uint64 `json:"spent"`          // how many events the hunt had cost when it saw this
}

// Grade is what sort of evidence a finding is.
type Grade string

// The grades, the worst first.
const (
	Violation  Grade = "violation"  // a property does not hold
	Race       Grade = "race"       // an interruption makes a value that no order without it makes
	Difference Grade = "difference" // a run leaves the approved models
	Symptom    Grade = "symptom"    // an interval stands out
)

// NotLooked is the Look of a symptom that nobody has looked at again.
const NotLooked = "not tried in other orders"

// Fails reports whether findings of this grade make a command fail.
func (g Grade) Fails() bool { return g == Violation || g == Race }

// Severity is how bad a finding is.
type Severity string

// The severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// Confidence is how sure it is that a finding is a bug's.
type Confidence string

// The confidences.
const (
	Certain  Confidence = "certain" // it was replayed
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
)

// State is where in its life a finding is.
type State string

// The states.
const (
	New       State = "new"       // one hunt saw it
	Confirmed State = "confirmed" // a later hunt saw it, too
	Fixed     State = "fixed"     // it is gone from another build
	CameBack  State = "came back" // it was fixed, and is there again
	Dismissed State = "dismissed" // somebody said why it does not matter
)

// Open reports whether somebody has to do something about it.
func (s State) Open() bool { return s == New || s == Confirmed || s == CameBack }
