// Command table ranks the intervals of Sentomist's three case studies with every detector, and prints where the first and the
// last wrong one are, according to what the firmware itself has counted, and how many stand out, in the buggy builds
// and in the fixed ones. With -others it judges other runs of the studies. docs/mining.md shows both.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"

	"motehound/internal/cases"
	"motehound/study/mining"
	"motehound/study/outlier"
)

func main() {
	others := flag.Int("others", 0, "judge so many other runs of each study")
	flag.Parse()
	if err := table(*others); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
}

func table(others int) error {
	each := rows
	if others > 0 {
		each = func(s cases.Study) error { return judged(s, others) }
		fmt.Println("| case | runs | wrong | stand out | wrong of those | runs in which some stand out |")
		fmt.Println("|---|---|---|---|---|---|")
	} else {
		fmt.Println("| case | intervals | wrong | detector | first wrong one, by counters alone | first | last | stand out | wrong of those |")
		fmt.Println("|---|---|---|---|---|---|---|---|---|")
	}
	for _, s := range cases.All {
		for _, build := range []cases.Study{s, s.Fixed()} {
			if err := each(build); err != nil {
				return err
			}
		}
	}
	return nil
}

// judged prints other runs of a study, with the default detector: nobody has looked at these while deciding what stands out.
func judged(s cases.Study, others int) error {
	wrong, out, both, runs := 0, 0, 0, 0
	for n := range others {
		r, err := s.Other(n).Gather()
		if err != nil {
			return err
		}
		ranking, err := r.Rank(s.Vector, outlier.Default(), 1)
		if err != nil {
			return err
		}
		wrong, out = wrong+len(r.Wrong), out+ranking.StandOut
		if ranking.StandOut > 0 {
			runs++
		}
		for _, x := range ranking.Suspects {
			if x.StandsOut && r.Wrong[cases.KeyOf(x.Interval)] {
				both++
			}
		}
	}
	fmt.Printf("| %s | %d | %d | %d | %d | %d |\n", s.Name, others, wrong, out, both, runs)
	return nil
}

// rows prints a study, a row for each detector.
func rows(s cases.Study) error {
	r, err := s.Gather()
	if err != nil {
		return err
	}
	for _, d := range outlier.All() {
		ranking, err := r.Rank(s.Vector, d, 1)
		if err != nil {
			return err
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
		fmt.Printf("| %s | %d | %d | %s | %s | %s | %s | %d | %d |\n", s.Name, len(ranking.Suspects), len(r.Wrong), d.Name(),
			byCounters(r, ranking), first, last, ranking.StandOut, found)
	}
	return nil
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
