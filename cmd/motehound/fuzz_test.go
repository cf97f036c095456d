package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/job/document"
)

// fuzzed is what fuzz says of a firmware.
func fuzzed(t *testing.T, args ...string) document.Fuzzed {
	t.Helper()
	r := motehound(t, append([]string{"fuzz", "--json", "--budget", "0"}, args...)...)
	var d document.Fuzzed
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, r.stdout, r.stderr)
	}
	if want := map[bool]int{true: exitFound, false: exitFine}[d.Verdict == document.Violated]; r.status != want {
		t.Errorf("%v: exit status %d with the verdict %s", args, r.status, d.Verdict)
	}
	return d
}

// Fuzz finds out where the firmware listens, makes up what breaks it, with nothing in it that does not matter, and keeps a recipe that replays.
func TestFuzzFinds(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	d := fuzzed(t, "--total", "100000", "--out", out, "example:overrun")
	if d.Verdict != document.Violated || len(d.Findings) == 0 || len(d.Listens) != 1 || !strings.Contains(d.Listens[0], "serial line 0") {
		t.Fatalf("verdict %s, %d findings, listens %q", d.Verdict, len(d.Findings), d.Listens)
	}
	for _, x := range d.Findings[1:] {
		if x.With != 1 { // what it reads behind the buffer in the same transition, it has written there
			t.Errorf("%s in %s is found, too", x.Property, x.Function)
		}
	}
	f := d.Findings[0]
	if !f.Minimal || f.Minimised != 18 || len(f.Inputs) != 1 || strings.Count(f.Inputs[0], " 00") != 17 {
		t.Errorf("%d events, minimal %t, inputs %q", f.Minimised, f.Minimal, f.Inputs)
	}
	if r := motehound(t, "replay", filepath.Join(out, "finding-1.json")); r.status != exitFine {
		t.Errorf("replay: %s%s", r.stdout, r.stderr)
	}
	if d := fuzzed(t, "--total", "100000", "example:overrun_fixed"); d.Verdict != document.Unknown || len(d.Findings) > 0 || d.Inputs < 100 {
		t.Errorf("without the bug: verdict %s, %d findings after %d inputs", d.Verdict, len(d.Findings), d.Inputs)
	}
}

// The number of threads makes no difference, another seed does.
func TestFuzzIsDeterministic(t *testing.T) {
	t.Parallel()
	trace := func(args ...string) string {
		d := fuzzed(t, append(args, "--total", "30000", "--all", "example:overrun")...)
		var all []string
		for _, f := range d.Findings {
			all = append(all, f.Property, f.Detail, strings.Join(f.Inputs, ";"), strings.Join(f.Trace, ";"))
		}
		return strings.Join(all, "\n")
	}
	one := trace("--threads", "1")
	if two := trace("--threads", "3"); one != two || one == "" {
		t.Errorf("one thread:\n%s\nthree:\n%s", one, two)
	}
}

// A run keeps the inputs that led to something new, and those that broke something. They come again without anything being made up: what broke the firmware
// fails, each time the same, and where it is fixed nothing does. They are also what another run begins with.
func TestFuzzCorpus(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	fuzzed(t, "--total", "60000", "--out", out, "example:overrun")
	corpus := filepath.Join(out, "corpus")
	files, err := filepath.Glob(filepath.Join(corpus, "*.json"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files in the corpus, %v", len(files), err)
	}
	again := []string{"--replay-corpus", "--corpus", corpus}
	d := fuzzed(t, append(again, "example:overrun")...)
	if d.Verdict != document.Violated || d.Replayed != len(files) || !slices.Contains(d.Failing, "finding-1.json") || len(d.Findings) == 0 {
		t.Errorf("%s: %d of %d files came, %q failed, %d findings", d.Verdict, d.Replayed, len(files), d.Failing, len(d.Findings))
	}
	e := fuzzed(t, append(again, "example:overrun")...)
	if !slices.Equal(d.Failing, e.Failing) || d.Explored != e.Explored || !slices.Equal(d.Findings[0].Trace, e.Findings[0].Trace) {
		t.Errorf("the second time %q failed in %+v, the first time %q in %+v", e.Failing, e.Explored, d.Failing, d.Explored)
	}
	if d := fuzzed(t, append(again, "example:overrun_fixed")...); d.Verdict != document.Unknown || d.Replayed != len(files) || len(d.Failing) > 0 {
		t.Errorf("without the bug: %s, %d files came, %q failed", d.Verdict, d.Replayed, d.Failing)
	}
	if d := fuzzed(t, "--total", "1000", "--corpus", corpus, "example:overrun_fixed"); d.Seeds < 3 {
		t.Errorf("%d seeds of %d files", d.Seeds, len(files))
	}
	// One input in a file, with a name that says where it comes in.
	plain := t.TempDir()
	if err := os.WriteFile(filepath.Join(plain, "serial-long"), append([]byte{60}, make([]byte, 60)...), 0o666); err != nil {
		t.Fatal(err)
	}
	if d := fuzzed(t, "--replay-corpus", "--corpus", plain, "example:overrun"); !slices.Equal(d.Failing, []string{"serial-long"}) {
		t.Errorf("%q failed", d.Failing)
	}
	if r := motehound(t, "fuzz", "--replay-corpus", "example:overrun"); r.status != exitUsage || !strings.Contains(r.stderr, "--corpus") {
		t.Errorf("without a corpus: status %d, %s", r.status, r.stderr)
	}
	if err := os.WriteFile(filepath.Join(plain, "bad.json"), []byte(`{"inputs": [{"kind": "smell", "hex": "00"}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := motehound(t, "fuzz", "--replay-corpus", "--corpus", plain, "example:overrun"); r.status != exitUsage || !strings.Contains(r.stderr, "bad.json") {
		t.Errorf("with a bad file: status %d, %s", r.status, r.stderr)
	}
}
