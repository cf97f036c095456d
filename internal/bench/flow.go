package main

import (
	"fmt"
	"math/rand/v2"

	"motehound/internal/motes"
	"motehound/study/behavior"
)

// flows is what mining the job flow of a million models takes, on sequences of different kinds.
func flows() ([]result, error) {
	const length = 1_000_000
	var results []result
	for _, kind := range []struct {
		name string
		make func(length int) behavior.Pattern
	}{
		{"random", randomModels},
		{"periodic", func(n int) behavior.Pattern { return disturbed(n, n/2) }},
		{"a relay's, disturbed", func(n int) behavior.Pattern { return disturbed(n, 1000) }},
	} {
		seq := []behavior.Pattern{kind.make(length)}
		var times []float64
		for range rounds {
			before := motes.CPUTime()
			if _, ok := behavior.Mine(seq, 0); !ok {
				return nil, fmt.Errorf("no job flow in a sequence that is %s", kind.name)
			}
			times = append(times, (motes.CPUTime() - before).Seconds())
		}
		results = append(results, result{"the job flow of a million models, " + kind.name, median(times), "s", "at most", 1})
	}
	return results, nil
}

func randomModels(n int) behavior.Pattern {
	r := rand.New(rand.NewPCG(1, 2))
	seq := make(behavior.Pattern, n)
	for i := range seq {
		seq[i] = int32(r.IntN(8))
	}
	return seq
}

// disturbed is a relay's flow, with another model in between about every so often.
func disturbed(n, every int) behavior.Pattern {
	r := rand.New(rand.NewPCG(3, 4))
	flow := behavior.Pattern{0, 0, 1, 0, 0, 2}
	seq := make(behavior.Pattern, 0, n)
	next := every
	for i := 0; len(seq) < n; i++ {
		if seq = append(seq, flow[i%len(flow)]); len(seq) >= next {
			seq = append(seq, 3+int32(r.IntN(3)))
			next = len(seq) + 1 + r.IntN(2*every)
		}
	}
	return seq[:n]
}
