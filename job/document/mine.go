package document

import (
	"fmt"
	"slices"
	"strings"

	"motehound/mote/chip"
	"motehound/study/mining"
	"motehound/study/verdict"
)

// Rankings is the document of mine. If there is one ranking, that is written by itself.
type Rankings struct {
	Rankings []*Mine `json:"rankings"`
}

// Found reports whether some interval stands out.
func (d Rankings) Found() bool {
	return slices.ContainsFunc(d.Rankings, func(m *Mine) bool { return m.StandOut > 0 })
}

// Mine is the ranking of one interrupt's intervals.
type Mine struct {
	Verdict    verdict.Verdict `json:"verdict"`
	LeftOut    []string        `json:"left_out"`
	Firmware   string          `json:"firmware"`
	Intervals  int             `json:"intervals"`
	Vector     int             `json:"vector"` // the datasheet's number
	VectorName string          `json:"vector_name"`
	Detector   string          `json:"detector"`
	Distinct   int             `json:"distinct"`
	Ranked     string          `json:"ranked"`         // what the ranking shows
	Says       string          `json:"says"`           // the same in words
	Mote       *uint16         `json:"mote,omitempty"` // the only one, with --pool mote
	Watched    int             `json:"watched"`        // bytes in which data was watched
	Unusual    int             `json:"unusual"`
	StandOut   int             `json:"stand_out"`
	Runs       []MinedRun      `json:"runs"`
	Ranking    []MinedEntry    `json:"ranking"`
	Beyond     []MinedEntry    `json:"beyond,omitempty"` // those that stand out behind the end of Ranking
}

// Judge gives the verdict, with what was left out: data that was lost is wrong, and runs show what they show.
func (d *Mine) Judge(leftOut ...string) {
	c := verdict.Case{Findings: d.StandOut}
	c.Miss("bugs that lose no data, and other runs than those that were mined")
	if d.Ranked == mining.Unknown.String() {
		c.Miss("whether data was lost: there was no data to watch")
	}
	c.Miss(leftOut...)
	d.Verdict, d.LeftOut = c.Verdict(), c.LeftOut
}

// MinedRun is a run whose intervals were mined.
type MinedRun struct {
	Firmware string       `json:"firmware"`       // that was mined
	Also     []string     `json:"also,omitempty"` // and those of other motes
	Seed     uint64       `json:"seed"`
	Values   []MinedValue `json:"values,omitempty"` // that were swept
	Hash     string       `json:"hash"`
	TimeS    float64      `json:"time_s"`
	Outside  int          `json:"outside,omitempty"` // instructions that ran outside of every basic block
}

// MinedValue is what a variable, or a parameter of the scenario, was in a run.
type MinedValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// MinedRuns tells runs apart: the text for each is the values and, if they differ, the seed. It is nil if there is nothing to tell.
func MinedRuns(runs []MinedRun) (texts []string) {
	differ := false
	for _, r := range runs {
		differ = differ || r.Seed != runs[0].Seed
	}
	some := differ
	for _, r := range runs {
		var parts []string
		for _, v := range r.Values {
			parts = append(parts, v.Name+"="+v.Value)
		}
		if differ {
			parts = append(parts, fmt.Sprintf("seed=%d", r.Seed))
		}
		some = some || parts != nil
		texts = append(texts, strings.Join(parts, " "))
	}
	if !some {
		return nil
	}
	return texts
}

// MinedEntry is one interval of a ranking.
type MinedEntry struct {
	Rank       int      `json:"rank"`
	Run        int      `json:"run"`
	With       string   `json:"with,omitempty"` // what the run is told from the others by
	Mote       uint16   `json:"mote"`
	Instance   uint32   `json:"instance"`
	Score      float64  `json:"score"`
	StartCycle uint64   `json:"start_cycle"`
	EndCycle   uint64   `json:"end_cycle"`
	Tasks      []string `json:"tasks"`
	Why        []Why    `json:"why,omitempty"`
	Alike      []int    `json:"alike,omitempty"`   // ranks that deviate in the same way
	SameAs     int      `json:"same_as,omitempty"` // the rank that this one is like
	StandsOut  bool     `json:"stands_out"`
	Lost       []Lost   `json:"lost,omitempty"`
}

// Lost is data that went astray in an interval.
type Lost struct {
	Variable string `json:"variable"`
	Part     string `json:"part"` // of it, that all the bytes are in
	First    int    `json:"first_byte"`
	Last     int    `json:"last_byte"`
	Reads    int    `json:"reads"`
	Usual    int    `json:"usual"`
	Mixed    bool   `json:"mixed"`  // what replaced it was used in its place
	Values   int    `json:"values"` // that the same code wrote there
	Times    int    `json:"times"`  // how many of those were read as seldom as this one, or not at all
	Wrote    Place  `json:"wrote"`
	WroteAt  uint64 `json:"wrote_cycle"`
	Over     *Place `json:"overwrote"`       // null: nothing did, and nothing read it until the end
	OverAt   uint64 `json:"overwrote_cycle"` // or the end
}

// Why is a place that ran more or less often than it usually does.
type Why struct {
	Place
	Weight float64 `json:"weight"`
	Count  uint32  `json:"count"`
	Usual  uint32  `json:"usual"`
}

// MineOf makes the document of a ranking, with the first top entries, or all if top is 0.
func MineOf(r *mining.Ranking, c *chip.Chip, runs []MinedRun, top int, task func(id uint16) string) *Mine {
	doc := &Mine{Intervals: r.Intervals, Vector: int(r.Vector), VectorName: c.VectorName(uint8(r.Vector)), Detector: r.Detector,
		Distinct: r.Distinct, Ranked: r.Verdict.String(), Says: says(r), Watched: r.Watched, Unusual: r.Unusual, StandOut: r.StandOut, Runs: runs,
		Ranking: []MinedEntry{}}
	with := MinedRuns(runs)
	for i := range r.Suspects {
		switch s := &r.Suspects[i]; {
		case top == 0 || s.Rank <= top:
			doc.Ranking = append(doc.Ranking, MinedEntryOf(s, with, task))
		case s.StandsOut:
			doc.Beyond = append(doc.Beyond, MinedEntryOf(s, with, task))
		}
	}
	return doc
}

// MinedEntryOf makes the entry of an interval. With is what tells the runs apart (see MinedRuns).
func MinedEntryOf(s *mining.Suspect, with []string, task func(id uint16) string) MinedEntry {
	e := MinedEntry{Rank: s.Rank, Run: s.Run, Mote: s.ID, Instance: s.Instance, Score: s.Score,
		StartCycle: s.Start, EndCycle: s.End, Tasks: []string{}, Alike: s.Alike, SameAs: s.Same, StandsOut: s.StandsOut}
	if with != nil {
		e.With = with[s.Run]
	}
	for _, t := range s.Tasks {
		e.Tasks = append(e.Tasks, task(t.ID))
	}
	for _, y := range s.Why {
		e.Why = append(e.Why, Why{placeOf(y.Place), y.Weight, y.Count, y.Usual})
	}
	for _, l := range s.Lost {
		x := Lost{Variable: l.Variable, Part: l.Part, First: l.First, Last: l.Last, Reads: l.Reads, Usual: l.Usual, Mixed: l.Mixed,
			Values: l.Values, Times: l.Times, Wrote: placeOf(l.Wrote),
			WroteAt: l.WroteCycle, OverAt: l.OverCycle}
		if !l.Never {
			over := placeOf(l.Over)
			x.Over = &over
		}
		e.Lost = append(e.Lost, x)
	}
	return e
}

func placeOf(p mining.Place) Place { return Place{p.Function, p.File, p.Line, p.PC} }

// says is the verdict in words.
func says(r *mining.Ranking) string {
	switch r.Verdict {
	case mining.StandsOut:
		return fmt.Sprintf("%s: data was lost in %s.", count(r.StandOut, "interval stands out", "intervals stand out"),
			these(r.StandOut))
	case mining.NothingStandsOut:
		return fmt.Sprintf("Nothing stands out: no data was seen to be lost. %s unusual, as some always are.", count(r.Unusual, "interval is", "intervals are"))
	case mining.Unknown:
		return fmt.Sprintf("%s unusual. Whether data was lost in %s could not be seen: no variable with data that changes and is "+
			"read was found. Does the file have symbols, and do readings and messages change?",
			count(r.Unusual, "interval is", "intervals are"), these(r.Unusual))
	}
	if r.Distinct == 1 {
		return "Nothing stands out: all intervals are alike."
	}
	return "Nothing stands out: no interval is unusual."
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func these(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
