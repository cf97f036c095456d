package check

import (
	"testing"

	"motehound/study/guide/input"
)

// What no input has led to does not end walks that make inputs up, nor does what hardware hardly makes, until nothing better came for long.
func TestEnough(t *testing.T) {
	fed, strained := []MadeInput{{Kind: input.Air}}, uint64(1)
	for _, c := range []struct {
		made bool
		hit  hit
		want bool
	}{
		{false, hit{}, true},
		{false, hit{strain: strained}, false},
		{true, hit{}, false},
		{true, hit{inputs: fed}, true},
		{true, hit{inputs: fed, strain: strained}, false},
	} {
		b := &book{o: &WalkOptions{}, total: 10}
		if c.made {
			b.o.Inputs = new(input.Source)
		}
		if got := b.enough([]hit{c.hit}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
		if b.total = 1_000_000; !b.enough([]hit{c.hit}) {
			t.Errorf("%+v: not enough after a million events", c)
		}
		if b.o.timed = true; b.enough([]hit{c.hit}) != c.want {
			t.Errorf("%+v: somebody says when it is enough, and nobody asks", c)
		}
	}
}
