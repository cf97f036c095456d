package record_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// A reset that leaves memory alone may come at any moment, also when the tracer is at work: all that was traced is in the log, except for
// the event that was being put down. Seldom, in the few instructions between two notes of what is done, an entry is there twice, or not.
func TestResetsAtAnyMoment(t *testing.T) {
	resets := 600
	if testing.Short() {
		resets = 60
	}
	p := program{8, 200, 60000, 9, 2048}
	tr := p.start(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var whole, late, wrong, uncertain int
	for range resets {
		tr.w.RunUntil(tr.w.Now() + rng.Uint64N(20*world.Millisecond))
		w := tr.w.Clone()
		w.Reset(0)
		w.RunUntil(w.Now() + 200*world.Millisecond)
		log, isUncertain := firstBoot(t, read(t, tr.log(w.Motes()[0].ExternalFlash())))
		w.Release()
		if isUncertain {
			uncertain++
		}
		got := filled(log, tr.events)
		switch want := tr.events; {
		case slices.Equal(got, want):
			whole++
		case slices.Equal(got, want[:len(want)-1]):
			late++
		case nearly(log, want), nearly(log, want[:len(want)-1]):
			wrong++
		default:
			t.Fatalf("after %d events, uncertain %v: %v, not %v", len(want), isUncertain, tail(got), tail(want))
		}
	}
	t.Logf("%d resets: %d whole, %d without the last event, %d with an entry twice or not; %d while the tracer was at work", resets, whole, late, wrong, uncertain)
	if uncertain < resets/4 || wrong > resets/100 || late > resets/20 {
		t.Error("too little was tried, or too much is wrong")
	}
}

// firstBoot is the events of the first boot, with those that say how many were lost, and whether the reset is uncertain.
func firstBoot(t *testing.T, log *record.Log) (events []record.Element, uncertain bool) {
	t.Helper()
	for at, e := range log.Events() {
		switch {
		case at.Boot > 0:
			return events, e.Uncertain
		case e.Kind.Gap() && e.Kind != record.Lost:
			t.Fatalf("page %d after %d events: %v", at.Page, len(events), e.Kind)
		case e.Kind == record.Lost || e.Kind <= record.Leave && !e.Abandoned: // which is what the decoder concludes from an entry that is missing
			events = append(events, e.Element)
		}
	}
	t.Fatal("the log has one boot only")
	return nil, false
}

// filled has events that were lost as they were, by how many events are before them.
func filled(log, was []record.Element) (events []record.Element) {
	for _, e := range log {
		if n := len(events); e.Kind == record.Lost {
			events = append(events, was[min(n, len(was)):min(n+int(e.Count), len(was))]...)
		} else {
			events = append(events, e)
		}
	}
	return events
}

// nearly reports whether, of what is right at its begin and at its end, only an entry is too much or missing. What was lost behind that
// is found from the end.
func nearly(log, want []record.Element) bool {
	backwards := func(list []record.Element) []record.Element {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	got, behind := filled(log, want), backwards(filled(backwards(log), backwards(want)))
	begin := 0
	for begin < min(len(got), len(want)) && got[begin] == want[begin] {
		begin++
	}
	end := 0
	for end < min(len(behind), len(want))-begin && behind[len(behind)-1-end] == want[len(want)-1-end] {
		end++
	}
	return min(len(got), len(want)) == begin+end && max(len(got), len(want))-begin-end <= 16
}

func tail(events []record.Element) []record.Element { return events[max(0, len(events)-24):] }
