// Package crosscheck lets z3 answer the queries that the tests of a package have put to the symbolic engine's own solver.
//
// Invariants: a query counts only once, however often it was put; one that the two do not both decide, and decide alike, fails the tests.
// Nothing is recorded in short tests.
package crosscheck

import (
	"fmt"
	"os"
	"testing"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// Queries is what the tests of a package ask.
type Queries struct {
	recording *solver.Recording // nil if nothing is recorded
}

// Bounds of an ordinary run: what firmware computes of its input bit by bit, as a CRC, takes z3 minutes. MOTEHOUND_LONG=1 is without.
const (
	longest = 60_000 // bytes
	oneOf   = 8
	forLong = 2_000_000_000 // what z3 may do for a query, in its own unit
)

// Main runs the tests, then has z3 answer one of eight of their queries that are not very long, or with MOTEHOUND_LONG=1 all. It gives
// the process's exit status. The flags must have been parsed.
func (q *Queries) Main(m *testing.M) int {
	if !testing.Short() {
		q.recording = &solver.Recording{Most: longest, Every: oneOf}
		if os.Getenv("MOTEHOUND_LONG") != "" {
			q.recording = &solver.Recording{Limit: forLong}
		}
	}
	if code := m.Run(); code != 0 || q.recording == nil {
		return code
	}
	return q.compare()
}

// Solver makes a solver of the ordinary kind whose queries are recorded.
func (q *Queries) Solver(pool *expr.Pool, cfg solver.Config) *solver.Solver {
	if q.recording != nil {
		cfg.Record = q.recording
	}
	return solver.New(pool, solver.NewBuiltin(pool, 0), cfg)
}

func (q *Queries) compare() int {
	all, different, kept, long := q.recording.Queries()
	if kept == 0 {
		return 0
	}
	a, err := q.recording.CrossCheck("")
	switch {
	case err != nil:
		fmt.Printf("FAIL: %v (it needs: apt-get install z3)\n", err)
		return 1
	case a.Agreed != kept:
		fmt.Printf("FAIL: of %d different queries z3 agrees with %d; these are undecided: %v; and these answered otherwise: %v\n", kept, a.Agreed,
			a.Undecided, a.Disagree)
		return 1
	}
	fmt.Printf("z3 agrees with %d of %d queries (of %d, %d of them different; %d are too long for an ordinary run)\n", a.Agreed, a.Queries, all,
		different, long)
	return 0
}
