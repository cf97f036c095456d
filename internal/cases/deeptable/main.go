// Command deeptable looks for each of the deep bugs of the examples with several seeds: by check with and without guidance, and by fuzz. It prints
// in how many runs each was found, and after how many events and seconds of CPU time. Run it from the root of the module.
//
// What was measured is kept in a file, a line of JSON for each run, so that it can be stopped at any moment and gone on with.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"motehound/internal/cases"
	"motehound/internal/cases/measured"
)

func main() {
	var p plan
	flag.Uint64Var(&p.seeds, "seeds", 10, "how many seeds")
	only := flag.String("only", "", "only these bugs, with commas")
	by := flag.String("by", strings.Join(engines, ","), "only with these, with commas")
	flag.BoolVar(&p.fixed, "fixed", false, "look into the builds without the bugs")
	flag.DurationVar(&p.budget, "budget", time.Minute, "CPU time of a run")
	flag.StringVar(&p.keep, "keep", "deeptable.jsonl", "the `file` that keeps what was measured")
	flag.Parse()
	p.only, p.by = strings.Split(*only, ","), strings.Split(*by, ",")
	if err := p.table(); err != nil {
		fmt.Fprintln(os.Stderr, "deeptable:", err)
		os.Exit(2)
	}
}

// plan is what the command is asked for.
type plan struct {
	seeds    uint64
	only, by []string
	fixed    bool
	budget   time.Duration
	keep     string
}

// task is one run.
type task struct {
	Bug    string  `json:"bug"`
	Engine string  `json:"engine"`
	Fixed  bool    `json:"fixed"`
	Seed   uint64  `json:"seed"`
	Budget float64 `json:"budget_s"` // of CPU time
}

// outcome is what it gave.
type outcome struct {
	task
	Found  string  `json:"found"`  // what was found first; empty for nothing
	Meant  bool    `json:"meant"`  // and it was the bug
	Events uint64  `json:"events"` // until then, or in all
	Inputs uint64  `json:"inputs"` // of fuzz, likewise
	CPU    float64 `json:"cpu_s"`
}

func (p *plan) table() error {
	done, err := measured.Load(p.keep, func(o outcome) task { return o.task })
	if err != nil {
		return err
	}
	f, err := os.OpenFile(p.keep, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	for seed := range p.seeds {
		for _, d := range cases.Deeps {
			if p.only[0] != "" && !slices.Contains(p.only, d.Name) {
				continue
			}
			for _, engine := range p.by {
				if d.Order == "" && engine != fuzzed {
					continue // it takes an input
				}
				t := task{d.Name, engine, p.fixed, seed + 1, p.budget.Seconds()}
				if _, ok := done[t]; ok {
					continue
				}
				o, err := t.run(d)
				if err == nil {
					done[t] = o
					err = json.NewEncoder(f).Encode(o)
				}
				if err != nil {
					return fmt.Errorf("%+v: %w", t, err)
				}
			}
		}
	}
	p.show(done)
	return nil
}

// show prints the table.
func (p *plan) show(done map[task]outcome) {
	fmt.Println("| example | by | found | events until found: median, most | inputs: median, most | CPU s: median, most | else found |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, d := range cases.Deeps {
		for _, engine := range engines {
			p.row(d, engine, done)
		}
	}
}

func (p *plan) row(d cases.Deep, engine string, done map[task]outcome) {
	var events, inputs, cpu []float64
	var other []string
	runs := 0
	for seed := range p.seeds {
		o, ok := done[task{d.Name, engine, p.fixed, seed + 1, p.budget.Seconds()}]
		if !ok {
			continue
		}
		runs++
		if o.Meant || p.fixed && o.Found == "" {
			events, inputs, cpu = append(events, float64(o.Events)), append(inputs, float64(o.Inputs)), append(cpu, o.CPU)
		}
		if !o.Meant && o.Found != "" {
			other = append(other, o.Found)
		}
	}
	if runs == 0 {
		return
	}
	slices.Sort(other)
	name, found := d.Name, len(events)
	if p.fixed {
		name, found = name+cases.Fixed, runs-len(events)
	}
	fmt.Printf("| %s | %s | %d of %d | %s | %s | %s | %s |\n", name, engine, found, runs, middle(events, 0), middle(inputs, 0), middle(cpu, 1), strings.Join(slices.Compact(other), "; "))
}

// middle is the median and the most of a list.
func middle(list []float64, digits int) string {
	if len(list) == 0 {
		return "-"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.*f, %.*f", digits, list[len(list)/2], digits, list[len(list)-1])
}
