package main

import (
	"fmt"

	"motehound/mote/board"
	"motehound/observe/calltree"
	"motehound/study/mining"
	"motehound/world"
)

// watching is networks that are run plain and watched.
type watching struct {
	app     string
	board   *board.Board
	motes   int
	virtual uint64 // seconds
}

// slower is by how much watching slows a network down.
func (x watching) slower(watch func(*world.World) error) (float64, error) {
	return slowdown(func() (*world.World, error) { return network(x.app, x.board, x.motes, "full") }, watch, x.virtual*world.Second)
}

// calls is what following every call of every mote costs.
func calls() ([]result, error) {
	var results []result
	for _, x := range []watching{{"collect", &board.MicaZ, 4, 120}, {"counter", &board.MicaZ, 4, 120}, {"collect", &board.Mica2, 4, 30}} {
		slower, err := x.slower(func(w *world.World) error {
			_, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{}, func(calltree.Instance) {})
			return err
		})
		if err != nil {
			return nil, err
		}
		results = append(results, result{fmt.Sprintf("watching calls of %s on %s: watched / plain", x.app, x.board.Name), slower, "times", "at most", 4})
	}
	return results, nil
}

// gathering is by how much gathering all that motehound mine needs slows networks down.
func gathering() ([]result, error) {
	var results []result
	for _, x := range []watching{{"counter", &board.MicaZ, 1, 200}, {"collect", &board.MicaZ, 4, 60}, {"collect", &board.Mica2, 4, 20}} {
		slower, err := x.slower(func(w *world.World) error {
			field, err := mining.NewFirmware(w.Motes()[0].Kind)
			if err == nil {
				_, err = field.Watch(w, 0, mining.Options{Losses: mining.NewLossTracker(field)}, func(*mining.Interval) {})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		results = append(results, result{fmt.Sprintf("mining %s on %d %s: watched / plain", x.app, x.motes, x.board.Name), slower, "times", "at most", 3})
	}
	return results, nil
}
