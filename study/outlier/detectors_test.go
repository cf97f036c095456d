package outlier

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// expandedPoints is the points of all intervals, by sample.
func expandedPoints(samples []Sample) (all [][]float64, first []int) {
	for i, p := range points(samples) {
		first = append(first, len(all))
		for range samples[i].Weight {
			all = append(all, p)
		}
	}
	return all, first
}

// pcaByPower finds one component after the other by power iteration with the full covariance matrix.
func pcaByPower(all [][]float64, explained float64, components int) []float64 {
	n, d := len(all), len(all[0])
	mean := make([]float64, d)
	for _, p := range all {
		for j, x := range p {
			mean[j] += x / float64(n)
		}
	}
	residual := make([][]float64, n)
	total := 0.0
	for i, p := range all {
		residual[i] = make([]float64, d)
		for j, x := range p {
			residual[i][j] = x - mean[j]
			total += residual[i][j] * residual[i][j]
		}
	}
	covariance := make([][]float64, d)
	for a := range covariance {
		covariance[a] = make([]float64, d)
		for b := range d {
			for i := range n {
				covariance[a][b] += residual[i][a] * residual[i][b]
			}
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	for c, sum := 0, 0.0; c < components && sum < explained*total; c++ {
		v := make([]float64, d)
		for j := range v {
			v[j] = random.NormFloat64()
		}
		value := 0.0
		for range 20000 {
			next := make([]float64, d)
			for a := range d {
				next[a] = floats.Dot(covariance[a], v)
			}
			value = math.Sqrt(floats.Dot(next, next))
			for j := range next {
				next[j] /= value
			}
			moved := squared(next, v)
			if v = next; moved < 1e-26 {
				break
			}
		}
		sum += value
		for a := range d {
			for b := range d {
				covariance[a][b] -= value * v[a] * v[b]
			}
		}
		for i := range n {
			floats.AddScaled(residual[i], -floats.Dot(residual[i], v), v)
		}
	}
	errors, meanError := make([]float64, n), 0.0
	for i, r := range residual {
		errors[i] = floats.Dot(r, r)
		meanError += errors[i] / float64(n)
	}
	for i, e := range errors {
		errors[i] = 1 - e/meanError
	}
	return errors
}

// lofByDefinition is definitions 3 to 7 of the paper over all intervals, with the least distance between different ones as the
// least reachability distance.
func lofByDefinition(all [][]float64, k int) []float64 {
	n := len(all)
	distance := func(i, j int) float64 { return math.Sqrt(squared(all[i], all[j])) }
	least := math.Inf(1)
	hoods, radius := make([][]int, n), make([]float64, n)
	for i := range n {
		var others []float64
		for j := range n {
			if j != i {
				others = append(others, distance(i, j))
				if x := distance(i, j); x > 0 {
					least = min(least, x)
				}
			}
		}
		slices.Sort(others)
		radius[i] = others[k-1]
		for j := range n {
			if j != i && distance(i, j) <= radius[i]*(1+1e-9) {
				hoods[i] = append(hoods[i], j)
			}
		}
	}
	density := make([]float64, n)
	for i, hood := range hoods {
		sum := 0.0
		for _, j := range hood {
			sum += max(radius[j], distance(i, j), least)
		}
		density[i] = float64(len(hood)) / sum
	}
	scores := make([]float64, n)
	for i, hood := range hoods {
		sum := 0.0
		for _, j := range hood {
			sum += density[j] / density[i]
		}
		scores[i] = 1 - sum/float64(len(hood))
	}
	return scores
}

// kfdByDense inverts the whole centred kernel matrix of all intervals: D = n diag(K (K + n ridge)^-1), the hat matrix of the ridge
// regression that Roth's discriminant is.
func kfdByDense(t *testing.T, all [][]float64, gamma, ridge float64) []float64 {
	n := len(all)
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, math.Exp(-gamma*squared(all[i], all[j])))
		}
	}
	centring := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			centring.Set(i, j, -1/float64(n))
		}
		centring.Set(i, i, 1-1/float64(n))
	}
	var half, centred, inverse, hat mat.Dense
	half.Mul(centring, k)
	centred.Mul(&half, centring)
	shifted := mat.DenseCopyOf(&centred)
	for i := range n {
		shifted.Set(i, i, shifted.At(i, i)+ridge*mat.Trace(&centred)) // n times the mean variance
	}
	if err := inverse.Inverse(shifted); err != nil {
		t.Fatal(err)
	}
	hat.Mul(&centred, &inverse)
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = 1 - hat.At(i, i)*float64(n)/mat.Trace(&hat)
	}
	return scores
}

func TestDetectorsByDefinition(t *testing.T) {
	t.Parallel()
	sets := []struct {
		name    string
		vectors []Vector
	}{
		{"blob", blob(120, 10, 4, 1)},
		{"more features than samples", blob(12, 40, 2, 2)},
		{"duplicates", patterns(200, 25, 12, 3)},
		{"counters", counters(t)[:250]},
	}
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) {
			samples := samplesOf(t, set.vectors)
			m := matrixOf(t, samples, Options{})
			all, first := expandedPoints(samples)
			pick := func(scores []float64) []float64 {
				picked := make([]float64, len(first))
				for i, f := range first {
					picked[i] = scores[f]
				}
				return picked
			}
			for _, d := range []pca{{0.5, 32}, {0.95, 32}, {1, 3}} {
				near(t, "pca", scoresOf(t, d, m), pick(pcaByPower(all, d.Explained, d.Components)), 1e-6)
			}
			for _, k := range []int{1, 5, 20} {
				near(t, "lof", scoresOf(t, lof{k}, m), pick(lofByDefinition(all, min(k, len(all)-1))), 1e-8)
			}
			for _, gamma := range []float64{0, 1} {
				d := defaultKernelFisher()
				d.Gamma = gamma
				near(t, "kfd", scoresOf(t, d, m), pick(kfdByDense(t, all, gammaOf(gamma, m), d.Ridge)), 1e-6)
			}
		})
	}
}

// Beyond its rank, the kernel Fisher discriminant still finds what is unlike all else.
func TestKernelFisherLowRank(t *testing.T) {
	t.Parallel()
	vectors := blob(300, 12, 1, 9)
	samples := samplesOf(t, vectors)
	m := matrixOf(t, samples, Options{})
	d := defaultKernelFisher()
	d.Gamma, d.Rank = 3, 20
	if got := ranked(t, vectors, scoresOf(t, d, m), samples)[0].index; got != 0 {
		t.Errorf("interval %d ranks first, want 0", got)
	}
}

// Every detector finds the interval that is unlike all others, gives the same twice, and says 0 of intervals that are all equal.
func TestDetectors(t *testing.T) {
	names := map[string]bool{}
	for _, d := range All() {
		t.Run(d.Name(), func(t *testing.T) {
			if found, err := Find(d.Name()); err != nil || !reflect.DeepEqual(found, d) || names[d.Name()] || d.About() == "" {
				t.Errorf("Find gives %v, %v; the name was there before: %v", found, err, names[d.Name()])
			}
			names[d.Name()] = true

			// Two main components and a little noise, as pca wants; the outlier is off their plane.
			random := rand.New(rand.NewPCG(1, 1))
			vectors := make([]Vector, 400)
			for i := range vectors {
				a, b := random.IntN(20), random.IntN(20)
				counts := []uint32{uint32(a), uint32(2 * a), uint32(b), uint32(b + 3), uint32(a + b), uint32(10 + random.IntN(2))}
				if i == 77 {
					counts = []uint32{19, 0, 0, 30, 5, 25}
				}
				vectors[i] = Dense(counts)
			}
			samples := samplesOf(t, vectors)
			m := matrixOf(t, samples, Options{})
			scores := scoresOf(t, d, m)
			for _, processors := range []int{1, 3, 8} {
				before := runtime.GOMAXPROCS(processors)
				again := scoresOf(t, d, m)
				runtime.GOMAXPROCS(before)
				if !slices.Equal(scores, again) {
					t.Errorf("not the same scores again with %d processors", processors)
				}
			}
			Normalise(scores)
			ranking := ranked(t, vectors, scores, samples)
			if ranking[0].index != 77 || ranking[0].score >= 0 || ranking[len(ranking)-1].score != 1 {
				t.Errorf("ranking from %+v to %+v, want interval 77 first, below 0, and the last at 1", ranking[0], ranking[len(ranking)-1])
			}

			same := []Vector{{{1, 2}}, {{1, 2}}, {{1, 2}}}
			if s := scoresOf(t, d, matrixOf(t, samplesOf(t, same), Options{})); !slices.Equal(s, []float64{0}) {
				t.Errorf("equal intervals score %v, want 0", s)
			}
			two := matrixOf(t, samplesOf(t, []Vector{{{1, 2}}, {}}), Options{})
			for _, s := range scoresOf(t, d, two) {
				if math.IsNaN(s) || math.IsInf(s, 0) {
					t.Errorf("two intervals score %v", s)
				}
			}
		})
	}
	if _, err := Find("oracle"); err == nil {
		t.Error("Find knows a detector that is not there")
	}
}

// A sample of weight w scores as w equal samples do, and w instructions in a block as w blocks that run alike.
func TestDetectorsWeights(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		samples := samplesOf(t, patterns(60+int(seed)*40, 15+int(seed)*5, 9, seed))
		weighted, expanded := matrixOf(t, samples, Options{}), matrixOf(t, expand(samples), Options{})

		widths := []int{3, 1, 2, 1, 1, 4, 1, 1, 2}
		wide := matrixOf(t, samples, Options{Width: widths})
		split := slices.Clone(samples)
		for i, s := range split {
			split[i].Counts = nil
			next := uint32(0)
			for f, w := range widths {
				for range w {
					if n := s.Counts.At(uint32(f)); n > 0 {
						split[i].Counts = append(split[i].Counts, Count{next, n})
					}
					next++
				}
			}
		}
		instructions := matrixOf(t, split, Options{})
		if wide.Dims() != instructions.Dims() || len(wide.columns) != len(instructions.columns) {
			t.Fatalf("%d dimensions in %d columns, want %d in %d", wide.Dims(), len(wide.columns), instructions.Dims(),
				len(instructions.columns))
		}
		for _, d := range All() {
			want := scoresOf(t, d, weighted)
			for i, s := range samples {
				want = slices.Insert(want, i+len(want)-len(samples), slices.Repeat(want[i+len(want)-len(samples):][:1], s.Weight-1)...)
			}
			near(t, d.Name()+", weights", scoresOf(t, d, expanded), want, 1e-5)
			near(t, d.Name()+", widths", scoresOf(t, d, wide), scoresOf(t, d, instructions), 1e-9)
		}
	}
}

func TestDetectorsRefuse(t *testing.T) {
	t.Parallel()
	m := matrixOf(t, samplesOf(t, blob(10, 3, 1, 1)), Options{})
	for _, d := range []Detector{oneClassSVM{Nu: 0, Eps: 1}, oneClassSVM{Nu: 1.5, Eps: 1}, oneClassSVM{Nu: 0.5}, pca{0, 1}, pca{1, 0},
		pca{2, 1}, lof{0}, isolationForest{0, 2, 1}, isolationForest{1, 1, 1}, kernelFisher{Rank: 1}, kernelFisher{Ridge: 1},
		surprise{0, 0.1}, surprise{1, 0}, surprise{1, 1}, ensemble{nil, 0.1}, ensemble{[]Detector{defaultPCA()}, 0}, ensemble{[]Detector{lof{0}}, 0.1}} {
		if _, err := d.Scores(m); err == nil {
			t.Errorf("%#v is taken", d)
		}
	}
}

// Dims is the number of elements that differ between samples: LIBSVM's num_features, but for the constant ones.
func (m *Matrix) Dims() int { return int(m.dims) }
