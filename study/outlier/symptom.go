// Package outlier finds the few intervals of a run that look wrong, and says what makes them so: Sentomist's symptom
// mining. It turns instruction counters into weighted samples, scores them with one of several outlier detectors, ranks
// the intervals, and explains each by its nearest normal neighbours.
//
// It reads observations, never the machine, and knows features only by number. Everything is deterministic: equal counters
// give equal scores, ties keep the order of the intervals, and random choices come from a fixed seed.
package outlier

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Detector tells usual samples from unusual ones.
type Detector interface {
	Name() string
	// About is one line for the help.
	About() string
	// Scores gives each sample a score: the lower, the more suspicious. Above zero is the normal side of the detector's
	// boundary. Scores are of any scale: see Normalise.
	Scores(m *Matrix) ([]float64, error)
}

// All is every detector with its default settings, the default one first, then the paper's.
func All() []Detector {
	return []Detector{
		defaultEnsemble(),
		defaultOneClassSVM(),
		defaultPCA(),
		defaultLOF(),
		defaultIsolationForest(),
		defaultKernelFisher(),
		defaultSurprise(),
	}
}

// Default is the detector to use if nobody chooses one.
func Default() Detector { return defaultEnsemble() }

// Find is the detector of that name.
func Find(name string) (Detector, error) {
	var names []string
	for _, d := range All() {
		if d.Name() == name {
			return d, nil
		}
		names = append(names, d.Name())
	}
	return nil, fmt.Errorf("no detector %q: choose one of %s", name, strings.Join(names, ", "))
}

// Normalise divides the scores, in place, so that the largest positive one is 1 (Sentomist, section VI, note 5). Where none
// is positive, or all that are lie on the boundary but for rounding, the largest magnitude becomes 1.
func Normalise(scores []float64) {
	const rounding = 1e-9
	by, largest := 0.0, 0.0
	for _, s := range scores {
		by, largest = max(by, s), max(largest, math.Abs(s))
	}
	if by <= rounding*largest {
		by = largest
	}
	if by == 0 {
		return
	}
	for i := range scores {
		scores[i] /= by
	}
}

// Order is where intervals come in a ranking: by ascending score and, where scores are equal, in order of appearance.
type Order struct {
	group []int // by sample: which of the different scores it has, ascending
	next  []int // by group: the place of the next interval
}

// NewOrder orders the intervals of scored samples.
func NewOrder(scores []float64, samples []Sample) *Order {
	by := make([]int, len(samples))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	o := &Order{group: make([]int, len(samples))}
	all := 0
	for i, sample := range by {
		if i == 0 || cmp.Compare(scores[sample], scores[by[i-1]]) != 0 {
			o.next = append(o.next, all)
		}
		o.group[sample] = len(o.next) - 1
		all += samples[sample].Weight
	}
	return o
}

// Place is the place in the ranking, from 0, of the next interval: it is to be asked for every interval, in order of appearance, with
// the interval's sample.
func (o *Order) Place(sample int) int {
	next := &o.next[o.group[sample]]
	*next++
	return *next - 1
}
