// Command table ranks the intervals of Sentomist's three case studies with every detector, and prints how many of the first
// of each ranking are wrong, according to what the firmware itself has counted. docs/mining.md shows it.
package main

import (
	"fmt"
	"os"

	"motehound/internal/cases"
	"motehound/study/symptom"
)

func main() {
	fmt.Println("| case | intervals | wrong | detector | wrong among the first 3 | 5 | 10 | rank of the last wrong one |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, s := range cases.All {
		if err := rows(s); err != nil {
			fmt.Fprintln(os.Stderr, "table:", err)
			os.Exit(2)
		}
	}
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
		last, count := 0, 0
		for _, x := range ranking.Suspects {
			if r.Wrong[x.Interval] {
				count++
				last = x.Rank
			}
			if x.Rank <= 10 {
				among[x.Rank] = count
			}
		}
		fmt.Printf("| %s | %d | %d | %s | %d | %d | %d | %d |\n", s.Name, len(ranking.Suspects), len(r.Wrong), d.Name(),
			among[3], among[5], among[10], last)
	}
	return nil
}
