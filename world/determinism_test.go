package world_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"motehound/mote/digest"
	"motehound/world"
	"motehound/world/medium"
)

// update writes testdata/golden-*.txt anew. That is right when a change was meant to change what motes do, when they do it, or what
// a Hash covers; the commit then says which. It is wrong when the change was meant to make something faster, clearer or
// newly possible for runs that do not use it.
var update = flag.Bool("update", false, "write golden files")

// run is a recipe for a network with loss, for the tests below.
type run struct {
	board string
	motes int
	end   uint64
}

func (r run) String() string { return fmt.Sprintf("%d %s", r.motes, r.board) }

func (r run) world(t testing.TB) *world.World {
	t.Helper()
	links, err := medium.Named("grid", r.motes, medium.DefaultGain, 0.3, 0)
	if err != nil {
		t.Fatal(err)
	}
	return network(t, "counter", r.board, r.motes, links, 6)
}

func (r run) straight(t testing.TB) digest.Sum {
	w := r.world(t)
	w.RunUntil(r.end)
	return w.Hash()
}

// recipes are runs of two, eight and 64 motes on both boards. In short mode they are shorter, but long enough for every
// mote to be switched on and to send.
func recipes() []run {
	var list []run
	for _, b := range []string{"micaz", "mica2"} {
		for _, r := range []run{{b, 2, 20 * world.Second}, {b, 8, 8 * world.Second}, {b, 64, 3 * world.Second}} {
			if testing.Short() {
				r.end = min(r.end, 1500*world.Millisecond)
			}
			list = append(list, r)
		}
	}
	return list
}

// eachRecipe tests ways of running a recipe that must not make a difference, each of which returns the final hash.
func eachRecipe(t *testing.T, ways map[string]func(t *testing.T, r run) digest.Sum) {
	for _, r := range recipes() {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			want := r.straight(t)
			for name, way := range ways {
				if got := way(t, r); got != want {
					t.Errorf("%s: the final hash is %v; straight on, it is %v", name, got, want)
				}
			}
		})
	}
}

// The same recipe, the same final hash: again, and however far motes run ahead of each other.
func TestStridesMakeNoDifference(t *testing.T) {
	strided := func(stride func(now uint64) uint64) func(*testing.T, run) digest.Sum {
		return func(t *testing.T, r run) digest.Sum {
			w := r.world(t)
			w.SetStride(stride)
			w.RunUntil(r.end)
			return w.Hash()
		}
	}
	eachRecipe(t, map[string]func(*testing.T, run) digest.Sum{
		"again":         func(t *testing.T, r run) digest.Sum { return r.straight(t) },
		"small strides": strided(func(uint64) uint64 { return 37 * world.Microsecond }),
		"varying strides": strided(func(now uint64) uint64 {
			return now/world.Millisecond%7*53*world.Microsecond + 1*world.Microsecond
		}),
		"random strides": func(t *testing.T, r run) digest.Sum {
			rng := rand.New(rand.NewPCG(uint64(r.motes), 1))
			return strided(func(uint64) uint64 { return 1 + rng.Uint64N(400*world.Microsecond) })(t, r)
		},
	})
}

// Nor does it matter where a run is cut, and in which world it goes on: a snapshot, a clone, one that the state is put back
// into.
func TestSnapshotsMakeNoDifference(t *testing.T) {
	wander := func(t *testing.T, r run) digest.Sum {
		points := 24
		if testing.Short() {
			points = 8
		}
		rng := rand.New(rand.NewPCG(uint64(r.motes), 2))
		w := r.world(t)
		other := w.Clone()
		other.RunUntil(r.end / 5) // it has a past of its own
		for at := uint64(0); at < r.end; {
			at = min(r.end, at+rng.Uint64N(2*r.end/uint64(points)))
			w.RunUntil(at)
			before := w.Hash()
			switch rng.IntN(4) {
			case 0: // go on in a clone
				w = w.Clone()
			case 1: // go on in another world
				other.CopyFrom(w)
				w, other = other, w
			case 2: // run on, and come back
				snap := w.Clone()
				w.RunUntil(at + rng.Uint64N(30*world.Millisecond))
				w.CopyFrom(snap)
			case 3: // run on elsewhere, which must not matter here
				other.CopyFrom(w)
				other.RunUntil(at + rng.Uint64N(30*world.Millisecond))
			}
			if got := w.Hash(); got != before {
				t.Fatalf("at %d ps the hash was %v, now it is %v", at, before, got)
			}
		}
		return w.Hash()
	}
	eachRecipe(t, map[string]func(*testing.T, run) digest.Sum{"in pieces": wander})
}

// Worlds that run side by side do not meet, on however many processors.
func TestProcessorsMakeNoDifference(t *testing.T) {
	list := recipes()
	serial := make([]digest.Sum, len(list))
	for i := range list {
		list[i].end = min(list[i].end, 1500*world.Millisecond)
		serial[i] = list[i].straight(t)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 8} {
		runtime.GOMAXPROCS(processors)
		sums := make([]digest.Sum, len(list))
		var group sync.WaitGroup
		for i, r := range list {
			w := r.world(t)
			half := w.Clone() // worlds that share what clones share
			group.Go(func() {
				w.RunUntil(r.end)
				sums[i] = w.Hash()
			})
			group.Go(func() { half.RunUntil(r.end / 2) })
		}
		group.Wait()
		for i, r := range list {
			if sums[i] != serial[i] {
				t.Errorf("%v, GOMAXPROCS %d: the final hash is %v; one after the other it was %v", r, processors, sums[i], serial[i])
			}
		}
	}
}

// A small run of each board has the hash that it had when its golden file was written: see update.
func TestGoldenRuns(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		t.Run(b, func(t *testing.T) {
			r := run{b, 3, 3 * world.Second}
			got := fmt.Sprintf("%v %v\n", r, r.straight(t))
			file := filepath.Join("testdata", "golden-"+b+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the run ends as %s, not as %s: if that was meant, go test ./world -run Golden -update",
					strings.TrimSpace(got), strings.TrimSpace(string(want)))
			}
		})
	}
}
