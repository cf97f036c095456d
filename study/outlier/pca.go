package outlier

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// pca scores by reconstruction error: the squared distance of a sample from the subspace of the main components. The score is 1
// less the error in units of the mean error.
type pca struct {
	Explained  float64 // keep as few components as explain this part of the variance
	Components int     // but at most so many
}

// defaultPCA keeps what explains 95% of the variance, the usual choice.
func defaultPCA() pca { return pca{Explained: 0.95, Components: 32} }

func (pca) Name() string { return "pca" }

func (pca) About() string { return "distance from the main components" }

func (d pca) Scores(m *Matrix) ([]float64, error) {
	if d.Explained <= 0 || d.Explained > 1 || d.Components < 1 {
		return nil, fmt.Errorf("pca: explained is %g and components %d: they must be above 0, and explained at most 1", d.Explained,
			d.Components)
	}
	c := centre(m)
	axes, variances, err := c.principal(d.Components)
	if err != nil {
		return nil, err
	}
	keep, sum := 0, 0.0
	for keep < len(variances) && sum < d.Explained*c.variance {
		sum += variances[keep]
		keep++
	}
	scores := make([]float64, len(m.rows))
	if keep == 0 {
		return scores, nil // all samples are equal
	}
	projected := c.project(mat.DenseCopyOf(axes.Slice(0, len(m.columns), 0, keep)))
	mean := 0.0
	for i := range scores {
		p := projected.RawRowView(i)
		scores[i] = max(0, c.squared(i)-floats.Dot(p, p))
		mean += scores[i] * float64(m.Samples[i].Weight) / float64(m.weight)
	}
	// What is left of the variance beyond the precision of its sum is rounding, not deviation.
	if mean <= 1e-12*c.variance {
		clear(scores)
		return scores, nil
	}
	for i, e := range scores {
		scores[i] = 1 - e/mean
	}
	return scores, nil
}

// Plane is where each sample lies on the two main components, for a picture.
func Plane(m *Matrix) ([][2]float64, error) {
	points := make([][2]float64, len(m.rows))
	c := centre(m)
	axes, _, err := c.principal(2)
	if err != nil || axes == nil {
		return points, err
	}
	projected := c.project(axes)
	_, n := projected.Dims()
	for i := range points {
		copy(points[i][:min(n, 2)], projected.RawRowView(i))
	}
	return points, nil
}

// centred is a matrix whose intervals have their mean at the origin, without being filled with the means.
type centred struct {
	*Matrix
	mean     []float64
	meanNorm float64
	variance float64 // in all directions together
}

func centre(m *Matrix) *centred {
	c := &centred{Matrix: m, mean: make([]float64, len(m.columns))}
	for i, row := range m.rows {
		w := float64(m.Samples[i].Weight) / float64(m.weight)
		for _, x := range row {
			c.mean[x.column] += w * x.value
		}
	}
	c.meanNorm = floats.Dot(c.mean, c.mean)
	for i, s := range m.Samples {
		c.variance += float64(s.Weight) / float64(m.weight) * c.squared(i)
	}
	return c
}

// squared is the squared length of a centred row.
func (c *centred) squared(i int) float64 {
	sum := c.norms[i] + c.meanNorm
	for _, x := range c.rows[i] {
		sum -= 2 * x.value * c.mean[x.column]
	}
	return max(0, sum)
}

// project is the product of the centred rows with v.
func (c *centred) project(v *mat.Dense) *mat.Dense {
	_, n := v.Dims()
	origin := make([]float64, n)
	for j, x := range c.mean {
		floats.AddScaled(origin, x, v.RawRowView(j))
	}
	t := mat.NewDense(len(c.rows), n, nil)
	share(len(c.rows), func(from, to int) {
		for i := from; i < to; i++ {
			row := t.RawRowView(i)
			for _, x := range c.rows[i] {
				floats.AddScaled(row, x.value, v.RawRowView(x.column))
			}
			floats.AddScaled(row, -1, origin)
		}
	})
	return t
}

// covary is the product of the covariance matrix with v.
func (c *centred) covary(v *mat.Dense) *mat.Dense {
	d, n := v.Dims()
	t, y, sum := c.project(v), mat.NewDense(d, n, nil), make([]float64, n)
	for i, s := range c.Samples {
		w, row := float64(s.Weight)/float64(c.weight), t.RawRowView(i)
		floats.AddScaled(sum, w, row)
		for _, x := range c.rows[i] {
			floats.AddScaled(y.RawRowView(x.column), w*x.value, row)
		}
	}
	for j, x := range c.mean {
		floats.AddScaled(y.RawRowView(j), -x, sum)
	}
	return y
}

// principal is the main axes, as columns, and the variances along them, at most n. It iterates a subspace with some axes to
// spare, which is exact at once where it is the whole space, and never makes the covariance matrix of thousands of columns.
// The axes are nil if there is no variance.
func (c *centred) principal(n int) (*mat.Dense, []float64, error) {
	const spare, rounds, precise = 16, 500, 1e-11
	d := len(c.columns)
	if c.variance == 0 {
		return nil, nil, nil
	}
	q := min(d, n+spare)
	n = min(n, q)
	random := rand.New(rand.NewPCG(1, 2))
	v := mat.NewDense(d, q, nil)
	for i := range d {
		for j := range q {
			v.Set(i, j, random.NormFloat64())
		}
	}
	var before []float64
	for round := 0; ; round++ {
		var svd mat.SVD
		if !svd.Factorize(v, mat.SVDThinU) {
			return nil, nil, errors.New("pca: no orthogonal basis for these counters: choose another detector")
		}
		svd.UTo(v)
		y := c.covary(v)
		var small mat.Dense
		small.Mul(v.T(), y)
		sym := mat.NewSymDense(q, nil)
		for i := range q {
			for j := i; j < q; j++ {
				sym.SetSym(i, j, (small.At(i, j)+small.At(j, i))/2)
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(sym, true) {
			return nil, nil, errors.New("pca: no components for these counters: choose another detector")
		}
		variances := eigen.Values(nil)
		slices.Reverse(variances)
		settled := before != nil || q == d
		for i := range min(n, len(before)) {
			settled = settled && math.Abs(variances[i]-before[i]) <= precise*c.variance
		}
		if settled || round == rounds {
			var vectors, axes mat.Dense
			eigen.VectorsTo(&vectors)
			axes.Mul(v, &vectors)
			kept := mat.NewDense(d, n, nil)
			for i := range d {
				for j := range n {
					kept.Set(i, j, axes.At(i, q-1-j))
				}
			}
			return kept, variances[:n], nil
		}
		before, v = variances, y
	}
}
