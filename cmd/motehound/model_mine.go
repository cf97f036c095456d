package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/mote/chip"
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
	filter                 callFilter
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
		Long: `Runs a firmware and finds, for each interrupt: the models of its event procedures, named A18, B18, ... in order of appearance; the
job flow, which is the repeated sequence of models that covers most of the run; and the models that interleave it. Start with a
small --depth, drop models that are not of interest (--drop B18@2), then look deeper. --models FILE keeps them: this approves them.

Each firmware has its own models, and one file keeps those of one firmware. In a network of different firmware, choose motes with
--node, or name a folder: each firmware then gets a file in it.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.mine(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringArrayVar(&f.vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.background, "background", nil, "an `interrupt` that may come at any time: never an interleaving (repeatable; default: clocks)")
	fl.StringArrayVar(&f.depths, "depth", nil, "number of call `layers` in a model, also halves; app: all application code; SPI_STC=4.5 for one interrupt (repeatable; default app, or 3 if unknown)")
	fl.StringArrayVar(&f.drops, "drop", nil, "leave out a `model`, such as B18, or B18@2 for its name at depth 2 (repeatable)")
	fl.StringSliceVar(&f.filter.Include, "function", nil, about("function"))
	fl.StringSliceVar(&f.components, "component", nil, about("component"))
	fl.StringSliceVar(&f.files, "file", nil, about("file"))
	fl.StringSliceVar(&f.filter.Exclude, "exclude", nil, about("exclude"))
	fl.BoolVar(&f.filter.Helpers, "helpers", false, "include the compiler's own functions")
	fl.BoolVar(&f.filter.Wiring, "wiring", false, "include the functions that nesC generates for wiring")
	fl.BoolVar(&f.filter.Kernel, "kernel-functions", false, "include the kernel's functions for tasks")
	fl.IntVar(&f.runs, "runs", 1, about("runs"))
	fl.IntVar(&f.untilStable, "until-stable", 0, "stop when this `number` of runs in a row had nothing new (at most --runs runs, default 50)")
	fl.BoolVar(&f.force, "force", false, "overwrite an existing --models file")
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
		return writeJSON(stdout, doc)
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
func (f *modelMineFlags) mineBuild(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, term *terminal) (*minedDocument, *callBook, error) {
	plan, watched, err := f.plan(of)
	if err != nil {
		return nil, nil, err
	}
	book := newCallBook()
	miner := behavior.NewMiner(book, plan, watched)
	if f.field.trace == "" {
		miner.WatchData()
	}
	doc := &minedDocument{Board: of.Kind.Board.Name, Motes: idsOf(w, of), Rivals: []rivalFlow{}, LeftOut: []string{}}
	err = f.learn(ctx, rec, w, of, miner, doc, term)
	if err == nil && ctx.Err() != nil {
		doc.LeftOut = append(doc.LeftOut, verdict.Interrupted)
		term.say("%s: these models cover only a part of the run", verdict.Interrupted)
		if f.models != "" {
			term.say("--models %s is not written: an incomplete run must not be approved", f.models)
		}
	}
	return doc, book, err
}

// plan is what the flags ask for, with the interrupts of a build's chip.
func (f *modelMineFlags) plan(of *builds.Build) (plan behavior.Plan, watched []uint16, err error) {
	chip := of.Kind.Board.Chip
	if watched, err = vectorNumbers(chip, "vector", f.vectors); err != nil {
		return plan, nil, err
	}
	if plan, err = depthFlags(f.usualDepth(of), f.depths, f.drops, chip.Vector); err != nil {
		return plan, nil, err
	}
	plan.Timers = timers(chip)
	plan.Background, err = vectorNumbers(chip, "background", f.background)
	return plan, watched, err
}

// noVectorError says that a chip does not have an interrupt.
type noVectorError struct {
	flag string
	err  error
}

func (e *noVectorError) Error() string { return fmt.Sprintf("--%s: %v", e.flag, e.err) }

// vectorNumbers reads interrupts; nil if none is given.
func vectorNumbers(c *chip.Chip, flag string, texts []string) ([]uint16, error) {
	var list []uint16
	for _, text := range texts {
		v, err := vectorNumber(c, flag, text)
		if err != nil {
			return nil, err
		}
		list = append(list, uint16(v))
	}
	return list, nil
}

// vectorNumber reads an interrupt.
func vectorNumber(c *chip.Chip, flag, text string) (uint8, error) {
	v, err := c.Vector(text)
	if err != nil {
		return 0, &noVectorError{flag, fmt.Errorf("%w%s", err, didYouMean(text, c.Vectors))}
	}
	return v, nil
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
