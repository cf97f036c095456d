package main

import (
	"flag"
	"fmt"

	"motehound/mote/board"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/world"
)

// hourFlag has the program mine an hour and nothing else.
var hourFlag = flag.String("hour", "", "mine an hour of a network on this `board`, and print nothing")

// hourOf is how many motes are mined on a board. A Mica2's radio interrupts for each byte, of noise too: 2,400 times in a second.
var hourOf = map[string]int{board.MicaZ.Name: 4, board.Mica2.Name: 2}

// mineAnHour is what a process with hourFlag does: all that motehound mine does, from the start to the rankings.
func mineAnHour(name string) error {
	b, err := board.Find(name)
	if err != nil {
		return err
	}
	w, err := network("collect", b, hourOf[name], "full")
	if err != nil {
		return err
	}
	collection := mining.Collection{}
	if collection.Firmware, err = mining.NewFirmware(w.Motes()[0].Kind); err != nil {
		return err
	}
	collection.Losses = mining.NewLossTracker(collection.Firmware)
	h, err := collection.Firmware.Watch(w, 0, mining.Options{Skip: 2 * world.Second, Losses: collection.Losses}, collection.Keep)
	if err != nil {
		return err
	}
	w.RunUntil(3600 * world.Second)
	h.Close()
	for _, v := range collection.Vectors() {
		if _, err := collection.RankFirst(v, outlier.Default(), 10, 10, false); err != nil {
			return err
		}
	}
	return nil
}

// hours is what an hour of mining costs, in a process of its own.
func hours() ([]result, error) {
	var results []result
	for _, name := range []string{board.MicaZ.Name, board.Mica2.Name} {
		_, cpu, resident, err := apart("-hour=" + name)
		if err != nil {
			return nil, fmt.Errorf("an hour of mining on %s: %w", name, err)
		}
		results = append(results,
			result{what: fmt.Sprintf("mining an hour of collect on %d %s: CPU time", hourOf[name], name), got: cpu, unit: "s"},
			result{"... most memory resident", resident, "MiB", "at most", 300})
	}
	return results, nil
}
