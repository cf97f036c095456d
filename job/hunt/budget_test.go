package hunt

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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

// A turn that leaves something undecided is gone on with once all others had theirs: the same slice, with more time. What it decides then is no doubt any more.
func TestOpenTurn(t *testing.T) {
	t.Parallel()
	x := &hunt{Request: New("app.elf"), host: job.Host{Now: func() time.Time { return time.Unix(0, 0) }}, began: time.Unix(0, 0), work: t.TempDir(),
		doubtful: map[string]bool{}, orders: map[string]uint64{}}
	x.code.add(nil)
	var turns []slice
	var engines []string
	take := func(engine string, open bool) func(context.Context, job.Host, slice) (*outcome, error) {
		return func(_ context.Context, _ job.Host, s slice) (*outcome, error) {
			turns, engines = append(turns, s), append(engines, engine)
			o := &outcome{events: 1}
			if open && s.again == 0 {
				o.open, o.doubtful = true, []string{"late?"}
			}
			return o, nil
		}
	}
	x.add(trial{engine: engineCheck, do: take(engineCheck, true)})
	x.add(trial{engine: engineFuzz, do: take(engineFuzz, false)})
	for n := range 3 {
		if err := x.turn(context.Background(), x.next()); err != nil {
			t.Fatal(err)
		}
		if want := n < 2; x.doubtful["late?"] != want {
			t.Errorf("after turn %d: %v", n, x.doubtful)
		}
	}
	if !slices.Equal(engines, []string{engineCheck, engineFuzz, engineCheck}) {
		t.Fatalf("the turns were of %v", engines)
	}
	if a, b := turns[0], turns[2]; b.again != 1 || b.seed != a.seed || b.out != a.out || b.events != a.events || b.budget <= a.budget/2 {
		t.Errorf("%+v was gone on with as %+v", a, b)
	}
	if _, err := os.Stat(turns[2].out); err == nil || x.next() == nil || x.next().open != nil {
		t.Error("it is still open")
	}
}
