package document

import (
	"motehound/job/findings"
	"motehound/study/verdict"
)

// Hunted is what hunt prints as JSON.
type Hunted struct {
	Verdict  verdict.Verdict `json:"verdict"`  // violated if there is a violation or a race; else unknown
	LeftOut  []string        `json:"left_out"` // why nothing more is known
	Subject  string          `json:"subject"`  // the firmware or scenario
	Firmware string          `json:"firmware"` // a hash of all files that ran
	Boards   []string        `json:"boards"`
	Builds   []Built         `json:"builds"` // the files, one by one
	// Findings are confirmed by replay, one for each cause, the worst first.
	Findings []*HuntFinding `json:"findings"`
	// Refuted is what was found and did not show again when it was replayed.
	Refuted []string `json:"refuted"`
	// Changes compares with earlier hunts of the same subject; nil if no store was asked for.
	Changes  *findings.Outcome `json:"changes,omitempty"`
	Salvaged *findings.Salvage `json:"salvaged,omitempty"` // what the store has lost, if it was damaged
	Trials   []*HuntTrial      `json:"trials"`
	Coverage HuntCoverage      `json:"coverage"`
	Events   uint64            `json:"events"`  // that all trials fired
	Stopped  bool              `json:"stopped"` // by the budget, or by the user
	TimeS    float64           `json:"time_s"`  // of the host
}

// HuntFinding is one cause, with all that is known of it.
type HuntFinding struct {
	findings.Finding
	Seen []HuntSight `json:"seen"` // by engine, in the order of time
	// What the engine reported that saw it first. One of these.
	Explored *Found             `json:"explored,omitempty"` // check, fuzz
	Ran      *RunFinding        `json:"ran,omitempty"`      // run
	Violated *Violation         `json:"violated,omitempty"` // run, of a property
	Solved   *SymbolicFinding   `json:"solved,omitempty"`   // symbolic
	Mined    *MinedEntry        `json:"mined,omitempty"`    // mine
	Modelled *VerifiedViolation `json:"modelled,omitempty"` // model
	Nearest  string             `json:"nearest,omitempty"`  // how the nearest good run differs from the one that shows it
	Replay   string             `json:"replay,omitempty"`   // the file for motehound replay
	Test     string             `json:"test,omitempty"`     // the command that shows it with the regression scenario
}

// HuntSight is an engine that saw a finding.
type HuntSight struct {
	Engine  string  `json:"engine"`
	Network string  `json:"network"`
	Events  uint64  `json:"events"`  // that the hunt had fired by then
	AfterS  float64 `json:"after_s"` // of the host
}

// HuntTrial is one engine on one network.
type HuntTrial struct {
	Engine   string  `json:"engine"`
	Network  string  `json:"network"`
	Slices   int     `json:"slices"` // in which it had its turn
	Events   uint64  `json:"events"`
	Findings int     `json:"findings"`
	Lines    int     `json:"lines"`          // of code that it was the first to reach
	Done     bool    `json:"done"`           // it has nothing more to gain
	Note     string  `json:"note,omitempty"` // why it gave nothing
	TimeS    float64 `json:"time_s"`         // of the host
}

// HuntCoverage is what was exercised, and what was not.
type HuntCoverage struct {
	Functions  int      `json:"functions"` // of which debug information tells
	Reached    int      `json:"reached"`
	Unreached  []string `json:"unreached"`
	Interrupts []string `json:"interrupts"` // whose handlers ran
	Missed     []string `json:"missed"`     // and those that never did
	Inputs     uint64   `json:"inputs"`     // that were made up
	Listens    []string `json:"listens"`    // where the firmware takes input
	Faults     bool     `json:"faults"`     // the scenario allows some
}
