package outlier

import (
	"container/list"
	"math"
)

// kernel is the RBF kernel exp(-gamma |x-y|^2) of a matrix. It keeps the rows that were used last, as float32 like LIBSVM.
type kernel struct {
	m       *Matrix
	gamma   float64
	squared []float64       // room for distances
	rows    []*list.Element // by sample, nil if not kept
	recent  *list.List      // of *kernelRow, the last used first
	room    int             // rows that may still be kept
}

type kernelRow struct {
	sample int
	values []float32
}

// kernelBytes bounds what kept rows take. LIBSVM's default is 100 MB.
const kernelBytes = 256 << 20

func newKernel(m *Matrix, gamma float64) *kernel {
	n := len(m.rows)
	return &kernel{m: m, gamma: gamma, squared: make([]float64, n), rows: make([]*list.Element, n),
		recent: list.New(), room: max(2, kernelBytes/(4*n))}
}

// gammaOf is the given gamma, or LIBSVM's default, 1/num_features, for 0.
func gammaOf(given float64, m *Matrix) float64 {
	if given > 0 {
		return given
	}
	return 1 / max(1, m.dims)
}

// compute fills a row of the kernel matrix.
func (k *kernel) compute(i int, row []float32) {
	k.m.distances(i, k.squared)
	for j, d := range k.squared {
		row[j] = float32(math.Exp(-k.gamma * d))
	}
}

// row is valid until the next but one call.
func (k *kernel) row(i int) []float32 {
	if e := k.rows[i]; e != nil {
		k.recent.MoveToFront(e)
		return e.Value.(*kernelRow).values
	}
	var r *kernelRow
	if k.room > 0 {
		k.room--
		r = &kernelRow{values: make([]float32, len(k.rows))}
	} else {
		r = k.recent.Remove(k.recent.Back()).(*kernelRow)
		k.rows[r.sample] = nil
	}
	r.sample = i
	k.compute(i, r.values)
	k.rows[i] = k.recent.PushFront(r)
	return r.values
}
