package core

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
	os.Exit(queries.Main(m))
}
