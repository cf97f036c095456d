// Command hunted hunts in every example with a bug, and in every one in which it is fixed, with default settings. It prints a table: the bug, at which rank
// the hunt reports it, after how much time it was first seen, and by which engines; and all else that was reported. Run it from the root of the module.
//
// What was measured is kept in a file, a line of JSON for each hunt, so that it can be stopped at any moment and gone on with.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"motehound/internal/cases"
	"motehound/internal/cases/measured"
	"motehound/job"
	"motehound/job/hunt"
)

func main() {
	var p plan
	only := flag.String("only", "", "only these bugs, with commas")
	flag.BoolVar(&p.fixed, "fixed", false, "hunt in the builds without the bugs")
	flag.DurationVar(&p.budget, "budget", hunt.UsualBudget, "time of a hunt")
	flag.IntVar(&p.threads, "threads", runtime.NumCPU(), "number of threads")
	flag.StringVar(&p.keep, "keep", "hunted.jsonl", "the `file` that keeps what was measured")
	flag.Parse()
	if *only != "" {
		p.only = strings.Split(*only, ",")
	}
	if err := p.table(); err != nil {
		fmt.Fprintln(os.Stderr, "hunted:", err)
		os.Exit(2)
	}
}

// plan is what the command is asked for.
type plan struct {
	only    []string
	fixed   bool
	budget  time.Duration
	threads int
	keep    string
}

// task is one hunt.
type task struct {
	Bug    string  `json:"bug"`
	Fixed  bool    `json:"fixed"`
	Budget float64 `json:"budget_s"`
}

// outcome is what it gave.
type outcome struct {
	task
	Rank    int      `json:"rank"` // of the bug; 0 if it was not found
	AfterS  float64  `json:"after_s"`
	Events  uint64   `json:"events"`
	Engines []string `json:"engines"`
	Others  []string `json:"others"` // that are reported, with their grades
}

func (p *plan) table() error {
	done, err := measured.Load(p.keep, func(o outcome) task { return o.task })
	if err != nil {
		return err
	}
	fmt.Println("| bug | rank | time to first sight | events | found by | else reported |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, h := range cases.Hunts() {
		if p.only != nil && !slices.Contains(p.only, h.Name) {
			continue
		}
		t := task{h.Name, p.fixed, p.budget.Seconds()}
		o, ok := done[t]
		if !ok {
			o, err = p.hunt(t, h)
		}
		if err == nil && !ok {
			err = measured.Append(p.keep, o)
		}
		if err != nil {
			return fmt.Errorf("%+v: %w", t, err)
		}
		o.row()
	}
	return nil
}

// row prints what a hunt gave.
func (o outcome) row() {
	rank, after, events := "-", "-", "-"
	if o.Rank > 0 {
		rank, after, events = fmt.Sprint(o.Rank), fmt.Sprintf("%.1f s", o.AfterS), fmt.Sprint(o.Events)
	}
	name := o.Bug
	if o.Fixed {
		name += ", fixed"
	}
	fmt.Printf("| %s | %s | %s | %s | %s | %s |\n", name, rank, after, events, strings.Join(o.Engines, ", "), strings.Join(o.Others, "; "))
}

// hunt makes one hunt.
func (p *plan) hunt(t task, h cases.Hunted) (outcome, error) {
	o := outcome{task: t, Engines: []string{}, Others: []string{}}
	folder, err := os.MkdirTemp("", "hunted")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(folder)
	r := hunt.New("")
	if r.File, err = h.Subject("examples", folder, p.fixed); err != nil {
		return o, err
	}
	r.Board, r.Budget, r.Threads, r.Store = h.Board, p.budget, p.threads, folder+"/store"
	got, err := r.Do(context.Background(), job.Host{Now: time.Now, After: time.After})
	if err != nil {
		return o, err
	}
	for n, f := range got.Findings {
		if !p.fixed && o.Rank == 0 && h.Is(f.Property, f.Function) {
			o.Rank, o.AfterS, o.Events, o.Engines = n+1, f.Seen[0].AfterS, f.Seen[0].Events, f.Engines
			continue
		}
		o.Others = append(o.Others, fmt.Sprintf("%s: %s in %s:%d", f.Grade, f.Property, f.Function, f.Line))
	}
	return o, nil
}
