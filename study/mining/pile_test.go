package mining

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"motehound/internal/testkit"
	"motehound/observe/intervals"
	"motehound/study/outlier"
	"motehound/world"
	"motehound/world/medium"
)

// anInterval is one with anything in it.
func anInterval(random *rand.Rand) *Interval {
	some := func() uint64 { return random.Uint64() >> (random.IntN(64)) }
	iv := &Interval{Run: random.IntN(3), Mote: random.IntN(4), Counts: outlier.Vector{{Feature: 3, N: 1 + uint32(random.IntN(5))}}}
	iv.ID = uint16(iv.Mote + 10)
	iv.Interval = intervals.Interval{Vector: uint16(5 + random.IntN(3)), Instance: uint32(some()), Serial: some(), Start: some(), End: some(),
		StartItem: some(), EndItem: some(), Ran: some(), Complete: random.IntN(9) > 0}
	if random.IntN(3) == 0 {
		iv.Nested, iv.Failed, iv.MoreTasks, iv.MoreSpans = random.IntN(3), random.IntN(3), random.IntN(3), random.IntN(3)
	}
	for range random.IntN(4) {
		iv.Tasks = append(iv.Tasks, intervals.Task{ID: uint16(some()), Depth: uint16(some()), Parent: int32(random.IntN(3)) - 1, State: intervals.State(random.IntN(3)),
			Posted: some(), Start: some(), End: some(), PostItem: some(), RunItem: some(), EndItem: some()})
	}
	iv.Posts = len(iv.Tasks) + random.IntN(2)
	for range max(0, random.IntN(5)-2) {
		iv.Spans = append(iv.Spans, intervals.Span{From: some(), To: some()})
		iv.Timeline = append(iv.Timeline, Step{From: some(), To: some(), Own: random.IntN(2) == 0, Active: intervals.Active{Vector: uint16(some()),
			Instance: uint32(some()), Serial: some(), Running: random.IntN(2) == 0, Task: uint16(some()), Depth: uint16(some())}})
	}
	return iv
}

// What is kept comes back in the same order with all that it had, some in many packs.
func TestPileKeepsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var c Collection
	var want []*Interval
	for range 8000 {
		iv := anInterval(random)
		want = append(want, iv)
		tagged := *iv
		tagged.Tag = 7
		c.Keep(&tagged)
	}
	if p := c.piles[5]; len(p.packed) < 2 || len(p.raw) == 0 {
		t.Errorf("%d packs and %d bytes: the test says nothing", len(p.packed), len(p.raw))
	}
	i := 0
	for iv := range c.All() {
		got := *iv
		if len(got.Tasks) == 0 {
			got.Tasks = nil
		}
		if !reflect.DeepEqual(&got, want[i]) {
			t.Fatalf("interval %d is\n%+v, want\n%+v", i, got, *want[i])
		}
		i++
	}
	if i != len(want) || c.Len() != i {
		t.Errorf("%d of %d intervals come back, Len is %d", i, len(want), c.Len())
	}
}

// The first intervals of a ranking, and those that stand out, are the same whether the others are listed or not.
func TestRankFirst(t *testing.T) {
	k := testkit.Example(t, "drop", "micaz")
	w := testkit.Network(t, k, 3, medium.Line(3, medium.DefaultGain, 0), world.Config{}, 1)
	f, err := NewFirmware(k)
	if err != nil {
		t.Fatal(err)
	}
	c := Collection{Firmware: f, Losses: NewLossTracker(f)}
	h, err := f.Watch(w, 0, Options{Motes: []int{1}, Losses: c.Losses, Skip: 2 * world.Second}, c.Keep)
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(20 * world.Second)
	h.Close()
	const int6 = 8
	all, err := c.Rank(int6, outlier.Default(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if all.StandOut < 3 || len(all.Suspects) != all.Intervals {
		t.Fatalf("%d stand out, %d of %d are listed", all.StandOut, len(all.Suspects), all.Intervals)
	}
	for _, listed := range []int{1, 2, all.StandOut, all.StandOut + 4, all.Intervals + 1} {
		some, err := c.RankFirst(int6, outlier.Default(), 2, listed, false)
		if err != nil {
			t.Fatal(err)
		}
		want := *all
		want.Suspects = slices.Clone(all.Suspects[:min(max(listed, 2, all.StandOut), all.Intervals)])
		if !reflect.DeepEqual(some, &want) {
			t.Errorf("with %d listed, the ranking is %+v\nwant %+v", listed, some, want)
		}
		each, err := c.RankFirst(int6, outlier.Default(), 2, listed, true)
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[int]bool)
		want.Suspects = slices.DeleteFunc(slices.Clone(all.Suspects), func(s Suspect) bool {
			first := !seen[s.Sample]
			seen[s.Sample] = true
			return !first && s.Rank > max(listed, 2, all.StandOut)
		})
		for i := range each.Suspects {
			each.Suspects[i].first = false
		}
		if !reflect.DeepEqual(each, &want) {
			t.Errorf("with %d listed, and the first of each, the ranking is %+v\nwant %+v", listed, each, want)
		}
	}
}

// An hour of mining stays below 300 MB, with room for the busiest radio: 2,400 intervals in a second of each mote. What is kept for each
// interval is measured, since a whole hour takes a minute.
func TestKeptMemory(t *testing.T) {
	const most = 4 // bytes for each interval
	k := testkit.Example(t, "collect", "mica2")
	w := testkit.Network(t, k, 3, medium.Full(3, medium.DefaultGain, 0), world.Config{Stagger: 100_000}, 1)
	f, err := NewFirmware(k)
	if err != nil {
		t.Fatal(err)
	}
	c := Collection{Firmware: f, Losses: NewLossTracker(f)}
	h, err := f.Watch(w, 0, Options{Losses: c.Losses}, c.Keep)
	if err != nil {
		t.Fatal(err)
	}
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	w.RunUntil(20 * world.Second) // until then other things settle, too
	before, intervals := held(), c.Len()
	w.RunUntil(60 * world.Second)
	grown, intervals := held()-before, c.Len()-intervals
	t.Logf("%d intervals take %d bytes", intervals, grown)
	if intervals < 200_000 {
		t.Errorf("only %d intervals", intervals)
	}
	if grown > most*int64(intervals) {
		t.Errorf("%d intervals take %d bytes, more than %d each", intervals, grown, most)
	}
	h.Close()
	runtime.KeepAlive(&c)
}
