package world_test

import (
	"path/filepath"
	"slices"
	"testing"

	"motehound/examples"
	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world"
	"motehound/world/medium"
)

// TestWaits runs every example, and programs that wait in loops, with iterations of such loops skipped and not: alone or as a few motes, with their
// blocks counted. The states are the same at several moments, and so are the counts.
func TestWaits(t *testing.T) {
	for n, f := range examples.All {
		if testing.Short() && n%4 != 0 {
			continue
		}
		t.Run(f.File(), func(t *testing.T) { waits(t, testkit.Kind(t, f)) })
	}
	for name, b := range map[string]*board.Board{"delay": &board.Uno, "echo": &board.Uno, "events": &board.MicaZ} {
		t.Run(name, func(t *testing.T) {
			elf := filepath.Join(t.TempDir(), "a.elf")
			source := filepath.Join("..", "internal", "bench", "testdata", "waiting", name+".c")
			if out, err := need.Command(t, "avr-gcc", "-mmcu="+b.Chip.Name, "-Os", "-std=gnu99", "-o", elf, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			im, err := image.Load(elf)
			if err != nil {
				t.Fatal(err)
			}
			if part := waits(t, testkit.On(t, b, im)); part < 0.95 {
				t.Errorf("only %.2f of the instructions were skipped", part)
			}
		})
	}
}

// waits compares runs with and without skipping, and is which part of the instructions was skipped.
func waits(t *testing.T, k *mote.Kind) (part float64) {
	t.Helper()
	motes := 1
	if k.Board.Radio != nil {
		motes = 3
	}
	var runs [2]*world.World
	for i := range runs {
		runs[i] = testkit.Network(t, k, motes, medium.Full(motes, -60, 0.1), world.Config{Stagger: 1000}, 1)
		runs[i].Observe(world.Observer{BlocksAt: blocksOf})
		for _, m := range runs[i].Motes() {
			m.SkipWaits(i == 0)
		}
	}
	for _, ms := range []uint64{3, 100, 333, 1200} {
		for _, w := range runs {
			w.RunUntil(ms * world.Millisecond)
		}
		if runs[0].Hash() != runs[1].Hash() {
			t.Fatalf("the states differ after %d ms", ms)
		}
		for i := range motes {
			if !slices.Equal(runs[0].Counts(i).N, runs[1].Counts(i).N) {
				t.Fatalf("the counts of mote %d differ after %d ms", i, ms)
			}
		}
	}
	var skipped, all uint64
	for _, m := range runs[0].Motes() {
		skipped, all = skipped+m.Skipped(), all+m.Core().Instructions
	}
	return float64(skipped) / float64(all)
}

func blocksOf(k *mote.Kind) (at []uint32) {
	for _, b := range cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1).Whole() {
		at = append(at, b.Start)
	}
	return at
}
