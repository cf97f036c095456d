package check

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/study/finding"
)

// Evidence is why a liveness property is said to be violated.
type Evidence string

// The evidence, from the weakest to the strongest.
const (
	Sampled Evidence = "sampled" // it did not hold for as long as the threshold says
	Lasso   Evidence = "lasso"   // a fair cycle without it
	Stuck   Evidence = "stuck"   // nothing can happen any more
)

var strength = map[Evidence]int{Sampled: 1, Lasso: 2, Stuck: 3}

// Finding is one cause, with the best trace that is known for it.
type Finding struct {
	finding.Violation
	Motes []int16 `json:"motes"` // those on which it was seen, in order
	Trace []Event `json:"trace"` // from the state that the caller gave
	// Inputs are what the events of the trace bring that were made up, if the events do not say it themselves.
	Inputs []MadeInput `json:"inputs,omitempty"`
	// Before is how many events the trace had when it was found.
	Before int `json:"before"`
	// Minimal says that leaving any one event out of the trace loses the violation.
	Minimal bool `json:"minimal"`
	// Replayed says that the trace was run again and gave the violation.
	Replayed bool `json:"replayed"`
	// Hash is that of the state in which the replayed trace ends.
	Hash     [2]uint64 `json:"hash"`
	Evidence Evidence  `json:"evidence,omitempty"` // of liveness violations
	Cycle    int       `json:"cycle,omitempty"`    // how many events at the end of the trace are a lasso's cycle
	// Since is after how many events of the trace the goal held for the last time.
	Since int `json:"since,omitempty"`
	// Suspected says that the goal may only be late: nobody has waited as long as it may take. Waited is how long somebody has, in
	// picoseconds.
	Suspected bool   `json:"suspected,omitempty"`
	Waited    uint64 `json:"waited_ps,omitempty"`
	// Rank is how many other things the last transition broke before this one. What breaks first is the cause of the others, as a rule.
	Rank int `json:"rank,omitempty"`
	// Critical is the transition behind which the goal was out of reach; nil if that is not known.
	Critical *Critical `json:"critical,omitempty"`
	// Strain is by how much something has to wait longer than it can in nature, in picoseconds; 0 for a run that hardware can make.
	Strain uint64 `json:"strain_ps,omitempty"`
	// Walk is the number of the walk that found it, from 1; 0 if the search did.
	Walk int `json:"walk,omitempty"`
}

// better tells whether f says more than g about their common cause: a run that hardware can make, then stronger evidence, then fewer events, then the first trace in
// the order of events.
func (f *Finding) better(g *Finding) bool {
	if d := compareEase(f, g); d != 0 {
		return d < 0
	}
	if d := strength[f.Evidence] - strength[g.Evidence]; d != 0 {
		return d > 0
	}
	if d := len(f.Trace) - len(g.Trace); d != 0 {
		return d < 0
	}
	return cmp.Or(slices.CompareFunc(f.Trace, g.Trace, compareEvents), cmp.Compare(f.Mote, g.Mote)) < 0
}

// about makes sure that the finding is about what the last event of its trace breaks. A shorter trace may break the property on another
// mote than the longer one did.
func (f *Finding) about(broken []finding.Violation) error {
	other := func(v finding.Violation) bool { return v.Cause() != f.Cause() }
	broken = slices.DeleteFunc(slices.Clone(broken), other)
	if len(broken) == 0 {
		return fmt.Errorf("the trace ends without the violation")
	}
	f.Violation = broken[max(0, slices.IndexFunc(broken, func(v finding.Violation) bool { return v.Mote == f.Mote }))]
	if at, known := slices.BinarySearch(f.Motes, f.Mote); !known {
		f.Motes = slices.Insert(slices.Clone(f.Motes), at, f.Mote)
	}
	return nil
}

// catalog holds one finding per cause.
type catalog struct {
	byCause map[finding.Cause]*Finding
}

// news is what a finding adds to a catalog.
type news uint8

const (
	old      news = iota // nothing
	improved             // a better trace, or another mote
	fresh                // a new cause
)

// add books a finding.
func (l *catalog) add(f *Finding) (*Finding, news) {
	if l.byCause == nil {
		l.byCause = make(map[finding.Cause]*Finding)
	}
	if len(f.Motes) == 0 {
		f.Motes = []int16{f.Mote}
	}
	known, ok := l.byCause[f.Cause()]
	if !ok {
		l.byCause[f.Cause()] = f
		return f, fresh
	}
	motes := slices.Concat(known.Motes, f.Motes)
	slices.Sort(motes)
	motes = slices.Compact(motes)
	if !f.better(known) {
		if len(motes) == len(known.Motes) {
			return known, old
		}
		f = known
	}
	f.Motes = motes
	l.byCause[f.Cause()] = f
	return f, improved
}

// list gives the findings by cause, but what broke first before what broke later, and what does not count behind the others.
func (l *catalog) list() []*Finding {
	var all []*Finding
	for _, f := range l.byCause {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *Finding) int {
		return cmp.Or(compareEase(a, b), cmp.Compare(a.Rank, b.Rank), a.Cause().Compare(b.Cause()))
	})
	return all
}

// Counts reports whether a finding is a violation: of a run that hardware can make, and of a goal that is lost and not only late.
func (f *Finding) Counts() bool { return f.Strain == 0 && !f.Suspected }

// doubted tells whether a finding proves nothing: that a goal was not reached in time, in a run that hardware hardly makes. How long a goal may take is
// known of runs that hardware makes. A protocol that was kept from working for minutes may need longer than it ever does otherwise. Where
// nothing can happen any more, or a cycle is closed, no time is needed to tell.
func (f *Finding) doubted() bool { return f.Strain > 0 && f.Evidence == Sampled }

// compareEase puts what counts before what does not, and what is doubted behind that.
func compareEase(a, b *Finding) int { return cmp.Compare(a.doubts(), b.doubts()) }

func (f *Finding) doubts() int {
	switch {
	case f.Counts():
		return 0
	case !f.doubted():
		return 1
	}
	return 2
}

// Tell says what was found, with the motes' own numbers if the system knows them.
func (f *Finding) Tell(sys System) string {
	where := f.Property
	if f.Function != "" {
		where += " in " + f.Function
	}
	if f.File != "" {
		where += fmt.Sprintf(" (%s:%d)", f.File, f.Line)
	}
	where += whose(sys, f.Mote)
	where += fmt.Sprintf(": %d events", len(f.Trace))
	if f.Before != len(f.Trace) {
		where += fmt.Sprintf(", %d before", f.Before)
	}
	return where
}

// Numbered is a System whose motes have numbers of their own.
type Numbered interface {
	Number(mote int16) int
}

// whose names a mote, if it is one.
func whose(sys System, mote int16) string {
	if mote < 0 {
		return ""
	}
	n := int(mote)
	if x, ok := sys.(Numbered); ok {
		n = x.Number(mote)
	}
	return fmt.Sprintf(" on mote %d", n)
}

// String says what was found, for tests.
func (f *Finding) String() string { return f.Tell(nil) }
