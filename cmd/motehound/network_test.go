package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A client of TinyOS's serial forwarder hears a mote and sends to it: both sides greet with "U " (version 2 of the
// protocol), then packets go both ways, each behind its length.
func TestSerialForwarder(t *testing.T) {
	out := t.TempDir()
	s := start(t, "run", "--serial", "1=sf:0", "--time", "100h", "--json", "--out", out, "example:serial")
	addr := s.await("serial 1: sf@")
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	greeting := make([]byte, 2)
	if _, err := c.Write([]byte("U ")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, greeting); err != nil || string(greeting) != "U " {
		t.Fatalf("greeted with %q, %v", greeting, err)
	}
	packet := func() []byte {
		t.Helper()
		length := make([]byte, 1)
		if _, err := io.ReadFull(c, length); err != nil {
			t.Fatal(err)
		}
		p := make([]byte, length[0])
		if _, err := io.ReadFull(c, p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	// The first that it sends by itself is its count: dispatch, dest, src, length, group, type, data.
	if got, want := packet(), []byte{0, 0xFF, 0xFF, 0, 1, 2, 0x22, 9, 0, 1}; !bytes.Equal(got, want) {
		t.Errorf("heard % x, want % x", got, want)
	}
	ask := []byte{0, 0, 1, 0, 7, 2, 0x22, 9, 0x7E, 5} // from 7 to 1, with a byte that framing must escape
	if _, err := c.Write(append([]byte{byte(len(ask))}, ask...)); err != nil {
		t.Fatal(err)
	}
	echo := []byte{0, 0, 7, 0, 1, 2, 0x22, 9, 0x7E, 5}
	for got := packet(); !bytes.Equal(got, echo); got = packet() {
		if got[7] != 9 || got[1] != 0xFF {
			t.Fatalf("heard % x, want the echo % x or a count", got, echo)
		}
	}
	r := s.interrupt()
	if r.status != exitStopped {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	if leds := r.report(t).Motes[0].LEDs; leds != 5 {
		t.Errorf("got LEDs %03b, want 101", leds)
	}
	replays(t, out)
}

// Motes on the air: the report counts frames, the recipe has the links, the run can be made again.
func TestTopologies(t *testing.T) {
	out := t.TempDir()
	doc := runJSON(t, "--nodes", "3", "--topology", "line", "--time", "5s", "--out", out, "example:counter-micaz")
	if n := len(doc.Recipe.Links); n != 4 {
		t.Errorf("%d links in a line of three, want 4", n)
	}
	for _, m := range doc.Motes {
		want := 1
		if m.ID == 1 {
			want = 2
		}
		if m.FramesSent < 15 || m.FramesReceived < want*m.FramesSent*8/10 || m.FramesReceived > want*(m.FramesSent+2) {
			t.Errorf("mote %d sent %d frames and heard %d", m.ID, m.FramesSent, m.FramesReceived)
		}
	}
	replays(t, out)

	if doc := runJSON(t, "--nodes", "3", "--topology", "none", "--time", "3s", "example:counter-micaz"); doc.Motes[0].FramesReceived != 0 {
		t.Error("motes hear each other without a topology")
	}
	gains := write(t, "gains.txt", "gain 0 1 -50.0\ngain 1 0 -55.5\nnoise 0 -105.0 4.0\n")
	doc = runJSON(t, "--nodes", "3", "--topology", gains, "--time", "3s", "example:counter-micaz")
	if len(doc.Recipe.Links) != 2 || doc.Recipe.Links[1].Gain != -55.5 || doc.Motes[2].FramesReceived != 0 || doc.Motes[0].FramesReceived == 0 {
		t.Errorf("with a file of gains: links %v, heard %d, %d, %d", doc.Recipe.Links,
			doc.Motes[0].FramesReceived, doc.Motes[1].FramesReceived, doc.Motes[2].FramesReceived)
	}
	for _, args := range []string{"--topology ring", "--topology line --loss 2", "--topology line --gain 5", "--stagger -1s", "--pcap /nonexistent/x"} {
		r := motehound(t, append([]string{"run", "--nodes", "2", "example:counter-micaz"}, strings.Fields(args)...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, strings.Fields(args)[len(strings.Fields(args))-2]) && !strings.Contains(r.stderr, "--topology") {
			t.Errorf("%s: exit status %d\n%s", args, r.status, r.stderr)
		}
	}
}

// The air is kept for Wireshark.
func TestPcap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "air.pcapng")
	runJSON(t, "--nodes", "2", "--time", "3s", "--pcap", file, "example:counter-micaz")
	b, err := os.ReadFile(file)
	if err != nil || len(b) < 500 || !bytes.HasPrefix(b, []byte{0x0A, 0x0D, 0x0D, 0x0A}) {
		t.Errorf("%d bytes, %v: want a pcapng file", len(b), err)
	}
}

// A property that cannot be evaluated is reported once, with its place. The others are looked at as ever.
func TestDroppedProperties(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.star")
	elf, err := filepath.Abs("../../examples/elf/blink-micaz.elf")
	if err != nil {
		t.Fatal(err)
	}
	script := `network(motes = [mote(id = 1, board = "micaz", firmware = "` + elf + `")])
def deep(n):
    t = (1,)
    for i in range(100): t = (t, t)
    return {t: 1} != {}
def forever(n):
    while True: pass
always("deep", each(deep))
always("forever", each(forever))
always("wrong", each(lambda n: n.leds == 99))
run("20ms")
`
	if err := os.WriteFile(name, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	r := motehound(t, "run", "--json", name)
	doc := r.report(t)
	if r.status != exitFound || len(doc.Dropped) != 2 || len(doc.Violations) != 1 || doc.Violations[0].Property != "wrong" {
		t.Fatalf("status %d, dropped %v, violations %v", r.status, doc.Dropped, doc.Violations)
	}
	for i, want := range []string{name + ":5:14: ", "takes more than 2000000 steps"} {
		if d := doc.Dropped[i]; !strings.Contains(d.Error, want) || !strings.HasPrefix(d.Where, name+":") {
			t.Errorf("%+v, want %q", d, want)
		}
	}
	if r := motehound(t, "run", name); strings.Count(r.stdout, "could not be evaluated") != 2 {
		t.Errorf("told otherwise than once:\n%s", r.stdout)
	}
}

// What no network has is refused, whatever the number of motes.
func TestNetworkFlags(t *testing.T) {
	for _, nodes := range []string{"1", "3"} {
		for _, c := range [][]string{{"--loss", "7", "between 0 and 1"}, {"--loss", "inf", "between 0 and 1"}, {"--loss", "nan", "between 0 and 1"}, {"--loss", "-0.1", "between 0 and 1"},
			{"--gain", "500", "from -300 to 0"}, {"--gain", "nan", "from -300 to 0"}, {"--topology", "a=b=c", "unknown topology"}, {"--topology", "/dev/null", "device"}} {
			r := motehound(t, "run", "--time", "1ms", "--nodes", nodes, c[0], c[1], "example:counter")
			if r.status != exitUsage || !strings.Contains(r.stderr, c[2]) {
				t.Errorf("--nodes %s %v: status %d\n%s", nodes, c, r.status, r.stderr)
			}
		}
	}
	if r := motehound(t, "run", "--time", "1ms", "--nodes", "10001", "example:counter"); r.status != exitUsage || !strings.Contains(r.stderr, "1 to 10000") {
		t.Errorf("10001 motes: status %d\n%s", r.status, r.stderr)
	}
}

// One that could be evaluated at first, and then not, keeps check and symbolic from saying that all holds.
func TestDroppedLater(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a.star")
	elf, err := filepath.Abs("../../examples/elf/counter-micaz.elf")
	if err != nil {
		t.Fatal(err)
	}
	script := `network(motes = [mote(id = i, board = "micaz", firmware = "` + elf + `") for i in range(2)], links = line(2))
always("late", lambda net: [True][0 if net[0].var("CounterC__sent") == 0 else 1])
run("2s")
`
	if err := os.WriteFile(name, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", "--budget", "0", "--walks", "2", "--events", "200", "--depth", "2", "--threads", "1", name},
		{"check", "--budget", "0", "--walks", "2", "--events", "200", "--depth", "2", "--threads", "2", name},
		{"symbolic", "--budget", "0", name},
	} {
		r := motehound(t, args...)
		if r.status != exitFine || !strings.Contains(r.stdout, "unknown: ") || strings.Count(r.stdout+r.stderr, name+`:2:34: property "late"`) != 1 {
			t.Errorf("%v: status %d\n%s%s", args, r.status, r.stdout, r.stderr)
		}
	}
	var told [3][]string
	for threads := range told {
		var d judged
		r := motehound(t, "check", "--json", "--budget", "0", "--walks", "6", "--events", "200", "--depth", "4", "--threads", fmt.Sprint(1+threads), name)
		if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		if told[threads] = d.LeftOut; !slices.Equal(d.LeftOut, told[0]) {
			t.Errorf("with %d threads %q is left out, with one %q", 1+threads, d.LeftOut, told[0])
		}
	}
}
