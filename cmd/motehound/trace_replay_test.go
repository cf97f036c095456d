package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"motehound/job/document"
)

func replayTrace(t *testing.T, want int, args ...string) *document.ReplayedTrace {
	t.Helper()
	r := motehound(t, append([]string{"trace", "replay", "--json", "--quiet", "--budget", "0"}, args...)...)
	doc := new(document.ReplayedTrace)
	if err := json.Unmarshal([]byte(r.stdout), doc); err != nil || r.status != want {
		t.Fatalf("trace replay %v: status %d, %v: %s%s", args, r.status, err, r.stdout, r.stderr)
	}
	return doc
}

// A mote in the field whose crystal, readings and messages nobody knows: from its log to a recipe, which makes the run again.
func TestTraceReplay(t *testing.T) {
	t.Chdir(t.TempDir())
	r := motehound(t, "run", "--quiet", "--seed", "9", "--time", "1ms", "--board", "micaz", "example:oscilloscope_traced")
	if r.status != exitFine {
		t.Fatal(r.stderr)
	}
	const star = `net = network(motes = [mote(id = 1, board = "micaz", firmware = "example:oscilloscope_traced-micaz")])
serial(mote = 1, at = "2345ms", data = tinyos_packet(am = 32, payload = []))
`
	if err := os.WriteFile("field.star", []byte(star), 0o666); err != nil {
		t.Fatal(err)
	}
	// The log is asked for over the serial line: the question is in it, too.
	r = motehound(t, "trace", "pull", "--quiet", "--seed", "9", "--time", "6s", "field.star")
	if r.status != exitFine {
		t.Fatalf("pull: status %d: %s", r.status, r.stderr)
	}
	args := []string{"--trace-map", "example:oscilloscope_traced-micaz", "--board", "micaz", "--may-send", "32:", "trace.bin", "example:oscilloscope_traced"}
	doc := replayTrace(t, exitFine, args...)
	messages, readings := 0, 0
	for _, c := range doc.Chosen {
		switch c.Kind {
		case "serial":
			messages++
		case "sensor":
			readings++
		}
	}
	if doc.Verdict != "several" || doc.Shown != doc.Events || messages != 2 || readings < 5 {
		t.Errorf("%+v", doc)
	}
	if r := motehound(t, "replay", doc.Recipe); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	// What is not allowed is not found, and how far it got is said.
	args = append([]string{"--tries", "100"}, args[:4]...)
	doc = replayTrace(t, exitFound, append(args, "trace.bin", "example:oscilloscope_traced")...)
	if doc.Verdict != "unknown" || doc.Shown >= doc.Events || !strings.Contains(doc.Wanted, "SerialC__receive") {
		t.Errorf("%+v", doc)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"give a log", []string{"trace.bin"}},
		{"not the map of this firmware", []string{"--trace-map", "example:oscilloscope_traced-mica2", "trace.bin", "example:starve_traced-mica2"}},
		{"no tracer in it", []string{"trace.bin", "example:blink-micaz"}},
		{"nothing of boot 7", []string{"--boot", "7", "trace.bin", "example:oscilloscope_traced-micaz"}},
		{"--may-send", []string{"--may-send", "x", "trace.bin", "example:oscilloscope_traced-micaz"}},
	} {
		if r := motehound(t, append([]string{"trace", "replay"}, c.args...)...); r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d: %s", c.args, r.status, r.stderr)
		}
	}
}
