package job_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"motehound/job"
	"motehound/job/document"
)

// A check that starts at a moment goes there first, and what it finds from there replays.
func TestCheckFrom(t *testing.T) {
	t.Parallel()
	const cycle = 2_000_000
	events := 3_000
	f := job.NewCheck("example:tick")
	f.Events, f.Shorten, f.Mode, f.Total, f.Budget, f.Threads, f.NoRepair, f.Out, f.Bundle, f.From = &events, 5_000, "walk", 60_000, 0, 1, true, t.TempDir(), true, &job.Moment{Cycle: cycle}
	got, err := f.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Report.Lead < 100 || len(got.Document.Findings) == 0 {
		t.Fatalf("%d events before it starts, %d findings", got.Report.Lead, len(got.Document.Findings))
	}
	again, err := job.Replay{Recipe: got.Document.Findings[0].Bundle, NoRepair: true}.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Refused(); err != nil {
		t.Error(err)
	}
	f.From, f.Out = &job.Moment{Mote: 9, Cycle: cycle}, ""
	if _, err := f.Do(context.Background(), job.Host{}); err == nil || !strings.Contains(err.Error(), "no mote 9") {
		t.Error(err)
	}
}

// The nearest good run of a race has the interrupt behind the code; that of a bad input ends before the byte that is too much.
func TestNearestGood(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		find func(out string) (*document.Checked, error)
		want []string
	}{
		"ring": {func(out string) (*document.Checked, error) {
			f := job.NewCheck("example:ring")
			f.SerialIn, f.Mode, f.Total, f.Budget, f.Threads, f.NoRepair, f.Out, f.Bundle = []string{"hello 1\n"}, "walk", 40_000, 0, 1, true, out, true
			got, err := f.Do(context.Background(), job.Host{})
			if err != nil {
				return nil, err
			}
			return got.Document, nil
		}, []string{"main loop on mote 0, and not interrupt USART_RX in the middle of main", "count is 1, and not 0", "nothing is broken"}},
		"overrun": {func(out string) (*document.Checked, error) {
			f := job.NewFuzz("example:overrun")
			f.Total, f.Budget, f.Threads, f.NoRepair, f.Out, f.Bundle = 40_000, 0, 1, true, out, true
			got, err := f.Do(context.Background(), job.Host{})
			if err != nil {
				return nil, err
			}
			return &got.Document.Checked, nil
		}, []string{"ends there: without serial byte"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := c.find(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if len(doc.Findings) == 0 {
				t.Fatal("nothing was found")
			}
			got, err := job.Replay{Recipe: doc.Findings[0].Bundle, NoRepair: true, Nearest: doc.Findings[0].Property}.Do(context.Background(), job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if text := got.Nearest; !strings.Contains(text, want) {
					t.Errorf("%q does not say %q", text, want)
				}
			}
		})
	}
}

// A timed run is good without the byte that is one too many: the end of a line that nests too deep.
func TestNearestRan(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	r := job.Run{World: job.NewWorld(), File: "example:recursion", Out: out, Bundle: true}
	r.Board, r.SerialIn = "uno", []string{strings.Repeat("(", 100) + "\n1\n"}
	ran, err := r.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if len(ran.Document.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	got, err := job.Replay{Recipe: filepath.Join(out, "recipe.zip"), Nearest: ran.Document.Findings[0].Property}.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Nearest, "without byte 101 of 103 (0x0a)") || !strings.Contains(got.Nearest, "complete is 0, and not 1") {
		t.Errorf("%q", got.Nearest)
	}
}
