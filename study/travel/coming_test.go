package travel_test

import (
	"errors"
	"testing"

	"motehound/internal/testkit"
	"motehound/study/travel"
	"motehound/world"
)

// A search that is interrupted has gone some way, and is in a state of the run.
func TestInterruptedOnTheWay(t *testing.T) {
	t.Parallel()
	k := testkit.Example(t, "blink", "micaz")
	run := travel.Timed(testkit.Alone(t, k, 0), 100*world.Second, 0)
	asked := 0
	_, err := run.Next(&travel.Watch{Code: []travel.Code{{Mote: 0, PC: 0x7FFF}}}, func() bool { asked++; return asked > 200 })
	if !errors.Is(err, travel.ErrInterrupted) {
		t.Fatalf("got %v", err)
	}
	now := run.Here().Time
	if now == 0 || now >= 100*world.Second {
		t.Fatalf("it is at %d", now)
	}
	w := testkit.Alone(t, k, 0)
	w.RunUntil(now)
	if states(w) != states(run.World()) {
		t.Error("its state is not one of the run")
	}
}

// Coming sees the store that Next finds, from before it.
func TestComing(t *testing.T) {
	t.Parallel()
	run := travel.Timed(testkit.Alone(t, testkit.Example(t, "blink", "micaz"), 0), world.Second, 0)
	watch := &travel.Watch{Changes: []travel.Range{{Mote: 0, Addr: 0x104, Bytes: 27}}}
	if h, ok := run.Coming(0, watch); ok {
		t.Errorf("%v comes first", h)
	}
	for range 5 {
		want, err := run.Next(watch, nil)
		if err != nil {
			t.Fatal(err)
		}
		if h, ok := run.Coming(0, watch); !ok || h.Addr != want.Addr || h.New != want.New || h.Stop != want.Stop {
			t.Errorf("%v comes, and not %v", h, want)
		}
	}
}
