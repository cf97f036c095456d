package world_test

import (
	"sync"
	"testing"

	"motehound/mote/digest"
	"motehound/world"
)

// A clone rests until it is used, and a world may be copied while either of the two rests: all ways lead to the same state.
func TestClonesAtRest(t *testing.T) {
	for _, board := range []string{"micaz", "mica2"} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			r := run{board, 4, 4 * world.Second}
			want := r.straight(t)
			root := r.world(t)
			half := func() *world.World {
				w := root.Clone()
				w.RunUntil(r.end / 2)
				return w
			}
			awake := func() *world.World { w := half().Clone(); w.RunUntil(r.end * 2 / 3); return w }
			resting := func() *world.World { return half().Clone() }
			for name, make := range map[string]func() *world.World{
				"clone":                         resting,
				"clone of a clone":              func() *world.World { return resting().Clone() },
				"awake, from awake":             func() *world.World { w := awake(); w.CopyFrom(half()); return w },
				"awake, from resting":           func() *world.World { w := awake(); w.CopyFrom(resting()); return w },
				"resting, from awake":           func() *world.World { w := awake().Clone(); w.CopyFrom(half()); return w },
				"resting, from resting":         func() *world.World { w := awake().Clone(); w.CopyFrom(resting()); return w },
				"awake, its own past":           func() *world.World { w := half(); c := w.Clone(); w.RunUntil(r.end); w.CopyFrom(c); return w },
				"clone of what has been cloned": func() *world.World { w := half(); w.Clone(); return w.Clone() },
				"given back": func() *world.World {
					w := half()
					w.Clone().Release()
					return w.Clone()
				},
			} {
				w := make()
				w.RunUntil(r.end)
				if got := w.Hash(); got != want {
					t.Errorf("%s: ends as %v, not as %v", name, got, want)
				}
			}
		})
	}
}

// What is cloned does not change with what it was cloned from, nor the other way round, however often one is saved.
func TestSnapshotsStay(t *testing.T) {
	r := run{"mica2", 3, 3 * world.Second}
	w := r.world(t)
	type snapshot struct {
		world *world.World
		hash  digest.Sum
	}
	var taken []snapshot
	for at := uint64(0); at < r.end; at += 37 * world.Millisecond {
		w.RunUntil(at)
		taken = append(taken, snapshot{w.Clone(), w.Hash()})
	}
	for i, s := range taken {
		if got := s.world.Hash(); got != s.hash {
			t.Fatalf("snapshot %d is %v, was %v", i, got, s.hash)
		}
	}
	for i := len(taken) - 1; i >= 0; i -= 7 {
		w.CopyFrom(taken[i].world)
		if got := w.Hash(); got != taken[i].hash {
			t.Fatalf("restoring snapshot %d gave %v, not %v", i, got, taken[i].hash)
		}
	}
}

// Several goroutines may go on from one resting world: the race detector looks on.
func TestRestingWorldIsShared(t *testing.T) {
	r := run{"micaz", 3, 2 * world.Second}
	w := r.world(t)
	w.RunUntil(world.Second)
	start := w.Clone()
	sums := make([]digest.Sum, 4)
	var wait sync.WaitGroup
	for i := range sums {
		wait.Go(func() {
			own := start.Clone()
			own.RunUntil(r.end)
			own.CopyFrom(start)
			own.RunUntil(r.end)
			sums[i] = own.Hash()
		})
	}
	wait.Wait()
	want := r.straight(t)
	for _, got := range sums {
		if got != want {
			t.Errorf("ends as %v, not as %v", got, want)
		}
	}
}
