package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/show/picture"
	"motehound/show/text"
)

// modelVerifyFlags are those of model verify.
type modelVerifyFlags struct {
	modelFlags
	asked job.ModelVerify
	draw  pictureFlags
}

func modelVerifyCommand() *cobra.Command {
	f := modelVerifyFlags{asked: job.NewModelVerify("", "")}
	cmd := &cobra.Command{
		Use:   "verify [flags] --models FILE FIRMWARE|SCENARIO",
		Short: "Check a run against approved models",
		Long: `Runs a firmware and reports what differs from the approved models: event procedures that match no model, with the function where
they differ from the nearest one; sequences of models that are not made of approved job flows; and data that is used in an order
that was not approved (in files without data: new interleavings of a flow). Depths, dropped models and filters come from the file.
Each cause is reported once, with its first instance. Exit status: 0 no violation, 1 violations.

A file has the models of one firmware. In a network of different firmware, only the motes that run it are checked, or those of
--node. If --models names a folder, each file in it is checked against the motes that run its firmware.

--out DIR keeps report.json for 'model approve', and for each violation a recipe that replays to it. --html, --svg and --dot draw
the violations beside the approved models.`,
		Args: exactlyOne("firmware file", "example:sense"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.verify(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl, &f.asked.Model)
	fl.BoolVar(&f.asked.Strict, "strict", false, "report everything new as a violation, even if all rules hold")
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	f.draw.register(fl)
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

func (f *modelVerifyFlags) verify(ctx context.Context, firmware string) error {
	term := newTerminal(f.json, f.quiet, nil)
	r := f.asked
	f.fill(&r.Model, firmware)
	r.Draw = f.draw.wanted()
	found, failed := r.Do(ctx, term.host())
	if found == nil {
		return failed
	}
	if f.draw.wanted() {
		of := found.Builds[0]
		if err := f.draw.draw(func() (*picture.Picture, error) { return picture.OfVerified(&of) }, of.Firmware); err != nil {
			return err
		}
	}
	if !f.json {
		p := text.Models{To: term.text}
		for _, b := range found.Builds {
			if found.Network != nil {
				p.Printf("\n%s:\n", b.Build)
			}
			p.Verified(b.Document, b.Out)
		}
	}
	if failed != nil {
		return failed
	}
	switch {
	case f.json:
		if err := document.Write(stdout, found.Document()); err != nil {
			return err
		}
	case found.Network != nil:
		f.printNetwork(term, found.Network)
	}
	if found.Violated() {
		return errFound
	}
	return nil
}

// printNetwork says what all builds come to.
func (f *modelVerifyFlags) printNetwork(term *terminal, net *document.VerifiedNetwork) {
	bad := 0
	for _, d := range net.Builds {
		if d.Verdict == document.Violated {
			bad++
		}
	}
	all := phrase.Counted(len(net.Builds), "firmware file")
	if bad > 0 {
		fmt.Fprintf(term.text, "\nviolated: by %d of %s\n", bad, all)
	} else {
		fmt.Fprintf(term.text, "\n%s: none violates the models in %s\n", all, f.asked.Models)
	}
	printLeftOut(term, net.LeftOut)
}

func printLeftOut(term *terminal, list []string) {
	for _, text := range list {
		fmt.Fprintf(term.text, "  left out: %s\n", text)
	}
}

func modelApproveCommand() *cobra.Command {
	var asked job.ModelApprove
	cmd := &cobra.Command{
		Use:   "approve --models FILE (--all | --id ID...) REPORT",
		Short: "Add violations to the approved models",
		Long: `Adds violations that are in fact correct behaviour to the approved models: those with the given ids, or all. REPORT is what
'model verify --json' printed, or report.json from its --out folder.`,
		Args: exactlyOne("report of model verify", "DIR/report.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			asked.Report = args[0]
			added, err := asked.Do()
			if err != nil {
				return err
			}
			if len(added) == 0 {
				fmt.Fprintln(stdout, "nothing to add: the file already has it all")
			}
			for _, what := range added {
				fmt.Fprintln(stdout, "added", what)
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&asked.Models, "models", "", about("models"))
	fl.StringArrayVar(&asked.IDs, "id", nil, "add the violation with this `id` (repeatable)")
	fl.BoolVar(&asked.All, "all", false, about("all"))
	return cmd
}
