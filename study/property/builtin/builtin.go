// Package builtin defines what a built-in check is (Check, Prepared, Tracker), and has what all of them share: findings, places in the
// source, what the user has accepted, and how their state is kept with snapshots of the world.
//
// A Check says what it can find. Prepare computes, once, what it looks at in the motes of a Config. Begin starts it on one world, with a
// Tracker for each mote. Set is several checks that are prepared together, and Watch is a Set on one world.
//
// Invariants: watching changes nothing in the motes; what is found depends only on the run; a Tracker's state is plain data, so it is
// copied along with its world's; a finding is named "check: kind" everywhere, in reports as in silences.
package builtin

import (
	"fmt"
	"slices"
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
	Check    string // "memory: bounds", or short "bounds", or all of a check's, as "memory"; "" for any
	Function string // as DWARF or the symbol table has it; also of inlined functions
	Subject  string // the variable, task, vector or failure routine that it is about
	Reason   string
}

// String names what is silenced.
func (s Silence) String() string {
	return strings.Join(strings.Fields(s.Check+" "+s.Function+" "+s.Subject), " ")
}

// validate says what is wrong with silences.
func validate(list []Silence) error {
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

// Names reports whether the silence is about a kind of findings.
func (s Silence) Names(k Kind) bool {
	check, kind, _ := strings.Cut(string(k), ": ")
	return s.Check == "" || s.Check == string(k) || s.Check == check || s.Check == kind
}

// covers reports whether the silence leaves out a finding in a firmware.
func (s Silence) covers(f *Finding, im *image.Image) bool {
	if !s.Names(f.Kind) || s.Function != "" && !in(im, f.PC, s.Function) {
		return false
	}
	return s.Subject == "" || same(f.Subject, s.Subject) || same(f.Accessed, s.Subject)
}

// in tells whether an instruction belongs to a function.
func in(im *image.Image, addr uint32, name string) bool {
	return slices.ContainsFunc(im.InlineStack(addr), func(f image.Frame) bool { return same(f.Name, name) })
}

// same compares names as compilers write them and as programmers do.
func same(a, b string) bool { return a == b || image.Readable(a) == image.Readable(b) }

// ByMote works out something once for each kind of motes, and gives it by mote.
func ByMote[T any](kinds []*mote.Kind, make func(*mote.Kind) (T, error)) ([]T, error) {
	var list []T
	for i, k := range kinds {
		if n := slices.Index(kinds, k); n < i {
			list = append(list, list[n])
			continue
		}
		t, err := make(k)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}
