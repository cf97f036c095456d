package main

import (
	"runtime"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/world"
)

// snapshots clones and restores an ATmega128 mote, and a network, in the middle of a run.
func snapshots() ([]result, error) {
	k, err := motes.Kind("serial", &board.MicaZ)
	if err != nil {
		return nil, err
	}
	w, err := worldOf(k, 1)
	if err != nil {
		return nil, err
	}
	w.RunUntil(1500 * world.Millisecond)
	fresh := freshClones(w, 4096, 20_000)
	reused, restore, hash := costs(w, 256, 20_000)
	ready := each(4096, 20_000, func(int) { w.Clone().Motes() })
	moving := movingClones(w, 4096, 20_000)
	results := []result{
		{"clone of an ATmega128 mote into fresh memory", fresh, "us", "at most", 3},
		{"... each a millisecond of its life later", moving, "us", "at most", 3},
		{"... into a snapshot that was given back", reused, "us", "at most", 3},
		{what: "clone that is made ready to run", got: ready, unit: "us"},
		{"restore of an ATmega128 mote", restore, "us", "at most", 3},
		{what: "hash of an ATmega128 mote", got: hash, unit: "us"},
	}
	if w, err = network("counter", &board.Mica2, 16, "full"); err != nil {
		return nil, err
	}
	w.RunUntil(boot)
	fresh = freshClones(w, 256, 2_000)
	reused, restore, hash = costs(w, 256, 2_000)
	return append(results,
		result{"clone of 16 Mica2 motes into fresh memory", fresh, "us", "at most", 60},
		result{"... into a snapshot that was given back", reused, "us", "at most", 60},
		result{what: "restore of 16 Mica2 motes", got: restore, unit: "us"},
		result{what: "hash of 16 Mica2 motes", got: hash, unit: "us"}), nil
}

// each is what doing something takes, in microseconds, done n times in a round with i going through keep places.
func each(keep, n int, f func(i int)) float64 {
	var times []float64
	for range rounds {
		runtime.GC()
		before := motes.CPUTime()
		for i := range n {
			f(i % keep)
		}
		times = append(times, (motes.CPUTime()-before).Seconds()/float64(n)*1e6)
	}
	return median(times)
}

// freshClones is what a clone takes when nothing is given back: allocation, collection and cold memory included. Many are
// kept, so that the collector does not run all the time.
func freshClones(w *world.World, keep, n int) float64 {
	kept := make([]*world.World, keep)
	return each(keep, n, func(i int) { kept[i] = w.Clone() })
}

// movingClones is what a clone takes while the world goes on between two of them, so that each differs from the one before:
// the time for going on and cloning less that for going on.
func movingClones(w *world.World, keep, n int) float64 {
	start := w.Clone()
	kept := make([]*world.World, keep)
	measure := func(clone bool) float64 {
		w.CopyFrom(start)
		runtime.GC()
		before := motes.CPUTime()
		for i := range n {
			w.RunUntil(w.Now() + world.Millisecond)
			if clone {
				kept[i%keep] = w.Clone()
			}
		}
		return (motes.CPUTime() - before).Seconds() / float64(n) * 1e6
	}
	var times []float64
	for range rounds {
		times = append(times, measure(true)-measure(false))
	}
	w.CopyFrom(start)
	return median(times)
}

// costs is what cloning, restoring and hashing a world take when clones are given back, as a search does that keeps as many
// snapshots as it is deep.
func costs(w *world.World, keep, n int) (clone, restore, hash float64) {
	kept := make([]*world.World, keep)
	clone = each(keep, n, func(i int) {
		if kept[i] != nil {
			kept[i].Release()
		}
		kept[i] = w.Clone()
	})
	restore = each(keep, n, func(i int) { w.CopyFrom(kept[i]) })
	hash = each(keep, n, func(int) { w.Hash() })
	return clone, restore, hash
}

// memory is what a further mote with the same image costs.
func memory() ([]result, error) {
	k, err := motes.Kind("serial", &board.MicaZ)
	if err != nil {
		return nil, err
	}
	const n = 500
	w, err := worldOf(k, 1)
	if err != nil {
		return nil, err
	}
	before := heap()
	many, err := worldOf(k, n)
	if err != nil {
		return nil, err
	}
	many.RunUntil(1500 * world.Millisecond)
	per := float64(heap()-before) / n / 1024
	runtime.KeepAlive(w)
	runtime.KeepAlive(many)
	return []result{{"memory of a further mote with the same image", per, "KiB", "at most", 64}}, nil
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}
