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

// slower is by how much watching slows networks down, and by how much at most it may.
func slower(what string, watch func(*world.World) error, most float64, list ...watching) ([]result, error) {
	var results []result
	for _, x := range list {
		times, err := slowdown(func() (*world.World, error) { return network(x.app, x.board, x.motes, "full") }, watch, x.virtual*world.Second)
		if err != nil {
			return nil, err
		}
		results = append(results, result{fmt.Sprintf("%s %s on %d %s: watched / plain", what, x.app, x.motes, x.board.Name), times, "times", "at most", most})
	}
	return results, nil
}

// calls is what following every call of every mote costs.
func calls() ([]result, error) {
	return slower("watching calls of", func(w *world.World) error {
		_, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{}, func(calltree.Instance) {})
		return err
	}, 4, watching{"collect", &board.MicaZ, 4, 120}, watching{"counter", &board.MicaZ, 4, 120}, watching{"collect", &board.Mica2, 4, 30})
}

// gathering is by how much gathering all that motehound mine needs slows networks down.
func gathering() ([]result, error) {
	return slower("mining", func(w *world.World) error {
		field, err := mining.NewFirmware(w.Motes()[0].Kind)
		if err == nil {
			_, err = field.Watch(w, 0, mining.Options{Losses: mining.NewLossTracker(field)}, func(*mining.Interval) {})
		}
		return err
	}, 3, watching{"counter", &board.MicaZ, 1, 200}, watching{"collect", &board.MicaZ, 4, 60}, watching{"collect", &board.Mica2, 4, 20})
}
