package outlier

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Scaling is how counts become coordinates.
type Scaling int

const (
	// ByMax divides each feature by its largest count, so that all lie in [0, 1] and a loop that runs a thousand times
	// does not drown a branch that is taken once. It is what svm-scale -l 0 does to features whose least count is 0. A
	// wait loop with 1000 to 1010 turns stays as unimportant as it is.
	ByMax Scaling = iota
	// ByRange divides each feature by the difference of its largest and least counts: svm-scale -l 0 for all features.
	ByRange
	// Raw takes the counts as they are.
	Raw
)

// Options say how to make a matrix. The zero value is what mining uses.
type Options struct {
	Scaling Scaling
	// Width is the number of instructions of a feature, by feature; nil means 1 each. A block of n instructions then
	// counts as the n equal elements that it has in the paper's instruction counter.
	Width []int
}

// column is one or more features that ran alike in all samples, up to scale. Distances see it as one coordinate with the
// root of the number of instructions in it as a factor, which is exact.
type column struct {
	features []uint32
	widths   []float64 // by feature: its instructions
	width    float64   // their sum
	// deviations is the column of the matrix: its non-zero values, by ascending sample.
	deviations []deviation
}

// share is the part that its i-th feature has in a squared difference.
func (c column) share(i int) float64 { return c.widths[i] / c.width }

type cell struct {
	column int
	value  float64
}

// Matrix is samples as points. Detectors only look at differences of points, so each coordinate is told from its most
// common value: rows are then short, since most blocks run as often as usual. Features that always ran equally often are
// left out.
type Matrix struct {
	Samples []Sample
	columns []column
	rows    [][]cell  // by sample, by ascending column; the non-zero ones
	norms   []float64 // squared lengths of rows
	weight  int       // of all samples
	dims    float64   // instructions in all columns
}

// NewMatrix makes the matrix of distinct samples.
func NewMatrix(samples []Sample, o Options) (*Matrix, error) {
	if len(samples) == 0 {
		return nil, errors.New("no intervals to compare: run for longer, or choose a vector whose interrupt occurs")
	}
	m := &Matrix{Samples: samples, rows: make([][]cell, len(samples)), norms: make([]float64, len(samples))}
	byFeature, err := m.transpose()
	if err != nil {
		return nil, err
	}
	m.columns = makeColumns(byFeature, samples, o, m.rows)
	for _, c := range m.columns {
		m.dims += c.width
	}
	for i, row := range m.rows {
		for _, c := range row {
			m.norms[i] += c.value * c.value
		}
	}
	return m, nil
}

type entry struct {
	row int32
	n   uint32
}

// transpose lists the samples in which each feature ran, and sums up the weights.
func (m *Matrix) transpose() ([][]entry, error) {
	size, cells := 0, []int(nil)
	for i, s := range m.Samples {
		if err := s.Counts.check(); err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		if s.Weight < 1 {
			return nil, fmt.Errorf("sample %d has weight %d: a sample has at least one interval", i, s.Weight)
		}
		m.weight += s.Weight
		if n := len(s.Counts); n > 0 {
			size = max(size, int(s.Counts[n-1].Feature)+1)
		}
		cells = append(cells, make([]int, size-len(cells))...)
		for _, c := range s.Counts {
			cells[c.Feature]++
		}
	}
	byFeature := make([][]entry, size)
	for f, n := range cells {
		byFeature[f] = make([]entry, 0, n)
	}
	for i, s := range m.Samples {
		for _, c := range s.Counts {
			byFeature[c.Feature] = append(byFeature[c.Feature], entry{int32(i), c.N})
		}
	}
	return byFeature, nil
}

// deviation is how one sample's count differs from the usual one, scaled.
type deviation struct {
	row   int32
	value float64
}

func makeColumns(byFeature [][]entry, samples []Sample, o Options, rows [][]cell) []column {
	var columns []column
	seed, seen := maphash.MakeSeed(), map[uint64][]int{}
	counts, tally := make([]uint32, len(samples)), map[uint32]int{}
	for f, entries := range byFeature {
		if len(entries) == 0 {
			continue
		}
		clear(counts)
		for _, e := range entries {
			counts[e.row] = e.n
		}
		usual := mostCommon(counts, samples, tally)
		divisor := 1.0
		switch lo, hi := slices.Min(counts), slices.Max(counts); {
		case lo == hi:
			continue
		case o.Scaling == ByMax:
			divisor = float64(hi)
		case o.Scaling == ByRange:
			divisor = float64(hi - lo)
		}
		var ds []deviation
		for r, n := range counts {
			if n != usual {
				ds = append(ds, deviation{int32(r), (float64(n) - float64(usual)) / divisor})
			}
		}
		width := 1.0
		if f < len(o.Width) {
			width = float64(max(o.Width[f], 1))
		}
		h := hashOf(seed, ds)
		at := -1
		for _, c := range seen[h] {
			if slices.Equal(columns[c].deviations, ds) {
				at = c
			}
		}
		if at < 0 {
			at = len(columns)
			seen[h] = append(seen[h], at)
			columns = append(columns, column{deviations: ds})
		}
		c := &columns[at]
		c.features, c.widths = append(c.features, uint32(f)), append(c.widths, width)
		c.width += width
	}
	for i, c := range columns {
		root := math.Sqrt(c.width)
		for j := range c.deviations {
			d := &c.deviations[j]
			d.value *= root
			rows[d.row] = append(rows[d.row], cell{i, d.value})
		}
	}
	return columns
}

// mostCommon is the count that most intervals have, the least such.
func mostCommon(counts []uint32, samples []Sample, tally map[uint32]int) uint32 {
	clear(tally)
	best, most := uint32(0), 0
	for i, n := range counts {
		tally[n] += samples[i].Weight
	}
	for _, n := range counts {
		if t := tally[n]; t > most || t == most && n < best {
			best, most = n, t
		}
	}
	return best
}

// hashOf only finds candidates, which are then compared: its seed does not show.
func hashOf(seed maphash.Seed, ds []deviation) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var b [12]byte
	for _, d := range ds {
		binary.LittleEndian.PutUint32(b[:], uint32(d.row))
		binary.LittleEndian.PutUint64(b[4:], math.Float64bits(d.value))
		h.Write(b[:])
	}
	return h.Sum64()
}

// spread writes a row to scratch, one value per column, and unspread makes it zeros again.
func (m *Matrix) spread(i int, scratch []float64) {
	for _, c := range m.rows[i] {
		scratch[c.column] = c.value
	}
}

func (m *Matrix) unspread(i int, scratch []float64) {
	for _, c := range m.rows[i] {
		scratch[c.column] = 0
	}
}

// distances fills squared with the squared distances of sample i from all. By columns, it only meets the pairs of values that are
// both unusual. The distance from a to b is exactly that from b to a.
func (m *Matrix) distances(i int, squared []float64) {
	clear(squared)
	for _, c := range m.rows[i] {
		for _, d := range m.columns[c.column].deviations {
			squared[d.row] += c.value * d.value
		}
	}
	for j, dot := range squared {
		squared[j] = max(0, m.norms[i]+m.norms[j]-2*dot)
	}
	squared[i] = 0
}

// share splits the numbers below n over the processors. What work does for a number must not depend on the split.
func share(n int, work func(from, to int)) {
	parts := runtime.GOMAXPROCS(0)
	if parts == 1 || n < 2*parts {
		work(0, n)
		return
	}
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { work(n*p/parts, n*(p+1)/parts) })
	}
	wg.Wait()
}
