package report

import (
	"motehound/mote/chip"
	"motehound/study/harvest"
	"motehound/world"
)

// Mine is the document of mine.
type Mine struct {
	Intervals  int          `json:"intervals"`
	Vector     int          `json:"vector"` // the datasheet's number
	VectorName string       `json:"vector_name"`
	Detector   string       `json:"detector"`
	Distinct   int          `json:"distinct"`
	Runs       []MinedRun   `json:"runs"`
	Ranking    []MinedEntry `json:"ranking"`
}

// MinedRun is a run whose intervals were mined.
type MinedRun struct {
	Seed     uint64  `json:"seed"`
	Variable string  `json:"variable,omitempty"` // that was swept
	Value    *int64  `json:"value,omitempty"`
	Hash     string  `json:"hash"`
	TimeS    float64 `json:"time_s"`
}

// MinedEntry is one interval of a ranking.
type MinedEntry struct {
	Rank       int      `json:"rank"`
	Run        int      `json:"run"`
	Mote       uint16   `json:"mote"`
	Instance   uint32   `json:"instance"`
	Score      float64  `json:"score"`
	StartCycle uint64   `json:"start_cycle"`
	EndCycle   uint64   `json:"end_cycle"`
	Tasks      []string `json:"tasks"`
	Why        []Why    `json:"why,omitempty"`
	Alike      []int    `json:"alike,omitempty"`   // ranks that deviate in the same way
	SameAs     int      `json:"same_as,omitempty"` // the rank that this one is like
}

// Why is a place that ran more or less often than it usually does.
type Why struct {
	Place
	Weight float64 `json:"weight"`
	Count  uint32  `json:"count"`
	Usual  uint32  `json:"usual"`
}

// MineOf makes the document of a ranking, with the first top entries, or all if top is 0. Id gives a mote's node id.
func MineOf(r *harvest.Ranking, c *chip.Chip, runs []MinedRun, top int, w *world.World, task func(id uint16) string) *Mine {
	doc := &Mine{Intervals: len(r.Suspects), Vector: int(r.Vector), VectorName: c.VectorName(uint8(r.Vector)), Detector: r.Detector,
		Distinct: r.Distinct, Runs: runs, Ranking: []MinedEntry{}}
	for _, s := range r.Suspects {
		if top > 0 && s.Rank > top {
			break
		}
		e := MinedEntry{Rank: s.Rank, Run: s.Run, Mote: w.Motes()[s.Mote].ID(), Instance: s.Instance, Score: s.Score,
			StartCycle: s.Start, EndCycle: s.End, Tasks: []string{}, Alike: s.Alike, SameAs: s.Same}
		for _, t := range s.Tasks {
			e.Tasks = append(e.Tasks, task(t.ID))
		}
		for _, y := range s.Why {
			e.Why = append(e.Why, Why{Place{y.Function, y.File, y.Line, y.PC}, y.Weight, y.Count, y.Usual})
		}
		doc.Ranking = append(doc.Ranking, e)
	}
	return doc
}
