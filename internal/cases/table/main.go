// Command table ranks the intervals of Sentomist's three case studies with every detector, and prints how many of the first
// of each ranking are wrong, according to what the firmware itself has counted, and how many stand out, in the buggy builds
// and in the fixed ones. With -others it judges other runs of the studies. docs/mining.md shows both.
package main

import (
	"flag"
	"fmt"
	"os"

	"motehound/internal/cases"
	"motehound/study/symptom"
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
		fmt.Println("| case | intervals | wrong | detector | wrong among the first 3 | 5 | 10 | rank of the last wrong one | stand out | wrong of those |")
		fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
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
		ranking, err := r.Rank(s.Vector, symptom.Default(), 1)
		if err != nil {
			return err
		}
		wrong, out = wrong+len(r.Wrong), out+ranking.StandOut
		if ranking.StandOut > 0 {
			runs++
		}
		for _, x := range ranking.Suspects {
			if x.StandsOut && r.Wrong[x.Interval] {
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
	for _, d := range symptom.All() {
		ranking, err := r.Rank(s.Vector, d, 1)
		if err != nil {
			return err
		}
		var among [11]int
		last, count, found := "-", 0, 0
		for _, x := range ranking.Suspects {
			if r.Wrong[x.Interval] {
				count++
				last = fmt.Sprint(x.Rank)
				if x.StandsOut {
					found++
				}
			}
			if x.Rank <= 10 {
				among[x.Rank] = count
			}
		}
		fmt.Printf("| %s | %d | %d | %s | %d | %d | %d | %s | %d | %d |\n", s.Name, len(ranking.Suspects), len(r.Wrong), d.Name(),
			among[3], among[5], among[10], last, ranking.StandOut, found)
	}
	return nil
}
