package outlier

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// blob is intervals around one usual pattern, and a few, the first ones, that do something else.
func blob(n, features, outliers int, seed uint64) []Vector {
	random := rand.New(rand.NewPCG(seed, 1))
	vectors := make([]Vector, n)
	for i := range vectors {
		counts := make([]uint32, features)
		for f := range counts {
			counts[f] = uint32(max(0, math.Round(40+6*random.NormFloat64())))
		}
		if i < outliers {
			for range 3 {
				counts[random.IntN(features)] = uint32(100 + random.IntN(50))
			}
		}
		vectors[i] = Dense(counts)
	}
	return vectors
}

// patterns is intervals of few distinct counters, some of them rare.
func patterns(n, distinct, features int, seed uint64) []Vector {
	random := rand.New(rand.NewPCG(seed, 2))
	kinds := make([]Vector, distinct)
	for i := range kinds {
		counts := make([]uint32, features)
		for f := range counts {
			counts[f] = uint32(random.IntN(4))
		}
		kinds[i] = Dense(counts)
	}
	vectors := make([]Vector, n)
	for i := range vectors {
		u := random.Float64()
		vectors[i] = kinds[int(u*u*u*float64(distinct))]
	}
	return vectors
}

// counters reads testdata: an interval per line, as feature:count.
func counters(t testing.TB) []Vector {
	t.Helper()
	file, err := os.Open("testdata/counters.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var vectors []Vector
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var v Vector
		for _, word := range strings.Fields(lines.Text()) {
			var c Count
			if _, err := fmt.Sscanf(word, "%d:%d", &c.Feature, &c.N); err != nil {
				t.Fatalf("testdata/counters.txt: %q: %v", word, err)
			}
			v = append(v, c)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func samplesOf(t testing.TB, vectors []Vector) []Sample {
	t.Helper()
	samples, err := Dedup(vectors)
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

func matrixOf(t testing.TB, samples []Sample, o Options) *Matrix {
	t.Helper()
	m, err := NewMatrix(samples, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func scoresOf(t testing.TB, d Detector, m *Matrix) []float64 {
	t.Helper()
	scores, err := d.Scores(m)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// expand makes each interval of each sample a sample of its own, next to the others.
func expand(samples []Sample) []Sample {
	var all []Sample
	for _, s := range samples {
		for range s.Weight {
			all = append(all, Sample{Counts: s.Counts, Weight: 1})
		}
	}
	return all
}

// place is an interval of a ranking.
type place struct {
	index  int // of the interval
	sample int
	score  float64
}

// ranked lists intervals, the most suspicious first.
func ranked(t testing.TB, vectors []Vector, scores []float64, samples []Sample) []place {
	t.Helper()
	var set Set
	order, all := NewOrder(scores, samples), make([]place, len(vectors))
	for i, v := range vectors {
		sample, err := set.Add(v)
		if err != nil {
			t.Fatal(err)
		}
		all[order.Place(sample)] = place{i, sample, scores[sample]}
	}
	return all
}

// points is the samples by the definition: every feature divided by its largest count. It knows nothing of columns.
func points(samples []Sample) [][]float64 {
	size := 0
	for _, s := range samples {
		for _, c := range s.Counts {
			size = max(size, int(c.Feature)+1)
		}
	}
	most := make([]float64, size)
	for _, s := range samples {
		for _, c := range s.Counts {
			most[c.Feature] = max(most[c.Feature], float64(c.N))
		}
	}
	all := make([][]float64, len(samples))
	for i, s := range samples {
		all[i] = make([]float64, size)
		for _, c := range s.Counts {
			all[i][c.Feature] = float64(c.N) / most[c.Feature]
		}
	}
	return all
}

func squared(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

func near(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: value %d is %.12g, want %.12g", what, i, got[i], want[i])
		}
	}
}

// Dedup makes samples of the counters of intervals.
func Dedup(intervals []Vector) ([]Sample, error) {
	var s Set
	for i, v := range intervals {
		if _, err := s.Add(v); err != nil {
			return nil, fmt.Errorf("interval %d: %w", i, err)
		}
	}
	return s.Samples(), nil
}
