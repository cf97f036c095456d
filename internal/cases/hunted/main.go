// Command hunted hunts in every example with a bug, and in every one in which it is fixed, with default settings. It prints a table: the bug, at which rank
// the hunt reports it, after how much time it was first seen, and by which engines; and all else that was reported. With files as arguments it hunts in
// those instead, and all that they report counts as something else. Run it from the root of the module.
//
// What was measured is kept in a file, a line of JSON for each hunt, so that it can be stopped at any moment and gone on with.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	flag.BoolVar(&p.cpu, "cpu", false, "count CPU time, divided by the threads, and not the host's: for a machine that does other work, too")
	flag.StringVar(&p.keep, "keep", "hunted.jsonl", "the `file` that keeps what was measured")
	flag.Parse()
	p.files = flag.Args()
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
	files   []string // to hunt in, instead of the examples
	fixed   bool
	budget  time.Duration
	threads int
	cpu     bool
	keep    string
}

// host has the clock by which hunts are timed.
func (p *plan) host() (job.Host, error) {
	if !p.cpu {
		return job.Host{Now: time.Now, After: time.After}, nil
	}
	_, err := worked()
	now := func() time.Time {
		t, _ := worked() // it could say before
		return time.Unix(0, 0).Add(t / time.Duration(p.threads))
	}
	after := func(d time.Duration) <-chan time.Time {
		alarm, end := make(chan time.Time, 1), now().Add(d)
		go func() {
			for now().Before(end) {
				time.Sleep(20 * time.Millisecond)
			}
			alarm <- now()
		}()
		return alarm
	}
	return job.Host{Now: now, After: after}, err
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
	list := cases.Hunts()
	if len(p.files) > 0 {
		list = nil
		for _, file := range p.files {
			list = append(list, cases.Hunted{Name: filepath.Base(file), File: file, Functions: []string{}})
		}
	}
	for _, h := range list {
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
	if r.File = h.File; len(p.files) == 0 {
		if r.File, err = h.Subject("examples", folder, p.fixed); err != nil {
			return o, err
		}
	}
	r.Board, r.Budget, r.Threads, r.Store = h.Board, p.budget, p.threads, folder+"/store"
	host, err := p.host()
	if err != nil {
		return o, err
	}
	got, err := r.Do(context.Background(), host)
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
