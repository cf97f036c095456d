package check

import (
	"fmt"
	"testing"
)

// tallies is a system that costs next to nothing, so that what is measured is the exploration itself: motes with queues, each of which
// counts to a limit; queue 0 of a mote also reads what the others count.
type tallies struct {
	motes, queues, limit int
	count                [8][8]uint8
	feet                 *[8][8]*Footprint
}

func newTallies(motes, queues, limit int) *tallies {
	s := &tallies{motes: motes, queues: queues, limit: limit, feet: new([8][8]*Footprint)}
	for m := range motes {
		for q := range queues {
			f := new(Footprint)
			id := uint32(8*m + q)
			if q == 0 {
				f.Read(uint32(8*m), uint32(8*m+queues))
			}
			f.Write(id, id+1)
			s.feet[m][q] = f
		}
	}
	return s
}

func (s *tallies) Enabled(dst []Event) []Event {
	for m := range s.motes {
		for q := range s.queues {
			if n := s.count[m][q]; int(n) < s.limit {
				dst = append(dst, Event{Mote: int16(m), Source: uint16(q), Serial: uint32(n)})
			}
		}
	}
	return dst
}

func (s *tallies) Fire(e Event) (Step, error) {
	s.count[e.Mote][e.Source]++
	return Step{Footprint: s.feet[e.Mote][e.Source]}, nil
}

func (s *tallies) Hash() [2]uint64 {
	h := [2]uint64{3, 5}
	for m := range s.motes {
		var x uint64
		for q := range s.queues {
			x = x<<8 | uint64(s.count[m][q])
		}
		h[0] = mix(h[0] ^ x)
		h[1] = mix(h[1] + x)
	}
	return h
}

func (s *tallies) Clone() System         { c := *s; return &c }
func (s *tallies) CopyFrom(f System)     { *s = *f.(*tallies) }
func (s *tallies) Release()              {}
func (s *tallies) Describe(Event) string { return "count" }

// BenchmarkSearch gives transitions per second, and how many it takes, by reduction.
func BenchmarkSearch(b *testing.B) {
	for _, stateless := range []bool{true, false} {
		for _, reduce := range []Reduction{None, Static, Dynamic} {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("stateless=%t/%v/threads=%d", stateless, reduce, threads), func(b *testing.B) {
					meter := new(Meter)
					depth := 9
					if stateless {
						depth = 7
					}
					for b.Loop() {
						if _, err := Search(newTallies(2, 3, 9), SearchOptions{Depth: depth, Stateless: stateless, Reduce: reduce, Threads: threads, Meter: meter}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(meter.events.Load())/float64(b.N), "transitions")
					b.ReportMetric(float64(meter.events.Load())/b.Elapsed().Seconds(), "transitions/s")
				})
			}
		}
	}
}

// BenchmarkWalks gives events per second.
func BenchmarkWalks(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			meter := new(Meter)
			for b.Loop() {
				if _, err := Walks(newTallies(2, 3, 255), WalkOptions{Walks: 64, Events: 1500, Threads: threads, Meter: meter}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(meter.events.Load())/b.Elapsed().Seconds(), "events/s")
		})
	}
}
