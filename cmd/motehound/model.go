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
	cmd := &cobra.Command{
		Use:   "model",
		Short: "See how the code really runs, approve it, and hold later runs to that",
		Long: `Turns a run into behaviour models (T-Morph): what each event procedure calls, layer by layer; in which order procedures
of an interrupt follow each other, as job flows; and what interleaves those flows. A person looks at them and keeps them in a
file beside the firmware. Later runs are verified against it: new procedures, new flows and new interleavings are reported.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelMineCommand(), modelShowCommand(), modelVerifyCommand(), modelApproveCommand(), modelDiffCommand())
	return cmd
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
	f.worldFlags.register(fl, "pcap")
	f.field.register(fl)
	fl.StringSliceVar(&to.Node, "node", to.Node, about("node"))
	fl.StringVar(&to.Models, "models", "", about("models"))
}

func (f *modelFlags) registerOutput(fl *pflag.FlagSet) {
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
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
	f.register(fl, &f.asked.Model)
	fl.StringArrayVar(&f.asked.Vectors, "vector", nil, about("vector"))
	fl.StringArrayVar(&f.asked.Background, "background", nil, "an `interrupt` that may come at any time, as a clock's: it interleaves nobody (repeatable; clocks that only count are)")
	fl.StringArrayVar(&f.asked.Depths, "depth", nil, "how many `layers` of calls make a model, also in halves, or app: all of the application's code; of one interrupt: SPI_STC=4.5 (repeatable; default app, or 3 where that is not known)")
	fl.StringArrayVar(&f.asked.Drops, "drop", nil, "leave out a `model`, as B18; B18@2 is the one that has this name at depth 2 (repeatable)")
	fl.StringSliceVar(&f.asked.Functions, "function", nil, about("function"))
	fl.StringSliceVar(&f.asked.Components, "component", nil, about("component"))
	fl.StringSliceVar(&f.asked.Sources, "file", nil, about("file"))
	fl.StringSliceVar(&f.asked.Exclude, "exclude", nil, about("exclude"))
	fl.BoolVar(&f.asked.Helpers, "helpers", false, "also the compiler's own functions")
	fl.BoolVar(&f.asked.Wiring, "wiring", false, "also the functions that nesC makes of wires")
	fl.BoolVar(&f.asked.Kernel, "kernel-functions", false, "also the functions that keep and run tasks")
	fl.IntVar(&f.runs, "runs", 1, about("runs"))
	fl.IntVar(&f.asked.UntilStable, "until-stable", 0, "stop when this `number` of runs in a row had nothing new (at most --runs; default 50 then)")
	fl.BoolVar(&f.asked.Force, "force", false, "write over an existing file of --models")
	f.draw.register(fl)
	f.registerOutput(fl)
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
	if f.draw.wanted() {
		p, err := picture.OfMined(&mined.Builds[0])
		if err == nil {
			err = f.draw.write(p, mined.Builds[0].Document.File.Firmware)
		}
		if err != nil {
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
	hint := "--models FILE keeps this"
	if mined.Network != nil {
		printLeftOut(term, mined.Network.LeftOut)
		hint = "--models DIR/ keeps this, a file for each firmware"
	} else {
		half = mined.Builds[0].Document.Half()
	}
	switch {
	case half:
	case models != "":
		p.Printf("\nkept in %s; check later runs: motehound model verify --models %s ...\n", models, models)
	default:
		p.Printf("\n%s, for motehound model verify\n", hint)
	}
}
