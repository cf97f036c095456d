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
}

// Used is what becomes of the wrong value.
type Used struct {
	Fate   string `json:"fate"` // stored, read, overwritten or unread
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
