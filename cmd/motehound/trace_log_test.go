package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"motehound/job/document"
)

// The serial port of an emulated mote gives its log; decode and stats say what ran.
func TestTraceOfOscilloscope(t *testing.T) {
	t.Chdir(t.TempDir())
	r := motehound(t, "trace", "pull", "--quiet", "--time", "20s", "--board", "micaz", "example:oscilloscope_traced")
	if r.status != exitFine {
		t.Fatalf("pull: status %d: %s", r.status, r.stderr)
	}
	r = motehound(t, "trace", "stats", "--json", "--trace-map", "example:oscilloscope_traced-micaz", "trace.bin")
	var s document.TraceStats
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil || r.status != exitFine {
		t.Fatalf("stats: status %d, %v: %s", r.status, err, r.stderr)
	}
	calls := map[string]uint64{}
	for _, p := range s.Procedures {
		calls[p.Name] = p.Calls
	}
	if n := calls["OscilloscopeC__Timer__fired"]; n < 155 || n > 180 {
		t.Errorf("the timer fired %d times in 20 s, and until the log had come", n)
	}
	if n := calls["OscilloscopeC__report"]; n != calls["PhotoC__readDone"]/10 {
		t.Errorf("%d reports of %d readings", n, calls["PhotoC__readDone"])
	}
	if s.Gaps != 0 || s.Lost != 0 || s.Boots != 1 {
		t.Errorf("%+v", s)
	}
	r = motehound(t, "trace", "decode", "--trace-map", "example:oscilloscope_traced-micaz", "--proc", "OscilloscopeC__report", "trace.bin")
	if r.status != exitFine || !strings.Contains(r.stdout, "oscilloscope.c:69-70,69  x 9") {
		t.Errorf("decode: status %d: %s%s", r.status, r.stderr, r.stdout)
	}
}

// Parts of a log: the newest page, and what was since a moment.
func TestTracePullParts(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ flag, value, pages string }{{"--bytes", "1", "1"}, {"--bytes", "9999", "2"}, {"--since", "0:2", "2"}, {"--since", "0:39", "1"}, {"--proc", "3", "2"}} {
		r := motehound(t, "trace", "pull", "--json", "--quiet", "--time", "40s", "--board", "micaz", c.flag, c.value, "example:oscilloscope_traced")
		if r.status != exitFine || !strings.Contains(r.stdout, `"pages": `+c.pages) {
			t.Errorf("%s %s: status %d: %s%s", c.flag, c.value, r.status, r.stdout, r.stderr)
		}
	}
}

const starveNet = `net = network(
    motes = [mote(id = 100, board = "mica2", firmware = "example:base-mica2"), mote(id = 1, board = "mica2", firmware = "example:BUILD-mica2")],
    links = line(2),
)
`

// The paper's case study: the mote hangs, the watchdog resets it, and its log, pulled over the air, ends with the handler's
// failing path, again and again. The fixed build does not hang.
func TestTraceOfStarve(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for 10 s")
	}
	for build, hangs := range map[string]bool{"starve_traced": true, "starve_fixed_traced": false} {
		t.Chdir(t.TempDir())
		const net, log, items = "net.star", "trace.bin", "items.jsonl"
		if err := os.WriteFile(net, []byte(strings.ReplaceAll(starveNet, "BUILD", build)), 0o666); err != nil {
			t.Fatal(err)
		}
		// It sends something once a second: only a shorter silence is one.
		r := motehound(t, "trace", "pull", "--quiet", "--base", "100", "--node", "1", "--time", "10s", "--wait", "600ms", "--bytes", "7000", "-o", log, net)
		if r.status != exitFine {
			t.Fatalf("%s: pull: status %d: %s", build, r.status, r.stderr)
		}
		r = motehound(t, "trace", "decode", "--quiet", "--trace-map", "example:"+build+"-mica2", "--lifecycle", items, log)
		before, _, reset := strings.Cut(r.stdout, "boot 1, reset flags")
		if reset != hangs {
			t.Fatalf("%s: reset %v\n%s", build, reset, r.stderr)
		}
		if failed := strings.Count(before, "StarveP__post path 2"); hangs && failed < 100 {
			t.Errorf("%s: the failing path is there %d times", build, failed)
		}
		// What a reset leaves in memory has a page without a time: the time that the log covers does not go back there.
		var stats document.TraceStats
		r = motehound(t, "trace", "stats", "--json", "--quiet", "--trace-map", "example:"+build+"-mica2", log)
		if err := json.Unmarshal([]byte(r.stdout), &stats); err != nil || stats.Seconds < 3 || stats.Seconds > 11 {
			t.Errorf("%s: stats: %v, %v s", build, err, stats.Seconds)
		}
		text, err := os.ReadFile(items)
		if err != nil || !strings.Contains(string(text), `"kind":"int","arg":18,"name":"SPI_STC"`) || !strings.Contains(string(text), `"kind":"end","arg":0,"name":"QueueP__run"`) {
			t.Errorf("%s: lifecycle items: %v", build, err)
		}
		if hangs {
			replayHang(t, log, build)
		}
	}
}

// replayHang has the emulator hang as the mote did: a run, alone in the world, that shows all of the trace and then is reset.
func replayHang(t *testing.T, log, build string) {
	t.Helper()
	doc := replayTrace(t, exitFine, "--trace-map", "example:"+build+"-mica2", log, "example:"+build+"-mica2")
	if doc.Shown != doc.Events || !doc.Reset || doc.Events < 10_000 {
		t.Errorf("%+v", doc)
	}
	r := motehound(t, "replay", doc.Recipe)
	if r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// What is wrong is said with what to do.
func TestTraceLogErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("short.bin", []byte("MMMM"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty.bin", []byte(strings.Repeat("x", 264)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"decode", "short.bin"}, "--layout"},
		{[]string{"decode", "empty.bin"}, "has no log in it"},
		{[]string{"decode", "--layout", "3x", "empty.bin"}, "as 33x8"},
		{[]string{"stats", "none.bin"}, "none.bin"},
		{[]string{"stats", "--trace-map", "example:blink-micaz", "empty.bin"}, "not traced"},
		{[]string{"pull"}, "give one of: --device"},
		{[]string{"pull", "--flash", "--board", "uno", "example:blink"}, "no external flash"},
		{[]string{"pull", "--since", "x", "--tcp", "localhost:1"}, "3:120.5"},
	} {
		r := motehound(t, append([]string{"trace"}, c.args...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d: %s", c.args, r.status, r.stderr)
		}
	}
}

// A mote on the other side of a line: a running motehound, at a TCP port and at a pseudo terminal.
func TestTracePullLive(t *testing.T) {
	for kind, flag := range map[string]string{"tcp:0": "--tcp", "pty": "--device"} {
		t.Run(kind, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := start(t, "run", "--serial", "1="+kind, "--pace", "10", "--time", "100h", "--board", "micaz", "example:oscilloscope_traced")
			words := strings.Fields(s.await("serial 1: ")) // tcp 127.0.0.1:PORT, or a device
			r := motehound(t, "trace", "pull", "--json", "--quiet", flag, words[len(words)-1], "--wait", "20s")
			if r.status != exitFine || !strings.Contains(r.stdout, `"file": "trace.bin"`) {
				t.Fatalf("pull: status %d: %s%s", r.status, r.stdout, r.stderr)
			}
			r = motehound(t, "trace", "decode", "--quiet", "--trace-map", "example:oscilloscope_traced-micaz", "--firmware", "example:oscilloscope_traced-micaz", "trace.bin")
			if r.status != exitFine || !strings.Contains(r.stdout, "BootC__booted path 0") {
				t.Errorf("decode: status %d: %s%s", r.status, r.stdout, r.stderr)
			}
			s.interrupt()
		})
	}
}

// Of one emulated mote, its id need not be known.
func TestTracePullOfOne(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--first-id", "7"}, {"--first-id", "7", "--node", "7"}, nil} {
		r := motehound(t, append([]string{"trace", "pull", "--quiet", "--flash", "--time", "1s", "--board", "micaz", "example:blink_traced"}, args...)...)
		if r.status != exitFine {
			t.Errorf("%v: status %d: %s", args, r.status, r.stderr)
		}
	}
	if r := motehound(t, "trace", "pull", "--quiet", "--flash", "--first-id", "7", "--node", "1", "--board", "micaz", "example:blink_traced"); r.status != exitUsage {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}
