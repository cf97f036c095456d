package outlier

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// lof is the local outlier factor of Breunig et al. (lof: identifying density-based local outliers, 2000): how much thinner the
// neighbourhood of an interval is than those of its neighbours. The score is 1 less the factor.
//
// Identical intervals are neighbours at distance 0, which would make densities infinite. Reachability distances are therefore at
// least the least distance between samples that differ. (The other way, to count only distinct neighbours, would take a pattern
// of a thousand equal intervals for an outlier.)
type lof struct {
	Neighbours int // how many intervals make a neighbourhood
}

// defaultLOF has 20 neighbours: in the range of 10 to 20 that section 6.2 of the paper advises as a lower bound, so that up to 20
// equally wrong intervals do not pass for a pattern.
func defaultLOF() lof { return lof{Neighbours: 20} }

func (lof) Name() string { return "lof" }

func (lof) About() string { return "local outlier factor: density compared with the neighbours'" }

// tie is the relative difference below which two distances are the same: sums in another order are.
const tie = 1e-9

type neighbour struct {
	sample   int
	distance float64
	weight   float64
}

type neighbourhood struct {
	radius float64 // the k-distance
	near   []neighbour
	least  float64 // distance to any other sample
}

func (d lof) Scores(m *Matrix) ([]float64, error) {
	if d.Neighbours < 1 {
		return nil, fmt.Errorf("lof: %d neighbours: it needs at least 1", d.Neighbours)
	}
	n := len(m.rows)
	scores := make([]float64, n)
	if n == 1 {
		return scores, nil
	}
	hoods := make([]neighbourhood, n)
	share(n, func(from, to int) {
		squared, order := make([]float64, n), make([]neighbour, n)
		for i := from; i < to; i++ {
			hoods[i] = m.neighbourhood(i, min(d.Neighbours, m.weight-1), squared, order)
		}
	})
	least := math.Inf(1)
	for _, h := range hoods {
		least = min(least, h.least)
	}
	density := make([]float64, n)
	for i, h := range hoods {
		sum, weight := 0.0, 0.0
		for _, o := range h.near {
			sum += o.weight * max(hoods[o.sample].radius, o.distance, least)
			weight += o.weight
		}
		density[i] = weight / sum
	}
	for i, h := range hoods {
		sum, weight := 0.0, 0.0
		for _, o := range h.near {
			sum += o.weight * density[o.sample]
			weight += o.weight
		}
		scores[i] = 1 - sum/weight/density[i]
	}
	return scores, nil
}

// neighbourhood is the k nearest intervals of one in sample i, and those as far as the last of them. squared and order
// are room for all samples.
func (m *Matrix) neighbourhood(i, k int, squared []float64, order []neighbour) neighbourhood {
	h := neighbourhood{least: math.Inf(1)}
	m.distances(i, squared)
	for j := range order {
		order[j] = neighbour{j, math.Sqrt(squared[j]), float64(m.Samples[j].Weight)}
		if j != i && order[j].distance > 0 {
			h.least = min(h.least, order[j].distance)
		}
	}
	order[i].weight-- // one is not its own neighbour
	near := nearest(order, float64(k))
	h.radius = near[len(near)-1].distance
	for _, o := range order {
		if o.weight > 0 && o.distance <= h.radius*(1+tie) {
			h.near = append(h.near, o)
		}
	}
	slices.SortFunc(h.near, func(a, b neighbour) int { return cmp.Compare(a.sample, b.sample) })
	return h
}

// nearest is the least number of samples, by distance and index, that weigh at least k together.
func nearest(all []neighbour, k float64) []neighbour {
	less := func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.sample, b.sample))
	}
	var best []neighbour
	weight := 0.0
	for _, o := range all {
		if o.weight <= 0 || weight >= k && less(o, best[len(best)-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, o, less)
		best = slices.Insert(best, at, o)
		weight += o.weight
		for last := len(best) - 1; weight-best[last].weight >= k; last-- {
			weight -= best[last].weight
			best = best[:last]
		}
	}
	return best
}
