package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// exportFlags are the flags that write files, with the names of those, in a folder.
func exportFlags(folder string) (flags, files []string) {
	for _, x := range [][2]string{{"--perfetto", "a.pftrace"}, {"--vcd", "a.vcd"}, {"--lcov", "a.info"}, {"--cobertura", "a.xml"}, {"--pprof", "a.pprof"},
		{"--pcap", "a.pcapng"}, {"--chart", "a.svg"}} {
		files = append(files, filepath.Join(folder, x[1]))
		flags = append(flags, x[0], files[len(files)-1])
	}
	return flags, files
}

// A replay of run's recipe writes the same exports as the run did.
func TestExportsOfReplay(t *testing.T) {
	t.Parallel()
	first, again, out := t.TempDir(), t.TempDir(), t.TempDir()
	flags, files := exportFlags(first)
	did(t, nil, exitFine, append(append([]string{"run", "--quiet", "--nodes", "2", "--time", "2s", "--var", "CounterC__sent", "--out", out}, flags...), "example:counter")...)
	flags, copies := exportFlags(again)
	did(t, nil, exitFine, append(append([]string{"replay", "--var", "CounterC__sent"}, flags...), filepath.Join(out, "recipe.json"))...)
	for i, name := range files {
		a, err1 := os.ReadFile(name)
		b, err2 := os.ReadFile(copies[i])
		if err1 != nil || err2 != nil || len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes of the run, %d of its replay: %v %v", filepath.Base(name), len(a), len(b), err1, err2)
		}
	}
}

// A finding of check and one of symbolic are exported, too, and still proven.
func TestExportsOfFindings(t *testing.T) {
	t.Parallel()
	for _, find := range [][]string{
		{"check", "--quiet", "--budget", "0", "--any-order", "--mode", "walk", readingsScenario},
		{"symbolic", "--quiet", "--budget", "0", "--time", "700ms", "--set", "unknown=True", gateway(t)},
	} {
		t.Run(find[0], func(t *testing.T) {
			t.Parallel()
			out, folder := t.TempDir(), t.TempDir()
			did(t, nil, exitFound, append([]string{find[0], "--out", out}, find[1:]...)...)
			recipes, err := filepath.Glob(filepath.Join(out, "finding-*.json"))
			if err != nil || len(recipes) == 0 {
				t.Fatalf("no recipe: %v", err)
			}
			flags, files := exportFlags(folder)
			did(t, nil, exitFine, append(append([]string{"replay"}, flags...), recipes[0])...)
			for _, name := range files {
				if s, err := os.Stat(name); err != nil || s.Size() == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// What cannot be written is refused before the run.
func TestExportsRefused(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "missing", "a.vcd")
	r := motehound(t, "run", "--time", "1000h", "--vcd", nowhere, "example:blink")
	if r.status != exitUsage || !strings.Contains(r.stderr, "--vcd: ") || !strings.Contains(r.stderr, nowhere) {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	r = motehound(t, "run", "--time", "1000h", "--perfetto", filepath.Join(t.TempDir(), "a"), "--var", "RelayC__delivered", "example:relay")
	if r.status != exitUsage || !strings.Contains(r.stderr, "RelayC__delivered is no number: name one of its fields or elements, such as RelayC__delivered[0]") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// The energy of a run is that of its replay, adds up, and does not change the run; where it is not known it is refused.
func TestEnergy(t *testing.T) {
	t.Parallel()
	type document struct {
		Hash   string `json:"hash"`
		Energy []struct {
			States []struct {
				EnergyMJ float64 `json:"energy_mj"`
			} `json:"states"`
			TotalMJ float64 `json:"total_mj"`
		} `json:"energy"`
	}
	out := t.TempDir()
	args := []string{"run", "--json", "--nodes", "2", "--time", "2s", "--out", out, "example:counter"}
	var plain, run, again document
	did(t, &plain, exitFine, args...)
	did(t, &run, exitFine, append(args, "--energy")...)
	did(t, &again, exitFine, "replay", "--json", "--energy", filepath.Join(out, "recipe.json"))
	if plain.Hash != run.Hash || plain.Energy != nil || len(run.Energy) != 2 || !reflect.DeepEqual(run, again) {
		t.Errorf("%+v, with energy %+v, and again %+v", plain, run, again)
	}
	for _, m := range run.Energy {
		sum := 0.0
		for _, s := range m.States {
			sum += s.EnergyMJ
		}
		if m.TotalMJ < 50 || math.Abs(sum-m.TotalMJ) > 1e-6 { // the radio listens for about 2 s with 18.8 mA at 3 V
			t.Errorf("%+v", m)
		}
	}
	if r := motehound(t, "run", "--energy", "example:serial-uno"); r.status != exitUsage || !strings.Contains(r.stderr, "--energy: ") {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}
