package document

import (
	"fmt"
	"path/filepath"
)

// Race is what more is known of a finding that is a race.
type Race struct {
	Variable string `json:"variable"` // that both sides use
	Wrong    string `json:"wrong"`    // that gets a wrong value
	Used     Used   `json:"used"`
	// Sections are what has to be atomic; empty if nothing is known that helps.
	Sections []AtomicSection `json:"sections"`
	Proof    RaceProof       `json:"proof"`
}

// AtomicSection is a stretch of code that has to be atomic, both ends included.
type AtomicSection struct {
	From CodePlace `json:"from"`
	To   CodePlace `json:"to"`
	// Across says that the variable is used by functions that are called in between.
	Across bool `json:"across"`
	Loops  bool `json:"loops"` // it contains a loop
}

// RaceProof is how it is known that sections are enough.
type RaceProof struct {
	Proven bool   `json:"proven"`
	Why    string `json:"why,omitempty"` // not
	After  int    `json:"after"`         // from behind how many events of the trace on everything was tried
	Depth  int    `json:"depth"`         // for how many events
	Events uint64 `json:"events"`        // transitions
	Waits  uint64 `json:"wait_cycles"`   // for how many cycles interrupts are off, at most
}

// Used is what becomes of the wrong value.
type Used struct {
	Fate   string `json:"fate"` // sent, stored, read, overwritten or unread; empty if that is not known
	Events int    `json:"events"`
	CodePlace
}

// CodePlace is an instruction.
type CodePlace struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	PC       uint32 `json:"pc,omitempty"` // its byte address
}

// String is the source line, or the address.
func (p CodePlace) String() string {
	if p.File == "" {
		return fmt.Sprintf("0x%04x", p.PC)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}
