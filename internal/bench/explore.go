package main

import (
	"math/rand/v2"
	"runtime/debug"
	"time"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world"
	"motehound/world/medium"
)

// exploring is how many transitions a search makes in a second of one core: clone, fire, hash.
func exploring() ([]result, error) {
	var out []result
	for _, p := range []struct {
		what    string
		motes   int
		checked bool
		want    float64
	}{
		{"two motes of counter, without checks", 2, false, 50},
		{"two motes of counter, with checks", 2, true, 0},
		{"eight motes of counter, without checks", 8, false, 0},
		{"eight motes of counter, with checks", 8, true, 0},
	} {
		base, err := counters(p.motes, p.checked)
		if err != nil {
			return nil, err
		}
		var rates []float64
		for range rounds {
			rate, err := transitions(base, 20_000)
			if err != nil {
				return nil, err
			}
			rates = append(rates, rate)
		}
		r := result{what: "transitions: " + p.what, got: median(rates), unit: "1000/s"}
		if p.want > 0 {
			r.bound, r.want = "at least", p.want
		}
		out = append(out, r)
	}
	gain, err := twoThreads()
	if err != nil {
		return nil, err
	}
	return append(out, result{"two threads against one, two motes of counter", gain, "times", "at least", 1.8}), nil
}

// counters is a network of counter motes that hear each other, some time after they have booted.
func counters(n int, checked bool) (check.System, error) {
	k, err := motes.Kind("counter", &board.MicaZ)
	if err != nil {
		return nil, err
	}
	net, err := medium.New(n, medium.Full(n, medium.DefaultGain, 0))
	if err != nil {
		return nil, err
	}
	cfg := &world.Config{Net: net, Motes: motes.Of(k, n)}
	var opt explore.Options
	if checked {
		if opt.Plan, err = property.Prepare(cfg, nil, property.Options{Explore: true}); err != nil {
			return nil, err
		}
	}
	s, err := explore.New(cfg, opt)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 0))
	for range 1000 {
		list := s.Enabled(nil)
		if _, err := s.Fire(list[r.IntN(len(list))]); err != nil {
			return nil, err
		}
	}
	return s.Clone(), nil
}

// transitions is thousands a second: each fires an event in a snapshot of the state, looks at what comes next, and hashes.
func transitions(base check.System, n int) (float64, error) {
	const depth = 16 // of a stack of snapshots, as a search has it
	stack := []check.System{base.Clone()}
	for range depth {
		stack = append(stack, base.Clone())
	}
	defer func() {
		for _, s := range stack {
			s.Release()
		}
	}()
	r := rand.New(rand.NewPCG(1, 0))
	var list []check.Event
	before := motes.CPUTime()
	for k := range n {
		from, to := stack[k%depth], stack[k%depth+1]
		to.CopyFrom(from)
		list = to.Enabled(list[:0])
		if _, err := to.Fire(list[r.IntN(len(list))]); err != nil {
			return 0, err
		}
		to.Hash()
	}
	return float64(n) / 1000 / (motes.CPUTime() - before).Seconds(), nil
}

// twoThreads is by how much a search is faster on two cores.
func twoThreads() (float64, error) {
	base, err := counters(2, false)
	if err != nil {
		return 0, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(check.Collect)) // as motehound check does
	var times [2][]float64
	for range rounds {
		for i := range times {
			start := time.Now()
			if _, err := check.Search(base, check.SearchOptions{Depth: 40, Events: 200_000, Threads: i + 1}); err != nil {
				return 0, err
			}
			times[i] = append(times[i], time.Since(start).Seconds())
		}
	}
	return median(times[0]) / median(times[1]), nil
}
