// Command checktable looks for each of T-Check's bugs with several seeds, by walks and by search, and prints a table like the paper's
// Table 3, with the paper's numbers beside. docs/checking.md shows it. Run it from the root of the module.
//
// It is a campaign: it can be stopped at any moment and gone on with, and others can take part.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"motehound/internal/cases"
	"motehound/internal/cases/campaigned"
)

func main() {
	seeds := flag.Int("seeds", 25, "how many seeds")
	motes := flag.String("motes", "2,8", "on how many motes")
	only := flag.String("only", "", "only these bugs, with commas")
	total := flag.Uint64("total", 2_000_000, "events of all walks of a run")
	o := campaigned.Flags("checktable")
	flag.Parse()
	if err := table(o, *seeds, *motes, *only, *total); err != nil {
		fmt.Fprintln(os.Stderr, "checktable:", err)
		os.Exit(2)
	}
}

// job is one run.
type job struct {
	Bug   string `json:"bug"`
	Motes int    `json:"motes"`
	Mode  string `json:"mode"` // walk or search
	Seed  uint64 `json:"seed"`
}

// outcome is what it gave.
type outcome struct {
	job
	Found    bool   `json:"found"`
	Events   uint64 `json:"events"`   // fired until it was found, or in all
	Trace    int    `json:"trace"`    // when it was found
	Shortest int    `json:"shortest"` // and at the end
}

// asked is a run with its bound.
type asked struct {
	job
	Total uint64 `json:"total"`
}

func table(o *campaigned.Options, seeds int, motes, only string, total uint64) error {
	var sizes []int
	for _, text := range strings.Split(motes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 {
			return fmt.Errorf("-motes %s: give numbers from 2 on, with commas", motes)
		}
		sizes = append(sizes, n)
	}
	var jobs []asked
	for seed := range seeds {
		for _, b := range cases.Bugs {
			if only != "" && !slices.Contains(strings.Split(only, ","), b.Name) {
				continue
			}
			for _, n := range sizes {
				jobs = append(jobs, asked{job{b.Name, n, "walk", uint64(seed + 1)}, total})
				if seed == 0 {
					jobs = append(jobs, asked{job{b.Name, n, "search", 1}, total})
				}
			}
		}
	}
	all, err := campaigned.Do(o, "the table of docs/checking.md", jobs, func(a asked) (outcome, error) { return a.run(a.Total) })
	if err != nil {
		return err
	}
	done := make(map[job]outcome)
	for _, x := range all {
		done[x.job] = x
	}
	show(done, sizes)
	return nil
}
