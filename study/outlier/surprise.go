package outlier

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// surprise scores a sample by its rarest counts. A count is as rare as there are few intervals that go at least as far from the
// column's most common count, in the same direction. Only the rarest columns of a sample count: a long path is no more surprising
// than a short one.
type surprise struct {
	Columns int     // how many of its rarest columns count
	Rare    float64 // a sample is below zero if its columns are rarer than this, in the mean
}

// defaultSurprise looks at eight columns, and for what happens in fewer than one interval of fifty.
func defaultSurprise() surprise { return surprise{Columns: 8, Rare: 0.02} }

func (surprise) Name() string { return "surprise" }

func (surprise) About() string { return "how rare the rarest counts of an interval are" }

func (d surprise) Scores(m *Matrix) ([]float64, error) {
	if d.Columns < 1 || d.Rare <= 0 || d.Rare >= 1 {
		return nil, fmt.Errorf("surprise: %d columns, rare %g: give at least one column, and a part between 0 and 1", d.Columns, d.Rare)
	}
	if len(m.columns) == 0 {
		return make([]float64, len(m.rows)), nil
	}
	columns := min(d.Columns, len(m.columns))
	bits := make([][]float64, len(m.rows)) // by sample, of its unusual columns
	for _, c := range m.columns {
		ds := slices.Clone(c.deviations)
		slices.SortFunc(ds, func(a, b deviation) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.row, b.row)) })
		above, _ := slices.BinarySearchFunc(ds, 0.0, func(x deviation, v float64) int { return cmp.Compare(x.value, v) })
		low, high := ds[:above], ds[above:]
		slices.Reverse(high)
		for _, outermost := range [][]deviation{low, high} {
			m.tail(outermost, func(row int32, weight int) {
				bits[row] = append(bits[row], math.Log2(float64(m.weight)/float64(weight)))
			})
		}
	}
	scores := make([]float64, len(m.rows))
	for i, b := range bits {
		slices.SortFunc(b, func(x, y float64) int { return cmp.Compare(y, x) })
		sum := 0.0
		for _, x := range b[:min(columns, len(b))] {
			sum += x
		}
		scores[i] = -math.Log2(d.Rare) - sum/float64(columns)
	}
	return scores, nil
}

// tail tells of each deviation how many intervals go at least as far. The outermost come first.
func (m *Matrix) tail(ds []deviation, each func(row int32, weight int)) {
	weight := 0
	for i := 0; i < len(ds); {
		j := i
		for ; j < len(ds) && ds[j].value == ds[i].value; j++ {
			weight += m.Samples[ds[j].row].Weight
		}
		for ; i < j; i++ {
			each(ds[i].row, weight)
		}
	}
}
