package engine

import (
	"testing"

	"motehound/study/symbolic/expr"
	"motehound/world"
	"motehound/world/medium"
)

// TestPlaces: motes that look at each other at places see each other at that very moment, though none of them ever sleeps.
func TestPlaces(t *testing.T) {
	k := compile(t, "pair.c")
	const until = 5 * world.Millisecond
	net, err := medium.New(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Net: net}
	for i := range 3 {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i), BootFrom: uint64(i) * 300 * world.Microsecond})
	}
	type look struct {
		at, count uint64
		mote      int
	}
	var looks []look
	var checks []Check
	for i := range 3 {
		other := (i + 1) % 3
		checks = append(checks, Check{Name: "look", Place: "place", Mote: i, Motes: []int{other}, Holds: func(v View) (expr.ID, error) {
			x, err := v.value(other, "count")
			if err != nil {
				return 0, err
			}
			count, _ := v.Pool.Value(x)
			looks = append(looks, look{v.Now(), count, other})
			return v.Pool.Bool(true), nil
		}})
	}
	explored(t, Config{World: cfg, Until: until, Checks: checks})
	w, err := world.New(cfg, world.Ordinary{})
	if err != nil {
		t.Fatal(err)
	}
	from := map[int]int{}
	for _, l := range looks {
		from[l.mote]++
		w.RunUntil(l.at)
		if n := number(t, w.Motes()[l.mote], "count"); uint64(n) != l.count {
			t.Errorf("at %d ps mote %d has counted to %d, and is seen at %d", l.at, l.mote, n, l.count)
		}
	}
	if len(from) != 3 || len(looks) < 30 {
		t.Errorf("%d looks, at motes %v", len(looks), from)
	}
}
