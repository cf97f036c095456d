package main

import (
	"fmt"
	"runtime"

	"motehound/internal/motes"
	"motehound/mote/board"
	"motehound/observe/calltree"
	"motehound/observe/intervals"
	"motehound/study/behavior"
	"motehound/world"
)

// verifying is how fast an hour of three motes is held to approved models, all motes and interrupts, and how much memory is
// in use at the end of it beyond that after its first minutes.
func verifying() ([]result, error) {
	var results []result
	for _, b := range []*board.Board{&board.MicaZ, &board.Mica2} {
		file, err := approvedModels(b)
		if err != nil {
			return nil, err
		}
		w, err := network("drop", b, 3, "line")
		if err != nil {
			return nil, err
		}
		book := calltree.NewBook()
		v, err := behavior.NewVerifier(book, file, func(*behavior.Violation) {})
		if err != nil {
			return nil, err
		}
		f, err := calltree.Watch(w, book, calltree.Options{Filter: file.Filter.Filter(), ByStart: true}, v.Take)
		if err != nil {
			return nil, err
		}
		const first, hour = 300, 3600
		before := motes.CPUTime()
		w.RunUntil(first * world.Second)
		early := heap()
		w.RunUntil(hour * world.Second)
		spent := (motes.CPUTime() - before).Seconds()
		late := heap()
		f.Close()
		v.Finish()
		n, _ := v.Checked()
		runtime.KeepAlive(w)
		name := fmt.Sprintf("verifying an hour of 3 %s running drop: simulated / CPU time", b.Name)
		results = append(results, result{name, hour / spent, "times", "at least", 20},
			result{what: "... event procedures", got: float64(n), unit: ""},
			result{"... memory after an hour / after five minutes", float64(late) / float64(early), "times", "at most", 1.5})
	}
	return results, nil
}

// approvedModels is the models of a minute of drop on all motes.
func approvedModels(b *board.Board) (*behavior.File, error) {
	w, err := network("drop", b, 3, "line")
	if err != nil {
		return nil, err
	}
	book := calltree.NewBook()
	const timer = 16 // TIMER0 COMP: the clock
	m := behavior.NewMiner(book, behavior.Scope{Depth: 2 * 3, Background: []uint16{timer, intervals.ResetVector}}, nil)
	f, err := calltree.Watch(w, book, calltree.Options{ByStart: true}, m.Take)
	if err != nil {
		return nil, err
	}
	w.RunUntil(60 * world.Second)
	f.Close()
	chip := b.Chip
	return m.FileOf(m.Finish(), behavior.Source{VectorName: func(n uint16) string { return chip.VectorName(uint8(n)) },
		MoteID: func(i int) int { return i }}), nil
}
