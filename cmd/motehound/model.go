package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/picture"
	"motehound/show/text"
)

func modelCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "model",
		Short: "Show how the firmware behaves, approve it, and check later runs against it",
		Long: `Shows how the firmware really behaves, and checks later runs against that (T-Morph). A run becomes behaviour models: what each event
procedure calls, layer by layer; in which order the procedures of an interrupt follow each other (job flows); and what interleaves
those flows. You approve the models by keeping them in a file beside the firmware. Later runs are verified against the file: new
procedures, new flows and new interleavings are reported.`,
	}, modelMineCommand(), modelShowCommand(), modelVerifyCommand(), modelApproveCommand(), modelDiffCommand())
}

// modelFlags are those of the subcommands that run a firmware.
type modelFlags struct {
	worldFlags
	field fieldFlags
	json  bool
	quiet bool
}

func (f *modelFlags) register(fl *pflag.FlagSet, to *job.Model) {
	fl.SortFlags = false
	f.worldFlags.register(fl)
	f.field.register(fl)
	fl.StringSliceVar(&to.Node, "node", to.Node, about("node"))
	fl.StringVar(&to.Models, "models", "", about("models"))
}

// fill puts what the flags ask for into a request.
func (f *modelFlags) fill(to *job.Model, file string) {
	to.World, to.Field, to.File = f.request(), f.field.request(), file
}

// modelMineFlags are those of model mine.
type modelMineFlags struct {
	modelFlags
	asked job.ModelMine
	runs  int
	draw  pictureFlags
}

func modelMineCommand() *cobra.Command {
	f := modelMineFlags{asked: job.NewModelMine("")}
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
	f.register(fl, &f.asked.Model)
	fl.StringArrayVar(&f.asked.Vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.asked.Background, "background", nil, "an `interrupt` that may come at any time: never an interleaving (repeatable; default: clocks)")
	fl.StringArrayVar(&f.asked.Depths, "depth", nil, "number of call `layers` in a model, also halves; app: all application code; SPI_STC=4.5 for one interrupt (repeatable; default app, or 3 if unknown)")
	fl.StringArrayVar(&f.asked.Drops, "drop", nil, "leave out a `model`, such as B18, or B18@2 for its name at depth 2 (repeatable)")
	fl.StringSliceVar(&f.asked.Functions, "function", nil, about("function"))
	fl.StringSliceVar(&f.asked.Components, "component", nil, about("component"))
	fl.StringSliceVar(&f.asked.Sources, "file", nil, about("file"))
	fl.StringSliceVar(&f.asked.Exclude, "exclude", nil, about("exclude"))
	fl.BoolVar(&f.asked.Helpers, "helpers", false, "include the compiler's own functions")
	fl.BoolVar(&f.asked.Wiring, "wiring", false, "include the functions that nesC generates for wiring")
	fl.BoolVar(&f.asked.Kernel, "kernel-functions", false, "include the kernel's functions for tasks")
	fl.IntVar(&f.runs, "runs", 1, about("runs"))
	fl.IntVar(&f.asked.UntilStable, "until-stable", 0, "stop when this `number` of runs in a row had nothing new (at most --runs runs, default 50)")
	fl.BoolVar(&f.asked.Force, "force", false, "overwrite an existing --models file")
	f.draw.register(fl)
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *modelMineFlags) mine(ctx context.Context, firmware string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	f.fill(&r.Model, firmware)
	r.Draw = f.draw.wanted()
	if f.changed("runs") {
		r.Runs = &f.runs
	}
	mined, failed := r.Do(ctx, term.host())
	if mined == nil {
		return failed
	}
	if first := mined.Builds; len(first) > 0 {
		of := first[0]
		if err := f.draw.draw(func() (*picture.Picture, error) { return picture.OfMined(&of) }, of.Document.File.Firmware); err != nil {
			return err
		}
	}
	if f.json && failed == nil {
		return document.Write(stdout, mined.Document())
	}
	if !f.json {
		f.print(term, mined, failed != nil || ctx.Err() != nil)
	}
	return failed
}

// print prints the models, and how to keep them.
func (f *modelMineFlags) print(term *terminal, mined *job.ModelsMined, half bool) {
	p, models := text.Models{To: term.text}, f.asked.Models
	for _, b := range mined.Builds {
		if mined.Network != nil {
			p.Printf("\n%s:\n", b.Build)
		}
		p.File(b.Document.File, b.Document.Rivals)
	}
	hint := "--models FILE keeps this, for motehound model verify"
	if mined.Network != nil {
		printLeftOut(term, mined.Network.LeftOut)
		hint = "--models DIR/ keeps this for motehound model verify, one file per firmware"
	} else {
		half = mined.Builds[0].Document.Half()
	}
	switch {
	case half:
	case models != "":
		p.Printf("\nkept in %s; check later runs: motehound model verify --models %s ...\n", models, models)
	default:
		p.Printf("\n%s\n", hint)
	}
}
