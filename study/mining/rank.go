package mining

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"motehound/study/outlier"
)

// Suspect is one interval of a ranking.
type Suspect struct {
	*Interval
	Rank  int
	Score float64
	Why   []Reason // for the first ones, and those that stand out, only
	// Alike are the ranks of other suspects that deviate in the same way as this one, if it is the first of them; Same is
	// the rank of the first if it is not, else 0.
	Alike []int
	Same  int
	// Point is where the interval lies on the two main components.
	Point [2]float64
	// Lost is the data that was lost in it. StandsOut says that there is some.
	Lost      []Lost
	StandsOut bool
	// Sample is which of the different counters it has, by first appearance.
	Sample     int
	first      bool // of its sample, if that was asked for
	deviations []outlier.Deviation
}

// Ranking is the intervals of one interrupt, the most suspicious first.
type Ranking struct {
	Vector    uint16
	Detector  string
	Intervals int       // how many there are
	Distinct  int       // different counters
	Suspects  []Suspect // those that are listed
	Verdict   Verdict
	Unusual   int // how many intervals are on the wrong side of the detector's boundary
	StandOut  int // in how many data was lost
	Watched   int // bytes in which data was watched
	// Weights are how many intervals have each of the different counters, by Suspect.Sample.
	Weights []int
}

// Rank ranks the intervals of a vector, judges them, and explains the first top of them and those that stand out. All are listed.
func (c *Collection) Rank(vector uint16, d outlier.Detector, top int) (*Ranking, error) {
	return c.RankFirst(vector, d, top, math.MaxInt, false)
}

// RankFirst is Rank, but lists only some of the intervals: the first ones, and those that stand out; and, if each is given, the first that has each of
// the different counters.
func (c *Collection) RankFirst(vector uint16, d outlier.Detector, top, listed int, each bool) (*Ranking, error) {
	p := c.piles[vector]
	switch {
	case c.err != nil:
		return nil, c.err
	case p == nil:
		return nil, fmt.Errorf("no event-handling interval of vector %d was seen: run longer, or choose another vector", vector)
	}
	width := make([]int, len(c.Firmware.Blocks)+len(c.Firmware.Places))
	for i := range c.Firmware.Places {
		width[i] = 1
	}
	for i, b := range c.Firmware.Blocks {
		width[i] = b.Instructions
	}
	samples := p.set.Samples()
	m, err := outlier.NewMatrix(samples, outlier.Options{Width: width})
	if err != nil {
		return nil, err
	}
	scores, err := d.Scores(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name(), err)
	}
	outlier.Normalise(scores)
	plane, err := outlier.Plane(m)
	if err != nil {
		return nil, err
	}
	r := &Ranking{Vector: vector, Detector: d.Name(), Intervals: p.n, Distinct: len(samples)}
	for i, s := range scores {
		r.Weights = append(r.Weights, samples[i].Weight)
		if s < 0 {
			r.Unusual += samples[i].Weight
		}
	}
	var losses []lostValue
	if c.Losses != nil {
		losses = c.Losses.Losses()
	}
	listed = max(listed, top)
	r.Suspects = p.suspects(scores, plane, listed, each, newHints(losses))
	c.judge(r, losses)
	r.byEvidence(listed)
	c.explain(r, m, scores, top, p.task)
	return r, nil
}

// suspects lists the first intervals, and those that may be to blame for a loss, in the detector's order; and perhaps the first of each sample.
func (p *pile) suspects(scores []float64, plane [][2]float64, listed int, each bool, hints hints) []Suspect {
	seen := make([]bool, len(scores))
	order := outlier.NewOrder(scores, p.set.Samples())
	all := make([]Suspect, 0, min(listed, p.n))
	for r := p.read(); r.more(); {
		rank := order.Place(r.sample) + 1
		first := each && !seen[r.sample]
		seen[r.sample] = true
		if hinted := hints.at(&r.iv); hinted || first || rank <= listed {
			all = append(all, Suspect{Interval: r.clone(), Rank: rank, Score: scores[r.sample], Point: plane[r.sample], Sample: r.sample, first: first})
		}
	}
	slices.SortFunc(all, func(a, b Suspect) int { return cmp.Compare(a.Rank, b.Rank) })
	return all
}

// maxBeyond is how many that stand out are explained behind the first ones.
const maxBeyond = 64

// explain says of the first suspects, and of those that stand out, what is unusual in them, and which are unusual in the same way. Tasks are
// as in pile.
func (c *Collection) explain(r *Ranking, m *outlier.Matrix, scores []float64, top int, tasks []int) {
	e := outlier.NewExplainer(m, scores, c.Firmware.likeness(r, m.Samples, tasks))
	var explanations []outlier.Explanation
	var of []int // indices of the suspects
	for i := range r.Suspects {
		if i >= top && (!r.Suspects[i].StandsOut || len(of) >= top+maxBeyond) {
			continue
		}
		x := e.Explain(r.Suspects[i].Sample)
		explanations, of = append(explanations, x), append(of, i)
		r.Suspects[i].Why, r.Suspects[i].deviations = c.Firmware.reasons(x.Deviations), x.Deviations
	}
	for _, cluster := range outlier.Clusters(explanations) {
		first := of[cluster.Members[0]]
		for _, member := range cluster.Members[1:] {
			r.Suspects[first].Alike = append(r.Suspects[first].Alike, of[member]+1)
			r.Suspects[of[member]].Same = first + 1
		}
	}
}
