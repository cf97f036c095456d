package builtin

import (
	"fmt"
	"strings"

	"motehound/study/finding"
)

// Kind is what is wrong, with the name of the check that finds it in front: "memory: bounds".
type Kind string

// String is the kind without its check: "bounds".
func (k Kind) String() string {
	_, kind, _ := strings.Cut(string(k), ": ")
	return kind
}

// Finding is one cause: a kind of event at one place in the source, about one subject.
type Finding struct {
	Kind  Kind
	Mote  int    // index in the world: where it was first seen
	Cycle uint64 // and when, in the mote's cycles
	At    uint64 // and in picoseconds since the start; 0 where events come in any order
	PC    uint32 // flash byte address of the instruction
	Place
	Message  string  // as "buf[8] writes other"
	Subject  string  // the variable, task, vector or failure routine that it is about; "" when unknown
	Accessed string  // what a wrong access has reached
	Harmless bool    // the mote's state still makes sense: it goes on as its program says, or not at all
	Mended   bool    // it would be harmful, and was undone
	Chain    []Place // the calls that led there, the innermost first, functions that were inlined among them; as far as known
	Count    int     // how often it was seen

	Spot
	// Source is where in the source the cause is, if that says more than the Spot.
	Source [2]Place
	silent bool   // the user has accepted it
	also   []Spot // other spots with the same cause
}

// Spot distinguishes findings of one kind without looking up names, because findings may be frequent.
type Spot struct {
	Code   uint32 // the instruction, where that belongs to the cause
	Caller uint32 // the return address, where that does
	Arg    uint16 // what the subject is, as a number
	About  string // or as a name
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s, in %v", f.Kind, f.Message, f.Place) }

// same tells whether two findings have one cause.
func (f *Finding) same(g *Finding) bool {
	if f.Kind != g.Kind {
		return false
	}
	return f.Spot == g.Spot || f.About == g.About && f.Source == g.Source && f.Source != [2]Place{}
}

// Violation is the finding as engines report it. What happens in a function without lines, as the library's, or in one of a header, which
// everybody uses, is shown where it was called from: it is the caller's bug.
func (f Finding) Violation() finding.Violation {
	v := finding.Violation{Property: string(f.Kind), Kind: finding.Safety, Mote: int16(f.Mote), Function: f.Function, File: f.File, Line: f.Line,
		Detail: f.Message, Harmless: f.Harmless, Mended: f.Mended, At: f.At}
	for _, p := range append([]Place{f.Place}, f.Chain...) {
		if p.File == "" || strings.HasSuffix(p.File, ".h") {
			continue
		}
		if p != f.Place {
			v.Function, v.File, v.Line = p.Function, p.File, p.Line
			v.Detail = fmt.Sprintf("%s, in %s", f.Message, f.Function)
		}
		break
	}
	return v
}
