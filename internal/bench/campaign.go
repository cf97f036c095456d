package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// campaigns does one fixed check by itself, and as a campaign with one worker and with two.
func campaigns() ([]result, error) {
	dir, err := os.MkdirTemp("", "motehound-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "motehound")
	if out, err := exec.Command("go", "build", "-pgo=cmd/motehound/default.pgo", "-o", program, "./cmd/motehound").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	timed := func(args ...string) (float64, error) {
		cmd := exec.Command(program, append(args, "--quiet", "--mode", "walk", "--unguided", "--nodes", "4", "--walks", "180", "--events", "20000", "example:counter")...)
		cmd.Dir = dir
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			return 0, fmt.Errorf("%v: %w\n%s", args, err, out)
		}
		return time.Since(start).Seconds(), nil
	}
	alone, err := timed("check", "--threads", "1", "--budget", "0", "--all")
	if err != nil {
		return nil, err
	}
	var took [3]float64
	for workers := 1; workers <= 2; workers++ {
		args := []string{"campaign", "start", "check", "--item-walks", "9", "--workers", fmt.Sprint(workers), "--store", filepath.Join(dir, fmt.Sprint("store", workers))}
		if took[workers], err = timed(args...); err != nil {
			return nil, err
		}
	}
	return []result{
		{what: "180 walks of a check, by itself", got: alone, unit: "s"},
		{"... as a campaign of 20 items, one worker", took[1] / alone, "times as long", "at most", 1.05},
		{"... two workers, against one", took[1] / took[2], "times as fast", "at least", 1.8},
	}, nil
}
