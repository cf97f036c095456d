// Package builtin is what the built-in checks have in common: places in the source, what the user has accepted, and tables that are worked
// out once for a kind of motes.
//
// Invariants: nothing here has state; a check is named "watch: kind" everywhere, in findings as in silences.
package builtin

import (
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/mote"
)

// Place is a function and where in its source.
type Place struct {
	Function string
	File     string // "" when unknown
	Line     int
}

func (p Place) String() string {
	if p.File == "" {
		return p.Function
	}
	return fmt.Sprintf("%s at %s:%d", p.Function, p.File, p.Line)
}

// MaxChain bounds how many calls a finding lists.
const MaxChain = 16

// Places are the functions that the instruction at a flash byte address belongs to, the innermost inlined one first. There is at
// least one.
func Places(im *image.Image, addr uint32) []Place {
	var list []Place
	for _, f := range im.InlineStack(addr) {
		list = append(list, Place{image.Readable(f.Name), f.File, f.Line.Line})
	}
	if len(list) == 0 {
		list = []Place{{Function: "code without a name"}}
	}
	return list
}

// Silence leaves out what is known and accepted: of a check, in a function, or about a subject; or what all of the given say.
type Silence struct {
	Check    string // "memory: bounds", or short "bounds", or all of a watch's, as "memory"; "" for any
	Function string // as DWARF or the symbol table has it; also of inlined functions
	Subject  string // the variable, task, vector or failure routine that it is about
	Reason   string
}

// String names what is silenced.
func (s Silence) String() string {
	return strings.Join(strings.Fields(s.Check+" "+s.Function+" "+s.Subject), " ")
}

// Validate says what is wrong with silences.
func Validate(list []Silence) error {
	for _, s := range list {
		switch {
		case s.Check == "" && s.Function == "" && s.Subject == "":
			return fmt.Errorf("a silence names neither a check, a function nor a subject: it would hide everything")
		case s.Reason == "":
			return fmt.Errorf("the silence for %s gives no reason: say why the finding is accepted", s)
		}
	}
	return nil
}

// Names tells whether the silence is about a check, given by its full name.
func (s Silence) Names(check string) bool {
	watch, kind, _ := strings.Cut(check, ": ")
	return s.Check == "" || s.Check == check || s.Check == watch || s.Check == kind
}

// Covers tells whether the silence leaves out a finding of a check at an instruction.
func (s Silence) Covers(check string, im *image.Image, addr uint32, subjects ...string) bool {
	if !s.Names(check) || s.Function != "" && !in(im, addr, s.Function) {
		return false
	}
	for _, about := range subjects {
		if same(about, s.Subject) {
			return true
		}
	}
	return s.Subject == ""
}

// in tells whether an instruction belongs to a function.
func in(im *image.Image, addr uint32, name string) bool {
	for _, f := range im.InlineStack(addr) {
		if same(f.Name, name) {
			return true
		}
	}
	return false
}

// same compares names as compilers write them and as programmers do.
func same(a, b string) bool { return a == b || image.Readable(a) == image.Readable(b) }

// Table is what a watch works out once for a kind of motes.
type Table interface{ Kind() *mote.Kind }

// TableOf finds the table of a kind, or makes it and adds it. Lists that others have are left as they are.
func TableOf[T Table](k *mote.Kind, tables *[]T, make func(*mote.Kind) (T, error)) (T, error) {
	for _, t := range *tables {
		if t.Kind() == k {
			return t, nil
		}
	}
	t, err := make(k)
	if err == nil {
		*tables = append((*tables)[:len(*tables):len(*tables)], t)
	}
	return t, err
}
