// Package finding is what every engine reports: a property that was violated, where, and which violations have one cause. The engines,
// and the properties that they check, are above it.
//
// Invariants: everything here is plain data; violations with one Cause are one finding.
package finding

import (
	"cmp"
	"slices"
)

// Kind says which sort of property was violated.
type Kind string

// The kinds of properties.
const (
	Safety   Kind = "safety"
	Liveness Kind = "liveness"
)

// Violation is a property that did not hold, and where.
type Violation struct {
	Property string `json:"property"`
	Kind     Kind   `json:"kind"`
	Mote     int16  `json:"mote"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Detail   string `json:"detail,omitempty"`
	// Harmless is a violation after which the motes' state still makes sense, so that exploring goes on behind it.
	Harmless bool `json:"harmless,omitempty"`
	// Mended says that it is not harmless, but was undone. So exploring may go on behind it, for what else is wrong.
	Mended bool `json:"mended,omitempty"`
	// At is when, in picoseconds since the start of a timed run. Where events come in any order there is no such time, and it is 0.
	At uint64 `json:"-"`
}

// Cause is what makes two violations one finding. The mote is no part of it: the same line that breaks the same property on two
// motes is one bug.
type Cause struct {
	Kind     Kind
	Property string
	Function string
	File     string
	Line     int
}

// Cause is the violation's cause.
func (v Violation) Cause() Cause {
	return Cause{Kind: v.Kind, Property: v.Property, Function: v.Function, File: v.File, Line: v.Line}
}

// Compare orders causes for reports.
func (a Cause) Compare(b Cause) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Property, b.Property), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
}

// Harmful reports whether one of the violations is not harmless.
func Harmful(list []Violation) bool {
	return slices.ContainsFunc(list, func(v Violation) bool { return !v.Harmless })
}

// Spoils reports whether one of the violations leaves the motes in a state that makes no sense.
func Spoils(list []Violation) bool {
	return slices.ContainsFunc(list, func(v Violation) bool { return !v.Harmless && !v.Mended })
}

// Once adds a violation unless its cause on its mote is there. Of two the harmful one stays.
func Once(list []Violation, v Violation) []Violation {
	i := slices.IndexFunc(list, func(x Violation) bool { return x.Cause() == v.Cause() && x.Mote == v.Mote })
	switch {
	case i < 0:
		return append(list, v)
	case list[i].Harmless && !v.Harmless:
		list[i] = v
	}
	return list
}

// Goal is an "eventually" property of a mote, or of the network if Mote is -1.
type Goal struct {
	Property string `json:"property"`
	Mote     int16  `json:"mote"`
}

// Goal is the goal that a liveness violation is about.
func (v Violation) Goal() Goal { return Goal{Property: v.Property, Mote: v.Mote} }

// Missed is the violation of a goal, with a detail or "".
func (g Goal) Missed(detail string) Violation {
	return Violation{Property: g.Property, Kind: Liveness, Mote: g.Mote, Detail: detail}
}
