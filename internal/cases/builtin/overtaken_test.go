package builtin

import (
	"os"
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/verdict"
)

// polluting is what check finds in a build of pollute, with its default settings, except that events are bounded, not time.
func polluting(t *testing.T, build string, events uint64) *check.Report {
	t.Helper()
	const file = "pollute/pollute.star"
	text, err := os.ReadFile("../../../examples/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cases.Load(file, strings.Replace(string(text), `build = ""`, `build = "`+build+`"`, 1), "micaz")
	if err != nil {
		t.Fatal(err)
	}
	o := cases.Defaults()
	o.Search.Events, o.Walk.Events, o.Walk.Total, o.Threads, o.Seed = 2_000, 8_000, events, 1, 1
	o.Minimise.Events, o.Minimise.Changes = 2_000, 20
	r, err := check.Run(s.Clone(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Sentomist's data pollution is found without a property, in an order that hardware makes, at the line that stores the reading.
func TestPollute(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Run("wrong", func(t *testing.T) {
		t.Parallel()
		r := polluting(t, "", 100_000)
		if r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 {
			t.Fatalf("%s: %s, %v", r.Case().Verdict(), r.Because(), r.Findings)
		}
		const property, line = "buffer: PolluteC.packets.readings overwritten before it is read", 154
		if f := r.Findings[0]; f.Property != property || !strings.HasSuffix(f.File, "pollute.c") || f.Line != line || f.Strain != 0 || !f.Replayed {
			t.Errorf("%q at %s:%d, want %q at pollute.c:%d; strain %d; replayed: %v", f.Property, f.File, f.Line, property, line, f.Strain, f.Replayed)
		}
	})
	for _, build := range []string{cases.Fixed, "_buffered"} {
		t.Run(build, func(t *testing.T) {
			t.Parallel()
			if r := polluting(t, build, 60_000); len(r.Findings) != 0 {
				t.Errorf("found %v", r.Findings)
			}
		})
	}
}
