package behavior

import (
	"cmp"
	"fmt"
	"slices"
)

// Violations are told in the order in which a programmer should look at them: first those by which something went wrong that can
// be named (data used in a new order, a rule broken), then those in the application's own code, then the rest. Of each, new procedures
// come before new flows, which often follow from them, and then the most frequent. Those that depart in the same place are one cause,
// told as the first of them.

var kindOrder = map[string]int{ProcedureViolation: 0, InterleavingViolation: 1, JobflowViolation: 2}

// sorted orders violations, and puts those of one cause together.
func (v *Verifier) sorted(list []*Violation) []*Violation {
	list = slices.Clone(list)
	byCause := map[string]*Violation{}
	list = slices.DeleteFunc(list, func(x *Violation) bool {
		key := x.cause()
		first := byCause[key]
		if first == nil {
			byCause[key] = x
			return false
		}
		first.Also = append(first.Also, x)
		first.Count += x.Count
		for _, mote := range x.Motes {
			if at, has := slices.BinarySearch(first.Motes, mote); !has {
				first.Motes = slices.Insert(first.Motes, at, mote)
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b *Violation) int {
		return cmp.Or(cmp.Compare(v.urgency(a), v.urgency(b)), cmp.Compare(kindOrder[a.Kind], kindOrder[b.Kind]), cmp.Compare(b.Count, a.Count))
	})
	return list
}

// cause is the same for violations that depart from what was approved in the same place.
func (x *Violation) cause() string {
	name := func(f *PathFunction) string {
		if f == nil {
			return ""
		}
		return f.Function
	}
	switch {
	case x.Kind == ProcedureViolation && x.Leaves != nil:
		return fmt.Sprintln(x.Kind, x.Vector, x.Leaves.In.Function, name(x.Leaves.Expected), name(x.Leaves.Got))
	case x.Kind == UnansweredViolation:
		return fmt.Sprintln(x.Kind, x.Request.File, x.Request.Answer)
	case x.Kind == JobflowViolation:
		return fmt.Sprintln(x.Kind, x.Vector, x.Flow, x.Expected, x.Model)
	case x.Kind == InterleavingViolation && x.Variable == "":
		return fmt.Sprintln(x.Kind, x.Vector, x.Model)
	}
	return x.ID
}

// urgency is less for what should be looked at first.
func (v *Verifier) urgency(x *Violation) int {
	switch {
	case x.Kind == UnansweredViolation:
		return -1
	case x.Variable != "":
		return 0
	case x.Broken != nil:
		return 1
	case v.isOwn(x):
		return 2
	}
	return 3
}

// isOwn tells whether a violation is in the application's code.
func (v *Verifier) isOwn(x *Violation) bool {
	if x.Kind != ProcedureViolation || x.Leaves == nil {
		return len(v.involved[x]) > 0
	}
	about := []*PathFunction{&x.Leaves.In, x.Leaves.Got, x.Leaves.Expected}
	return slices.ContainsFunc(about, func(f *PathFunction) bool { return f != nil && v.own[f.Function] })
}

// grade takes those out of the violations that are only new: every rule about the functions of the application that take part held
// in this run, and there is one. Data that approved procedures use in a new order is a violation in any case.
func (v *Verifier) grade() (violations, news []*Violation) {
	v.own = map[string]bool{}
	for _, f := range v.cast.Book.Funcs() {
		if f.File != "" && !f.Library {
			v.own[f.Name] = true
		}
	}
	for _, x := range v.violations {
		held := v.file.Depth == AppDepth.String() && !v.certain[x] && x.Kind != UnansweredViolation
		for _, mote := range x.Motes {
			ok, broken := v.holds(mote, x)
			if held = held && ok; broken != nil && x.Broken == nil {
				x.Broken = broken
			}
		}
		if held {
			news = append(news, x)
		} else {
			violations = append(violations, x)
		}
	}
	return v.sorted(violations), v.sorted(news)
}

// holds tells whether all that is known of the functions in a violation holds on a mote: rules about those of the application, and answers to
// what they call. Something must be known, unless tasks only look at data in a new order.
func (v *Verifier) holds(mote int, x *Violation) (held bool, broken *RuleResult) {
	held, n, broken := v.rules.judge(mote, v.involved[x])
	for _, m := range v.members[x] {
		if m >= 0 && int(m) < len(v.trees) && v.trees[m] != nil {
			ok, more := v.asked.judge(mote, v.trees[m])
			held, n = held && ok, n+more
		}
	}
	return held && (n > 0 || x.Variable != "" && !v.handed[x]), broken
}
