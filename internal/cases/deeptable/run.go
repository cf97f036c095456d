package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/internal/cases"
	"motehound/internal/cases/measured"
	"motehound/job"
	"motehound/study/verdict"
)

// The ways to look for a bug.
const (
	unguided = "unguided"
	guided   = "check"
	fuzzed   = "fuzz"
)

var engines = []string{unguided, guided, fuzzed}

// run looks for a bug, until it is found or the CPU time is spent. Whatever else is found first ends it, too.
func (t task) run(d cases.Deep) (outcome, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	got := outcome{task: t}
	before := measured.CPUSeconds()
	host := job.Host{
		// The clock is that of the CPU: other processes do not count.
		Now: func() time.Time { return time.Unix(0, int64(1e9*(measured.CPUSeconds()-before))) },
		Progress: func(p job.Progress) {
			_, found, ok := strings.Cut(p.Text, ": ")
			if p.Kind != job.Note || !ok || !strings.HasPrefix(p.Text, "found after ") || got.Found != "" {
				return
			}
			got.Found, _, _ = strings.Cut(found, " on mote")
			got.Events, got.Inputs, got.CPU = p.Events, p.Inputs, measured.CPUSeconds()-before
			got.Meant = strings.HasPrefix(found, d.Property) && slices.ContainsFunc(d.Functions, func(name string) bool {
				return strings.Contains(found, " in "+name+" ")
			})
			cancel()
		},
	}
	events, inputs, err := t.look(ctx, d, host)
	if errors.Is(err, verdict.ErrInterrupted) && got.Found != "" {
		err = nil
	}
	if got.Found == "" {
		got.Events, got.Inputs, got.CPU = events, inputs, measured.CPUSeconds()-before
	}
	return got, err
}

// look asks as a user does, and returns how many events and inputs were tried. A finding of check in any order counts.
func (t task) look(ctx context.Context, d cases.Deep, host job.Host) (events, inputs uint64, err error) {
	if t.Engine == fuzzed {
		f := job.NewFuzz("")
		t.bound(d, &f.Check)
		r, err := f.Do(ctx, host)
		if err != nil {
			return 0, 0, err
		}
		return r.Document.Explored.Events, r.Document.Inputs, nil
	}
	c := job.NewCheck("")
	t.bound(d, &c)
	c.Mode, c.Unguided = "walk", t.Engine == unguided
	r, err := c.Do(ctx, host)
	if err != nil {
		return 0, 0, err
	}
	return r.Document.Explored.Events, 0, nil
}

// bound sets what the engines have in common. Check gets the scenario if there is one.
func (t task) bound(d cases.Deep, c *job.Check) {
	build := ""
	if t.Fixed {
		build = cases.Fixed
	}
	if d.Order != "" && t.Engine != fuzzed {
		c.File, c.Params = filepath.Join("examples", d.Order), []string{"build=" + build}
	} else {
		c.File, c.Board = "example:"+d.Name+build, d.Board
	}
	c.Threads, c.Seed, c.AnyOrder = 1, &t.Seed, t.Engine != fuzzed
	c.Budget = time.Duration(t.Budget * float64(time.Second))
}
