package world_test

import (
	"testing"

	"motehound/world"
	"motehound/world/medium"
)

// A world that was given back and is used again is as good as a new one.
func TestRelease(t *testing.T) {
	w := network(t, "relay", "micaz", 4, medium.Line(4, -60, 0.3), 9)
	w.RunUntil(3 * world.Second)
	at3 := w.Clone()
	w.RunUntil(5 * world.Second)
	want := w.Hash()
	for i := range uint64(20) {
		used := at3.Clone()
		used.SetStride(func(uint64) uint64 { return 50 * world.Microsecond })
		used.RunUntil((3 + i%3) * world.Second)
		used.Release()
		again := at3.Clone()
		if again != used {
			t.Fatal("what was given back is not used again")
		}
		again.RunUntil(5 * world.Second)
		if got := again.Hash(); got != want {
			t.Fatalf("round %d: hash %v, not %v", i, got, want)
		}
	}
}
