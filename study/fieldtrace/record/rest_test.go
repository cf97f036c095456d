package record_test

import (
	"fmt"
	"testing"

	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// rests is a mote with testdata/rests.c, and TinyOS' clock for the log's.
func rests(t *testing.T, period, last int) *traced {
	t.Helper()
	return watched(t, compiled(t, "rests.c", "-DMH_TRACE_PROCS=8", "-DMH_TRACE_TICKS", fmt.Sprintf("-DPERIOD=%d", period), fmt.Sprintf("-DLAST=%d", last)), 64)
}

// inFlash is how many events the flash has, in how many pieces of pages.
func inFlash(t *testing.T, tr *traced) (events, chunks int) {
	t.Helper()
	log := read(t, tr.log(tr.w.Motes()[0].ExternalFlash()))
	for _, e := range log.Events() {
		switch {
		case e.Kind <= record.Leave:
			events++
		case e.Kind.Gap():
			t.Fatalf("after %d events: %v", events, e.Kind)
		}
	}
	for _, p := range log.Pages {
		chunks += p.Chunks
	}
	return events, chunks
}

// What a mote traced is in the flash when it has rested, though it is far less than a page: what it did when it started at once, and later
// what it did last.
func TestRestIsSaved(t *testing.T) {
	const first, each = 2, 5
	for _, c := range []struct {
		seconds uint64
		events  int
	}{{1, first}, {30, first}, {70, first + 3*each}, {600, first + 3*each}} {
		tr := rests(t, 5, 3)
		tr.w.RunUntil(c.seconds * world.Second)
		if events, _ := inFlash(t, tr); events != c.events {
			t.Errorf("after %d s: %d events, want %d", c.seconds, events, c.events)
		}
	}
}

// The flash does not wear out: a mote that rests again and again is saved once a minute at most, one that never rests for long every
// ten minutes, and each time takes one piece of a page.
func TestRestWears(t *testing.T) {
	for _, c := range []struct{ period, atLeast, atMost, behind int }{{10, 50, 62, 62}, {1, 6, 20, 602}} {
		tr := rests(t, c.period, 1<<15)
		tr.w.RunUntil(3600 * world.Second)
		events, chunks := inFlash(t, tr)
		t.Logf("every %d s: %d events in %d pieces", c.period, events, chunks)
		if want := 5 * (3600 - c.behind) / c.period; chunks < c.atLeast || chunks > c.atMost || events < want {
			t.Errorf("every %d s: %d events, want %d; %d pieces", c.period, events, want, chunks)
		}
	}
}
