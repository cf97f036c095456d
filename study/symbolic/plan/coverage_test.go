package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/cfg"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/observe/coverage"
	"motehound/world"
)

// TestCoverage: what is said to be reached is what the outcomes' runs reach, counted by the emulator.
func TestCoverage(t *testing.T) {
	t.Parallel()
	p, err := planned(t, built(t), symbolicInput, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Explore(os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	reached := map[uint32]bool{}
	blocks := func(k *mote.Kind) (list []uint32) {
		for _, b := range cfg.Blocks(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1) {
			list = append(list, b.Start)
		}
		return list
	}
	for _, o := range r.Outcomes {
		rec := *r.Findings[0].Recipe
		rec.Pokes = slices.Clone(rec.Pokes)
		rec.Pokes[0].Hex = o.Inputs[0].Hex
		w, err := rec.World(os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		w.Observe(world.Observer{BlocksAt: blocks})
		w.RunUntil(p.opt.Until)
		for i, n := range w.Counts(0).N {
			if n > 0 {
				reached[blocks(p.cfg.Motes[0].Kind)[i]*2] = true
			}
		}
	}
	for at := range reached {
		if !slices.Contains(r.Blocks[0], at) {
			t.Errorf("%#x is run, but not said to be", at)
		}
	}
	if len(reached) != len(r.Blocks[0]) {
		t.Errorf("%d blocks are run, %d are said to be", len(reached), len(r.Blocks[0]))
	}
	hits := map[string]int{}
	for _, f := range coverage.Reached(p.cfg.Motes, r.Blocks) {
		if !strings.HasSuffix(f.Path, "values.c") {
			continue
		}
		for _, x := range f.Functions {
			hits[x.Name] = x.Hits
		}
		if !slices.IsSortedFunc(f.Lines, func(a, b coverage.Line) int { return a.Line - b.Line }) {
			t.Error("lines are not in order")
		}
	}
	if hits["panic"] != 1 || hits["note"] != 1 || hits["main"] != 1 {
		t.Errorf("%v", hits)
	}
}

// What runs in no block is said to be reached too.
func TestCoverageOutside(t *testing.T) {
	t.Parallel()
	elf := filepath.Join(t.TempDir(), "hidden.elf")
	out, err := need.Command(t, "avr-gcc", "-mmcu=atmega128", "-Os", "-gdwarf-4", "-o", elf, "../../../observe/stray/testdata/hidden.c").CombinedOutput()
	if err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	p, err := planned(t, elf, `symbolic_var(mote = 1, path = "seen", function = "main")`+"\n", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Explore(os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	hidden, _ := imageOf(t, elf).Symbol("hidden")
	for _, at := range []uint32{0, 4, 6, 10} {
		if !slices.Contains(r.Blocks[0], hidden.Addr+at) {
			t.Errorf("%#x is run, but not said to be", hidden.Addr+at)
		}
	}
}
