package intervals

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"motehound/firmware/kernel"
)

// streams are endless lives, good and bad, that the memory must stay small on.
var streams = []struct {
	name string
	make func() func() kernel.Item
}{
	{"legal, with ends", func() func() kernel.Item {
		return (&life{rnd: rand.New(rand.NewPCG(1, 1)), ends: true}).next
	}},
	{"legal, without ends", func() func() kernel.Item {
		return (&life{rnd: rand.New(rand.NewPCG(1, 2))}).next
	}},
	{"a task that posts itself for ever", cycling("int(22) post(1) reti", "run(1) post(1) int(16) reti end")},
	{"handlers that never return", cycling("reset", "int(22) post(1)")},
	{"tasks that never run", cycling("reset", "int(22) post(1) reti")},
	{"tasks that never end", cycling("int(22) post(1) reti run(1) end", "int(22) post(1) reti run(1)")},
	{"tasks nobody posted", cycling("end reti", "run(1) post(2) run(2) end reti")},
	{"bare metal", cycling("reset", "int(22) reti")},
	{"resets", cycling("", "reset int(22) post(1) reti run(1)")},
}

func cycling(first, forEver string) func() func() kernel.Item {
	return func() func() kernel.Item {
		head, loop := parse(nil, first), parse(nil, forEver)
		n, cycle := 0, uint64(0)
		return func() kernel.Item {
			it := loop[n%len(loop)]
			if n++; len(head) > 0 {
				it, head, n = head[0], head[1:], 0
			}
			cycle += 7
			it.Cycle = cycle
			return it
		}
	}
}

// TestMemory: what is kept depends on what is open, not on how long the run is.
func TestMemory(t *testing.T) {
	const growth = 4 << 20
	for i, s := range streams {
		items := 2_000_000
		switch {
		case testing.Short():
			items = 500_000
		case i == 0:
			items = 10_000_000
		}
		t.Run(s.name, func(t *testing.T) {
			next, began, reported := s.make(), 0, 0
			a := New(func(*Interval) { reported++ }, Options{Spans: true, Started: func(*Interval) { began++ }})
			before := heap()
			for range items {
				a.Take(next())
			}
			if after := heap(); after > before+growth {
				t.Errorf("the heap grew by %d bytes in %d items", after-before, items)
			}
			a.Close(0)
			if began != reported {
				t.Errorf("%d instances began, %d were reported", began, reported)
			}
			t.Logf("%d intervals, %+v", reported, a.Stats())
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func million(ends bool) []kernel.Item {
	l := life{rnd: rand.New(rand.NewPCG(7, 7)), ends: ends}
	items := make([]kernel.Item, 1_000_000)
	for i := range items {
		items[i] = l.next()
	}
	return items
}

func BenchmarkMillionItems(b *testing.B) {
	for _, c := range []struct {
		name string
		opt  Options
	}{
		{"plain", Options{}},
		{"spans", Options{Spans: true, Switched: func(uint64, Active) {}}},
		{"by_start", Options{ByStart: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			items := million(true)
			b.ReportAllocs()
			for b.Loop() {
				a := New(func(*Interval) {}, c.opt)
				for _, it := range items {
					a.Take(it)
				}
				a.Close(0)
			}
			b.ReportMetric(float64(b.N)*float64(len(items))/b.Elapsed().Seconds(), "items/s")
		})
	}
}
