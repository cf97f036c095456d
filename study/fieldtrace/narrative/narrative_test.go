package narrative_test

import (
	"bytes"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/kernel"
	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// logOf runs a traced example on a Mica2, and gives its log and who reads it.
func logOf(t *testing.T, name string, time uint64) (*record.Log, *narrative.Teller, *mote.Mote) {
	t.Helper()
	f, ok := examples.Find(name, "mica2")
	if !ok {
		t.Fatalf("there is no example %s", name)
	}
	k := testkit.Kind(t, f)
	w := testkit.Alone(t, k, 1)
	w.RunUntil(time)
	w.Reset(0) // what is in memory goes to the log
	w.RunUntil(time + world.Second/2)
	m := w.Motes()[0]
	flash := make([]byte, m.ExternalFlash().Size())
	for i := range flash {
		flash[i] = m.ExternalFlash().Read(uint32(i))
	}
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		t.Fatal(err)
	}
	tm, err := instrument.Read(bytes.NewReader(f.Map()))
	if err != nil {
		t.Fatal(err)
	}
	return log, narrative.New(tm), m
}

func number(t *testing.T, m *mote.Mote, path string) uint64 {
	t.Helper()
	ref, err := m.Kind.Image.Lookup(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ref.Read(m.Memory())
	if err != nil {
		t.Fatal(err)
	}
	return uint64(v.Int())
}

// What is counted is what the mote itself has counted.
func TestCount(t *testing.T) {
	t.Parallel()
	log, teller, _ := logOf(t, "oscilloscope_traced", 30*world.Second)
	c := teller.Count(log)
	calls := map[string]narrative.ProcCount{}
	for _, p := range c.Procs {
		calls[p.Name] = p
	}
	readings, reports := calls["PhotoC__readDone"], calls["OscilloscopeC__report"]
	if readings.Calls < 230 || readings.Calls > 245 || reports.Calls != readings.Calls/10 || reports.Rounds != 10*reports.Calls {
		t.Errorf("%d readings, %d reports with %d rounds", readings.Calls, reports.Calls, reports.Rounds)
	}
	if c.Boots != 2 || c.Gaps != 0 || c.Lost != 0 || c.Seconds < 25 || c.Seconds > 32 || c.Events < 4*readings.Calls || c.Raw < c.Events || c.Elements == 0 {
		t.Errorf("%+v", c)
	}
	if c.Procs[0].Calls < c.Procs[len(c.Procs)-1].Calls {
		t.Error("the busiest is not the first")
	}
	// Bright readings, and those that fill a report, take paths of their own.
	if len(readings.Paths) != 4 {
		t.Errorf("paths %v", readings.Paths)
	}
}

// Paths are lines of the source; what is not known is said.
func TestLines(t *testing.T) {
	t.Parallel()
	_, teller, _ := logOf(t, "oscilloscope_traced", world.Second)
	id, err := teller.Find("OscilloscopeC__report")
	if err != nil {
		t.Fatal(err)
	}
	if got := teller.Lines(id, 4); got != "oscilloscope.c:69-70,69" {
		t.Errorf("a round of the loop is %s", got)
	}
	if got := teller.Lines(id, 999); !strings.Contains(got, "is this the map of this firmware?") {
		t.Errorf("a path that is not there is %s", got)
	}
	if _, err := teller.Find("main"); err == nil || !strings.Contains(err.Error(), "OscilloscopeC__report") {
		t.Errorf("%v", err)
	}
	if got := teller.Name(63); got != "procedure 63" {
		t.Errorf("%s", got)
	}
	unknown := narrative.New(nil)
	if _, err := unknown.Find("main"); unknown.Name(3) != "procedure 3" || unknown.Lines(3, 1) != "" || err == nil || !strings.Contains(err.Error(), "--trace-map") {
		t.Errorf("without a map: %v", err)
	}
}

// Interrupts and tasks that are traced make lifecycle items, in order, each with its end.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	log, teller, m := logOf(t, "starve_fixed_traced", 6*world.Second)
	var open []kernel.Item
	var last uint64
	gaps := 0
	counts := map[kernel.Kind]int{}
	posts := teller.Walk(log, m.Hertz(), func(it narrative.Item) {
		counts[it.Kind]++
		switch it.Kind {
		case kernel.Reset:
			open, last = nil, 0
		case kernel.Int, kernel.Run:
			if it.Kind == kernel.Int && it.Arg != 18 || it.Kind == kernel.Run && it.Name != "QueueP__run" {
				t.Fatalf("%+v", it)
			}
			open = append(open, it.Item)
		case kernel.Reti, kernel.End:
			n := len(open) - 1
			if n < 0 && gaps > 0 {
				break
			}
			if n < 0 || open[n].Arg != it.Arg || open[n].Kind+1 != it.Kind && (open[n].Kind != kernel.Run || it.Kind != kernel.End) {
				t.Fatalf("%+v ends what is open: %+v", it, open)
			}
			open = open[:n]
		}
		if it.Cycle <= last && it.Kind != kernel.Reset {
			t.Fatalf("%+v after cycle %d", it, last)
		}
		last = it.Cycle
	}, func(_ record.At, e record.Event) {
		if e.Kind.Gap() { // this mote traces a lot
			open = nil
			gaps++
		}
	})
	if posts || counts[kernel.Int] < 10_000 || counts[kernel.Int]-counts[kernel.Reti] > 1+gaps || counts[kernel.Run] < 20 || counts[kernel.Reset] != 2 {
		t.Errorf("posts %v, %v", posts, counts)
	}
	// The task did as much work as the mote says, or has one under way.
	work := counts[kernel.Run]
	if works := number(t, m, "StarveC__works"); works > uint64(work) {
		t.Errorf("%d pieces of work in %d tasks", works, work)
	}
	if name := teller.Task(0); name != "QueueP__run" {
		t.Errorf("task 0 is %s", name)
	}
}
