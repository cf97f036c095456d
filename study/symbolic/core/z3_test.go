package core

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"motehound/study/symbolic/solver"
)

// TestMain records the queries of all tests, and then lets z3 answer one of eight that are not very long, or with MOTEHOUND_LONG=1 all.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Short() {
		recording = &solver.Recording{Most: 60_000, Every: 8}
		if os.Getenv("MOTEHOUND_LONG") != "" {
			recording.Most, recording.Every, recording.Limit = 0, 0, 2_000_000_000
		}
	}
	code := m.Run()
	if recording != nil && code == 0 {
		code = crossCheck()
	}
	os.Exit(code)
}

func crossCheck() int {
	all, different, kept, long := recording.Queries()
	if kept == 0 {
		return 0
	}
	a, err := recording.CrossCheck("")
	switch {
	case err != nil:
		fmt.Printf("FAIL: %v (it needs: apt-get install z3)\n", err)
		return 1
	case len(a.Disagree) > 0 || a.Agreed+a.Unknown != kept:
		fmt.Printf("FAIL: of %d different queries z3 agrees with %d, %d are unknown, it disagrees with %v\n", a.Queries, a.Agreed, a.Unknown, a.Disagree)
		return 1
	}
	fmt.Printf("z3 agrees with %d of %d queries (of %d, %d of them different); %d are unknown, %d too long for it\n", a.Agreed, a.Queries, all, different,
		a.Unknown, long)
	return 0
}
