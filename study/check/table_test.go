package check

import (
	"slices"
	"testing"
)

// What is left to do in a state that comes again, by what was promised before.
func TestTable(t *testing.T) {
	type visit struct {
		left   int32
		asleep []uint64
		stuck  bool
		want   work
	}
	fresh, known := work{fresh: true}, work{known: true}
	only := func(keys ...uint64) work { return work{only: keys} }
	for name, visits := range map[string][]visit{
		"the same again":           {{3, nil, false, fresh}, {3, nil, false, known}},
		"less deep":                {{3, nil, false, fresh}, {2, nil, false, known}},
		"deeper":                   {{3, nil, false, fresh}, {4, nil, false, work{}}, {4, nil, false, known}},
		"more asleep":              {{3, []uint64{1}, false, fresh}, {3, []uint64{1, 2}, false, known}},
		"less asleep":              {{3, []uint64{1, 2}, false, fresh}, {3, []uint64{2}, false, only(1)}, {3, []uint64{2}, false, known}},
		"others asleep":            {{3, []uint64{1}, false, fresh}, {3, []uint64{2}, false, only(1)}, {3, nil, false, known}},
		"two halves are no whole":  {{3, []uint64{1, 3}, false, fresh}, {4, []uint64{2, 3}, false, work{}}, {3, []uint64{3}, false, only(2)}},
		"woken less deep":          {{5, []uint64{1}, false, fresh}, {2, nil, false, only(1)}, {5, nil, false, only(1)}, {5, nil, false, known}},
		"asleep in both stays":     {{3, []uint64{1, 2}, false, fresh}, {3, []uint64{2, 7}, false, only(1)}, {3, nil, false, only(2)}},
		"deeper, and more asleep":  {{3, nil, false, fresh}, {4, []uint64{1}, false, work{}}, {3, nil, false, known}, {4, nil, false, only(1)}},
		"nothing left":             {{0, []uint64{1}, false, fresh}, {0, nil, false, known}, {1, nil, false, work{}}},
		"stuck":                    {{1, []uint64{1}, true, fresh}, {7, nil, true, known}},
		"without a bound on depth": {{unbounded, []uint64{1}, false, fresh}, {unbounded, nil, false, only(1)}},
	} {
		var tab table
		for i, v := range visits {
			got := tab.visit([2]uint64{7, 9}, v.left, v.asleep, v.stuck)
			if got.fresh != v.want.fresh || got.known != v.want.known || !slices.Equal(got.only, v.want.only) {
				t.Errorf("%s, visit %d: %+v, want %+v", name, i+1, got, v.want)
			}
		}
	}
}

// Many states, in whatever shard, are all told apart, and those that a bound cut are counted.
func TestTableGrows(t *testing.T) {
	var tab table
	const n = 20_000
	hash := func(i int) [2]uint64 { return [2]uint64{mix(uint64(i)), mix(uint64(i) + n)} }
	for i := range n {
		if !tab.visit(hash(i), int32(i%2), nil, false).fresh {
			t.Fatalf("state %d is taken for another", i)
		}
	}
	if tab.open() != n/2 || !tab.cut(hash(4)) || tab.cut(hash(5)) {
		t.Errorf("%d are cut, want %d", tab.open(), n/2)
	}
	for i := range n {
		if w := tab.visit(hash(i), 1, nil, false); w.fresh || w.known != (i%2 == 1) {
			t.Fatalf("state %d again: %+v", i, w)
		}
	}
	if tab.open() != 0 {
		t.Errorf("%d are cut, want none", tab.open())
	}
	if o := CollisionOdds(1 << 32); o < 2e-20 || o > 3e-20 {
		t.Errorf("odds %g", o)
	}
}
