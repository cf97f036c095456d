package record_test

import (
	"slices"
	"testing"

	"motehound/study/fieldtrace/record"
)

// A question has the log written while handlers go on: what they trace meanwhile is in the log, each event once.
func TestAskedWhileItTraces(t *testing.T) {
	tr := watched(t, compiled(t, "asked.c", "-DMH_TRACE_PROCS=8", "-DMH_TRACE_WAITING=64"), 512)
	tr.runToEnd(t)
	var got []record.Element
	for _, e := range read(t, tr.log(tr.w.Motes()[0].ExternalFlash())).Events() {
		switch {
		case e.Kind <= record.Leave:
			got = append(got, e.Element)
		case e.Kind.Gap():
			t.Fatalf("after %d events: %v", len(got), e.Kind)
		}
	}
	if len(got) < 5000 || !slices.Equal(got, tr.events) {
		t.Errorf("the log has %d events, the tracer was told %d", len(got), len(tr.events))
	}
}
