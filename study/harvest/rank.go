package harvest

import (
	"fmt"
	"maps"
	"slices"

	"motehound/study/symptom"
)

// Crop is the intervals of one or several runs.
type Crop struct {
	Field     *Field
	Intervals []Interval
	// Ledger is what became of data, nil if nobody looked.
	Ledger *Ledger

	counters symptom.Pool
}

// Keep takes an interval in, with copies of its lists: give it to Watch. Intervals with equal counters share one.
func (c *Crop) Keep(iv *Interval) {
	kept := *iv
	kept.Interval = *iv.Clone()
	kept.Counts = c.counters.Intern(iv.Counts)
	c.Intervals = append(c.Intervals, kept)
}

// Only is the intervals that are wanted, of the same firmware and with the same Ledger.
func (c *Crop) Only(wanted func(*Interval) bool) *Crop {
	some := &Crop{Field: c.Field, Ledger: c.Ledger}
	for i := range c.Intervals {
		if wanted(&c.Intervals[i]) {
			some.Intervals = append(some.Intervals, c.Intervals[i])
		}
	}
	return some
}

// IDs lists the node ids of the motes that have intervals, ascending.
func (c *Crop) IDs() []uint16 { return c.each(func(iv *Interval) uint16 { return iv.ID }) }

// Vectors lists the interrupts that have intervals, ascending.
func (c *Crop) Vectors() []uint16 { return c.each(func(iv *Interval) uint16 { return iv.Vector }) }

// each lists what the intervals have of something, ascending.
func (c *Crop) each(of func(*Interval) uint16) []uint16 {
	seen := map[uint16]bool{}
	for i := range c.Intervals {
		seen[of(&c.Intervals[i])] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

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
	deviations []symptom.Deviation
}

// Ranking is the intervals of one interrupt, the most suspicious first.
type Ranking struct {
	Vector   uint16
	Detector string
	Distinct int // different counters
	Suspects []Suspect
	Verdict  Verdict
	Unusual  int // how many intervals are on the wrong side of the detector's boundary
	StandOut int // in how many data was lost
	Watched  int // bytes in which data was watched
}

// Rank ranks the intervals of a vector, judges them, and explains the first top of them and those that stand out.
func (c *Crop) Rank(vector uint16, d symptom.Detector, top int) (*Ranking, error) {
	var set symptom.Set
	var chosen []*Interval
	for i := range c.Intervals {
		iv := &c.Intervals[i]
		if iv.Vector != vector {
			continue
		}
		if _, err := set.Add(iv.Counts); err != nil {
			return nil, err
		}
		chosen = append(chosen, iv)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no event-handling interval of vector %d was seen: run longer, or choose another vector", vector)
	}
	width := make([]int, len(c.Field.Blocks)+len(c.Field.Places))
	for i := range c.Field.Places {
		width[i] = 1
	}
	for i, b := range c.Field.Blocks {
		width[i] = b.Instructions
	}
	samples := set.Samples()
	m, err := symptom.NewMatrix(samples, symptom.Options{Width: width})
	if err != nil {
		return nil, err
	}
	scores, err := d.Scores(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name(), err)
	}
	symptom.Normalise(scores)
	plane, err := symptom.Plane(m)
	if err != nil {
		return nil, err
	}
	r := &Ranking{Vector: vector, Detector: d.Name(), Distinct: len(samples)}
	ranked := symptom.Rank(scores, samples)
	r.Suspects = make([]Suspect, 0, len(ranked))
	for _, x := range ranked {
		r.Suspects = append(r.Suspects, Suspect{Interval: chosen[x.Index], Rank: x.Rank, Score: x.Score, Point: plane[x.Sample], Sample: x.Sample})
	}
	c.judge(r)
	r.byEvidence()
	c.explain(r, m, scores, top)
	return r, nil
}

// maxBeyond is how many that stand out are explained behind the first ones.
const maxBeyond = 64

// explain says of the first suspects, and of those that stand out, what is unusual in them, and which are unusual in the same way.
func (c *Crop) explain(r *Ranking, m *symptom.Matrix, scores []float64, top int) {
	e := symptom.NewExplainer(m, scores, c.Field.likeness(r, m.Samples))
	var explanations []symptom.Explanation
	var of []int // indices of the suspects
	for i := range r.Suspects {
		if i >= top && (!r.Suspects[i].StandsOut || len(of) >= top+maxBeyond) {
			continue
		}
		x := e.Explain(r.Suspects[i].Sample)
		explanations, of = append(explanations, x), append(of, i)
		r.Suspects[i].Why, r.Suspects[i].deviations = c.Field.reasons(x.Deviations), x.Deviations
	}
	for _, cluster := range symptom.Clusters(explanations) {
		first := of[cluster.Members[0]]
		for _, member := range cluster.Members[1:] {
			r.Suspects[first].Alike = append(r.Suspects[first].Alike, of[member]+1)
			r.Suspects[of[member]].Same = first + 1
		}
	}
}
