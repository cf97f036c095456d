package core

import (
	"testing"

	"motehound/examples"
)

// BenchmarkConcrete is the speed of the symbolic core on code that touches nothing symbolic: in a mote where nothing is, and in one where
// a byte of memory is, so that every instruction is looked at.
func BenchmarkConcrete(b *testing.B) {
	for _, name := range []string{"cpu-sort", "cpu-crypt", "cpu-arith"} {
		for _, tainted := range []bool{false, true} {
			sub := name + "/clean"
			if tainted {
				sub = name + "/tainted"
			}
			b.Run(sub, func(b *testing.B) {
				f, ok := examples.Find(name, "atmega128")
				if !ok {
					b.Fatalf("there is no example %s", name)
				}
				k := kindOfExample(b, f)
				n := uint64(0)
				for b.Loop() {
					b.StopTimer()
					x := explorer(b, Config{})
					s, err := x.New(Mote{Kind: k})
					if err != nil {
						b.Fatal(err)
					}
					if tainted {
						end, ok := k.Image.Symbol("_end")
						if !ok {
							b.Fatal("no _end")
						}
						s.sh.put(uint16(end.Addr)+64, x.pool.NewVar("x", 8, ""))
						s.Machine().Core().Program = s.rig.program()
					}
					b.StartTimer()
					s.RunUntil(second)
					if s.sh.clean() == tainted {
						b.Fatal("the byte is gone, or came from nowhere")
					}
					n += s.Machine().Core().Instructions
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Minstr/s")
			})
		}
	}
}

// BenchmarkFork is what a copy of a state costs, and one that is then run a little.
func BenchmarkFork(b *testing.B) {
	f, ok := examples.Find("collect", "micaz")
	if !ok {
		b.Fatal("there is no example collect")
	}
	x := explorer(b, Config{})
	s, err := x.New(Mote{Kind: kindOfExample(b, f)})
	if err != nil {
		b.Fatal(err)
	}
	s.RunUntil(second)
	b.Run("copy", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Fork().Release()
		}
	})
	b.Run("run", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t := s.Fork()
			t.RunUntil(t.Time() + second/1000)
			t.Release()
		}
	})
}

// BenchmarkLifted is the speed on code of which nearly every instruction touches something symbolic.
func BenchmarkLifted(b *testing.B) {
	k := compile(b, "agree.c", "-DCASE=12")
	n := 0
	for b.Loop() {
		b.StopTimer()
		x := explorer(b, Config{})
		s, err := x.New(Mote{Kind: k})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		explore(b, s, second, 100)
		n += x.Stats().Lifted
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lifted/s")
}
