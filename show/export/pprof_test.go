package export

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"motehound/show/chart"
)

// go tool pprof reads the profile: every cycle of every mote is in it, inlined functions are in the locations of those around them.
func TestPprof(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	raw, err := exec.Command("go", "tool", "pprof", "-raw", x.files.Pprof).Output()
	if err != nil {
		t.Fatal(err)
	}
	body, locations, _ := strings.Cut(string(raw), "\nLocations\n")
	_, body, _ = strings.Cut(body, "\nSamples:\n")
	sample, label := regexp.MustCompile(`^\s*(\d+)\s+(\d+): [\d ]+$`), regexp.MustCompile(`^\s+mote:\[(.*)\]$`)
	spent := map[string][2]uint64{}
	var cycles, slept uint64
	for _, line := range strings.Split(body, "\n") {
		if m := sample.FindStringSubmatch(line); m != nil {
			cycles, _ = strconv.ParseUint(m[1], 10, 64)
			slept, _ = strconv.ParseUint(m[2], 10, 64)
		} else if m := label.FindStringSubmatch(line); m != nil {
			was := spent[m[1]]
			spent[m[1]] = [2]uint64{was[0] + cycles, was[1] + slept}
		}
	}
	for i, m := range x.w.Motes() {
		got := spent["mote "+strconv.Itoa(i)]
		if want := [2]uint64{m.Cycles() - m.SleepCycles(), m.SleepCycles()}; got != want {
			t.Errorf("mote %d: cycles awake and asleep are %v, not %v", i, got, want)
		}
	}
	if !regexp.MustCompile(`(?m)^\s+\d+: 0x\w+ .*SchedulerBasicP\.popTask .*\n\s+SchedulerBasicP\.`).MatchString(locations) {
		t.Errorf("popTask is not inlined anywhere:\n%s", locations)
	}
	top, err := exec.Command("go", "tool", "pprof", "-top", x.files.Pprof).Output()
	if err != nil || !strings.Contains(string(top), "Type: cycles") || !strings.Contains(string(top), "SchedulerBasicP.popTask (inline)") {
		t.Errorf("%v\n%s", err, top)
	}
}

// The chart has an arrow for each reception, whatever its form.
func TestChart(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	text, err := os.ReadFile(x.files.Chart)
	if err != nil {
		t.Fatal(err)
	}
	heard := 0
	for i := range x.w.Motes() {
		heard += int(x.w.FramesReceived(i))
	}
	if n := strings.Count(string(text), "►│") + strings.Count(string(text), "│◄"); n != heard || heard < 20 {
		t.Errorf("%d arrows for %d receptions:\n%s", n, heard, text)
	}
	c := &chart.Chart{Columns: []string{"a <&> b", "mote 2"}, Rows: []chart.Row{
		{Number: 1, Mote: 1, From: 0, Class: "frame", Title: "18 bytes"}, {Number: 2, Mote: 0, From: 1, Class: "frame", Lost: true, Title: "lost"}}}
	var svg strings.Builder
	if err := Chart(&svg, "x.SVG", c); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(svg.String(), "<svg") || strings.Count(svg.String(), " z\"") != 1 || !strings.Contains(svg.String(), "a &lt;&amp;&gt; b") {
		t.Errorf("%s", svg.String())
	}
	file := x.folder + "/chart-test.svg"
	if err := os.WriteFile(file, []byte(svg.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("xmllint", "--noout", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
