package core

import (
	"bytes"
	"fmt"
	"testing"

	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
)

// TestSolverAgreesWithZ3 records the queries of explorations, and lets z3 answer them too.
func TestSolverAgreesWithZ3(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 9, 13} {
		var record bytes.Buffer
		pool := expr.NewPool()
		x := New(Config{Pool: pool, Solver: solver.New(pool, solver.NewBuiltin(pool, 0), solver.Config{Record: &record})})
		s, err := x.New(Mote{Kind: compile(t, "agree.c", fmt.Sprintf("-DCASE=%d", n))})
		if err != nil {
			t.Fatal(err)
		}
		explore(t, s, second, 1000)
		if err := x.solver.Err(); err != nil {
			t.Fatal(err)
		}
		a, err := solver.CrossCheck(&record, "")
		if err != nil {
			t.Fatalf("%v (it needs: apt-get install z3)", err)
		}
		if a.Queries == 0 || a.Agreed != a.Queries {
			t.Errorf("case %d: of %d queries z3 agrees with %d, %d are unknown, it disagrees with %v", n, a.Queries, a.Agreed, a.Unknown, a.Disagree)
		}
		t.Logf("case %d: %d queries", n, a.Queries)
	}
}
