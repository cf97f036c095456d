package calltree_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/observe/calltree"
	"motehound/observe/intervals"
	"motehound/world"
)

// A round of a main loop is an instance with what it called, also if rounds that do nothing are skipped.
func TestRounds(t *testing.T) {
	elf := filepath.Join(t.TempDir(), "a.elf")
	if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-Os", "-gdwarf-4", "-o", elf, "../lifecycle/testdata/rounds.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	for _, byStart := range []bool{false, true} {
		var all [2][]string
		for n := range all {
			cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(t, &board.Uno, im)}}}
			for i := range uint64(9) {
				cfg.Serial = append(cfg.Serial, world.Serial{At: (i + 1) * world.Second / 7, Bytes: []byte{uint8(i)}})
			}
			w := testkit.World(t, cfg, world.Natural{Seed: 1})
			m := w.Motes()[0]
			m.SkipWaits(n == 0)
			touched := func(x calltree.Touch) { all[n] = append(all[n], fmt.Sprintf("%+v", x)) }
			got, h := watch(t, w, 2*world.Second, calltree.Options{ByStart: byStart, Touched: touched})
			if s := h.Stats(); s != (calltree.Stats{}) {
				t.Errorf("%+v", s)
			}
			trees := map[string]int{}
			for _, x := range got {
				tree := strings.Join(strings.Fields(outline(x.Tree.Calls[0]).String()), " ")
				if all[n] = append(all[n], fmt.Sprint(tree, x.Vector, x.Number, x.Serial, x.Start, x.End, x.Within)); x.Vector == intervals.LoopVector && x.Complete {
					trees[tree]++
				}
			}
			if trees["main loop blink"] != 7 || trees["main loop answer"] != 9 || len(trees) != 2 {
				t.Errorf("rounds: %v", trees)
			}
			if n == 0 && m.Skipped() < m.Core().Instructions*9/10 {
				t.Errorf("only %d of %d instructions were skipped", m.Skipped(), m.Core().Instructions)
			}
		}
		if !slices.Equal(all[0], all[1]) {
			t.Error("skipping makes a difference")
		}
	}
}
