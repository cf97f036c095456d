package outlier

import (
	"cmp"
	"math"
	"slices"
)

// Explanation is what sets a sample apart from the normal samples that are most like it.
type Explanation struct {
	Sample     int
	Neighbours []Neighbour // the nearest first
	Deviations []Deviation // the largest weight first
	// difference is the deviations as a row of the matrix.
	difference []cell
}

// Neighbour is a normal sample near another one.
type Neighbour struct {
	Sample   int
	Distance float64
}

// Deviation is a feature that ran more or less often than in the neighbours.
type Deviation struct {
	Feature uint32
	Count   uint32  // in the sample
	Usual   uint32  // the median of the neighbours' counts
	Weight  float64 // its part of the squared distance to the neighbours; all deviations have 1 together
}

// Explainer explains the samples of one scored matrix.
type Explainer struct {
	m     *Matrix
	order []int // of samples, by score
	like  Likeness
}

// Likeness says with which samples one should be compared. Either may be nil.
type Likeness struct {
	// Bad says that a sample is known to be a symptom, and so never normal.
	Bad func(sample int) bool
	// Tiers say whether another sample is like one. The first is the strictest; where it leaves too few, the next one counts, and
	// behind the last one all are alike.
	Tiers []func(sample, other int) bool
}

// suspect is the part of the intervals, those with the lowest scores, that never serve as normal neighbours.
const suspect = 0.1

// neighbours is how many normal samples an explanation compares with: odd, so that the median is a count.
const neighbours = 5

// NewExplainer explains samples by others that are like them, if there are enough.
func NewExplainer(m *Matrix, scores []float64, like Likeness) *Explainer {
	return &Explainer{m, lowestFirst(scores), like}
}

// lowestFirst is the samples in the order of their scores.
func lowestFirst(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[a], scores[b]), cmp.Compare(a, b)) })
	return order
}

// normal is the samples that are like the given one and not known to be symptoms, but for those with the lowest scores that make up
// a tenth of their intervals, ascending; and how many intervals they stand for.
func (e *Explainer) normal(like func(o int) bool) (all []int, weight int) {
	for _, o := range e.order {
		if like(o) && (e.like.Bad == nil || !e.like.Bad(o)) {
			all = append(all, o)
			weight += e.m.Samples[o].Weight
		}
	}
	out := 0
	for len(all) > 1 && float64(out+e.m.Samples[all[0]].Weight) <= suspect*float64(weight) {
		out += e.m.Samples[all[0]].Weight
		all = all[1:]
	}
	slices.Sort(all)
	return all, weight - out
}

// comparable is the samples to compare one with.
func (e *Explainer) comparable(sample int) []int {
	for _, tier := range e.like.Tiers {
		if all, weight := e.normal(func(o int) bool { return o != sample && tier(sample, o) }); weight >= neighbours {
			return all
		}
	}
	all, _ := e.normal(func(int) bool { return true })
	return all
}

// Explain compares a sample with its nearest normal neighbours: which features ran unusually often or seldom, by weight and
// feature.
func (e *Explainer) Explain(sample int) Explanation {
	x := Explanation{Sample: sample}
	m := e.m
	squared := make([]float64, len(m.rows))
	m.distances(sample, squared)
	var all []neighbour
	for _, o := range e.comparable(sample) {
		if o != sample {
			all = append(all, neighbour{o, math.Sqrt(squared[o]), 1})
		}
	}
	if len(all) == 0 {
		return x
	}
	near := nearest(all, min(neighbours, float64(len(all))))
	if len(near)%2 == 0 {
		near = near[:len(near)-1]
	}
	for _, o := range near {
		x.Neighbours = append(x.Neighbours, Neighbour{o.sample, o.distance})
	}
	x.difference = m.difference(sample, near)
	x.Deviations = m.deviations(sample, x.difference, near)
	return x
}

// difference is a row less the median of others, an odd number.
func (m *Matrix) difference(sample int, others []neighbour) []cell {
	var columns []int
	for _, c := range m.rows[sample] {
		columns = append(columns, c.column)
	}
	for _, o := range others {
		for _, c := range m.rows[o.sample] {
			columns = append(columns, c.column)
		}
	}
	slices.Sort(columns)
	var difference []cell
	values := make([]float64, len(others))
	for _, column := range slices.Compact(columns) {
		for i, o := range others {
			values[i] = m.at(o.sample, column)
		}
		slices.Sort(values)
		if d := m.at(sample, column) - values[len(values)/2]; d != 0 {
			difference = append(difference, cell{column, d})
		}
	}
	return difference
}

// deviations tells a difference by features.
func (m *Matrix) deviations(sample int, difference []cell, others []neighbour) []Deviation {
	sum := 0.0
	for _, c := range difference {
		sum += c.value * c.value
	}
	var ds []Deviation
	counts := make([]uint32, len(others))
	for _, c := range difference {
		column := m.columns[c.column]
		for i, f := range column.features {
			for j, o := range others {
				counts[j] = m.Samples[o.sample].Counts.At(f)
			}
			slices.Sort(counts)
			ds = append(ds, Deviation{Feature: f, Count: m.Samples[sample].Counts.At(f), Usual: counts[len(counts)/2],
				Weight: c.value * c.value / sum * column.share(i)})
		}
	}
	slices.SortFunc(ds, func(a, b Deviation) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Feature, b.Feature))
	})
	return ds
}

// Cluster is explanations that deviate in the same way.
type Cluster struct {
	Members []int // indices of the explanations, ascending; the first stands for all
}

// alike is by how much two differences from the normal may differ, relative to the longer, and still be the same way to deviate.
const alike = 0.25

// Clusters groups explanations of an Explainer, usually those at the top of a ranking, whose differences from the normal are
// nearly identical. Each joins the first cluster that it is like, so the order of a ranking is kept.
func Clusters(explanations []Explanation) []Cluster {
	var clusters []Cluster
	for i, x := range explanations {
		at := slices.IndexFunc(clusters, func(c Cluster) bool { return similar(explanations[c.Members[0]].difference, x.difference) })
		if at < 0 {
			at = len(clusters)
			clusters = append(clusters, Cluster{})
		}
		clusters[at].Members = append(clusters[at].Members, i)
	}
	return clusters
}

func similar(a, b []cell) bool {
	var aa, bb, ab float64
	for _, c := range a {
		aa += c.value * c.value
	}
	for _, c := range b {
		bb += c.value * c.value
	}
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.column < y.column:
			a = a[1:]
		case x.column > y.column:
			b = b[1:]
		default:
			ab += x.value * y.value
			a, b = a[1:], b[1:]
		}
	}
	return aa+bb-2*ab <= alike*alike*max(aa, bb)*(1+tie)
}
