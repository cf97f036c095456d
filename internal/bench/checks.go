package main

import (
	"motehound/examples"
	"motehound/mote/board"
	"motehound/study/property"
	"motehound/world"
)

// checks is what the built-in checks of memory and kernel cost: CPU-bound programs, which never sleep, and networks.
func checks() ([]result, error) {
	var out []result
	for _, p := range []struct {
		what string
		make func() (*world.World, error)
		time uint64
	}{
		{"cpu-sort", alone("cpu-sort"), 10 * world.Second},
		{"cpu-crypt", alone("cpu-crypt"), 10 * world.Second},
		{"cpu-arith", alone("cpu-arith"), 10 * world.Second},
		{"16 Mica2 motes of counter", func() (*world.World, error) { return network("counter", &board.Mica2, 16, "full") }, 10 * world.Second},
		{"4 MicaZ motes of collect", func() (*world.World, error) { return network("collect", &board.MicaZ, 4, "full") }, 200 * world.Second},
	} {
		var plain, watched []float64
		for range rounds {
			for _, watch := range []bool{false, true} {
				seconds, err := timed(p.make, watch, p.time)
				if err != nil {
					return nil, err
				}
				if watch {
					watched = append(watched, seconds)
				} else {
					plain = append(plain, seconds)
				}
			}
		}
		out = append(out, result{p.what + " with built-in checks / without", median(watched) / median(plain), "times", "at most", 4})
	}
	return out, nil
}

// timed is how long a world takes to run, with or without the checks. Working out a firmware's tables is not part of it.
func timed(make func() (*world.World, error), watch bool, until uint64) (float64, error) {
	w, err := make()
	if err != nil {
		return 0, err
	}
	if watch {
		plan, err := property.Prepare(w.Config(), nil, property.Options{})
		if err != nil {
			return 0, err
		}
		if _, err := plan.Attach(w); err != nil {
			return 0, err
		}
	}
	before := cpuTime()
	w.RunUntil(until)
	return (cpuTime() - before).Seconds(), nil
}

// alone is a single mote that only computes.
func alone(name string) func() (*world.World, error) {
	return func() (*world.World, error) {
		f, _ := examples.Find(name, "atmega128")
		k, err := kindOf(f, &board.MicaZ)
		if err != nil {
			return nil, err
		}
		return worldOf(k, 1)
	}
}
