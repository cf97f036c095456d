package mining

import (
	"reflect"
	"slices"
	"testing"

	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/world"
)

// gathered is what was gathered of one firmware.
type gathered struct {
	collection Collection
	losses     *LossTracker
}

// network is a mote of each kind.
func network(t *testing.T, kinds []*mote.Kind) *world.World {
	t.Helper()
	cfg := &world.Config{}
	for i, k := range kinds {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i + 1)})
	}
	return testkit.World(t, cfg, world.Natural{Seed: 1})
}

// gather runs two motes with different firmware, and gathers what some fields have of it. The run ends in the middle of what they do.
func gather(t *testing.T, kinds []*mote.Kind, until uint64, fields ...int) []*gathered {
	t.Helper()
	w := network(t, kinds)
	var all []*gathered
	var close []func()
	for _, f := range fields {
		field, err := NewFirmware(kinds[f])
		if err != nil {
			t.Fatal(err)
		}
		g := &gathered{losses: NewLossTracker(field)}
		g.collection.Firmware = field
		h, err := field.Watch(w, 0, Options{Losses: g.losses}, g.collection.Keep)
		if err != nil {
			t.Fatal(err)
		}
		all, close = append(all, g), append(close, func() { h.Close() })
	}
	w.RunUntil(until)
	for _, c := range close {
		c()
	}
	return all
}

// awake lists moments at which the last of some motes is doing something.
func awake(t *testing.T, kinds []*mote.Kind, n int) (moments []uint64) {
	t.Helper()
	w := network(t, kinds)
	for w.RunUntil(world.Second); len(moments) < n; w.RunUntil(w.Now() + 17*world.Microsecond) {
		if _, asleep := w.Motes()[len(kinds)-1].Asleep(); !asleep {
			moments = append(moments, w.Now())
		}
	}
	return moments
}

// kept is copies of the intervals of a collection.
func kept(c *Collection) (list []Interval) {
	for iv := range c.All() {
		x := *iv
		x.Interval = *iv.Clone()
		x.Counts = slices.Clone(iv.Counts)
		list = append(list, x)
	}
	return list
}

// Two firmwares that are watched in one run are seen as each alone, to the last load and store.
func TestFieldsTogether(t *testing.T) {
	kinds := []*mote.Kind{testkit.Example(t, "serial", "uno"), testkit.Example(t, "sense", "micaz")}
	for _, until := range awake(t, kinds, 12) {
		together := gather(t, kinds, until, 0, 1)
		for i, got := range together {
			want := gather(t, kinds, until, i)[0]
			if want.collection.Len() == 0 || !reflect.DeepEqual(kept(&got.collection), kept(&want.collection)) {
				t.Fatalf("until %d, %s: %d intervals together, %d alone, or others", until, kinds[i].Image.Path, got.collection.Len(), want.collection.Len())
			}
			if !reflect.DeepEqual(got.losses.places, want.losses.places) {
				t.Fatalf("until %d, %s: other data was seen together than alone", until, kinds[i].Image.Path)
			}
		}
	}
}
