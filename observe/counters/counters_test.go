package counters_test

import (
	"slices"
	"testing"

	"motehound/firmware/cfg"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/observe/counters"
	"motehound/world"
)

// Counts that overlap, in whatever way, are those of the same stretches counted alone, and counting changes nothing.
func TestOverlaps(t *testing.T) {
	k := testkit.Example(t, "counter", "micaz")
	blocks := func(k *mote.Kind) (at []uint32) {
		for _, b := range cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1).Blocks {
			at = append(at, b.Start)
		}
		return at
	}
	type stretch struct{ from, to uint64 }
	all := []stretch{{0, 9}, {1, 2}, {1, 5}, {3, 9}, {5, 6}, {5, 6}, {6, 9}}
	const tick = world.Second / 7
	count := func(list []stretch) (got [][]uint32) {
		w, plain := testkit.Alone(t, k, 1), testkit.Alone(t, k, 1)
		open := make([]int, len(list))
		got = make([][]uint32, len(list))
		for at := range uint64(10) {
			w.RunUntil(at * tick)
			for i, s := range list {
				c := counters.Of(w, blocks).Mote(0) // everybody may ask for it again
				if s.from == at {
					open[i] = c.Begin()
				}
				if s.to == at {
					got[i] = slices.Clone(c.End(open[i]).N)
				}
			}
		}
		if plain.RunUntil(9 * tick); w.Hash() != plain.Hash() {
			t.Error("counting changes the run")
		}
		return got
	}
	together := count(all)
	for i, s := range all {
		alone := count([]stretch{s})[0]
		if !slices.Equal(together[i], alone) || slices.Max(alone) == 0 {
			t.Errorf("%v: %v together, %v alone", s, together[i], alone)
		}
	}
}
