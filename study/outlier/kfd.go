package outlier

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// kernelFisher is Roth's one-class kernel Fisher discriminant (Outlier detection with one-class kernel Fisher discriminants,
// 2004): a Gaussian in the feature space of the RBF kernel, and how far each sample is from its centre, as the regularised
// Mahalanobis distance D(x) = f(x)' (C + ridge I)^-1 f(x) with f(x) the centred image of x and C the covariance. The mean of D
// over the intervals is the effective number of dimensions; the score is 1 less D in that unit. Roth chooses the kernel's width and the
// ridge by cross-validated likelihood; here they are parameters.
//
// The kernel matrix is factored with the sample farthest from the span of those before as the next pivot, which stops when all
// are in the span: exact for the patterns that firmware has. With more than Rank pivots, what remains of a sample outside of their span
// counts as a direction of its own.
type kernelFisher struct {
	Gamma float64 // of the kernel; 0 means 1 / Matrix.Dims
	Ridge float64 // in units of the total variance
	Rank  int     // pivots at most
}

// defaultKernelFisher takes variance below 1% of the whole, in a direction, for noise.
func defaultKernelFisher() kernelFisher { return kernelFisher{Ridge: 0.01, Rank: 512} }

func (kernelFisher) Name() string { return "kfd" }

func (kernelFisher) About() string {
	return "one-class kernel Fisher discriminant: a Gaussian in kernel space"
}

func (d kernelFisher) Scores(m *Matrix) ([]float64, error) {
	if d.Ridge <= 0 || d.Rank < 1 {
		return nil, fmt.Errorf("kfd: ridge is %g and rank %d: they must be above 0", d.Ridge, d.Rank)
	}
	scores := make([]float64, len(m.rows))
	if len(m.rows) == 1 {
		return scores, nil
	}
	images, rest := m.factor(gammaOf(d.Gamma, m), d.Rank)
	n, r := images.Dims()
	mean := make([]float64, r)
	for i, s := range m.Samples {
		floats.AddScaled(mean, float64(s.Weight)/float64(m.weight), images.RawRowView(i))
	}
	variance := 0.0
	weighted := mat.NewDense(n, r, nil)
	for i, s := range m.Samples {
		f, w := images.RawRowView(i), float64(s.Weight)/float64(m.weight)
		floats.AddScaled(f, -1, mean)
		floats.AddScaled(weighted.RawRowView(i), math.Sqrt(w), f)
		variance += w * (floats.Dot(f, f) + rest[i])
	}
	ridge := d.Ridge * variance
	covariance := mat.NewSymDense(r, nil)
	covariance.SymOuterK(1, weighted.T())
	for j := range r {
		covariance.SetSym(j, j, covariance.At(j, j)+ridge)
	}
	var chol mat.Cholesky
	if !chol.Factorize(covariance) {
		return nil, fmt.Errorf("kfd: the covariance is singular with ridge %g: choose a larger one", d.Ridge)
	}
	var solved mat.Dense
	if err := chol.SolveTo(&solved, images.T()); err != nil {
		return nil, fmt.Errorf("kfd: ridge %g is too small for these counters: %w", d.Ridge, err)
	}
	dims := 0.0
	for i, s := range m.Samples {
		w := float64(s.Weight) / float64(m.weight)
		for j, x := range images.RawRowView(i) {
			scores[i] += x * solved.At(j, i)
		}
		scores[i] += rest[i] / (ridge + w*rest[i])
		dims += w * scores[i]
	}
	for i, x := range scores {
		scores[i] = 1 - x/dims
	}
	return scores, nil
}

// factor is points, as rows, whose inner products are the kernel's, by Cholesky factorisation with pivots, and what remains of each
// sample's squared length of 1.
func (m *Matrix) factor(gamma float64, rank int) (images *mat.Dense, rest []float64) {
	const enough = 1e-10
	n := len(m.rows)
	squared := make([]float64, n)
	rest = make([]float64, n)
	for i := range rest {
		rest[i] = 1
	}
	rank = min(rank, n)
	full := mat.NewDense(n, rank, nil)
	used := 0
	column := make([]float64, n)
	for used < rank {
		pivot := 0
		for i, x := range rest {
			if x > rest[pivot] {
				pivot = i
			}
		}
		if rest[pivot] <= enough {
			break
		}
		m.distances(pivot, squared)
		root, p := math.Sqrt(rest[pivot]), full.RawRowView(pivot)[:used]
		share(n, func(from, to int) {
			for i := from; i < to; i++ {
				similar := math.Exp(-gamma * squared[i])
				column[i] = (similar - floats.Dot(p, full.RawRowView(i)[:used])) / root
			}
		})
		for i, x := range column {
			full.Set(i, used, x)
			rest[i] = max(0, rest[i]-x*x)
		}
		rest[pivot] = 0
		used++
	}
	return full.Slice(0, n, 0, used).(*mat.Dense), rest
}
