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
	timed := func(args ...string) (wall, cpu float64, err error) {
		cmd := exec.Command(program, append(args, "--quiet", "--mode", "walk", "--unguided", "--nodes", "4", "--walks", "120", "--events", "20000", "example:counter")...)
		cmd.Dir = dir
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			return 0, 0, fmt.Errorf("%v: %w\n%s", args, err, out)
		}
		return time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
	}
	// The host is now faster, now slower: the least of several turns counts.
	var took, cpu [3]float64 // by number of workers; 0 for the check by itself
	for turn := range 3 {
		for workers := range took {
			args := []string{"check", "--threads", "1", "--budget", "0", "--all"}
			if workers > 0 {
				args = []string{"campaign", "start", "check", "--item-walks", "6", "--workers", fmt.Sprint(workers), "--store", filepath.Join(dir, fmt.Sprint("store", workers, "-", turn))}
			}
			wall, used, err := timed(args...)
			if err != nil {
				return nil, err
			}
			if turn == 0 || wall < took[workers] {
				took[workers] = wall
			}
			if turn == 0 || used < cpu[workers] {
				cpu[workers] = used
			}
		}
	}
	return []result{
		{what: "120 walks of a check, by itself", got: took[0], unit: "s"},
		{what: "... as a campaign of 20 items, one worker", got: took[1] / took[0], unit: "times as long"},
		{"... the CPU time of that, server and all", cpu[1] / cpu[0], "times as much", "at most", 1.05}, // a busy host does not count
		{"... two workers, against one", took[1] / took[2], "times as fast", "at least", 1.8},
	}, nil
}
