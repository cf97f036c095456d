package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
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
to approve them.

In a network of different firmware each firmware has models of its own, and a file keeps those of one: choose its motes with
--node, or name a folder, in which each firmware gets a file.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringArrayVar(&f.vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.background, "background", nil, "an `interrupt` that may come at any time, as a clock's: it interleaves nobody (repeatable; clocks that only count are)")
	fl.StringArrayVar(&f.depths, "depth", nil, "how many `layers` of calls make a model, also in halves, or app: all of the application's code; of one interrupt: SPI_STC=4.5 (repeatable; default app, or 3 where that is not known)")
	fl.StringArrayVar(&f.drops, "drop", nil, "leave out a `model`, as B18; B18@2 is the one that has this name at depth 2 (repeatable)")
	fl.StringSliceVar(&f.filter.Include, "function", nil, about("function"))
	fl.StringSliceVar(&f.components, "component", nil, about("component"))
	fl.StringSliceVar(&f.files, "file", nil, about("file"))
	fl.StringSliceVar(&f.filter.Exclude, "exclude", nil, about("exclude"))
	fl.BoolVar(&f.filter.Helpers, "helpers", false, "also the compiler's own functions")
	fl.BoolVar(&f.filter.Wiring, "wiring", false, "also the functions that nesC makes of wires")
	fl.BoolVar(&f.filter.Kernel, "kernel-functions", false, "also the functions that keep and run tasks")
	fl.IntVar(&f.runs, "runs", 1, about("runs"))
	fl.IntVar(&f.untilStable, "until-stable", 0, "stop when this `number` of runs in a row had nothing new (at most --runs; default 50 then)")
	fl.BoolVar(&f.force, "force", false, "write over an existing file of --models")
	f.draw.register(fl)
	f.registerOutput(fl)
	return cmd
}

// minedDocument is what model mine prints as JSON.
type minedDocument struct {
	Board  string         `json:"board"`
	Motes  []int          `json:"motes"` // node ids
	TimeS  float64        `json:"time_s"`
	Hash   string         `json:"hash"`
	File   *behavior.File `json:"models"`
	Rivals []rivalFlow    `json:"rivals"`
	Runs   int            `json:"runs"`
	Stable int            `json:"stable"` // runs at the end that had nothing new
	// LeftOut is why there may be more.
	LeftOut []string `json:"left_out"`
}

// half tells whether the user did not wait for the run's end.
func (d *minedDocument) half() bool { return slices.Contains(d.LeftOut, verdict.Interrupted) }

// rivalFlow is a flow that covers less than the job flow.
type rivalFlow struct {
	Vector uint16  `json:"vector"`
	Models string  `json:"models"`
	Count  int     `json:"count"`
	Share  float64 `json:"share"`
}

func (f *modelMineFlags) mine(ctx context.Context, firmware string) error {
	f.filter.Include = append(append(f.filter.Include, f.components...), f.files...)
	if !isFolder(f.models) {
		if err := f.mayWrite(f.models); err != nil {
			return err
		}
	}
	term := newTerminal(f.json, f.quiet, nil)
	rec, w, _, err := f.load(ctx, firmware, term)
	if err != nil {
		return err
	}
	of, err := f.builds(w)
	if err != nil {
		return err
	}
	if len(of) > 1 || isFolder(f.models) {
		return f.mineSeveral(ctx, rec, of, term)
	}
	doc, book, err := f.mineBuild(ctx, rec, w, of[0], term)
	if errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	}
	if err != nil {
		return err
	}
	if doc.half() {
		f.models = ""
	}
	if f.models != "" {
		if err := disk.Write(f.models, doc.File.Bytes(), 0o666); err != nil {
			return fmt.Errorf("--models: %w", err)
		}
	}
	if err := f.draw.drawMined(doc, book); err != nil {
		return err
	}
	if f.json {
		return document.Write(stdout, doc)
	}
	p := modelPrinter{to: term.text}
	p.file(doc.File, doc.Rivals)
	if f.models != "" {
		p.printf("\nkept in %s; check later runs: motehound model verify --models %s ...\n", f.models, f.models)
	} else if !doc.half() {
		p.printf("\n--models FILE keeps this, for motehound model verify\n")
	}
	return nil
}

// mineBuild mines the motes of a build.
func (f *modelMineFlags) mineBuild(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, term *terminal) (*minedDocument, *behavior.Book, error) {
	plan, watched, err := f.plan(of)
	if err != nil {
		return nil, nil, err
	}
	book := behavior.NewBook()
	miner := behavior.NewMiner(book, plan, watched)
	if f.field.trace == "" {
		miner.WatchData()
	}
	doc := &minedDocument{Board: of.Kind.Board.Name, Motes: idsOf(w, of), Rivals: []rivalFlow{}, LeftOut: []string{}}
	err = f.learn(ctx, rec, w, of, miner, doc, term)
	if err == nil && ctx.Err() != nil {
		doc.LeftOut = append(doc.LeftOut, verdict.Interrupted)
		term.say("%s: these are the models of a part of the run", verdict.Interrupted)
		if f.models != "" {
			term.say("--models %s is not written: half a run is not to be approved", f.models)
		}
	}
	return doc, book, err
}

// plan is what the flags ask for, with the interrupts of a build's chip.
func (f *modelMineFlags) plan(of *builds.Build) (plan behavior.Plan, watched []uint16, err error) {
	chip := of.Kind.Board.Chip
	if watched, err = job.VectorNumbers(chip, "vector", f.vectors); err != nil {
		return plan, nil, err
	}
	if plan, err = depthFlags(f.usualDepth(of), f.depths, f.drops, chip.Vector); err != nil {
		return plan, nil, err
	}
	plan.Timers = job.Timers(chip)
	plan.Background, err = job.VectorNumbers(chip, "background", f.background)
	return plan, watched, err
}
