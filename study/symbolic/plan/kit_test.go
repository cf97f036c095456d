package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// built is testdata/values.c for a MicaZ, in a folder of its own.
func built(t testing.TB) string {
	t.Helper()
	elf := filepath.Join(t.TempDir(), "values.elf")
	out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-o", elf, "testdata/values.c").CombinedOutput()
	if err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	return elf
}

func imageOf(t testing.TB, elf string) *image.Image {
	t.Helper()
	data, err := os.ReadFile(elf)
	if err != nil {
		t.Fatal(err)
	}
	im, err := image.Parse(elf, data)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// loaded is a scenario with one mote, or several, that run a firmware; more is the rest of its text.
func loaded(t testing.TB, elf, more string) (*scenario.Scenario, error) {
	t.Helper()
	if !strings.Contains(more, "network(") {
		more = "network(motes = [mote(id = 1, board = \"micaz\", firmware = elf)])\nrun(time = \"20ms\")\n" + more
	}
	name := filepath.Join(t.TempDir(), "a.star")
	if err := os.WriteFile(name, []byte("elf = \""+elf+"\"\n"+more), 0o644); err != nil {
		t.Fatal(err)
	}
	return scenario.Load(name, scenario.Options{})
}

// planned is a plan of such a scenario.
func planned(t testing.TB, elf, more string, opt Options) (*Plan, error) {
	t.Helper()
	sc, err := loaded(t, elf, more)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := sc.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := sc.World(rec, os.ReadFile)
	if err != nil {
		return nil, err
	}
	return New(sc, rec, w.Config(), opt)
}

// explored is what a scenario comes to.
func explored(t testing.TB, elf, more string, opt Options) *Result {
	t.Helper()
	p, err := planned(t, elf, more, opt)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Explore(os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// names lists the findings' properties.
func names(r *Result) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.Property)
	}
	return list
}

// again makes the run of a recipe again, from the file, and reports whether the same goes wrong and it ends the same.
func again(t testing.TB, rec *recipe.Recipe, sc *scenario.Scenario) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recipe.json")
	if err := rec.Write(file); err != nil {
		t.Fatal(err)
	}
	read, err := recipe.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := read.World(os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	differs, err := Rerun(w, read, sc, nil)
	if err != nil {
		t.Fatal(err)
	}
	return len(differs) == 0 && w.Hash().String() == rec.Hash
}
