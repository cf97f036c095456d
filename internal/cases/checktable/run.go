package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"motehound/internal/cases"
	"motehound/study/check"
)

// run looks for a bug.
func (j job) run(total uint64) (outcome, error) {
	b := cases.Bugs[slices.IndexFunc(cases.Bugs, func(b cases.Bug) bool { return b.Name == j.Bug })]
	s, err := cases.System(os.DirFS("examples"), b.File, cases.Network{Board: "micaz", Build: b.Build, Motes: j.Motes, AnyOrder: true})
	if err != nil {
		return outcome{}, err
	}
	o := cases.Defaults()
	o.Mode, o.Seed, o.Meter = check.Mode(j.Mode), j.Seed, new(check.Meter)
	o.Walk.Total = total
	if o.Mode == check.ModeSearch {
		o.Steady, o.Search.Depth, o.Search.Events = 3_000, 30, 300_000
	}
	got := outcome{job: j}
	o.Found = func(f *check.Finding) {
		if b.Is(f) && !got.Found {
			got.Found, got.Events, got.Trace = true, o.Meter.Stats().Events, f.Before
		}
	}
	r, err := check.Run(s.Clone(), o)
	if err != nil {
		return outcome{}, fmt.Errorf("%+v: %w", j, err)
	}
	got.Found = false // a goal that was late after all is no finding
	for _, f := range r.Findings {
		if b.Is(f) && (!got.Found || len(f.Trace) < got.Shortest) {
			got.Found, got.Shortest = true, len(f.Trace)
		}
	}
	if !got.Found {
		got.Events = r.Stats.Events
	}
	return got, nil
}

// show prints the table.
func show(done map[job]outcome, sizes []int) {
	fmt.Println("| bug | motes | seeds | found by walks | events until found | paper | search: trace (events) | paper | shortest trace | paper |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, b := range cases.Bugs {
		for _, n := range sizes {
			row(b, n, done)
		}
	}
}

func row(b cases.Bug, motes int, done map[job]outcome) {
	seeds, found, events, shortest := 0, 0, 0.0, 0
	for j, o := range done {
		if j.Bug != b.Name || j.Motes != motes || j.Mode != "walk" {
			continue
		}
		seeds++
		if !o.Found {
			continue
		}
		found++
		events += float64(o.Events)
		if shortest == 0 || o.Shortest < shortest {
			shortest = o.Shortest
		}
	}
	if seeds == 0 {
		return
	}
	cells := []string{b.Name, fmt.Sprint(motes), fmt.Sprint(seeds), fmt.Sprintf("%d of %d", found, seeds), "-", "", "-", "", "-", ""}
	if found > 0 {
		cells[4], cells[8] = fmt.Sprintf("%.0f", events/float64(found)), fmt.Sprint(shortest)
	}
	if o := done[job{b.Name, motes, "search", 1}]; o.Found {
		cells[6] = fmt.Sprintf("%d (%d)", o.Trace, o.Events)
	}
	if p := b.Paper; p != nil && (motes == 2 || motes == 8) {
		i := min(1, motes/8)
		cells[5], cells[7], cells[9] = fmt.Sprint(p.Walk[i]), "-", fmt.Sprint(p.Shortest)
		if p.Search[i] > 0 {
			cells[7] = fmt.Sprintf("%d (%d)", p.Search[i], p.Explored[i])
		}
	}
	fmt.Printf("| %s |\n", strings.Join(cells, " | "))
}
