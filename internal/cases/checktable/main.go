// Command checktable looks for each of T-Check's bugs with several seeds, by walks and by search, and prints a table like the paper's
// Table 3, with the paper's numbers beside. docs/checking.md shows it. Run it from the root of the module.
//
// What was measured is kept in a file, a line of JSON for each run, so that it can be stopped at any moment and gone on with.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"motehound/internal/cases"
	"motehound/internal/cases/measured"
)

func main() {
	seeds := flag.Int("seeds", 25, "how many seeds")
	motes := flag.String("motes", "2,8", "on how many motes")
	only := flag.String("only", "", "only these bugs, with commas")
	keep := flag.String("keep", "checktable.jsonl", "the `file` that keeps what was measured")
	threads := flag.Int("threads", 1, "how many runs at once")
	total := flag.Uint64("total", 2_000_000, "events of all walks of a run")
	flag.Parse()
	if err := table(*seeds, *motes, *only, *keep, *threads, *total); err != nil {
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
	Found    bool    `json:"found"`
	Events   uint64  `json:"events"`   // fired until it was found, or in all
	Trace    int     `json:"trace"`    // when it was found
	Shortest int     `json:"shortest"` // and at the end
	CPU      float64 `json:"cpu_s"`
}

func table(seeds int, motes, only, keep string, threads int, total uint64) error {
	var sizes []int
	for _, text := range strings.Split(motes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 {
			return fmt.Errorf("-motes %s: give numbers from 2 on, with commas", motes)
		}
		sizes = append(sizes, n)
	}
	done, err := measured.Load(keep, func(o outcome) job { return o.job })
	if err != nil {
		return err
	}
	var jobs []job
	for seed := range seeds {
		for _, b := range cases.Bugs {
			if only != "" && !slices.Contains(strings.Split(only, ","), b.Name) {
				continue
			}
			for _, n := range sizes {
				jobs = append(jobs, job{b.Name, n, "walk", uint64(seed + 1)})
				if seed == 0 {
					jobs = append(jobs, job{b.Name, n, "search", 1})
				}
			}
		}
	}
	if err := work(jobs, done, keep, threads, total); err != nil {
		return err
	}
	show(done, sizes)
	return nil
}

// work does the jobs that are not done.
func work(jobs []job, done map[job]outcome, keep string, threads int, total uint64) error {
	f, err := os.OpenFile(keep, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	var (
		mu    sync.Mutex
		all   sync.WaitGroup
		fails error
		queue = make(chan job)
	)
	for range threads {
		all.Go(func() {
			for j := range queue {
				o, err := j.run(total)
				mu.Lock()
				if err == nil {
					done[j] = o
					err = json.NewEncoder(f).Encode(o)
				}
				fails = errors.Join(fails, err)
				mu.Unlock()
			}
		})
	}
	for _, j := range jobs {
		if _, ok := done[j]; !ok {
			queue <- j
		}
	}
	close(queue)
	all.Wait()
	return fails
}
