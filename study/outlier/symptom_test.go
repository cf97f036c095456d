package outlier

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDedup(t *testing.T) {
	t.Parallel()
	a, b := Vector{{1, 2}, {5, 1}}, Vector{{1, 2}, {5, 2}}
	samples := samplesOf(t, []Vector{a, b, {}, a, {}, a})
	want := []Sample{{a, 3}, {b, 1}, {nil, 2}}
	if !slices.EqualFunc(samples, want, func(x, y Sample) bool {
		return slices.Equal(x.Counts, y.Counts) && x.Weight == y.Weight
	}) {
		t.Errorf("samples are %v, want %v", samples, want)
	}
	for _, bad := range []Vector{{{2, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {{1, 0}}} {
		if _, err := Dedup([]Vector{a, bad}); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

func TestNewMatrix(t *testing.T) {
	t.Parallel()
	if _, err := NewMatrix(nil, Options{}); err == nil {
		t.Error("a matrix of nothing is taken")
	}
	if _, err := NewMatrix([]Sample{{}}, Options{}); err == nil {
		t.Error("a sample of weight 0 is taken")
	}
	// Features 0 and 3 run alike, up to scale; 1 is constant; 4 has a range of 1.
	samples := samplesOf(t, []Vector{Dense([]uint32{2, 7, 0, 4, 10}), Dense([]uint32{1, 7, 3, 2, 11}), Dense([]uint32{2, 7, 1, 4, 11})})
	for _, test := range []struct {
		scaling Scaling
		columns int
		want    float64 // squared distance of the first two
	}{
		{ByMax, 3, 2*0.25 + 1 + 1.0/121},
		{ByRange, 3, 2*1 + 1 + 1},
		{Raw, 4, 1 + 4 + 9 + 1},
	} {
		m := matrixOf(t, samples, Options{Scaling: test.scaling})
		distances := make([]float64, len(samples))
		m.distances(0, distances)
		if got := distances[1]; len(m.columns) != test.columns || m.Dims() != 4 || math.Abs(got-test.want) > 1e-12 {
			t.Errorf("scaling %d: %d columns, %d dimensions, distance %g; want %d, 4, %g", test.scaling, len(m.columns), m.Dims(), got,
				test.columns, test.want)
		}
	}
}

// Distances in the matrix are those of the scaled counters.
func TestMatrixDistances(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		samples := samplesOf(t, append(patterns(100, 30, 10, seed), blob(20, 10, 3, seed)...))
		m, all := matrixOf(t, samples, Options{}), points(samples)
		distances := make([]float64, len(all))
		for i := range all {
			m.distances(i, distances)
			for j := range all {
				if got, want := distances[j], squared(all[i], all[j]); math.Abs(got-want) > 1e-12 {
					t.Fatalf("seed %d: from %d to %d is %g, want %g", seed, i, j, got, want)
				}
			}
		}
	}
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for _, test := range [][2][]float64{
		{{-1, 0, 0.5, 2}, {-0.5, 0, 0.25, 1}},
		{{-4, -1}, {-1, -0.25}},
		{{0, 0}, {0, 0}},
		{{}, {}},
	} {
		got := slices.Clone(test[0])
		if Normalise(got); !slices.Equal(got, test[1]) {
			t.Errorf("%v becomes %v, want %v", test[0], got, test[1])
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	a, b, c := Vector{{1, 1}}, Vector{{2, 1}}, Vector{{3, 1}}
	vectors := []Vector{b, a, c, c, a}
	got := ranked(t, vectors, []float64{1, 0.5, 0.5}, samplesOf(t, vectors))
	want := []place{{1, 1, 0.5}, {2, 2, 0.5}, {3, 2, 0.5}, {4, 1, 0.5}, {0, 0, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("the ranking is %v, want %v", got, want)
	}
}

// oddIntervals is a thousand intervals with a packet every third; 100 to 104 and 205 run blocks 8 and 9 more often, 300 leaves out 2.
func oddIntervals() []Vector {
	random := rand.New(rand.NewPCG(3, 3))
	vectors := make([]Vector, 1000)
	for i := range vectors {
		counts := []uint32{1, 1, 2, 0, 0, uint32(5 + random.IntN(3)), 1, 0, 1, 1, 0, 0, 0, 0}
		if i%3 == 2 {
			counts[3], counts[4], counts[7] = 1, 4, 1
		}
		switch {
		case i >= 100 && i < 105 || i == 205:
			counts[8], counts[9] = 4, 3
		case i == 300:
			counts[2] = 0
		}
		vectors[i] = Dense(counts)
	}
	return vectors
}

func TestExplain(t *testing.T) {
	t.Parallel()
	vectors := oddIntervals()
	samples := samplesOf(t, vectors)
	m := matrixOf(t, samples, Options{})
	for _, d := range All() {
		if d.Name() == "pca" {
			continue // the odd intervals are a main component
		}
		scores := scoresOf(t, d, m)
		ranking := ranked(t, vectors, scores, samples)
		e := NewExplainer(m, scores, Likeness{})
		var explanations []Explanation
		var seen []int
		for _, r := range ranking[:7] {
			if !slices.Contains(seen, r.sample) {
				seen = append(seen, r.sample)
				explanations = append(explanations, e.Explain(r.sample))
			}
		}
		odd := 0
		for _, x := range explanations {
			var features []uint32
			sum := 0.0
			for _, v := range x.Deviations {
				features = append(features, v.Feature)
				sum += v.Weight
			}
			first := x.Deviations[0]
			switch {
			case samples[x.Sample].Counts.At(2) == 0: // interval 300
				if first.Feature != 2 || first.Count != 0 || first.Usual != 2 {
					t.Errorf("%s: interval 300 is explained by %+v, want feature 2", d.Name(), x.Deviations)
				}
			case samples[x.Sample].Counts.At(8) == 4:
				odd++
				if first.Feature != 8 || first.Count != 4 || first.Usual != 1 || features[1] != 9 {
					t.Errorf("%s: explained by %+v, want features 8 and 9", d.Name(), x.Deviations)
				}
			default:
				t.Errorf("%s: sample %d, %+v, is among the first", d.Name(), x.Sample, samples[x.Sample])
			}
			if math.Abs(sum-1) > 1e-12 || len(x.Neighbours) != 5 {
				t.Errorf("%s: weights sum up to %g with %d neighbours", d.Name(), sum, len(x.Neighbours))
			}
		}
		if clusters := Clusters(explanations); len(clusters) != 2 || odd < 2 {
			t.Errorf("%s: %d clusters of %d explanations, want 2: %v", d.Name(), len(clusters), len(explanations), clusters)
		}
	}
}

// A sample is compared with those that are like it, if they stand for enough intervals, and never with one that is bad.
func TestExplainLike(t *testing.T) {
	t.Parallel()
	var vectors []Vector
	add := func(n int, v Vector) {
		for range n {
			vectors = append(vectors, v)
		}
	}
	add(1, Vector{{1, 1}, {2, 1}})         // sample 0: to be explained
	add(2, Vector{{1, 1}, {2, 1}, {3, 9}}) // 1: nearest, but bad
	add(5, Vector{{1, 1}, {4, 20}})        // 2: like it
	for i := range uint32(6) {             // 3 to 8: near, and not like it
		add(5, Vector{{1, 1}, {5 + i, 1}})
	}
	samples := samplesOf(t, vectors)
	m := matrixOf(t, samples, Options{Scaling: Raw})
	scores := make([]float64, len(samples))
	for _, c := range []struct {
		least int // intervals that a sample like it stands for
		want  int
	}{{5, 2}, {6, 3}} {
		like := Likeness{Bad: func(s int) bool { return s == 1 }, Tiers: []func(sample, other int) bool{
			func(_, other int) bool { return other <= 2 && samples[other].Weight >= c.least },
		}}
		x := NewExplainer(m, scores, like).Explain(0)
		if len(x.Neighbours) == 0 || x.Neighbours[0].Sample != c.want {
			t.Errorf("like those with %d intervals: compared with %v, want %d first", c.least, x.Neighbours, c.want)
		}
		for _, n := range x.Neighbours {
			if n.Sample == 1 {
				t.Errorf("compared with a bad one: %v", x.Neighbours)
			}
		}
	}
}

func TestExplainAlone(t *testing.T) {
	t.Parallel()
	samples := samplesOf(t, []Vector{{{1, 1}}})
	m := matrixOf(t, samples, Options{})
	if x := NewExplainer(m, []float64{0}, Likeness{}).Explain(0); x.Neighbours != nil || x.Deviations != nil {
		t.Errorf("a lone sample has the explanation %+v", x)
	}
}

func TestPlane(t *testing.T) {
	t.Parallel()
	samples := samplesOf(t, []Vector{Dense([]uint32{0, 0}), Dense([]uint32{4, 4}), Dense([]uint32{2, 2})})
	at, err := Plane(matrixOf(t, samples, Options{Scaling: Raw}))
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Abs(at[0][0] - at[1][0]); math.Abs(got-math.Sqrt(32)) > 1e-12 || math.Abs(at[2][0]) > 1e-12 || at[0][1] != 0 {
		t.Errorf("points are at %v", at)
	}
}
