package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A frame from outside is heard by every mote whose radio listens, when it is said.
func TestFrameFlag(t *testing.T) {
	heard := func(flags ...string) any {
		doc := runJSON(t, append(flags, "--time", "1s", "--var", "CounterC__heard", "example:counter-micaz")...)
		return doc.Vars[0].Value
	}
	none, once, twice, before := heard(), heard("--frame", "am:6:0005"), heard("--frame", "am:6:0005@500ms", "--frame", "hex:4188 02ffff ffff feff 3f 06 0007@600ms"), heard("--frame", "am:6:0005@0s")
	if none != 0.0 || once != 1.0 || twice != 2.0 || before != 0.0 {
		t.Errorf("heard %v without a frame, %v with one, %v with two, %v before the radio is on", none, once, twice, before)
	}
	for _, c := range [][]string{
		{"such as am:6:0001", "run", "--frame", "6", "example:counter-micaz"},
		{"such as @500ms", "run", "--frame", "am:6:0005@soon", "example:counter-micaz"},
		{"only symbolic", "run", "--frame", "am:6:??05", "example:counter-micaz"},
		{"only if there is one mote", "symbolic", "--nodes", "2", "--frame", "am:6:??05", "example:counter-micaz"},
		{"0 to 255", "run", "--frame", "am:300:00", "example:counter-micaz"},
		{"makes its own frames", "run", "--frame", "am:6:0005", "example:counter-mica2"},
		{"has no radio", "check", "--frame", "am:6:0005", "example:ring"},
		{"the scenario sets that", "run", "--frame", "am:6:0005", "../../examples/readings/readings.star"},
	} {
		if r := motehound(t, c[1:]...); r.status != exitUsage || !strings.Contains(r.stderr, c[0]) {
			t.Errorf("%v: exit status %d\n%s", c[1:], r.status, r.stderr)
		}
	}
}

// A scenario has frames from outside, too: as bytes, or as a message.
func TestFrameInScenario(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "heard.star")
	elf, err := os.ReadFile("../../examples/elf/counter-micaz.elf")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "counter.elf"), elf, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	text := `network(motes = [mote(board = "micaz", firmware = "counter.elf")] * 2)
frame(mote = 1, at = "500ms", am = 6, data = [0, 5])
at("600ms", frame(mote = 1, data = b"\x41\x88\x02\xff\xff\xff\xff\xfe\xff\x3f\x06\x00\x07"))
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	doc := runJSON(t, "--time", "1s", "--var", "0.CounterC__heard", "--var", "1.CounterC__heard", file)
	if doc.Vars[0].Value != 0.0 || doc.Vars[1].Value != 2.0 {
		t.Errorf("mote 0 has heard %v frames, mote 1 %v", doc.Vars[0].Value, doc.Vars[1].Value)
	}
}

// Check chooses when it comes, and shows it.
func TestFrameChecked(t *testing.T) {
	scene := []string{"--budget", "0", "--mode", "search", "--depth", "10", "example:counter-micaz"}
	without, with := checkJSON(t, exitFine, scene...), checkJSON(t, exitFine, append(scene, "--frame", "am:6:0005")...)
	if with.Explored.States <= without.Explored.States {
		t.Errorf("%d states with a frame, %d without", with.Explored.States, without.Explored.States)
	}
	if len(without.LeftOut) != len(with.LeftOut)+1 {
		t.Errorf("left out with a frame %q, without %q", with.LeftOut, without.LeftOut)
	}
}
