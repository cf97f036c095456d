package outlier

import (
	"fmt"
	"math"
)

// ensemble asks several detectors and goes by the geometric mean of the positions that a sample has in their rankings: scores of
// different detectors have different scales, and those of some have many ties.
type ensemble struct {
	Members []Detector
	Nu      float64 // samples whose mean position is in the first part of this size are below zero
}

// defaultEnsemble asks those that are right most often on real TinyOS applications (docs/mining.md). They err in different
// ways: pca takes a frequent fault for normal, lof a cluster of faults, and neither sees that a single branch was never taken before.
func defaultEnsemble() ensemble {
	return ensemble{Members: []Detector{defaultPCA(), defaultLOF(), defaultKernelFisher(), defaultSurprise()}, Nu: 0.05}
}

func (ensemble) Name() string { return "ensemble" }

func (ensemble) About() string {
	return "the mean position in the rankings of pca, lof, kfd and surprise"
}

func (d ensemble) Scores(m *Matrix) ([]float64, error) {
	if len(d.Members) == 0 || d.Nu <= 0 || d.Nu > 1 {
		return nil, fmt.Errorf("ensemble: %d members, nu %g: give at least one detector, and a part above 0 and at most 1", len(d.Members), d.Nu)
	}
	sum := make([]float64, len(m.rows))
	if len(m.columns) == 0 {
		return sum, nil
	}
	for _, member := range d.Members {
		scores, err := member.Scores(m)
		if err != nil {
			return nil, err
		}
		for i, p := range positions(scores, m) {
			sum[i] += math.Log(p / d.Nu)
		}
	}
	for i := range sum {
		sum[i] /= float64(len(d.Members))
	}
	return sum, nil
}

// positions is where each sample is in a ranking, from 0 for the most suspicious to 1: the middle of those with the same score.
func positions(scores []float64, m *Matrix) []float64 {
	equal := 0.0 // differences up to this are rounding
	for _, s := range scores {
		equal = max(equal, 1e-9*math.Abs(s))
	}
	order := lowestFirst(scores)
	at, before := make([]float64, len(scores)), 0
	for i := 0; i < len(order); {
		j, weight := i, 0
		for ; j < len(order) && scores[order[j]] <= scores[order[i]]+equal; j++ {
			weight += m.Samples[order[j]].Weight
		}
		for ; i < j; i++ {
			at[order[i]] = (float64(before) + float64(weight)/2) / float64(m.weight)
		}
		before += weight
	}
	return at
}
