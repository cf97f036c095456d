package check

import (
	"encoding/json"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// fuse burns after it was looked at so often, by any goroutine.
type fuse struct{ left atomic.Int64 }

func newFuse(n int) *fuse {
	f := new(fuse)
	f.left.Store(int64(n))
	return f
}

func (f *fuse) burnt() bool { return f.left.Add(-1) < 0 }

// Ranges are the set that they stand for, in order and without touching.
func TestFootprint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type model struct{ r, w map[uint32]bool }
	random := func() (*Footprint, model) {
		f, m := new(Footprint), model{map[uint32]bool{}, map[uint32]bool{}}
		for range rng.IntN(6) {
			from := rng.Uint32N(40)
			to := from + rng.Uint32N(5)
			set := m.r
			if rng.IntN(2) == 0 {
				f.Read(from, to)
			} else {
				set = m.w
				f.Write(from, to)
			}
			for i := from; i < to; i++ {
				set[i] = true
			}
		}
		return f, m
	}
	same := func(got []resources, want map[uint32]bool) {
		t.Helper()
		n, last := 0, -1
		for _, r := range got {
			if int(r.From) <= last || r.From >= r.To {
				t.Fatalf("%v is not in order", got)
			}
			for i := r.From; i < r.To; i++ {
				n++
				if !want[i] {
					t.Fatalf("%v has %d too much", got, i)
				}
			}
			last = int(r.To)
		}
		if n != len(want) {
			t.Fatalf("%v has %d, want %d", got, n, len(want))
		}
	}
	touch := func(a, b map[uint32]bool) bool {
		for i := range a {
			if b[i] {
				return true
			}
		}
		return false
	}
	for range 5000 {
		f, a := random()
		g, b := random()
		same(f.Reads(), a.r)
		same(f.Writes(), a.w)
		want := touch(a.w, b.w) || touch(a.w, b.r) || touch(a.r, b.w)
		if f.Conflicts(g) != want || g.Conflicts(f) != want {
			t.Fatalf("%v and %v: conflict %t, want %t", f, g, f.Conflicts(g), want)
		}
	}
	var unknown *Footprint
	if !unknown.Conflicts(new(Footprint)) || !new(Footprint).Conflicts(unknown) {
		t.Error("an unknown footprint is taken for an empty one")
	}
}

// What depends on time can be swapped with others on its mote until these have used up its slack.
func TestSlack(t *testing.T) {
	timed := func(clock uint32, span, slack uint64) *Footprint {
		f := new(Footprint)
		f.Takes(clock, span, slack)
		return f
	}
	reads, short, long, other := timed(1, 10, 100), timed(1, 60, Whenever), timed(1, 101, Whenever), timed(2, 1000, 0)
	if reads.Conflicts(short) || short.Conflicts(reads) || short.Conflicts(long) || reads.Conflicts(other) || reads.Conflicts(new(Footprint)) {
		t.Error("what has time enough conflicts")
	}
	if !reads.Conflicts(long) || !long.Conflicts(reads) || !other.Conflicts(timed(2, 1, Whenever)) {
		t.Error("what comes too late does not conflict")
	}
	asleep := []sleeper{{key: 1, foot: reads}}
	for i, want := range []int{1, 0} {
		asleep = Dynamic.still(nil, asleep, sleeper{key: 2, foot: short})
		if len(asleep) != want {
			t.Fatalf("after %d times 60 of 100 there are %d asleep, not %d", i+1, len(asleep), want)
		}
	}
}

// Events survive being written and read, and what is none is refused.
func TestEventText(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	all := []Event{Healing, {}}
	for range 200 {
		all = append(all, Event{Mote: int16(rng.Uint32()), Class: Class(rng.Uint32()), Option: uint8(rng.Uint32()), Source: uint16(rng.Uint32()), Serial: rng.Uint32()})
	}
	for _, e := range all {
		text, err := json.Marshal(e)
		var back Event
		if err != nil || json.Unmarshal(text, &back) != nil || back != e {
			t.Errorf("%+v became %s became %+v", e, text, back)
		}
	}
	for _, bad := range []string{"[1,2,3,4]", "[1,2,3,4,5,6]", "[99999,0,0,0,0]", "[0,256,0,0,0]", "[0,0,-1,0,0]", `"x"`, "[0,0,0,0,1.5]"} {
		if err := json.Unmarshal([]byte(bad), new(Event)); err == nil {
			t.Errorf("%s is taken for an event", bad)
		}
	}
	if Interrupt.String() != "interrupt" || Class(77).String() != "class(77)" || Reduction(9).String() != "reduction(9)" {
		t.Error("names are wrong")
	}
}

// Reads lists what was read, in order, without overlaps.
func (f *Footprint) Reads() []resources { return f.reads }

// Writes lists what was written, in order, without overlaps.
func (f *Footprint) Writes() []resources { return f.writes }
