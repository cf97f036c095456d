package engine

import (
	"flag"
	"os"
	"testing"

	"motehound/internal/crosscheck"
)

// queries is what the tests ask the solver: z3 is asked the same.
var queries crosscheck.Queries

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(childVar) != "" { // what a test runs in a process of its own
		os.Exit(m.Run())
	}
	os.Exit(queries.Main(m))
}
