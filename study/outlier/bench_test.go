package outlier

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// program is intervals of a firmware with so many blocks: each runs one of a few paths, some functions besides with loops, and
// differs from all others in about the given number of cases.
func program(intervals, distinct, blocks int) []Vector {
	random := rand.New(rand.NewPCG(11, 12))
	kinds := make([]Vector, distinct)
	for i := range kinds {
		counts := make([]uint32, blocks)
		run := func(from, length int, times uint32) {
			for b := from; b < from+length; b++ {
				counts[b%blocks] += times
			}
		}
		run(0, 60, 1)
		run(100*(1+random.IntN(5)), 80, 1)
		for range 1 + random.IntN(8) {
			run(random.IntN(blocks/10)*10, 5+random.IntN(40), uint32(1+random.IntN(30)))
		}
		kinds[i] = Dense(counts)
	}
	vectors := make([]Vector, intervals)
	for i := range vectors {
		if i < distinct {
			vectors[i] = kinds[i]
			continue
		}
		u := random.Float64()
		vectors[i] = kinds[int(u*u*float64(distinct))]
	}
	random.Shuffle(len(vectors), func(i, j int) { vectors[i], vectors[j] = vectors[j], vectors[i] })
	return slices.Clip(vectors)
}

// The target is 10 s and 1 GiB for 20,000 intervals, from counters to ranking.
func BenchmarkRank(b *testing.B) {
	for _, distinct := range []int{400, 5000} {
		vectors := program(20_000, distinct, 2000)
		for _, d := range All() {
			b.Run(fmt.Sprintf("%s/distinct=%d", d.Name(), distinct), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					samples := samplesOf(b, vectors)
					m := matrixOf(b, samples, Options{})
					scores := scoresOf(b, d, m)
					Normalise(scores)
					ranked(b, vectors, scores, samples)
				}
			})
		}
	}
}
