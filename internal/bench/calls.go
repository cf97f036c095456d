package main

import (
	"fmt"

	"motehound/mote/board"
	"motehound/observe/calltree"
	"motehound/world"
)

// calls is what following every call of every mote costs.
func calls() ([]result, error) {
	var results []result
	for _, x := range []struct {
		app     string
		board   *board.Board
		motes   int
		virtual uint64 // seconds
	}{{"collect", &board.MicaZ, 4, 120}, {"counter", &board.MicaZ, 4, 120}, {"collect", &board.Mica2, 4, 30}} {
		run := func(watched bool) (float64, error) {
			w, err := network(x.app, x.board, x.motes, "full")
			if err != nil {
				return 0, err
			}
			if watched {
				if _, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{}, func(calltree.Instance) {}); err != nil {
					return 0, err
				}
			}
			before := cpuTime()
			w.RunUntil(x.virtual * world.Second)
			return (cpuTime() - before).Seconds(), nil
		}
		var plain, watched []float64
		for range rounds {
			p, err := run(false)
			if err != nil {
				return nil, err
			}
			o, err := run(true)
			if err != nil {
				return nil, err
			}
			plain, watched = append(plain, p), append(watched, o)
		}
		results = append(results, result{fmt.Sprintf("watching calls of %s on %s: watched / plain", x.app, x.board.Name),
			median(watched) / median(plain), "times", "at most", 4})
	}
	return results, nil
}
