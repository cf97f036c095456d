package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// demoNetwork lets five motes hand messages down a line whose links lose frames.
func demoNetwork(to io.Writer) error {
	const n, loss, virtual = 5, 0.3, 60
	r, err := exampleNetwork("relay-micaz", n, medium.Line(n, medium.DefaultGain, loss))
	if err != nil {
		return err
	}
	w, err := r.World(job.OpenFirmware)
	if err != nil {
		return err
	}
	start := time.Now()
	w.RunUntil(virtual * world.Second)
	took := time.Since(start)
	fmt.Fprintf(to, "\n5. Five motes in a line hand messages to mote 0, over links that lose a third of all frames (examples/relay)\n\n")
	fmt.Fprintf(to, "   %d s of their time took %.0f ms here, %s.\n\n", virtual, took.Seconds()*1000, phrase.Times(virtual/took.Seconds()))
	ask, err := job.Ask(w, nil, []string{"RelayC__delivered", "RelayC__made"})
	if err != nil {
		return err
	}
	var doc document.Run
	if err := ask.Answer(w, &doc); err != nil {
		return err
	}
	fmt.Fprintf(to, "   mote  frames sent  heard  messages made\n")
	for i, m := range w.Motes() {
		made := ""
		for _, v := range doc.Vars {
			if v.Mote == m.ID() && v.Name == "RelayC__made" {
				made = v.Text
			}
		}
		fmt.Fprintf(to, "   %4d  %11d  %5d  %13s\n", m.ID(), w.FramesSent(i), w.FramesReceived(i), made)
	}
	for _, v := range doc.Vars {
		if v.Mote == 0 && v.Name == "RelayC__delivered" {
			fmt.Fprintf(to, "   mote 0 has, of each of them: %s\n", shorten(v.Text, 60))
		}
	}
	return nil
}

// exampleNetwork is the recipe of a built-in example on several motes.
func exampleNetwork(example string, n int, links []medium.Link) (*recipe.Recipe, error) {
	var m recipe.Mote
	if _, _, err := (job.Hardware{}).Choose(job.ExamplePrefix+example, &m); err != nil {
		return nil, err
	}
	r := &recipe.Recipe{Version: recipe.Version, Seed: 1, Stagger: 100_000}
	for i := range n {
		m.ID = uint16(i)
		r.Motes = append(r.Motes, m)
	}
	r.SetLinks(links)
	return r, nil
}

// demoMine finds the intervals in which a packet was overwritten.
func demoMine(ctx context.Context, to io.Writer) error {
	r, err := exampleNetwork("pollute-micaz", 2, medium.Full(2, medium.DefaultGain, 0))
	if err != nil {
		return err
	}
	w, err := r.World(job.OpenFirmware)
	if err != nil {
		return err
	}
	crop := mining.Crop{}
	if crop.Field, err = mining.NewField(w.Motes()[1].Kind); err != nil {
		return err
	}
	const adc = 22
	crop.Ledger = mining.NewLedger(crop.Field)
	h, err := crop.Field.Watch(w, 0, mining.Options{Vectors: []uint16{adc}, Motes: []int{1}, Ledger: crop.Ledger}, crop.Keep)
	if err != nil {
		return err
	}
	w.RunUntil(10 * world.Second)
	h.Close()
	ranking, err := crop.Rank(adc, outlier.Default(), 3)
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\n6. Which of %d event-handling intervals look wrong? Readings get into a packet that still waits (examples/pollute)\n", ranking.Intervals)
	doc := document.MineOf(ranking, w.Motes()[1].Chip(), nil, 3, h.Profile().TaskName)
	doc.Judge()
	printMine(to, doc)
	truth, err := pollutions(w)
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\n   The firmware itself has noted in which instances it happened: %v\n", truth)
	return ctx.Err()
}

// pollutions reads out of mote 1 what is true.
func pollutions(w *world.World) ([]string, error) {
	count, err := readOf(w, 1, "PolluteC__polluted")
	if err != nil {
		return nil, err
	}
	var paths []string
	for n, _ := strconv.Atoi(count[0]); len(paths) < n; {
		paths = append(paths, fmt.Sprintf("PolluteC__pollutedOf[%d]", len(paths)))
	}
	return readOf(w, 1, paths...)
}

// readOf is variables of a mote.
func readOf(w *world.World, id uint16, paths ...string) (all []string, err error) {
	ask, err := job.Ask(w, nil, paths)
	if err != nil {
		return nil, err
	}
	var doc document.Run
	err = ask.Answer(w, &doc)
	for _, v := range doc.Vars {
		if v.Mote == id {
			all = append(all, v.Text)
		}
	}
	return all, err
}
