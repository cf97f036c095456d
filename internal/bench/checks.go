package main

import (
	"motehound/internal/motes"
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
		slower, err := slowdown(p.make, attach, p.time)
		if err != nil {
			return nil, err
		}
		out = append(out, result{p.what + " with built-in checks / without", slower, "times", "at most", 4})
	}
	return out, nil
}

// attach has the built-in checks watch a world.
func attach(w *world.World) error {
	prepared, err := property.Prepare(w.Config(), nil, property.Options{})
	if err == nil {
		_, err = prepared.Attach(w)
	}
	return err
}

// alone is a single mote that only computes.
func alone(name string) func() (*world.World, error) {
	return func() (*world.World, error) {
		k, err := motes.Kind(name, &board.MicaZ)
		if err != nil {
			return nil, err
		}
		return worldOf(k, 1)
	}
}
