// Command table ranks the intervals of Sentomist's three case studies with every detector, and prints where the first and the
// last wrong one are, according to what the firmware itself has counted, and how many stand out, in the buggy builds
// and in the fixed ones. With -others it judges other runs of the studies. docs/mining.md shows both. Each study is an item of a campaign.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"motehound/internal/cases"
	"motehound/internal/cases/campaigned"
	"motehound/study/mining"
	"motehound/study/outlier"
)

func main() {
	others := flag.Int("others", 0, "judge so many other runs of each study")
	o := campaigned.Flags("")
	flag.Parse()
	if err := table(o, *others); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
}

// asked is a run of a study.
type asked struct {
	Study int  `json:"study"` // its number
	Fixed bool `json:"fixed,omitempty"`
	Other int  `json:"other,omitempty"` // which other one, from 1; 0 for the paper's
}

func (a asked) study() cases.Study {
	s := cases.All[a.Study]
	if a.Fixed {
		s = s.Fixed()
	}
	return s
}

// outcome is what it gave: rows, or how another run was judged.
type outcome struct {
	Rows  []string `json:"rows,omitempty"`
	Wrong int      `json:"wrong,omitempty"`
	Out   int      `json:"out,omitempty"`
	Both  int      `json:"both,omitempty"`
}

func (a asked) run() (outcome, error) {
	if a.Other > 0 {
		return judged(a.study(), a.Other-1)
	}
	return rows(a.study())
}

func table(o *campaigned.Options, others int) error {
	var runs []asked
	for i := range cases.All {
		for _, fixed := range []bool{false, true} {
			for n := min(1, others); n <= others; n++ {
				runs = append(runs, asked{i, fixed, n})
			}
		}
	}
	all, err := campaigned.Do(o, "the tables of docs/mining.md", runs, asked.run)
	if err != nil {
		return err
	}
	if others == 0 {
		fmt.Println("| case | intervals | wrong | detector | first wrong one, by counters alone | first | last | stand out | wrong of those |")
		fmt.Println("|---|---|---|---|---|---|---|---|---|")
		for _, x := range all {
			fmt.Println(strings.Join(x.Rows, "\n"))
		}
		return nil
	}
	fmt.Println("| case | runs | wrong | stand out | wrong of those | runs in which some stand out |")
	fmt.Println("|---|---|---|---|---|---|")
	for i := 0; i < len(all); i += others {
		var sum outcome
		some := 0
		for _, x := range all[i : i+others] {
			sum.Wrong, sum.Out, sum.Both = sum.Wrong+x.Wrong, sum.Out+x.Out, sum.Both+x.Both
			some += min(1, x.Out)
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %d |\n", runs[i].study().Name, others, sum.Wrong, sum.Out, sum.Both, some)
	}
	return nil
}

// judged judges another run of a study, with the default detector: nobody has looked at these while deciding what stands out.
func judged(s cases.Study, n int) (got outcome, err error) {
	r, err := s.Other(n).Gather()
	if err != nil {
		return got, err
	}
	ranking, err := r.Rank(s.Vector, outlier.Default(), 1)
	if err != nil {
		return got, err
	}
	got.Wrong, got.Out = len(r.Wrong), ranking.StandOut
	for _, x := range ranking.Suspects {
		if x.StandsOut && r.Wrong[cases.KeyOf(x.Interval)] {
			got.Both++
		}
	}
	return got, nil
}

// rows is a study, a row for each detector.
func rows(s cases.Study) (got outcome, err error) {
	r, err := s.Gather()
	if err != nil {
		return got, err
	}
	for _, d := range outlier.All() {
		ranking, err := r.Rank(s.Vector, d, 1)
		if err != nil {
			return got, err
		}
		first, last, found := "-", "-", 0
		for _, x := range ranking.Suspects {
			if !r.Wrong[cases.KeyOf(x.Interval)] {
				continue
			}
			if last = fmt.Sprint(x.Rank); first == "-" {
				first = last
			}
			if x.StandsOut {
				found++
			}
		}
		got.Rows = append(got.Rows, fmt.Sprintf("| %s | %d | %d | %s | %s | %s | %s | %d | %d |", s.Name, len(ranking.Suspects), len(r.Wrong), d.Name(),
			byCounters(r, ranking), first, last, ranking.StandOut, found))
	}
	return got, nil
}

// byCounters is the rank of the first wrong interval if counters alone decide.
func byCounters(r *cases.Result, ranking *mining.Ranking) string {
	all := slices.Clone(ranking.Suspects)
	slices.SortStableFunc(all, func(a, b mining.Suspect) int { return cmp.Compare(a.Score, b.Score) })
	if i := slices.IndexFunc(all, func(x mining.Suspect) bool { return r.Wrong[cases.KeyOf(x.Interval)] }); i >= 0 {
		return fmt.Sprint(i + 1)
	}
	return "-"
}
