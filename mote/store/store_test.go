package store

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"

	"motehound/mote/cell"
)

// twin is a store and the plain memory that it must equal.
type twin struct {
	store Store
	plain []cell.Cell
}

func (w *twin) check(t *testing.T) {
	t.Helper()
	for a, want := range w.plain {
		if got := w.store.ReadCell(uint32(a)); got != want {
			t.Fatalf("cell %#x is %#x, want %#x", a, got, want)
		}
		if got := w.store.Read(uint32(a)); got != want.V() {
			t.Fatalf("byte %#x is %#x, want %#x", a, got, want.V())
		}
	}
}

// TestAgainstPlainMemory does random writes and clones, and compares with plain slices, hashes included.
func TestAgainstPlainMemory(t *testing.T) {
	const size = 3*chunkSize + 100
	rng := rand.New(rand.NewPCG(1, 2))
	base := make([]byte, 2*chunkSize+17)
	for i := range base {
		base[i] = uint8(rng.Uint32())
	}
	pristine := bytes.Clone(base)
	first := twin{store: New(base, size, 0xFF), plain: make([]cell.Cell, size)}
	for a := range first.plain {
		first.plain[a] = cell.Of(0xFF)
		if a < len(base) {
			first.plain[a] = cell.Of(base[a])
		}
	}
	twins := []twin{first}
	for step := range 20000 {
		w := &twins[rng.IntN(len(twins))]
		switch k := rng.IntN(100); {
		case k < 2 && len(twins) < 12:
			twins = append(twins, twin{w.store.Clone(), append([]cell.Cell(nil), w.plain...)})
		case k < 3:
			from := &twins[rng.IntN(len(twins))]
			w.store, w.plain = from.store.Clone(), append([]cell.Cell(nil), from.plain...)
		default:
			a, v := rng.Uint32N(size), cell.Of(uint8(rng.Uint32N(4)))
			if k > 97 {
				v = cell.Symbolic(v.V(), 1+rng.Uint32N(3))
			}
			w.store.WriteCell(a, v)
			w.plain[a] = v
		}
		if step%1000 == 999 {
			for i := range twins {
				twins[i].check(t)
			}
		}
	}
	if !bytes.Equal(base, pristine) {
		t.Fatal("the base was written")
	}
	// The same contents, reached in another order from the unwritten store, have the same hash.
	for i := range twins {
		again := New(base, size, 0xFF)
		for _, a := range rng.Perm(size) {
			again.Write(uint32(a), 0x55)
			again.WriteCell(uint32(a), twins[i].plain[a])
		}
		if again.Hash() != twins[i].store.Hash() {
			t.Fatalf("twin %d: hash %#x, made again %#x", i, twins[i].store.Hash(), again.Hash())
		}
		for j := range i {
			same := true
			for a := range twins[i].plain {
				same = same && twins[i].plain[a] == twins[j].plain[a]
			}
			if same != (twins[i].store.Hash() == twins[j].store.Hash()) {
				t.Fatalf("twins %d and %d: equal contents %t, hashes %#x, %#x", i, j, same, twins[i].store.Hash(), twins[j].store.Hash())
			}
		}
	}
}

func TestHashReturns(t *testing.T) {
	s := New([]byte{1, 2, 3}, 8, 0xFF)
	if s.Hash() != 0 {
		t.Fatal("unwritten store has a hash")
	}
	s.Write(1, 9)
	h := s.Hash()
	s.WriteCell(1, cell.Symbolic(9, 4))
	if s.Hash() == h {
		t.Fatal("an expression does not show in the hash")
	}
	s.Write(1, 2)
	if s.Hash() != 0 {
		t.Fatalf("written back: hash %#x", s.Hash())
	}
	if got := s.Read(100); got != 0xFF {
		t.Fatalf("beyond the end: %#x", got)
	}
}

// TestParallelClones is for the race detector: many goroutines clone one snapshot and write to their clones.
func TestParallelClones(t *testing.T) {
	origin := New(nil, 8*chunkSize, 0xFF)
	for a := range uint32(8 * chunkSize) {
		origin.Write(a, uint8(a))
	}
	snapshot := origin.Clone()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for round := range 50 {
				mine := snapshot.Clone()
				a := uint32(g*chunkSize + round)
				mine.Write(a, uint8(g+100))
				if mine.Read(a) != uint8(g+100) || mine.Hash() == snapshot.Hash() {
					t.Errorf("goroutine %d lost its write", g)
				}
				deeper := mine.Clone()
				deeper.Write(a, uint8(a))
				if deeper.Hash() != snapshot.Hash() {
					t.Errorf("goroutine %d: undone write shows in the hash", g)
				}
			}
		})
	}
	wg.Wait()
	for a := range uint32(8 * chunkSize) {
		if snapshot.Read(a) != uint8(a) {
			t.Fatalf("snapshot changed at %#x", a)
		}
	}
}

func TestCloneAllocatesNothing(t *testing.T) {
	s := New(nil, 1<<18, 0xFF)
	s.Write(1, 1)
	var c Store
	if n := testing.AllocsPerRun(100, func() { c = s.Clone() }); n != 0 {
		t.Fatalf("Clone allocates %v times", n)
	}
	_ = c
}
