package world_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"motehound/examples"
	"motehound/internal/testkit"
	"motehound/world"
)

// makeWorld puts an example on its board; one that listens gets a few frames, some of them broken.
func makeWorld(t testing.TB, f examples.Firmware, seed uint64) *world.World {
	t.Helper()
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: testkit.Kind(t, f), ID: 7}}}
	if f.Name == "serial" {
		// An active message of type 9 with counter 5, unacknowledged, then acknowledged ones, then noise.
		for i, frame := range []string{
			"\x7e\x45\x00\xff\xff\x00\x00\x02\x00\x89\x00\x05\x44\x64\x7e",
			"\x7e\x44\x2a\x00\xff\xff\x00\x00\x02\x00\x89\x00\x07\x0e\xf1\x7e",
			"\x7e\x45\x00\xff\xff\x00\x00\x02\x00\x89\x00\x06\x44\x64\x7e",
			"\x00\xff\x7d\x7e\x7e",
		} {
			cfg.Serial = append(cfg.Serial, world.Serial{At: uint64(200+150*i) * world.Millisecond, Bytes: []byte(frame)})
		}
	}
	return testkit.World(t, cfg, world.Natural{Seed: seed})
}

// Snapshot anywhere, run on, restore, run again: the same hash, at 1,000 random points of every example.
func TestSnapshotAnywhere(t *testing.T) {
	points := 1000
	if testing.Short() {
		points = 50
	}
	for _, f := range examples.All {
		t.Run(f.File(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(len(f.File()))))
			w := makeWorld(t, f, 42)
			other := w.Clone() // gets the state back by CopyFrom, whatever it was in before
			step := uint64(2*world.Second) / uint64(points)
			at := uint64(0)
			for i := range points {
				at += rng.Uint64N(2 * step)
				w.RunUntil(at)
				snap := w.Clone()
				if got, want := snap.Hash(), w.Hash(); got != want {
					t.Fatalf("point %d: the clone's hash is %v, not %v", i, got, want)
				}
				end := at + rng.Uint64N(20*world.Millisecond)
				straight := w.Clone()
				straight.RunUntil(end)
				other.CopyFrom(snap)
				for mid := at; mid < end; mid += rng.Uint64N(5*world.Millisecond) + 1 {
					other.RunUntil(mid) // in pieces
				}
				other.RunUntil(end)
				if got, want := other.Hash(), straight.Hash(); got != want {
					t.Fatalf("point %d at %d ps: after restoring, hash %v; straight, %v", i, at, got, want)
				}
				if got, want := snap.Hash(), w.Hash(); got != want {
					t.Fatalf("point %d: running copies changed the snapshot: %v, not %v", i, got, want)
				}
			}
			again := makeWorld(t, f, 42)
			again.RunUntil(at)
			if got, want := again.Hash(), w.Hash(); got != want {
				t.Errorf("the same recipe again: %v, not %v", got, want)
			}
		})
	}
}

// Another seed is another run, where there is something to choose.
func TestSeedMatters(t *testing.T) {
	f, _ := examples.Find("sense", "micaz")
	hashes := map[string]bool{}
	for seed := range uint64(3) {
		w := makeWorld(t, f, seed)
		w.RunUntil(world.Second)
		hashes[fmt.Sprint(w.Hash())] = true
	}
	if len(hashes) != 3 {
		t.Errorf("%d different runs from 3 seeds", len(hashes))
	}
}
