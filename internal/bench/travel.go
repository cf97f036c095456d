package main

import (
	"math/rand/v2"
	"runtime"

	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/travel"
	"motehound/world"
)

// travelling goes to and fro in an hour of 16 motes.
func travelling() ([]result, error) {
	const until = 3600 * world.Second
	w, err := network("counter", &board.MicaZ, 16, "grid")
	if err != nil {
		return nil, err
	}
	at := motes.CPUTime()
	w.Clone().RunUntil(until)
	plain := (motes.CPUTime() - at).Seconds()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	at = motes.CPUTime()
	t := travel.Timed(w, until, 0)
	if err := t.Go(travel.Point{Time: until}, nil); err != nil {
		return nil, err
	}
	first := (motes.CPUTime() - at).Seconds()
	runtime.GC()
	runtime.ReadMemStats(&after)
	rng := rand.New(rand.NewPCG(1, 1))
	longest := 0.0
	for range 20 {
		at = motes.CPUTime()
		if err := t.Go(travel.Point{Time: rng.Uint64N(until)}, nil); err != nil {
			return nil, err
		}
		longest = max(longest, (motes.CPUTime() - at).Seconds())
	}
	back, err := tenMinutesBack(t, until)
	if err != nil {
		return nil, err
	}
	return []result{
		{what: "an hour of 16 motes, straight", got: plain, unit: "s of CPU time"},
		{"... the first time with snapshots, and what was written between them", first / plain, "times as long", "at most", 2},
		{"... memory for that", float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20), "MB", "at most", travel.Memory / (1 << 20)},
		{"going to a random moment of it, the longest of 20", longest, "s of CPU time", "at most", 2},
		{"reverse-continue to a write ten minutes back", back, "s of CPU time", "at most", 5},
	}, nil
}

// tenMinutesBack is how long it takes to find the last write of a value that a counter's high byte had ten minutes before.
func tenMinutesBack(t *travel.Traveller, until uint64) (float64, error) {
	if err := t.Go(travel.Point{Time: until - 600*world.Second}, nil); err != nil {
		return 0, err
	}
	v, _ := t.Motes()[3].Kind.Image.Var("CounterC__counter")
	high := travel.Range{Mote: 3, Addr: uint16(v.Addr) + 1, Bytes: 1}
	was := t.Motes()[3].Peek(high.Addr)
	if err := t.Go(travel.Point{Time: until}, nil); err != nil {
		return 0, err
	}
	at := motes.CPUTime()
	_, err := t.Previous(&travel.Watch{Changes: []travel.Range{high}, If: func(_ *mote.Mote, h travel.Hit) bool { return h.New == was }}, nil)
	return (motes.CPUTime() - at).Seconds(), err
}
