// Package verdict decides what may be said about firmware that was run or explored. Every command uses it, so that the same words mean
// the same everywhere.
//
// Violated needs something that was seen to be wrong. Holds needs that everything that was asked for was tried, that something came in
// where the firmware listens, that every property was evaluated, that each fault which the scenario allows could happen, and that nothing
// was cut short. Everything that is missing is listed in words (LeftOut), and then the verdict is unknown.
package verdict

import (
	"errors"
	"slices"
)

// Verdict is what may be said.
type Verdict string

// The verdicts.
const (
	Violated Verdict = "violated"
	Holds    Verdict = "holds"
	Unknown  Verdict = "unknown"
)

// Case is what a command knows when it ends.
type Case struct {
	// Findings is how many things were seen to be wrong.
	Findings int
	// Complete tells that everything was looked at that the user has asked for. A single run is never that.
	Complete bool
	// LeftOut is what was not exercised, not judged or not finished: one sentence for each.
	LeftOut []string
}

// Verdict decides.
func (c *Case) Verdict() Verdict {
	switch {
	case c.Findings > 0:
		return Violated
	case c.Complete && len(c.LeftOut) == 0:
		return Holds
	}
	return Unknown
}

// Miss adds to what was left out, each thing once.
func (c *Case) Miss(what ...string) {
	for _, x := range what {
		if !slices.Contains(c.LeftOut, x) {
			c.LeftOut = append(c.LeftOut, x)
		}
	}
}

// Interrupted is what is left out when the user does not want to wait any longer, and Spent when the budget is spent.
const (
	Interrupted = "interrupted before the end"
	Spent       = "the budget was spent before the end"
)

// ErrInterrupted ends work that is worth nothing before its end.
var ErrInterrupted = errors.New(Interrupted)
