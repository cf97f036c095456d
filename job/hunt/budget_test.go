package hunt

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"motehound/job"
	"motehound/job/document"
)

// A clock on which a second passes whenever somebody looks at it, and an alarm that goes off at once: no trial comes to its end, and the hunt ends in time nevertheless.
func TestNoTime(t *testing.T) {
	t.Parallel()
	var seconds atomic.Int64
	now := make(chan time.Time)
	close(now)
	host := job.Host{
		Now:   func() time.Time { return time.Unix(seconds.Add(1), 0) },
		After: func(time.Duration) <-chan time.Time { return now },
	}
	r := New("example:overrun")
	r.Board, r.Threads, r.Store, r.Engines = "uno", 1, filepath.Join(t.TempDir(), "store"), []string{engineFuzz, engineCheck}
	got, err := r.Do(context.Background(), host)
	if err != nil {
		t.Fatal(err)
	}
	if got.TimeS > 2*r.Budget.Seconds() || got.Verdict != document.Unknown {
		t.Errorf("%s after %v s", got.Verdict, got.TimeS)
	}
	for _, trial := range got.Trials {
		if trial.Slices != 3 || trial.Note == "" {
			t.Errorf("%s of %s had %d turns: %s", trial.Engine, trial.Network, trial.Slices, trial.Note)
		}
	}
}

// What a regression scenario does not show is no answer if there was no time.
func TestDecided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ shown, cut, known bool }{{true, true, true}, {true, false, true}, {false, false, true}, {false, true, false}} {
		if shown, err := decided(c.shown, c.cut); (err == nil) != c.known || shown != (c.shown && c.known) {
			t.Errorf("%+v: %t, %v", c, shown, err)
		}
	}
}
