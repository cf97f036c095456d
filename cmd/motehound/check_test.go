package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/internal/cases"
	"motehound/job/document"
	"motehound/show/text"
	"motehound/study/check"
	"motehound/study/verdict"
)

const readingsScenario = "../../examples/readings/readings.star"

// fixedReadings is the scenario with the build that has no bug, in a folder of its own.
func fixedReadings(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(readingsScenario)
	if err != nil {
		t.Fatal(err)
	}
	elf, err := filepath.Abs("../../examples/elf")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(text), `build = ""`, `build = "_fixed"`, 1)
	own = strings.Replace(own, `"../elf/`, fmt.Sprintf(`"%s/`, elf), 1)
	name := filepath.Join(t.TempDir(), "fixed.star")
	if err := os.WriteFile(name, []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// withoutFaults is a scenario in which nothing fails.
func withoutFaults(t *testing.T, name string) string {
	t.Helper()
	return changed(t, name, "lose(max = 2)", "")
}

// changed is a scenario with another text in one place, beside the old one.
func changed(t *testing.T, name, old, text string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q", name, old)
	}
	other := strings.TrimSuffix(name, ".star") + fmt.Sprintf("-%d.star", len(old)*100+len(text))
	if err := os.WriteFile(other, []byte(strings.Replace(string(data), old, text, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return other
}

func checkJSON(t *testing.T, status int, args ...string) document.Checked {
	t.Helper()
	r := motehound(t, append([]string{"check", "--json"}, args...)...)
	var d document.Checked
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || r.status != status {
		t.Fatalf("exit status %d, %v\n%s%s", r.status, err, r.stdout, r.stderr)
	}
	return d
}

// What package cases calls the defaults are those of the flags.
func TestCheckDefaults(t *testing.T) {
	cmd := checkCommand()
	value := func(name string) string { return cmd.Flags().Lookup(name).DefValue }
	want := cases.Defaults()
	for name, is := range map[string]any{
		"mode": want.Mode, "reduce": want.Search.Reduce, "depth": want.Search.Depth, "events": want.Walk.Events, "walks": want.Walk.Walks,
		"threshold": want.Walk.Threshold, "prefix": want.Walk.Prefix, "all": !want.Walk.First, "steady": want.Steady, "seed": want.Seed,
	} {
		if value(name) != fmt.Sprint(is) {
			t.Errorf("--%s is %s, not %v", name, value(name), is)
		}
	}
}

// A bug is found, explained and kept; the recipe gives the same run.
func TestCheckFinding(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "kept")
	d := checkJSON(t, exitFound, "--out", out, "--budget", "0", "--any-order", readingsScenario)
	if d.Verdict != "violated" || d.Explored.Events == 0 || d.Explored.States == 0 || d.Explored.Walks == 0 || d.Search == nil ||
		d.Search.Depth != 12 || !d.Search.Complete || d.Search.Reduction != "dynamic" {
		t.Errorf("%+v", d)
	}
	if len(d.Findings) != 1 {
		t.Fatalf("%d findings", len(d.Findings))
	}
	f := d.Findings[0]
	if f.Property != "memory: bounds" || f.Kind != "safety" || f.Mote != 1 || f.Function != "ReadingsC.readDone" || f.Line == 0 ||
		!strings.HasSuffix(f.File, "readings.c") || f.Minimised != len(f.Trace) || f.Minimised > f.Events || f.Inputs == nil {
		t.Errorf("%+v", f)
	}
	if f.Minimised > 111 {
		t.Errorf("%d events, where the paper has 111", f.Minimised)
	}
	r := motehound(t, "replay", f.Recipe)
	if r.status != exitFine || !strings.Contains(r.stdout, "the same run") || !strings.Contains(r.stdout, "violation") {
		t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	edited := filepath.Join(out, "edited.json")
	data, err := os.ReadFile(f.Recipe)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	explored := doc["explored"].(map[string]any)
	events := explored["events"].([]any)
	explored["events"] = events[:len(events)-1]
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(edited, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := motehound(t, "replay", edited); r.status != exitUsage || !strings.Contains(r.stdout, "NOT the same") || !strings.Contains(r.stderr, "is refused") {
		t.Errorf("replay without the last event: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// People see what broke where, and a chart with a column for each mote.
func TestCheckPrints(t *testing.T) {
	r := motehound(t, "check", "--budget", "0", "--any-order", "--mode", "walk", readingsScenario)
	if r.status != exitFound {
		t.Fatalf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	for _, want := range []string{"1. memory: bounds, mote 1", "in ReadingsC.readDone", "readings.c:", "mote 0", "violation", "violated: 1 finding", "explored: "} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, r.stdout)
		}
	}
}

// In the fixed build nothing is found, and that is all that is said.
func TestCheckUnknown(t *testing.T) {
	fixed := fixedReadings(t)
	d := checkJSON(t, exitFine, "--budget", "0", "--mode", "walk", "--walks", "2", "--events", "2000", fixed)
	if d.Verdict != "unknown" || len(d.Findings) != 0 || d.Findings == nil || d.Explored.Walks != 2 || d.Stopped {
		t.Errorf("%+v", d)
	}
	if d := checkJSON(t, exitFine, "--budget", "0", "--mode", "search", "--depth", "8", withoutFaults(t, fixed)); d.Verdict != "holds" || d.Search.Depth != 8 || d.Explored.Walks != 0 {
		t.Errorf("%+v", d)
	}
}

// Every reduction gives the same verdict.
func TestCheckReduce(t *testing.T) {
	for _, reduce := range []string{"none", "static", "dynamic"} {
		for _, stateless := range []string{"--stateless", "--stateless=false"} {
			d := checkJSON(t, exitFine, "--budget", "0", "--mode", "search", "--depth", "6", "--reduce", reduce, stateless, withoutFaults(t, fixedReadings(t)))
			if d.Verdict != "holds" || d.Search.Reduction != reduce {
				t.Errorf("%s: %+v", reduce, d)
			}
		}
	}
}

func TestCheckBadInput(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.star")
	if err := os.WriteFile(bad, []byte("network(motes = [nobody])\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		want string
		args []string
	}{
		{"walk, search, both", []string{"--mode", "crawl", readingsScenario}},
		{"none, static", []string{"--reduce", "some", readingsScenario}},
		{"bad.star:1", []string{bad}},
		{"--threads", []string{"--threads", "0", readingsScenario}},
		{"depth", []string{"--mode", "search", "--depth", "-1", readingsScenario}},
		{"--out", []string{"--resume", readingsScenario}},
		{"there is no", []string{"--resume", "--out", t.TempDir(), readingsScenario}},
		{"nowhere.star", []string{"nowhere.star"}},
		{"example:counter", nil},
	} {
		r := motehound(t, append([]string{"check"}, x.args...)...)
		if r.status != exitUsage || !strings.Contains(r.stderr, x.want) || r.stdout != "" {
			t.Errorf("%q: exit status %d\n%s%s", x.args, r.status, r.stdout, r.stderr)
		}
	}
}

// causes are what a document's findings are about.
func causes(d document.Checked) []string {
	var list []string
	for _, f := range d.Findings {
		list = append(list, fmt.Sprintf("%s %s:%d", f.Property, f.File, f.Line))
	}
	slices.Sort(list)
	return list
}

// Whatever ends the process, what was reported is kept, and --resume goes on to the end that there would have been.
func TestCheckKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	args := []string{"--mode", "walk", "--all", "--any-order", "--walks", "8", "--events", "3000", "--shorten", "5000", "--budget", "0", "--threads", "1",
		"../../examples/dissem/dissem.star"}
	whole := causes(checkJSON(t, exitFound, append([]string{"--out", filepath.Join(t.TempDir(), "whole")}, args...)...))
	if len(whole) == 0 {
		t.Fatal("nothing is found")
	}
	for _, records := range []int{1, 2, 4, 9} {
		t.Run(fmt.Sprint(records), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "kept")
			told := killed(t, filepath.Join(out, "check.log"), records, append([]string{"check", "--out", out}, args...))
			log, err := check.OpenLog(filepath.Join(out, "check.log"))
			if err != nil {
				t.Fatal(err)
			}
			kept := log.Findings()
			log.Close()
			if len(kept) < told {
				t.Errorf("%d findings were reported, but only %d are kept", told, len(kept))
			}
			d := checkJSON(t, exitFound, append([]string{"--resume", "--out", out}, args...)...)
			if got := causes(d); !slices.Equal(got, whole) || d.Explored.Walks != 8 {
				t.Errorf("resumed: %q after %d walks, not %q", got, d.Explored.Walks, whole)
			}
		})
	}
}

// killed starts motehound and kills it when its log has so many records, or it has ended. It tells how many findings were reported.
func killed(t *testing.T, log string, records int, args []string) int {
	t.Helper()
	c := command(t, args...)
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan int)
	go func() {
		text, _ := io.ReadAll(errs) // until it is killed
		ended <- strings.Count(string(text), "found after")
	}()
	for told := -1; ; {
		data, _ := os.ReadFile(log) // which is not there at first
		if strings.Count(string(data), "\n") >= records {
			_ = c.Process.Kill()
			told = <-ended
		} else {
			select {
			case told = <-ended:
			case <-time.After(time.Millisecond): // how often to look; nothing is concluded from it
				continue
			}
		}
		_ = c.Wait()
		return told
	}
}

// An interrupt ends it, with what is known.
func TestCheckInterrupted(t *testing.T) {
	c := command(t, "check", "--json", "--mode", "walk", "--all", "--budget", "0", "--any-order", readingsScenario)
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	for lines.Scan() && !strings.Contains(lines.Text(), "found after") {
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, errs)
	var d document.Checked
	if err := json.NewDecoder(out).Decode(&d); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if status := c.ProcessState.ExitCode(); status != exitStopped || !d.Stopped || len(d.Findings) == 0 || !slices.Contains(d.LeftOut, verdict.Interrupted) {
		t.Errorf("exit status %d: %+v", status, d)
	}
}

// Whoever reads a long trace is told whether it is as short as it can be.
func TestCheckSaysThatShorteningWasGivenUp(t *testing.T) {
	for minimal, want := range map[bool]string{true: "none of which can be left out", false: "shortening was cut short, fewer may be enough"} {
		var out strings.Builder
		text.Finding(&out, 1, &document.Found{Property: "p", Mote: -1, Events: 900, Minimised: 800, Minimal: minimal}, false)
		if !strings.Contains(out.String(), "800 events (900 when it was found)") || !strings.Contains(out.String(), want) {
			t.Errorf("minimal is %v: %q has no %q", minimal, &out, want)
		}
	}
}
