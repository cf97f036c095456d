package main

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	unguided = "check, unguided"
	guided   = "check"
)

var engines = []string{unguided, guided}

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
			if p.Kind == job.Exploring {
				got.Events = max(got.Events, p.Events)
			}
			_, found, ok := strings.Cut(p.Text, ": ")
			if p.Kind != job.Note || !ok || !strings.HasPrefix(p.Text, "found after ") || got.Found != "" {
				return
			}
			got.Found, _, _ = strings.Cut(found, " on mote")
			got.Events, got.CPU = p.Events, measured.CPUSeconds()-before
			got.Meant = strings.HasPrefix(found, d.Property) && slices.ContainsFunc(d.Functions, func(name string) bool {
				return strings.Contains(found, " in "+name+" ")
			})
			cancel()
		},
	}
	c, dir, err := t.request(d)
	if err != nil {
		return got, err
	}
	defer os.RemoveAll(dir)
	_, err = c.Do(ctx, host)
	if errors.Is(err, verdict.ErrInterrupted) && got.Found != "" {
		err = nil
	}
	if got.Found == "" {
		got.CPU = measured.CPUSeconds() - before
	}
	return got, err
}

// request is what the user asks for: a scenario if there is one, or else one mote.
func (t task) request(d cases.Deep) (c job.Check, dir string, err error) {
	if d.Order != "" {
		if dir, err = os.MkdirTemp("", "deeptable"); err != nil {
			return c, "", err
		}
		file, err := t.scenario(d, dir)
		if err != nil {
			return c, dir, err
		}
		c = job.NewCheck(file)
		c.AnyOrder = true
	} else {
		c = job.NewCheck("example:" + t.build(d))
		c.Board = d.Board
	}
	c.Mode, c.Threads, c.Seed, c.Unguided = "walk", 1, &t.Seed, t.Engine == unguided
	c.Budget = time.Duration(t.Budget * float64(time.Second))
	return c, dir, nil
}

func (t task) build(d cases.Deep) string {
	if t.Fixed {
		return d.Name + cases.Fixed
	}
	return d.Name
}

// scenario writes the bug's scenario with the right build into a folder.
func (t task) scenario(d cases.Deep, dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join("examples", d.Order))
	if err != nil {
		return "", err
	}
	elf, err := filepath.Abs("examples/elf")
	if err != nil {
		return "", err
	}
	own := strings.ReplaceAll(string(text), "../elf", elf)
	if t.Fixed {
		own = strings.Replace(own, `build = ""`, fmt.Sprintf("build = %q", cases.Fixed), 1)
	}
	name := filepath.Join(dir, filepath.Base(d.Order))
	return name, os.WriteFile(name, []byte(own), 0o644)
}
