package found

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"motehound/internal/cases"
	"motehound/job"
	"motehound/job/document"
)

// shown is what a timed run reports of a build, with the input that shows the bug.
func shown(t *testing.T, d cases.Deep, build string) []document.RunFinding {
	t.Helper()
	r := job.Run{World: job.NewWorld(), File: "example:" + d.Name + build}
	if d.Shown != "" {
		r.File, r.Params = filepath.Join("../../../examples", d.Shown), []string{"build=" + build}
	} else {
		span := time.Second
		r.Board, r.SerialIn, r.Time = d.Board, []string{d.Serial}, &span
	}
	got, err := r.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	return got.Document.Findings
}

// With the input that it takes, each bug is reported first at its line, and nothing where it is fixed.
func TestDeepShown(t *testing.T) {
	t.Parallel()
	for _, d := range cases.Deeps {
		if d.Order != "" {
			continue
		}
		list := shown(t, d, "")
		if len(list) == 0 || !d.At(list[0].Property, list[0].Function) || list[0].File != "examples/"+d.File || list[0].Line != d.Line {
			t.Errorf("%s: %+v", d.Name, list)
		}
		if list := shown(t, d, cases.Fixed); len(list) > 0 {
			t.Errorf("%s%s: %+v", d.Name, cases.Fixed, list)
		}
	}
}

// fuzzed is what fuzz finds in so many events.
func fuzzed(t *testing.T, d cases.Deep, build string, events uint64) *document.Fuzzed {
	t.Helper()
	f := job.NewFuzz("example:" + d.Name + build)
	f.Board, f.Total, f.Threads, f.Budget, f.AnyOrder = d.Board, events, 1, 0, true
	r, err := f.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Document
}

// fuzzEvents is how many events fuzz may fire until it has found the bugs that take an input.
var fuzzEvents = map[string]uint64{"fragments": 400_000}

// Fuzz finds bugs without being told anything, and nothing where they are fixed.
func TestDeepFuzz(t *testing.T) {
	for _, d := range cases.Deeps {
		events, ok := fuzzEvents[d.Name]
		if !ok || testing.Short() {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			r := fuzzed(t, d, "", events)
			if !slices.ContainsFunc(r.Findings, func(f *document.Found) bool { return d.At(f.Property, f.Function) }) {
				t.Errorf("%s: %d findings in %d events", r.Verdict, len(r.Findings), r.Explored.Events)
			}
		})
		t.Run(d.Name+cases.Fixed, func(t *testing.T) {
			t.Parallel()
			r := fuzzed(t, d, cases.Fixed, events/2)
			for _, f := range r.Findings {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Check finds the bug that takes only an order of events.
func TestDeepOrder(t *testing.T) {
	for _, d := range cases.Deeps {
		if d.Order == "" || testing.Short() {
			continue
		}
		for _, build := range []string{"", cases.Fixed} {
			total := uint64(400_000)
			if build != "" {
				total /= 2
			}
			c := job.NewCheck(filepath.Join("../../../examples", d.Order))
			c.Params, c.Mode, c.Total, c.Threads, c.Budget, c.AnyOrder = []string{"build=" + build}, "walk", total, 1, 0, true
			r, err := c.Do(context.Background(), job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(r.Document.Findings, func(f *document.Found) bool { return d.At(f.Property, f.Function) })
			if found != (build == "") || build != "" && len(r.Document.Findings) > 0 {
				t.Errorf("%s%s: %s, %d findings in %d events", d.Name, build, r.Document.Verdict, len(r.Document.Findings), r.Document.Explored.Events)
			}
			t.Logf("%s%s: %s after %d events", d.Name, build, r.Document.Verdict, r.Document.Explored.Events)
		}
	}
}
