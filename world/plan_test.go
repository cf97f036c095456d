package world

import (
	"testing"

	"motehound/world/reception"
)

// A channel reads what was said last about it, at the latest now; of one moment, what the Config says last.
func TestReadings(t *testing.T) {
	p := plan{sensors: make([][]channel, 2)}
	p.sortSensors([]Sensor{
		{Mote: 1, Channel: 3, At: 500, Value: 5}, {Mote: 1, Channel: 3, At: 100, Value: 1}, {Mote: 1, Channel: 2, At: 0, Value: 9},
		{Mote: 1, Channel: 3, At: 500, Value: 6}, {Mote: 0, Channel: 3, At: 300, Value: 7},
	})
	for _, c := range []struct {
		mote    int
		channel uint8
		now     uint64
		value   uint16
		known   bool
	}{
		{1, 3, 99, 0, false}, {1, 3, 100, 1, true}, {1, 3, 499, 1, true}, {1, 3, 500, 6, true}, {1, 3, 1 << 60, 6, true},
		{1, 2, 0, 9, true}, {0, 3, 299, 0, false}, {0, 3, 300, 7, true}, {0, 2, 300, 0, false},
	} {
		if v, known := p.reading(c.mote, c.channel, c.now); v != c.value || known != c.known {
			t.Errorf("%+v: got %d, %v", c, v, known)
		}
	}
}

// A reset by hand comes behind what the Config has for the same moment, as it does when the recipe is replayed.
func TestWithReset(t *testing.T) {
	p := &plan{acts: [][]act{{{at: 1}, {at: 5}, {at: 5}, {at: 9}}}}
	q := p.withReset(Reset{At: 5})
	if len(p.acts[0]) != 4 || len(q.acts[0]) != 5 || q.acts[0][3].kind != actReset || q.acts[0][4].at != 9 {
		t.Errorf("%v, from %v", q.acts, p.acts)
	}
}

// Natural gives allowed answers only, and each of them.
func TestNaturalIsAllowed(t *testing.T) {
	seen := map[uint32]int{}
	for n := range uint32(1000) {
		c := Choice{Kind: ChoiceReception, Number: n, Options: uint32(reception.NumFates), Allowed: 1<<reception.Delivered | 1<<reception.Corrupted}
		seen[Natural{}.Choose(c)]++
		c.Weights = lossWeights(0.5)
		if a := (Natural{}).Choose(c); a != uint32(reception.Delivered) {
			t.Fatalf("answered %d: it has no weight, or is not allowed", a)
		}
	}
	if len(seen) != 2 || seen[uint32(reception.Delivered)] < 400 || seen[uint32(reception.Corrupted)] < 400 {
		t.Errorf("%v", seen)
	}
}
