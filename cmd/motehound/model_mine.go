package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"motehound/mote/chip"
	"motehound/study/behavior"
	"motehound/study/verdict"
	"motehound/world/disk"
)

// modelMineFlags are those of model mine.
type modelMineFlags struct {
	modelFlags
	vectors, depths, drops []string
	background             []string
	filter                 behavior.Filter
	components, files      []string
	force                  bool
	runs, untilStable      int
	draw                   pictureFlags
}

func modelMineCommand() *cobra.Command {
	var f modelMineFlags
	cmd := &cobra.Command{
		Use:   "mine [flags] FIRMWARE|SCENARIO",
		Short: "Find the models, job flows and interleavings of a run",
		Long: `Runs a firmware and finds, for each interrupt: the event-procedure models, named A18, B18, ... by first appearance; the
job flow, which is the repeated sequence of models that covers most; and the models that interleave it. Look at them with a
small --depth first, drop what is not of interest (--drop B18@2), and look deeper. With --models FILE they are kept; that is
to approve them.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, "keep what is found in this `file`")
	fl.StringArrayVar(&f.vectors, "vector", nil, "find flows of this `interrupt` only, by name or number (repeatable)")
	fl.StringArrayVar(&f.background, "background", nil, "an `interrupt` that may come at any time, as a clock's: it interleaves nobody (repeatable; clocks that only count are)")
	fl.StringArrayVar(&f.depths, "depth", nil, "how many `layers` of calls make a model, also in halves, or app: all of the application's code; of one interrupt: SPI_STC=4.5 (repeatable; default app, or 3 where that is not known)")
	fl.StringArrayVar(&f.drops, "drop", nil, "leave out a `model`, as B18; B18@2 is the one that has this name at depth 2 (repeatable)")
	fl.StringArrayVar(&f.filter.Include, "function", nil, "only functions that match this `pattern` (repeatable, as the next two)")
	fl.StringArrayVar(&f.components, "component", nil, "only functions of this `component`")
	fl.StringArrayVar(&f.files, "file", nil, "only functions of this source `file`")
	fl.StringArrayVar(&f.filter.Exclude, "exclude", nil, "not the functions that match this `pattern` (repeatable)")
	fl.BoolVar(&f.filter.Helpers, "helpers", false, "also the compiler's own functions")
	fl.BoolVar(&f.filter.Wiring, "wiring", false, "also the functions that nesC makes of wires")
	fl.BoolVar(&f.filter.Kernel, "kernel-functions", false, "also the functions that keep and run tasks")
	fl.IntVar(&f.runs, "runs", 1, "mine so many runs together, with the seeds from --seed on")
	fl.IntVar(&f.untilStable, "until-stable", 0, "stop when this `number` of runs in a row had nothing new (at most --runs; default 50 then)")
	fl.BoolVar(&f.force, "force", false, "write over an existing file of --models")
	f.draw.register(fl)
	f.registerOutput(fl)
	return cmd
}

// minedDocument is what model mine prints as JSON.
type minedDocument struct {
	TimeS  float64        `json:"time_s"`
	Hash   string         `json:"hash"`
	File   *behavior.File `json:"models"`
	Rivals []rivalFlow    `json:"rivals"`
	Runs   int            `json:"runs"`
	Stable int            `json:"stable"` // runs at the end that had nothing new
	// LeftOut is why there may be more.
	LeftOut []string `json:"left_out"`
}

// rivalFlow is a flow that covers less than the job flow.
type rivalFlow struct {
	Vector uint16  `json:"vector"`
	Models string  `json:"models"`
	Count  int     `json:"count"`
	Share  float64 `json:"share"`
}

func (f *modelMineFlags) mine(ctx context.Context, firmware string) error {
	f.filter.Include = append(append(f.filter.Include, f.components...), f.files...)
	if f.models != "" && !f.force {
		if _, err := os.Stat(f.models); err == nil {
			return fmt.Errorf("--models %s: there is one already; --force writes over it, and 'model approve' adds to it", f.models)
		}
	}
	term := newTerminal(f.json, f.quiet, nil)
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	chip := w.Motes()[0].Chip()
	watched, err := vectorNumbers(chip, "vector", f.vectors)
	if err != nil {
		return err
	}
	plan, err := depthFlags(f.usualDepth(w), f.depths, f.drops, chip.Vector)
	if err != nil {
		return err
	}
	if plan.Background, err = vectorNumbers(chip, "background", f.background); err != nil {
		return err
	}
	plan.Timers = timers(chip)
	book := behavior.NewBook()
	miner := behavior.NewMiner(book, plan, watched)
	if f.field.trace == "" {
		miner.WatchData()
	}
	doc := minedDocument{Rivals: []rivalFlow{}, LeftOut: []string{}}
	if err := f.learn(ctx, rec, w, miner, &doc, term); errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	} else if err != nil {
		return err
	}
	interrupted := ctx.Err() != nil
	if interrupted {
		doc.LeftOut = append(doc.LeftOut, verdict.Interrupted)
		term.say("%s: these are the models of a part of the run", verdict.Interrupted)
		if f.models != "" {
			term.say("--models %s is not written: half a run is not to be approved", f.models)
			f.models = ""
		}
	}
	if f.models != "" {
		if err := disk.Write(f.models, doc.File.Bytes(), 0o666); err != nil {
			return fmt.Errorf("--models: %w", err)
		}
	}
	if err := f.draw.drawMined(&doc, book); err != nil {
		return err
	}
	if f.json {
		return writeJSON(stdout, doc)
	}
	p := modelPrinter{to: term.text}
	p.file(doc.File, doc.Rivals)
	if f.models != "" {
		p.printf("\nkept in %s; check later runs: motehound model verify --models %s ...\n", f.models, f.models)
	} else if !interrupted {
		p.printf("\n--models FILE keeps this, for motehound model verify\n")
	}
	return nil
}

// vectorNumbers reads interrupts; nil if none is given.
func vectorNumbers(c *chip.Chip, flag string, texts []string) ([]uint16, error) {
	var list []uint16
	for _, text := range texts {
		v, err := c.Vector(text)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		list = append(list, uint16(v))
	}
	return list, nil
}

// timers are the interrupts of a chip by which its timers count. A capture is of something outside.
func timers(c *chip.Chip) []uint16 {
	var list []uint16
	for n, name := range c.Vectors {
		if strings.HasPrefix(name, "TIMER") && !strings.HasSuffix(name, "_CAPT") {
			list = append(list, uint16(n))
		}
	}
	return list
}

// vectorName names interrupts as the datasheet does.
func vectorName(c *chip.Chip) func(uint16) string {
	return func(v uint16) string { return c.VectorName(uint8(v)) }
}
