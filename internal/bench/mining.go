package main

import (
	"motehound/firmware/kernel"
	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/observe/intervals"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/world"
)

// miningCost is what observing for symptom mining costs, and cutting what was observed into intervals.
func miningCost() ([]result, error) {
	results, err := gathering()
	if err != nil {
		return nil, err
	}
	var times []float64
	for range rounds {
		times = append(times, anatomise(1_000_000))
	}
	rank, distinct, err := ranking()
	if err != nil {
		return nil, err
	}
	return append(results, []result{
		{"ranking 20,000 intervals (SPI_STC of collect on mica2)", rank, "s", "at most", 10},
		{what: "... different counters among them", got: distinct, unit: ""},
		{"anatomising a million lifecycle items", median(times), "s", "at most", 1},
	}...), nil
}

// anatomise cuts a life of n items: handlers that post a task which posts another, and every fifth one interrupted.
func anatomise(n int) float64 {
	pattern := []kernel.Item{
		{Kind: kernel.Int, Arg: 16}, {Kind: kernel.Post, Arg: 1}, {Kind: kernel.Int, Arg: 22}, {Kind: kernel.Reti, Arg: 22},
		{Kind: kernel.Reti, Arg: 16}, {Kind: kernel.Run, Arg: 1}, {Kind: kernel.Post, Arg: 2}, {Kind: kernel.End, Arg: 1},
		{Kind: kernel.Run, Arg: 2}, {Kind: kernel.End, Arg: 2},
	}
	a := intervals.New(func(*intervals.Interval) {}, intervals.Options{Spans: true})
	before := motes.CPUTime()
	for i := range n {
		it := pattern[i%len(pattern)]
		it.Cycle = uint64(i) * 50
		a.Take(it)
	}
	a.Close(uint64(n) * 50)
	return (motes.CPUTime() - before).Seconds()
}

// ranking gathers 20,000 intervals of a radio's byte interrupt in a network, and ranks and explains them.
func ranking() (seconds, distinct float64, err error) {
	const intervals, spi = 20_000, 18
	w, err := network("collect", &board.Mica2, 4, "full")
	if err != nil {
		return 0, 0, err
	}
	collection := mining.Collection{}
	if collection.Firmware, err = mining.NewFirmware(w.Motes()[0].Kind); err != nil {
		return 0, 0, err
	}
	h, err := collection.Firmware.Watch(w, 0, mining.Options{Vectors: []uint16{spi}}, func(iv *mining.Interval) {
		if collection.Len() < intervals {
			collection.Keep(iv)
		}
	})
	if err != nil {
		return 0, 0, err
	}
	for collection.Len() < intervals {
		w.RunUntil(w.Now() + world.Second)
	}
	h.Close()
	before := motes.CPUTime()
	r, err := collection.RankFirst(spi, outlier.Default(), 10, 10, false)
	if err != nil {
		return 0, 0, err
	}
	return (motes.CPUTime() - before).Seconds(), float64(r.Distinct), nil
}
