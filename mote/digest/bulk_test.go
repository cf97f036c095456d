package digest_test

import (
	"testing"

	"motehound/mote/digest"
)

// Every byte counts, in its place, at every length: also for byte strings of zeros, and where four digests take turns.
func TestBulk(t *testing.T) {
	seen := map[digest.Sum]int{}
	sum := func(p []byte) digest.Sum {
		d := digest.New()
		d.Bulk(p)
		return d.Sum()
	}
	for n := range 200 {
		p := make([]byte, n)
		for i := -1; i < n; i++ {
			if i >= 0 {
				p[i] = 1
			}
			s := sum(p)
			if before, twice := seen[s]; twice {
				t.Fatalf("%d bytes, with byte %d set, hash like %d bytes", n, i, before)
			}
			seen[s] = n
			if i >= 0 {
				p[i] = 0
			}
		}
	}
}

type part struct {
	A, B uint64
	C    [300]uint8
}

// Part takes what is between two offsets, and nothing else.
func TestPart(t *testing.T) {
	v := part{A: 1, B: 2}
	sum := func() digest.Sum {
		d := digest.New()
		digest.Part(&d, &v, 8, 310)
		return d.Sum()
	}
	before := sum()
	v.A, v.C[299] = 9, 9
	if sum() != before {
		t.Error("what is left out counts")
	}
	for _, change := range []func(){func() { v.B++ }, func() { v.C[0]++ }, func() { v.C[293]++ }} {
		old := v
		if change(); sum() == before {
			t.Error("what is taken in does not count")
		}
		v = old
	}
}
